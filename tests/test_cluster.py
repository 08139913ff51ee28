"""Runs on a real Dask cluster on this machine: a scheduler and workers, each a process of its own."""

import pickle
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from dask_here import GAMES, SHORT, After, Command, Dask, interrupt, on, run_here, same_rows, solo_scenario  # noqa: F401 - fixtures

import nfsim
from nfsim.log.read import Run, load
from nfsim.run import cluster as clusters
from nfsim.run.chunks import Job, chunk_size
from nfsim.run.cluster import Cluster
from nfsim.run.execute import run
from nfsim.run.progress import GOES_ON, Stopped
from nfsim.run.scenario import Scenario, read_scenario
from nfsim.run.worker_task import pack, unlike

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
GIVEN_UP = "did not play a chunk"  # said of what Dask gives up, and of nothing that a worker says itself
HIDDEN = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"']  # "$0": a folder, empty from then on


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Dask, Path]]:
    """One worker that sees another folder at a place, as on another machine; and that place."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("a worker with other folders needs mount namespaces, which this user may not make")
    place = tmp_path_factory.mktemp("unseen")
    made = Dask(tmp_path_factory.mktemp("far"))
    try:
        made.add_worker(before=(*HIDDEN, str(place)))
        made.wait_for(1)
        yield made, place
    finally:
        made.end()


def test_workers_play_the_rows_of_a_run_on_this_machine(dask: Dask, solo: Scenario, here: Run, tmp_path: Path) -> None:
    assert on(dask, solo, tmp_path / "run") == GAMES
    assert same_rows(load(tmp_path / "run", content=True), here)


def test_a_run_begun_here_goes_on_with_workers(dask: Dask, solo: Scenario, here: Run, tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        run(solo, tmp_path / "run", jobs=1, watch=After(interrupt))
    assert 0 < on(dask, solo, tmp_path / "run") < GAMES
    assert same_rows(load(tmp_path / "run"), here)


@pytest.mark.soak
def test_a_run_that_lacks_only_its_manifest_gets_it(dask: Dask, solo: Scenario, here: Run, tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        run(solo, tmp_path / "run", watch=After(interrupt, GAMES // chunk_size(GAMES)))
    assert on(dask, solo, tmp_path / "run") == 0
    assert same_rows(load(tmp_path / "run"), here)


def test_ctrl_c_keeps_what_is_complete_and_the_run_goes_on_here(
    dask: Dask, solo: Scenario, here: Run, tmp_path: Path
) -> None:
    with pytest.raises(Stopped) as stopped:
        on(dask, solo, tmp_path / "run", interrupt)
    assert stopped.value.exit_code == 130
    assert stopped.value.kept >= chunk_size(GAMES)
    assert run(solo, tmp_path / "run").played < GAMES
    assert same_rows(load(tmp_path / "run"), here)


def test_a_policy_in_python_plays_on_workers(dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # where its module is looked for, here and there
    few = read_scenario("solo_campaign1_short", overrides={"games": 10, "policy": "examples.greedy:choose"})
    on(dask, few, tmp_path / "there")
    run(few, tmp_path / "here", jobs=1)
    assert same_rows(load(tmp_path / "there"), load(tmp_path / "here"))


def test_a_policy_that_fails_on_a_worker_says_where(
    dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    (tmp_path / "wrong.py").write_text("def choose(game):\n    return 1 // 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    code, _, said = command(
        "run", "solo_campaign1_short", "--games", "10", "--policy", "wrong:choose",
        "--backend", "dask", "--scheduler", dask.file,
    )  # fmt: skip
    assert code == 1
    assert "nfsim: policy wrong:choose broke off with ZeroDivisionError in wrong.py, line 2" in said
    assert "0 of 10 games are kept" in said
    assert GIVEN_UP not in said
    assert GOES_ON not in said  # with the policy as it is


@pytest.mark.soak
def test_a_worker_that_sees_another_folder_sends_its_parts_back(
    far: tuple[Dask, Path], solo: Scenario, here: Run
) -> None:
    dask, place = far
    assert on(dask, solo, place / "run") == GAMES
    assert same_rows(load(place / "run", content=True), here)


def test_a_policy_whose_module_a_worker_lacks_is_refused_by_the_workers_name(
    far: tuple[Dask, Path], monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    dask, place = far
    (place / "only_here.py").write_text("def choose(game):\n    return 0\n")
    monkeypatch.chdir(place)
    monkeypatch.setattr(sys, "path", list(sys.path))
    code, _, said = command(
        "run", "solo_campaign1_short", "--games", "10", "--policy", "only_here:choose",
        "--backend", "dask", "--scheduler", dask.file, "--out", place / "own",
    )  # fmt: skip
    assert code == 2
    assert "worker tcp://" in said
    assert 'there is no module "only_here"' in said


def test_a_worker_with_another_source_is_refused_by_name_also_if_it_joins_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    shutil.copytree(Path(nfsim.__file__).parent, tmp_path / "copy" / "nfsim", ignore=shutil.ignore_patterns("*.pyc"))
    changed = tmp_path / "copy" / "nfsim" / "compiled" / "rng.py"
    changed.write_text(changed.read_text("utf-8") + "# another source\n", "utf-8")
    dask, out = Dask(tmp_path), tmp_path / "run"
    line = ("run", "solo_campaign1_short", "--backend", "dask", "--scheduler", dask.file, "--out", out)
    try:
        dask.add_worker(PYTHONPATH=str(tmp_path / "copy"), NFSIM_CACHE_DIR=str(tmp_path / "cache"))
        dask.wait_for(1)
        looked_at = command(*line)
        monkeypatch.setattr(Cluster, "_check_workers", lambda *_: None)  # as if it were not there yet
        joined_later = command(*line)
    finally:
        dask.end()
    for exit_code, (code, _, said) in ((2, looked_at), (1, joined_later)):
        assert code == exit_code
        assert "worker tcp://" in said
        assert "source of the rules" in said
        assert GIVEN_UP not in said
    assert not list(out.glob("*/*.parquet"))


def test_a_killed_worker_changes_no_row(dask: Dask, solo: Scenario, here: Run, tmp_path: Path) -> None:
    dask.add_worker()
    dask.wait_for(3)
    doomed = dask.workers.pop()
    on(dask, solo, tmp_path / "run", lambda: doomed.send_signal(signal.SIGKILL))
    assert doomed.wait() == -signal.SIGKILL
    assert same_rows(load(tmp_path / "run", content=True), here)


@pytest.mark.soak
def test_a_chunk_that_ends_its_workers_is_given_up_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    (tmp_path / "deadly.py").write_text("import os\n\n\ndef choose(game):\n    os._exit(1)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    dask = Dask(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")  # otherwise three workers more
    try:
        dask.add_worker()
        dask.wait_for(1)
        code, _, said = command(
            "run", "solo_campaign1_short", "--games", "10", "--policy", "deadly:choose",
            "--backend", "dask", "--scheduler", dask.file, "--out", tmp_path / "run",
        )  # fmt: skip
    finally:
        dask.end()
    assert code == 1
    assert "every worker that played it ended" in said
    assert "0 of 10 games are kept" in said


@pytest.mark.soak
def test_a_worker_that_cannot_write_is_named_in_one_sentence(
    tmp_path: Path, solo: Scenario, here: Run, command: Command
) -> None:
    dask, line = (
        Dask(tmp_path),
        ("run", "solo_campaign1_short", "--set", SHORT, "--games", GAMES, "--policy", "uniform"),
    )
    try:
        dask.add_worker(before=("sh", "-c", 'ulimit -f 64 && exec "$0" "$@"'))  # no file gets larger than 32 kB
        dask.wait_for(1)
        code, _, said = command(*line, "--backend", "dask", "--scheduler", dask.file, "--out", tmp_path / "run")
    finally:
        dask.end()
    assert code == 1
    assert re.search(
        r"nfsim: worker tcp://\S+ cannot read or write \(File too large\): 0 of 80,000 games are kept", said
    )
    assert GOES_ON in said
    assert run(solo, tmp_path / "run").played == GAMES
    assert same_rows(load(tmp_path / "run"), here)


@pytest.mark.soak
def test_a_lost_scheduler_ends_the_run_in_one_sentence_and_keeps_chunks(
    far: tuple[Dask, Path], solo: Scenario, here: Run, tmp_path: Path
) -> None:
    dask, place = far
    with pytest.raises(Stopped, match=r"the scheduler .* is gone: .* are kept") as stopped:
        on(dask, solo, place / "lost", dask.scheduler.kill)
    assert stopped.value.exit_code == 1
    assert stopped.value.kept >= chunk_size(GAMES)
    assert run(solo, place / "lost").played < GAMES
    assert same_rows(load(place / "lost"), here)


@pytest.mark.parametrize(
    ("scheduler", "sentence"),
    [
        ("tcp://127.0.0.1:1", "tcp://127.0.0.1:1 does not answer"),
        ("nonsense://", "nonsense:// does not answer"),
        ("no_such_file.json", "there is no file no_such_file.json"),
    ],
)
def test_a_scheduler_that_cannot_be_used_is_one_sentence(
    scheduler: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.setattr(clusters, "REACH_SECONDS", 1)
    monkeypatch.chdir(tmp_path)
    code, out, said = command("run", "solo_campaign1_short", "--backend", "dask", "--scheduler", scheduler)
    assert (code, out) == (2, "")
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_without_the_extra_the_sentence_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # what an import finds where it is not installed
    monkeypatch.chdir(tmp_path)
    code, _, said = command("run", "solo_campaign1_short", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert code == 2
    assert "pip install 'nfsim[cluster]'" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--backend", "ray"), 'unknown backend "ray"'),
        (("--backend", "dask"), "dask needs the address of a scheduler"),
        (("--scheduler", "tcp://127.0.0.1:1"), "add --backend dask"),
        (("--backend", "dask", "--scheduler", "x", "--jobs", "2"), "--jobs: is for this machine"),
        (("--out", "s3://bucket/run"), "an address"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    options: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, said = command("run", "solo_campaign1_short", *options)
    assert code == 2
    assert sentence in said
    assert not list(tmp_path.iterdir())


def test_a_packed_job_is_small_enough_to_travel_with_every_chunk(solo: Scenario) -> None:
    job = Job(solo.rule_set, solo.prepared, solo.seated, "rounds", 1, Path("run"), "key")
    assert len(pickle.dumps(pack(job))) < 100_000


def test_what_differs_on_a_worker_is_said_with_what_is_there_and_what_is_wanted() -> None:
    wanted = {"rules": "2", "source of the rules": "a" * 64, "numba": "0.68"}
    there = {"rules": "1", "source of the rules": "b" * 64, "numba": "0.68"}
    assert unlike(wanted, there) == "rules 1 instead of 2, source of the rules bbbbbbbb instead of aaaaaaaa"
    assert unlike(wanted, wanted) == ""
