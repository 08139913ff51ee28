"""Studies, comparisons and reports that are given what they cannot use: one sentence, exit code 2, nothing written."""

import ctypes
import json
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from synthetic_runs import solo_run, table_run, write_manifest

from nfsim.errors import BadInput
from nfsim.report.source import read
from nfsim.run.scenario import read_scenario
from nfsim.studies.study import study
from nfsim.studies.sweep.numbers import Axis, figures, gather
from nfsim.studies.sweep.variants import make_sweep

Command = Callable[..., tuple[int, str, str]]
Damage = Callable[[Path], None]
SOLO = "solo_campaign1_short"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(outcome: tuple[int, str, str]) -> str:
    """Check that an outcome is that of bad input; return its sentence."""
    code, out, error = outcome
    assert (code, out) == (2, ""), error
    assert error.endswith("\n")
    assert error[:-1].isprintable()
    assert len(error) < 600
    return error


# runs that do not hold what their manifest says, though no checksum tells


def change(edit: Callable[[dict], object]) -> Damage:
    """Return a damage that edits the manifest."""

    def damage(run: Path) -> None:
        file = run / "manifest.json"
        manifest = json.loads(file.read_text("utf-8"))
        edit(manifest)
        write_manifest(run, manifest)

    return damage


def rewrite(table: str, edit: Callable[[pl.DataFrame], pl.DataFrame]) -> Damage:
    """Return a damage that writes a part anew."""

    def damage(run: Path) -> None:
        part = next((run / table).iterdir())
        edit(pl.read_parquet(part)).write_parquet(part)

    return damage


def swap(run: Path) -> None:
    shutil.copyfile(next((run / "seats").iterdir()), next((run / "games").iterdir()))


DAMAGED: dict[str, tuple[Damage, str]] = {
    **{
        f"no table {name}": (change(lambda m, name=name: m["tables"].pop(name)), f'"{name}" is missing')
        for name in ("games", "seats", "goals", "objectives")
    },
    **{
        f"a table {name} without parts": (change(lambda m, name=name: m["tables"][name].update(parts=[])), "no rows")
        for name in ("games", "seats", "objectives")
    },
    **{
        f"{name} that is no Parquet": (
            lambda run, name=name: next((run / name).iterdir()).write_bytes(b"PAR1 no"),
            "Parquet",
        )
        for name in ("games", "seats", "goals", "objectives")
    },
    "the file of another table": (swap, "manifest lists"),
    "a column less": (rewrite("seats", lambda frame: frame.drop("won")), "manifest lists"),
    "columns of text": (rewrite("seats", lambda frame: frame.cast(pl.String)), "holds String"),
    "columns of nothing": (
        rewrite("goals", lambda frame: frame.select(pl.lit(None).alias(name) for name in frame.columns)),
        "holds Null",
    ),
    "a part that was emptied": (rewrite("seats", lambda frame: frame.clear()), "no rows"),
    "rows that are not listed": (
        change(lambda m: m["tables"]["games"]["parts"][0].update(rows=7)),
        "has 20 rows, not 7",
    ),
    "a part listed twice": (
        change(lambda m: m["tables"]["seats"].update(parts=m["tables"]["seats"]["parts"] * 2)),
        "is listed twice",
    ),
    "a condition listed twice": (change(lambda m: m.update(objectives=m["objectives"] * 2)), "is listed twice"),
    "a threshold without end": (
        change(lambda m: m["objectives"][0].update(score=10**30)),
        "objectives.0.score: must be",
    ),
    "an unknown game": (change(lambda m: m.update(game="chess")), "unknown game"),
    "a manifest without tiles": (change(lambda m: m.pop("tiles")), "tiles: is missing"),
    "a manifest without policies": (change(lambda m: m.pop("policies")), "policies: is missing"),
    "a setup that is a list": (change(lambda m: m["scenario"].update(setup=[1])), "scenario.setup: must be"),
    "patches that are text": (change(lambda m: m["scenario"].update(patch=["x"])), "scenario.patch.0: must be"),
    "rulings that are a list": (change(lambda m: m.update(rulings=[])), "rulings: must be"),
    "changes that are numbers": (change(lambda m: m.update(changes=[1])), "changes.0: must be"),
    "versions that are text": (change(lambda m: m.update(versions="1")), "versions: must be"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_run_that_is_not_what_its_manifest_says_is_refused_by_name(what: str, command: Command) -> None:
    damage, problem = DAMAGED[what]
    damage(solo_run(Path("run"), 20))
    solo_run(Path("sound"), 20)
    for arguments in (("report", "run"), ("compare", "sound", "run", "--out", "page")):
        error = refused(command(*arguments))
        assert problem in error
        assert error.startswith("nfsim: run")
    assert {path.name for path in Path().iterdir()} == {"run", "sound"}


@pytest.mark.parametrize("second", ["run", "./run", "link"])
def test_a_run_is_not_compared_with_itself(second: str, command: Command) -> None:
    solo_run(Path("run"), 20)
    Path("link").symlink_to("run")
    assert "is the same run as A" in refused(command("compare", "run", second))
    assert not Path("runs").exists()


def test_the_folder_of_a_run_gets_no_page(command: Command) -> None:
    solo_run(Path("run"), 20)
    solo_run(Path("other"), 20)
    before = sorted(Path("run").rglob("*"))
    for arguments in (
        ("report", "run"), ("compare", "run", "other"), ("difficulty",), ("thresholds",), ("balance", SOLO),
        ("sweep", SOLO, "--vary", "bag.xeno=0..1"),
    ):  # fmt: skip
        assert "is the folder of a run" in refused(command(*arguments, "--out", "run"))
    assert sorted(Path("run").rglob("*")) == before


# a sweep that cannot be played


@pytest.mark.parametrize(
    "arguments",
    [
        ("--vary", "bag.xeno=8..0"),
        ("--vary", "bag.xeno=0..1", "--games", "0"),
        ("--vary", "tiles=sample:0"),
        ("--vary", "tiles=sample:2", "--vary", "policy=uniform,nobody"),
        ("--vary", "tiles=sample:2", "--vary", "bag.nothing=1..2"),
        ("--vary", "bag.xeno=0..1", "--rate", "nothing"),
        ("--vary", "bag.xeno=0..1", "--rate", "Wins of seat 0"),
        ("--vary", "setup.campaign=1,2", "--rate", "Colonizer"),
        ("--vary", "aim=Builder,Nobody", "--policy", "planner"),
        ("--vary", "aim=Builder,Colonizer", "--policy", "uniform"),
    ],
    ids=" ".join,
)
def test_a_sweep_that_cannot_be_played_writes_nothing(arguments: tuple[str, ...], command: Command) -> None:
    refused(command("sweep", SOLO, *arguments, "--out", "swept"))
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("place", ["file", "file/below", "bag"])
def test_bags_that_cannot_be_written_are_one_sentence(place: str, command: Command) -> None:
    Path("file").write_text("", "utf-8")
    Path("bag").mkdir()
    Path("bag/tiles").write_text("", "utf-8")
    error = refused(command("sweep", SOLO, "--vary", "tiles=sample:2", "--out", place))
    assert error.startswith(f"nfsim: {place}")


@pytest.mark.parametrize("players", [1, 3])
def test_the_figures_of_a_sweep_are_known_before_it_is_played(players: int) -> None:
    source = read(solo_run(Path("run"), 20) if players == 1 else table_run(Path("run"), 20, players))
    scenario = read_scenario(SOLO if players == 1 else "rift_3p")
    known = figures(scenario.rule_set, scenario.prepared)
    there = gather([Axis("policy", ("balanced",))], [source]).units
    assert set(there) <= set(known)
    assert set(known) - set(there) <= {name for name in known if name.startswith("Xeno")}  # older logs have none


def test_an_aim_is_a_factor() -> None:
    found = make_sweep(
        Path(SOLO), ["aim=Builder,Colonizer"], Path("out"), seed=1, overrides={"games": 5, "policy": "planner"}
    )
    assert [variant.scenario.resolved["aim"] for variant in found.variants] == ["Builder", "Colonizer"]
    assert [policy.name for policy in found.variants[1].scenario.seated] == ["planner@Colonizer"]


def test_a_sweep_with_others_has_no_aim() -> None:
    with pytest.raises(BadInput, match="aim"):
        make_sweep(Path("rift_2p"), ["aim=Builder,Colonizer"], Path("out"), seed=1, overrides={"policy": "planner"})


# what is said


def test_thresholds_names_its_option(command: Command) -> None:
    assert "--campaign" in refused(command("thresholds", "--campaign", "7"))


def test_a_run_of_one_game_is_told_without_an_interval(command: Command) -> None:
    code, out, _ = command("run", SOLO, "--games", "1", "--policy", "uniform", "--jobs", "1")
    assert code == 0
    assert "(n too small)" in out


@pytest.mark.parametrize("name", ["players:broken", "players:silent"])
def test_a_study_says_in_full_why_a_function_stopped_it(
    name: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("players.py").write_text(
        "def broken(game):\n    raise ValueError('a: b')\n\n\ndef silent(game):\n    return None\n", "utf-8"
    )
    monkeypatch.syspath_prepend(".")
    arguments = ("--policy", name, "--games", "3", "--jobs", "1", "--out", "study")
    code, _, error = command("compare", SOLO, "solo_campaign1_long", *arguments)
    assert code == 1
    assert f"policy {name}" in error
    assert "in game 0, seat 0" in error
    assert "0 of 2 variants are kept in study" in error


# the list of a study

LISTS = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "no variants": b"{}",
    "variants that are text": b'{"variants": "x"}',
    "variants of numbers": b'{"variants": [1]}',
    "a variant without a folder": b'{"variants": [{"factors": {}}]}',
    "factors that are a list": b'{"variants": [{"factors": [], "folder": "a"}]}',
    "a folder outside": b'{"variants": [{"factors": {}, "folder": "../../x"}]}',
    "a folder above": b'{"variants": [{"factors": {}, "folder": ".."}]}',
    "an absolute folder": b'{"variants": [{"factors": {}, "folder": "/tmp"}]}',
    "no UTF-8": b"\xff\xfe",
    "nesting without an end": b"[" * 100_000,
    "digits without an end": b'{"variants": ' + b"9" * 6000 + b"}",
}


@pytest.mark.parametrize("what", LISTS)
def test_a_list_of_variants_that_is_none_is_refused_by_name(what: str) -> None:
    Path("out").mkdir()
    Path("out/study.json").write_bytes(LISTS[what])
    with pytest.raises(BadInput, match=r"^out/study\.json"):
        study("out")


def test_a_folder_without_a_list_of_variants_is_no_study() -> None:
    with pytest.raises(BadInput, match="finished study"):
        study("nowhere")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_list_of_variants_without_an_end_is_not_read_to_its_end() -> None:
    Path("study.json").symlink_to("/dev/zero")
    with pytest.raises(BadInput):
        study(".")


# Ctrl-C where Python cannot pass it on


def test_an_interruption_that_a_callback_loses_is_none_the_less_one(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiling() -> None:
        ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr("nfsim.cli.info.command", compiling)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    before = signal.getsignal(signal.SIGINT)
    try:
        assert command("info") == (130, "", "nfsim: interrupted\n")
    finally:
        signal.signal(signal.SIGINT, before)
