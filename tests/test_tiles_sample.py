"""Bags drawn at random: what they keep, what they satisfy, and how they are written."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from play_some import rows

from nfsim.catalogue.csv_files import to_csv
from nfsim.catalogue.records import Record
from nfsim.catalogue.sampling import Sample
from nfsim.cli import main
from nfsim.errors import BadInput
from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.codes import Effect
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import prepare
from nfsim.games.new_frontiers.tiles.catalogue import TileCatalogue
from nfsim.games.new_frontiers.tiles.records import World
from nfsim.games.new_frontiers.tiles.sampling import draw
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

MANUAL = Path(__file__).parent / "data" / "manual_worlds_table.csv"
SETS = range(1, 11)
each_set = pytest.mark.parametrize(
    "number", [pytest.param(number, marks=() if number in SETS else pytest.mark.soak) for number in range(1, 51)]
)
SOME = (1, 2, 3, 4, 5, 6)


@cache
def drawn(number: int) -> Sample:
    return draw(7, number)


def bag(number: int, trendsetters: str = "world") -> list[World]:
    readings = rulings.in_force("seed", {"trendsetters": trendsetters})
    return [world for world in drawn(number).records.worlds if world.holds(readings) for _ in range(world.copies)]


def counted(worlds: list[World]) -> Counter[str]:
    """Count worlds as the manual's table does, here by hand and not by `tiles check`."""
    found = Counter[str]()
    for world in worlds:
        found.update(["count", f"colonists_{world.colonists}", world.type, *set(world.keywords) - {"alien"}])
        found[world.good] += world.type != "gray"
    return found


def table() -> list[dict[str, str]]:
    with MANUAL.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@each_set
def test_a_set_drawn_satisfies_each_number_of_the_manuals_table(number: int) -> None:
    for reading in ("world", "development"):
        for row in table():
            worlds = [world for world in bag(number, reading) if world.military == (row["class"] == "military")]
            found = counted(worlds)
            wanted = {name: int(value) for name, value in row.items() if name not in (
                "class", "vp_min", "vp_max", "variable_vp")}  # fmt: skip
            assert {name: found[name] for name in wanted} == wanted
            vps = [world.vp for world in worlds]
            assert [min(vps), max(vps)] == [int(row["vp_min"]), int(row["vp_max"])]
            variable = {word for world in worlds if world.scoring for word in world.keywords}
            assert variable == {word.lower() for word in row["variable_vp"].split(";")}


@each_set
def test_a_set_drawn_satisfies_the_manuals_footnotes_and_the_public_counts(number: int) -> None:
    worlds = bag(number)
    xeno = [world for world in worlds if "xeno" in world.keywords]
    second = Counter(word for world in xeno for word in world.keywords if word != "xeno")
    assert second == {"alien": 1, "uplift": 1, "imperium": 1, "rebel": 2}
    assert len(xeno) == sum(world.rift for world in xeno) == 8
    assert sum({"rebel", "uplift"} <= set(world.keywords) for world in worlds) == 2
    assert [w.good for w in worlds if w.type == "gray" and not w.military and "alien" in w.keywords] == ["none"]
    placed = [w for w in worlds if any(power.effect == Effect.SETTLE_PLACE_GOOD for power in w.powers)]
    assert [(world.type, world.good, world.military) for world in placed] == [("production", "rare", False)]
    defenses = [world.defense for world in worlds if world.military]
    assert (min(defenses), max(defenses)) == (1, 9)
    assert sum(world.good == "novelty" and not world.rift for world in worlds) == 15
    penalties = Counter(world.penalty for world in worlds if world.penalty)
    assert penalties.total() == 8
    assert all(1 <= penalties[penalty] <= most for penalty, most in ((-8, 2), (-6, 2), (-3, 6)))


@each_set
def test_what_is_sourced_stays_as_it_is(number: int) -> None:
    for kind in TileSet.models():
        for old, new in zip(TileSet.built_in().of_kind(kind), drawn(number).records.of_kind(kind), strict=True):
            if old.status == "sourced":
                assert lines(kind, old) == lines(kind, new)
            before, after = old.fields(), new.fields()
            changed = {name for name in before if before[name] != after[name]} - {"note"}
            assert changed <= set(old.reconstructed), f"{old.title}: {changed}"


def lines(kind: str, record: Record) -> bytes:
    """Return a record as the bytes of its line in a tile file."""
    return to_csv([record], TileSet.models()[kind]).encode()


def test_campaigns_and_the_numbers_of_the_setup_are_never_drawn() -> None:
    for number in SOME:
        assert drawn(number).records.conditions == TileSet.built_in().conditions
        assert drawn(number).records.numbers == TileSet.built_in().numbers


@pytest.mark.parametrize("number", SOME[:2])
def test_a_set_drawn_passes_the_check_in_every_setup(number: int) -> None:
    assert TileCatalogue().check(drawn(number).records, {}).exit_code == 0


def test_sets_differ_from_each_other_and_from_the_one_they_are_drawn_from() -> None:
    assert len({drawn(number).records.hash for number in SETS} | {TileSet.built_in().hash}) == len(SETS) + 1


def test_powers_against_xeno_worlds_stay_on_tiles_of_the_rift() -> None:
    for number in SETS:
        for record in drawn(number).records:
            words = str(record.fields().get("powers", "")) + str(record.fields().get("scoring", ""))
            assert "xeno" not in words or getattr(record, "rift", False), record


def test_every_mat_keeps_a_side_without_military() -> None:
    for number in SETS:
        armed: dict[int, set[str]] = {}
        for home in drawn(number).records.empires:
            texts = [str(power) for power in home.powers]
            if home.military or any(text.startswith(("settle.military ", "settle.military_per")) for text in texts):
                armed.setdefault(home.mat, set()).add(home.side)
        assert all(len(sides) == 1 for sides in armed.values())


def test_the_kind_of_a_power_that_a_source_gives_is_kept() -> None:
    def kinds(tiles: Any, name: str) -> list[str]:
        return [str(p).split(" ")[0] for record in tiles if record.name == name for p in record.powers]

    for name in ("Alien Rosetta Stone World", "Galactic Trendsetters", "Contact Specialist", "Improved Logistics"):
        for number in SETS:
            assert kinds(drawn(number).records, name) == kinds(TileSet.built_in(), name)


def test_a_field_that_is_free_takes_several_values_over_many_sets() -> None:
    chosen = {"Gem World": "vp", "Rebel Base": "defense", "Xeno Colony": "type", "Spice World": "cost",
              "Mining World": "powers", "Xeno Hostage Planet": "penalty", "Volcanic World": "colonists"}  # fmt: skip
    for name, field in chosen.items():
        values = {str(w.fields()[field]) for number in SETS for w in drawn(number).records.worlds if w.name == name}
        assert len(values) > 1, (name, field)


def test_a_tile_that_its_owner_typed_in_is_kept() -> None:
    old = next(world for world in TileSet.built_in().worlds if world.name == "Gem World")
    typed = TileSet.record("world", old.fields() | {"vp": 2, "status": "sourced", "reconstructed": []}, "test")
    tiles = TileSet.built_in()
    base = tiles.replacing({"world": [typed if world is old else world for world in tiles.worlds]})
    for number in SOME:
        assert typed in draw(7, number, base).records.worlds


def typed_in(but: int) -> TileSet:
    """Return the built-in set as if its owner had typed in all records but the first `but` of each kind."""
    records = {
        kind: tuple(
            record
            if place < but
            else TileSet.record(kind, record.fields() | {"status": "sourced", "reconstructed": []}, "")
            for place, record in enumerate(TileSet.built_in().of_kind(kind))
        )
        for kind in TileSet.models()
    }
    return TileSet.built_in().replacing(records)


@pytest.mark.parametrize("but", [5, 20, 40])
def test_the_more_is_typed_in_the_less_is_drawn(but: int) -> None:
    sample = draw(7, 1, typed_in(but))
    assert 0 < sample.drawn["world"] <= but
    assert sample.records.worlds[but:] == typed_in(but).worlds[but:]


def test_a_set_with_nothing_left_to_draw_is_refused() -> None:
    with pytest.raises(BadInput, match="nothing to draw"):
        draw(7, 1, typed_in(0))


def test_a_set_against_the_manuals_table_is_refused() -> None:
    base = TileSet.built_in().replacing({"world": TileSet.built_in().worlds[1:]})
    with pytest.raises(BadInput, match="differs from the manual's table"):
        draw(1, 1, base)


def test_the_same_seed_and_number_write_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        draw(3, 2).write(tmp_path / folder)
    names = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert "sample.json" in names
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_a_folder_written_loads_as_the_set_that_was_drawn_and_says_how(tmp_path: Path) -> None:
    sample = draw(3, 4).write(tmp_path / "bag")
    assert TileSet.load_folder(tmp_path / "bag").hash == sample.records.hash == draw(3, 4).records.hash
    said = json.loads((tmp_path / "bag" / "sample.json").read_text("utf-8"))
    assert (said["seed"], said["number"], said["hash"]) == (3, 4, sample.records.hash)
    assert said["drawn_from"] == TileSet.built_in().hash


def test_games_are_played_with_a_set_drawn(tmp_path: Path) -> None:
    sample = draw(3).write(tmp_path / "bag")
    prepared = prepare(read_settings({"setup": {"players": 1}, "tiles": str(tmp_path / "bag")}, "test"), "test")
    assert prepared.tile_hash == sample.records.hash
    assert len(rows(prepared, ["uniform"], 0, 5)["games"]) == 5


def test_the_command_writes_as_many_sets_as_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bags"
    assert main(["tiles", "sample", "--seed", "5", "--count", "3", "--out", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [each["folder"] for each in said["sets"]] == [f"{out}/{number}" for number in (1, 2, 3)]
    assert [TileSet.load_folder(out / str(number)).hash for number in (1, 2, 3)] == [
        each["hash"] for each in said["sets"]
    ]


def test_the_command_without_a_count_writes_the_first_set_into_the_folder(tmp_path: Path) -> None:
    assert main(["tiles", "sample", "--seed", "5", "--out", str(tmp_path / "bag")]) == 0
    assert TileSet.load_folder(tmp_path / "bag").hash == draw(5, 1).records.hash


@pytest.mark.parametrize("more", [[], ["--count", "2"]])
def test_the_command_refuses_a_folder_with_files(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    assert main(["tiles", "sample", "--out", str(tmp_path), *more]) == 2
    assert "already holds files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(("option", "value"), [("--count", "0"), ("--count", "x"), ("--seed", "-1"), ("--seed", "a")])
def test_the_command_refuses_what_is_no_number_it_can_use(
    option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tiles", "sample", "--out", str(tmp_path / "bag"), option, value]) == 2
    assert option in capsys.readouterr().err
    assert not (tmp_path / "bag").exists()


def interrupted_at(number: int) -> Callable[..., Sample]:
    """Return what draws and writes sets until one, which is written in part when the user stops it."""

    whole = Sample.write

    def write(sample: Sample, out: Path, **options: Any) -> Sample:
        if sample.number == number:
            out.mkdir()
            (out / "worlds.csv").write_text("name,cost\n")
            (out / "goals.csv.1-2.tmp").write_text("name")
            raise KeyboardInterrupt
        return whole(sample, out, **options)

    return write


@pytest.mark.soak
def test_an_interrupted_command_says_what_is_kept_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["tiles", "sample", "--seed", "5", "--count", "3", "--out"]
    assert main([*arguments, str(tmp_path / "whole")]) == 0
    capsys.readouterr()
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(Sample, "write", interrupted_at(2))
        assert main([*arguments, str(out)]) == 130
    assert f"interrupted: 1 of 3 tile sets are kept in {out}; the same command goes on" in capsys.readouterr().err
    assert main([*arguments[:3], "6", *arguments[4:], str(out)]) == 2
    assert "already holds files" in capsys.readouterr().err
    kept = (out / "1" / "worlds.csv").stat().st_mtime_ns
    assert main([*arguments, str(out)]) == 0
    assert (out / "1" / "worlds.csv").stat().st_mtime_ns == kept
    assert contents(out) == contents(tmp_path / "whole")


def test_a_command_killed_before_it_could_say_what_it_draws_blocks_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    out = tmp_path / "bags"
    out.mkdir()
    (out / "unfinished.json.1-ab.tmp").write_bytes(b"{")
    assert main(["tiles", "sample", "--count", "1", "--out", str(out)]) == 0
    assert [entry.name for entry in out.iterdir()] == ["1"]


@pytest.mark.parametrize("other", ["unfinished.json.txt", "notes.tmp"])
def test_files_that_no_start_of_a_command_leaves_are_other_files(tmp_path: Path, other: str) -> None:
    (tmp_path / other).write_bytes(b"{")
    assert main(["tiles", "sample", "--count", "1", "--out", str(tmp_path)]) == 2
    assert [entry.name for entry in tmp_path.iterdir()] == [other]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files under a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
