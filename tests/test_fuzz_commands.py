"""Whole commands with mutated input, each a process of its own with little memory: one sentence, never a traceback."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fuzz.mutations import contents, spreadsheets, to_json, to_toml, trees
from fuzz.parquet import bomb
from fuzz.runs import forge, make_good
from fuzz.sandbox import INPUTS, note
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.run.scenario_files import read_layers

COMMANDS = max(4, INPUTS // 200)  # 50 of 10,000
MEMORY = 6 * 10**9  # bytes of addresses: compiled code and thread stacks take most of it
SCENARIO = Path(__file__).parent.parent / "scenarios" / "solo_campaign1_short.toml"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = make_good(tmp_path_factory.mktemp("commands") / "good")
    TileSet.built_in().export(base / "tiles", force=False)
    return base


def little() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def ends_well(work: Path, *arguments: str) -> int:
    """Run a command in a folder; return its exit code after a look at what it said and where it wrote."""
    before = sorted(entry.name for entry in work.parent.iterdir())
    done = subprocess.run(
        [sys.executable, "-m", "nfsim", *arguments],
        cwd=work, capture_output=True, text=True, timeout=180, check=False, preexec_fn=little,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )  # fmt: skip
    assert done.returncode in (0, 1, 2), (arguments, done.returncode, done.stderr[-500:])
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    if "--json" in arguments:
        assert json.loads(done.stdout)["exit_code"] == done.returncode
    assert sorted(entry.name for entry in work.parent.iterdir()) == before
    return done.returncode


@st.composite
def hostile(draw: Any, good: Path, work: Path) -> tuple[str, ...]:
    """Draw a command with what it is to work on, which is put into the folder."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    kind = draw(st.sampled_from(["scenario", "sweep", "tiles", "manifest", "part", "compare"]))
    if kind in ("scenario", "sweep"):
        tree = draw(trees(read_layers(SCENARIO).data, 1))
        (work / "fuzz.toml").write_bytes(to_toml(tree).encode("utf-8", "surrogatepass"))
        rest = ["--vary", "setup.rounds=9,10"] if kind == "sweep" else []
        return "sweep" if kind == "sweep" else "run", "fuzz.toml", "--games", "5", "--out", "out", "--json", *rest
    if kind == "tiles":
        folder = shutil.copytree(good / "tiles", work / "set")
        name = draw(st.sampled_from(["worlds.csv", "goals.csv"]))
        (folder / name).write_bytes(draw(spreadsheets((folder / name).read_bytes(), 1)))
        return "tiles", "check", "set", "--json"
    folder = shutil.copytree(good / "solo", work / "solo")
    file = folder / "manifest.json"
    if kind == "part":
        part = folder / "seats" / "000000000000.parquet"
        part.write_bytes(draw(contents(part.read_bytes())))
        file.write_text(json.dumps(forge(json.loads(file.read_text()), folder)))
        return "verify", "solo", "--json"
    file.write_bytes(to_json(draw(trees(json.loads(file.read_bytes()), 1))).encode())
    if kind == "manifest":
        return draw(st.sampled_from([("report", "solo"), ("replay", "solo", "3"), ("verify", "solo")]))
    shutil.copytree(good / "solo", work / "other")
    return "compare", "solo", "other", "--json"


@settings(max_examples=COMMANDS, derandomize=True, deadline=None, database=None,
          suppress_health_check=list(HealthCheck), phases=(Phase.generate,))  # fmt: skip
@given(data=st.data())
def test_a_command_ends_well_whatever_it_is_given(good: Path, data: Any) -> None:
    work = good.parent / "work"
    code = ends_well(work, *data.draw(hostile(good, work)))
    note(Counter({("whole command", ("ok", "damage", "refused")[code]): 1}))


@pytest.mark.soak
def test_a_tiny_part_of_a_great_many_rows_fills_no_memory(good: Path) -> None:
    work = good.parent / "work"
    shutil.rmtree(work, ignore_errors=True)
    folder = Path(shutil.copytree(good / "solo", work / "solo"))
    part = folder / "games" / "000000000000.parquet"
    content = bomb(110_000_000)
    assert len(content) < 5_000_000
    part.write_bytes(content)
    file = folder / "manifest.json"
    manifest = forge(json.loads(file.read_text()), folder)
    manifest["tables"]["games"]["columns"] = {"game": "int64"}
    file.write_text(json.dumps(manifest))
    assert ends_well(work, "report", "solo") == 2
    assert ends_well(work, "verify", "solo") == 1
