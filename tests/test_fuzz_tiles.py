"""Mutated tile sets: each is checked and played, or refused in one sentence; nothing else."""

from pathlib import Path
from typing import Any

import pytest
from fuzz.mutations import TRICKS, contents, file_names, play_trick, spreadsheets, to_toml, trees
from fuzz.sandbox import Sandbox, each_test, fuzzing, one_sandbox  # noqa: F401 - fixtures
from hypothesis import given
from hypothesis import strategies as st

from nfsim.catalogue import compare
from nfsim.files import parse_toml
from nfsim.games.new_frontiers.tiles.catalogue import TileCatalogue
from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.run.execute import run
from nfsim.run.scenario import read_scenario

CSV = ("worlds.csv", "developments.csv", "empires.csv", "goals.csv", "conditions.csv")
ALL = (*CSV, "setup.toml")


def prepare(sandbox: Sandbox) -> None:
    run(read_scenario("solo_campaign1_short"), sandbox.fresh() / "first", jobs=1)


class Files(dict[str, bytes]):
    """Content by file name; short where a test's failure is told."""

    def __repr__(self) -> str:
        return f"<{len(self)} files>"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("good")
    return Files((file.name, file.read_bytes()) for file in TileSet.built_in().export(folder / "set", force=False))


def attempt(sandbox: Sandbox, entry: str, files: dict[str, bytes], trick: tuple[str, str] = ("", "")) -> str:
    """Check a tile set, and play two games with it, solo or with three players."""
    folder = sandbox.fresh() / "set"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    if trick[0]:
        play_trick(trick[0], folder / trick[1])

    def play() -> None:
        tiles = TileSet.load("set")
        TileCatalogue().check(tiles, {})
        compare.summary(compare.compare(tiles, TileSet.built_in()))
        for record in tiles:
            record.in_full()
        name = ("solo_campaign1_short", "rift_3p")[sum(map(len, files.values())) % 2]  # either as good as by chance
        run(read_scenario(name, ["tiles=set"], {"games": 2}), "out", jobs=1, level="tiles")

    return sandbox.attempt(entry, play)


@fuzzing(0.2)
@given(name=st.sampled_from(CSV), data=st.data())
def test_a_tile_file_with_other_cells_is_played_or_refused(sandbox: Sandbox, good: Files, name: str, data: Any) -> None:
    attempt(sandbox, "tiles, cells", good | {name: data.draw(spreadsheets(good[name]))})


@fuzzing(0.06)
@given(name=st.sampled_from(ALL), data=st.data())
def test_a_tile_file_of_other_bytes_is_played_or_refused(sandbox: Sandbox, good: Files, name: str, data: Any) -> None:
    attempt(sandbox, "tiles, bytes", good | {name: data.draw(contents(good[name]))})


@fuzzing(0.06)
@given(data=st.data())
def test_a_setup_with_other_numbers_is_played_or_refused(sandbox: Sandbox, good: Files, data: Any) -> None:
    tree = data.draw(trees(parse_toml(good["setup.toml"].decode(), "setup.toml")))
    attempt(sandbox, "tiles, setup", good | {"setup.toml": to_toml(tree).encode("utf-8", "surrogatepass")})


@fuzzing(0.03)
@given(name=st.sampled_from(ALL), trick=st.sampled_from(TRICKS))
def test_what_is_no_file_is_refused_as_a_tile_file(sandbox: Sandbox, good: Files, name: str, trick: str) -> None:
    outcome = attempt(sandbox, "tiles, no file", good, (trick, name))
    assert outcome == "refused" or (name, trick) in {("setup.toml", "missing"), ("setup.toml", "device")}


@fuzzing(0.02)
@given(name=file_names)
def test_a_tile_set_may_lie_under_any_name(sandbox: Sandbox, good: Files, name: str) -> None:
    folder = Path(sandbox.fresh(), name)
    folder.mkdir(exist_ok=True)
    for file, content in good.items():
        (folder / file).write_bytes(content)
    outcome = sandbox.attempt("tiles, names", lambda: read_scenario("rift_2p", overrides={"tiles": name}))
    assert outcome == "ok" or name != name.strip() or not name.isprintable() or name.startswith("~"), name
