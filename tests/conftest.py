"""What several test files use."""

import functools
import os
from collections.abc import Callable, Iterator

import pytest
from dask_here import Dask

import nfsim.cli
import nfsim.cli.console

TESTS = "new_frontiers:tests"  # what tests need compiled, beside what a first run compiles


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process; return exit code, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        # consoles remember whether their stream is a terminal
        nfsim.cli.console._console.cache_clear()
        code = nfsim.cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


FIRST = "test_conformance"  # it needs compiled rules most
WITHOUT_RULES = ("test_stats_", "test_report_", "test_architecture", "test_compiled_")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let tests that play nothing be the second ones: they need not wait while the first process compiles the rules."""

    def rank(item: pytest.Item) -> int:
        name = item.path.stem
        return 0 if name == FIRST else 1 if name.startswith(WITHOUT_RULES) else 2

    items.sort(key=rank)


@pytest.fixture(scope="module", autouse=True)
def _compiled_for(request: pytest.FixtureRequest) -> None:
    if not request.path.stem.startswith(WITHOUT_RULES):
        request.getfixturevalue("_compiled")


@pytest.fixture(scope="session")
def _compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile what tests play with, by one process while others wait: with a cold cache two would do all twice."""
    from nfsim.compiled import jit

    alone = "PYTEST_XDIST_WORKER" not in os.environ  # then each test compiles what it needs, and nothing else
    if alone or jit.is_warm(TESTS):
        return
    with jit.warming(TESTS) as cold:
        if cold:
            from nfsim.cli import main
            from nfsim.run.scenario import read_scenario

            folder = tmp_path_factory.mktemp("compiled")
            nfsim.play("solo_campaign1_short", folder / "solo", games=1, policy="search_planner", log="tiles")
            nfsim.play("rift_2p", folder / "two", games=1, policy="search")
            nfsim.play("rift_2p", folder / "own", games=1, policy="examples.greedy:choose,uniform")
            solo = read_scenario("solo_campaign1_short")
            solo.rule_set.game(solo.prepared, solo.seated, 1, 0).advice(1)
            for policy in ("balanced", "planner"):
                assert main(["campaign", "1", "--campaigns", "1", "--sample", "2", "--policy", policy, "--json"]) == 0


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every chart of a page be the same small drawing: drawing takes most of a page's time.

    For tests of what a page says. A test of each study draws its charts, and so do tests of what drawings hold.
    """
    drawn, picture = _a_drawing()
    monkeypatch.setattr("nfsim.report.svg.raw", lambda _figure: drawn)
    monkeypatch.setattr("nfsim.report.svg.png", lambda _figure, _below="": picture)


@functools.cache
def _a_drawing() -> tuple[str, bytes]:
    from matplotlib.figure import Figure

    from nfsim.report import svg

    return svg.raw(Figure((1, 1))), svg.png(Figure((1, 1)))


@pytest.fixture(scope="session")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """A scheduler and two workers on this machine, which see all folders; the test is skipped without the extra."""
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    made = Dask(tmp_path_factory.mktemp("dask"))
    try:
        made.add_worker()
        made.add_worker()
        made.wait_for(2)
        yield made
    finally:
        made.end()
