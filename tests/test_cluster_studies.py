"""Studies, and calls from Python, that the workers of a real Dask cluster play."""

import contextlib
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from dask_here import GAMES, After, Command, Dask, interrupt, same_rows

import nfsim
from nfsim.errors import BadInput
from nfsim.log.read import Run, load
from nfsim.run import execute
from nfsim.run.cluster import Cluster
from nfsim.run.options import Options, Watching
from nfsim.run.progress import Stopped, Watch
from nfsim.run.scenario import read_scenario
from nfsim.studies.study import Variant, play_variants, study

pytestmark = pytest.mark.slow

COMMANDS = [
    ("difficulty", "--rounds", "10", "--policies", "uniform", "--no-campaigns"),
    ("thresholds", "--policy", "uniform"),
    ("sweep", "solo_campaign1_short", "--vary", "setup.rounds=3,4", "--policy", "uniform"),
    ("balance", "rift_2p", "--policy", "uniform", "--second", "none", "--tiles", "top:1", "--cost", "none"),
]


def variants() -> list[Variant]:
    """Two variants of eight chunks each."""
    lengths = {"3 rounds": 3, "4 rounds": 4}
    overrides = {"games": GAMES, "policy": "uniform"}
    return [
        Variant(read_scenario("solo_campaign1_short", [f"setup.rounds={rounds}"], overrides), {"length": length})
        for length, rounds in lengths.items()
    ]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """The study played on this machine."""
    out = tmp_path_factory.mktemp("here") / "study"
    play_variants(variants(), out, Options(1, watching=silently))
    return study(out)


def silently(_title: str, _unit: str) -> AbstractContextManager[Watch]:
    return contextlib.nullcontext(Watch())


def in_second_variant(act: Callable[[], object]) -> Watching:
    """Do something after the first chunk of the second variant."""
    return lambda title, _: contextlib.nullcontext(After(act) if title.startswith("2/2") else Watch())


def play_there(dask: Dask, out: Path, watching: Watching = silently) -> None:
    with Cluster(str(dask.file)) as cluster:
        play_variants(variants(), out, Options(1, None, cluster, watching))


def same_study(out: Path, here: dict[str, Run]) -> bool:
    there = study(out)
    return list(there) == list(here) and all(
        same_rows(load(there[name].folder, content=True), run) for name, run in here.items()
    )


@pytest.mark.soak
def test_a_study_has_the_same_tables_also_when_a_worker_is_killed_in_its_middle(
    dask: Dask, here: dict[str, Run], tmp_path: Path
) -> None:
    dask.add_worker()
    dask.wait_for(3)
    doomed = dask.workers.pop()
    play_there(dask, tmp_path, in_second_variant(lambda: doomed.send_signal(signal.SIGKILL)))
    assert doomed.wait() == -signal.SIGKILL
    assert same_study(tmp_path, here)
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.soak
def test_a_study_begun_with_workers_goes_on_here(dask: Dask, here: dict[str, Run], tmp_path: Path) -> None:
    with pytest.raises(Stopped) as stopped:
        play_there(dask, tmp_path, in_second_variant(interrupt))
    assert (stopped.value.exit_code, stopped.value.kept, stopped.value.unit) == (130, 1, "variants")
    first = (tmp_path / "runs" / "3_rounds" / "manifest.json").stat().st_mtime_ns
    play_variants(variants(), tmp_path, Options(1, watching=silently))
    assert (tmp_path / "runs" / "3_rounds" / "manifest.json").stat().st_mtime_ns == first
    assert same_study(tmp_path, here)


@pytest.mark.soak
def test_a_worker_of_another_source_that_joins_between_two_variants_is_refused(dask: Dask, tmp_path: Path) -> None:
    shutil.copytree(Path(nfsim.__file__).parent, tmp_path / "copy" / "nfsim", ignore=shutil.ignore_patterns("*.pyc"))
    changed = tmp_path / "copy" / "nfsim" / "compiled" / "rng.py"
    changed.write_text(changed.read_text("utf-8") + "# another source\n", "utf-8")

    @contextlib.contextmanager
    def joined(title: str, _unit: str) -> Iterator[Watch]:
        if title.startswith("2/2"):
            dask.add_worker(PYTHONPATH=str(tmp_path / "copy"), NFSIM_CACHE_DIR=str(tmp_path / "cache"))
            dask.wait_for(3)
        yield Watch()

    try:
        with pytest.raises(BadInput, match=r"worker tcp://.* source of the rules"):
            play_there(dask, tmp_path / "study", joined)
    finally:
        joined_last = dask.workers.pop()
        joined_last.kill()
        joined_last.wait()
    assert (tmp_path / "study" / "runs" / "3_rounds" / "manifest.json").is_file()
    assert not list((tmp_path / "study" / "runs" / "4_rounds").glob("*/*.parquet"))


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, id=line[0], marks=() if line[0] in ("sweep", "balance") else pytest.mark.soak)
        for line in COMMANDS
    ],
)
def test_workers_play_all_games_of_a_study(
    dask: Dask, line: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    def here(*_: object) -> None:
        raise AssertionError("a game is played on this machine")

    monkeypatch.setattr(execute, "_side_by_side", here)
    code, _, said = command(*line, "--games", "20", "--backend", "dask", "--scheduler", dask.file, "--out", tmp_path)
    assert (code, said) == (0, "")


@pytest.mark.parametrize("line", COMMANDS, ids=[line[0] for line in COMMANDS])
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--backend", "ray"), 'unknown backend "ray"'),
        (("--scheduler", "tcp://127.0.0.1:1"), "add --backend dask"),
        (("--backend", "dask", "--scheduler", "x", "--jobs", "2"), "--jobs: is for this machine"),
        (("--backend", "dask", "--scheduler", "x", "--out", "s3://bucket/study"), "s3://bucket/study is an address"),
    ],
)
def test_options_of_a_study_that_do_not_go_together_are_refused(
    line: tuple[str, ...], options: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    command: Command,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, out, said = command(*line, *options)
    assert (code, out) == (2, "")
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_call_from_python_has_the_rows_of_a_call_without_workers(dask: Dask, tmp_path: Path) -> None:
    there, here = (
        nfsim.play("rift_2p", tmp_path / name, games=100, policy="uniform", scheduler=scheduler)
        for name, scheduler in (("there", str(dask.file)), ("here", None))
    )
    assert same_rows(there, here)


def test_a_call_from_python_refuses_threads_of_this_machine_for_workers(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--jobs: is for this machine"):
        nfsim.play("rift_2p", tmp_path / "run", jobs=2, scheduler="tcp://127.0.0.1:1")
    assert not list(tmp_path.iterdir())
