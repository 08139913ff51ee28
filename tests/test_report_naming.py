"""Labels name what differs between the runs they tell apart, and single charts say where they come from."""

import re

import pytest
from synthetic_runs import manifest, solo_run, solo_tables, table_run, write_run

from nfsim.report.build import build_report, read_all
from nfsim.report.head import imprint

TABLE = {"profile": "table"}
PATCH = [{"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 5}}]


def scenario(rounds=10, **rest):
    length = rest.pop("length", "short" if rounds <= 10 else "long")
    setup = {"players": 1, "rounds": rounds, "campaign": 1, "length": length}
    return {"title": f"Solo campaign 1, {rounds} rounds", "game": "new_frontiers", "setup": setup, **rest}


def labels(folder, *runs):
    """Return the labels of solo runs, each given as what differs in its manifest."""
    folders = [solo_run(folder / str(i), 5, **changes) for i, changes in enumerate(runs)]
    return [source.label for group in read_all(folders) for source in group]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"scenario": scenario(10)}, {"scenario": scenario(12)}, ["10 rounds", "12 rounds"]),
        (
            {"scenario": scenario(10)},
            {"scenario": scenario(12, rules=TABLE)},
            ["10 rounds", "12 rounds, rules.profile=table"],
        ),
        ({"scenario": scenario(10, patch=PATCH)}, {"scenario": scenario(12)},
         ["10 rounds, Gem World: cost = 5", "12 rounds"]),
        ({"scenario": scenario(10, tiles="mine")}, {"scenario": scenario(12, tiles="other")},
         ["10 rounds, tiles=mine", "12 rounds, tiles=other"]),
        ({"scenario": scenario(10), "policies": ["uniform"]}, {"scenario": scenario(12)},
         ["10 rounds, uniform", "12 rounds, balanced"]),
        ({"scenario": scenario(10)}, {"scenario": scenario(10, length="long")},
         ["10 rounds, setup.length=short", "10 rounds, setup.length=long"]),
        ({"scenario": scenario(10)}, {"scenario": scenario(10), "seed": 2}, ["10 rounds, seed 1", "10 rounds, seed 2"]),
        (
            {"scenario": scenario(10), "tiles": {"hash": "0123456789ab", "share": {"text": "x"}}},
            {"scenario": scenario(10), "tiles": {"hash": "ba9876543210", "share": {"text": "x"}}},
            ["10 rounds, tiles 01234567", "10 rounds, tiles ba987654"],
        ),
        ({"scenario": scenario(10)}, {"scenario": scenario(10)}, ["10 rounds, 0", "10 rounds, 1"]),
    ],
)  # fmt: skip
def test_labels_name_what_differs_and_nothing_else(tmp_path, one, other, expected):
    assert labels(tmp_path, one, other) == expected


def test_a_run_alone_is_called_by_its_campaign_length_and_policy(tmp_path):
    assert labels(tmp_path, {"scenario": scenario(10)}) == ["campaign 1, 10 rounds, balanced"]
    (group,) = read_all([table_run(tmp_path / "table", 5, 3)])
    assert group[0].label == "Rift, 3 players, balanced"


def test_runs_for_several_players_are_told_apart_by_title_or_setting(tmp_path):
    def run(name, title, rounds):
        setup = {"players": 3, "rounds": rounds}
        return table_run(tmp_path / name, 5, 3, scenario={"title": title, "setup": setup})

    same = read_all([run("a", "Rift", 60), run("b", "Rift", 20)])[0]
    assert [source.label for source in same] == ["60 rounds", "20 rounds"]
    other = read_all([run("c", "Rift", 60), run("d", "Base", 60)])[0]
    assert [source.label for source in other] == ["Rift", "Base"]


def test_a_picture_alone_says_what_was_played_by_whom_and_with_which_tiles(tmp_path):
    share = {"share": {"total": 4, "reconstructed": 3, "text": "x"}}
    run = solo_run(tmp_path / "run", 20, scenario=scenario(), tiles=share)
    (group,) = read_all([run])
    line = imprint(group).replace("\N{NO-BREAK SPACE}", " ")
    assert line == (
        "nfsim · Solo campaign 1, 10 rounds · policy balanced · seed 1 · n = 20 · 75 % of the tile set reconstructed"
    )
    out = build_report([run], tmp_path / "out").parent
    for drawing in (out / "charts").glob("*.svg"):
        words = "".join(re.findall(r"<text[^>]*>(.*?)</text>", drawing.read_text(encoding="utf-8"), re.DOTALL))
        assert line.replace(" ", "") in re.sub(r"<[^>]*>|\s", "", words)
    assert ">nfsim" not in (out / "report.html").read_text(encoding="utf-8").split("<main>")[1].split('id="runs"')[0]


def test_a_share_that_is_not_recorded_is_said_to_be_so(tmp_path):
    (group,) = read_all([write_run(tmp_path / "run", solo_tables(5), manifest())])
    assert "share of reconstructed tiles not recorded" in imprint(group)
