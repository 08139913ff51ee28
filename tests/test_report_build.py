"""A report built from small synthetic runs: every number is there, nothing is fetched, nothing breaks."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic_runs import CONDITIONS, manifest, numbers, read, solo_run, solo_tables, table_run, write_run

import nfsim
from nfsim.errors import BadInput
from nfsim.report.build import build_report
from nfsim.report.formatting import SAME_DIGITS
from nfsim.stats.intervals import mean_interval, wilson

EVIL = '<script>alert("x")</script> & $a_1$ | *b*'


class Page(HTMLParser):
    """Collects tags, attributes and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.texts, self.alts = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "srcset", "action", "data", "poster", "xlink:href"):
                self.links.append(value)

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    base = tmp_path_factory.mktemp("report")
    runs = [solo_run(base / "short", 500, 10), solo_run(base / "long", 700, 12)]
    page = build_report(runs, base / "out")
    return page.parent, page.read_text(encoding="utf-8"), (page.parent / "report.md").read_text(encoding="utf-8")


def test_rates_of_all_conditions_and_both_lengths_are_in_csv_page_and_markdown(report):
    out, page, markdown = report
    rows = {(row["run"], row["objective"]): row for row in numbers(out, "win_rate")}
    assert len(rows) == 10
    for label, rounds, n, length in (("10 rounds", 10, 500, "short"), ("12 rounds", 12, 700, "long")):
        conditions = solo_tables(n, rounds, seed=rounds)["objectives"]
        for name, vp, _ in CONDITIONS[length]:
            row = rows[label, name]
            k = int(conditions.filter(pl.col("objective") == name)["met"].sum())
            low, high = wilson(k, n)
            assert (int(row["k"]), int(row["n"]), int(row["score"])) == (k, n, vp)
            assert [float(row[c]) for c in ("rate", "low", "high")] == pytest.approx([k / n, float(low), float(high)])
            if low > 0.01 and high < 0.99:
                text = f"{100 * k / n:.1f} % ({100 * low:.1f}–{100 * high:.1f})"
                assert text in page
                assert text in markdown


def test_sources_goals_penalties_and_distribution_are_right(report):
    out, *_ = report
    tables = solo_tables(700, 12, seed=12)
    seats, goals = tables["seats"], tables["goals"]
    own = [row for row in numbers(out, "score_sources") if row["run"] == "12 rounds"]
    columns = ["vp_chips", "vp_worlds", "vp_developments", "vp_nine_cost", "vp_goals", "vp_penalty", "score"]
    for row, column in zip(own, columns, strict=True):
        expected = mean_interval(seats[column])
        assert [float(row[c]) for c in ("mean", "low", "high")] == pytest.approx(expected[1:])
    for row in numbers(out, "goal_vp"):
        if row["run"] == "12 rounds":
            assert float(row["mean"]) == pytest.approx(goals.filter(pl.col("goal") == row["goal"])["score"].mean())
    for row in numbers(out, "xeno_penalties"):
        if row["run"] == "12 rounds":
            assert int(row["k"]) == (seats[f"penalty_{row['penalty']}"] == int(row["taken"])).sum()
    assert "3: 1 unconquered" in read(out / "report.html")
    own = [row for row in numbers(out, "score_distribution") if row["run"] == "12 rounds"]
    counted = {int(row["score"]): int(row["k"]) for row in own}
    assert counted == dict(seats["score"].value_counts().rows())


def test_the_share_that_reaches_a_threshold_is_written_at_its_line(report):
    _, page, _ = report
    vp = solo_tables(500, 10, seed=10)["seats"]["score"]
    k = int((vp >= 40).sum())
    low, high = (float(x) for x in wilson(k, 500))
    assert f"40+ VPs: {100 * k / 500:.1f} % ({100 * low:.1f}–{100 * high:.1f})" in page
    assert f"mean {vp.mean():.1f}" in page
    assert f"median {np.sort(vp)[249]:.0f}" in page


def test_the_head_names_scenario_seed_policy_versions_and_tiles(report):
    _, page, markdown = report
    for text in ("Solo campaign 1, 12 rounds", "Seed", "balanced", "nfsim 0.1.0", "79 reconstructed"):
        assert text in page
        assert text in markdown
    assert "stronger player" in page


def test_the_page_needs_nothing_else(report):
    out, text, _ = report
    page = Page(text)
    assert "svg" in page.tags
    assert not {"img", "iframe", "object", "embed", "base"} & set(page.tags)
    assert "src" not in re.findall(r"<script ([a-z]+)", text)
    assert all(link.startswith(("#", "data:")) for link in page.links), page.links
    assert not re.search(r"https?:|//\w|@import|url\((?!#)", re.sub(r"base64,[\w+/=]+", "", text))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert [path.name for path in out.rglob("*.html")] == ["report.html"]


def test_every_chart_has_words_and_a_picture(report):
    out, text, markdown = report
    pictures = re.findall(r"!\[(.*?)\]\((charts/\w+\.png)\)", markdown)
    named = [name for _, name in pictures]
    assert {f"charts/{n}.png" for n in ("win_rate", "score_distribution", "score_sources", "goal_vp")} < set(named)
    assert sorted(named) == sorted(f"charts/{path.name}" for path in out.glob("charts/*.png"))
    assert all(len(words) > 50 for words, _ in pictures)
    assert all((out / name).read_bytes().startswith(b"\x89PNG") for name in named)
    drawings = re.findall(r"\[SVG\]\((charts/\w+\.svg)\)", markdown)
    assert drawings == [name.replace(".png", ".svg") for name in named]
    assert all("<svg" in (out / name).read_text(encoding="utf-8") for name in drawings)
    assert text.count("<svg") == text.count('role="img"') == text.count("<desc") == len(pictures)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert "#0072b2" not in text.split("</style>")[1], "a colour that does not follow the theme"


@pytest.mark.soak  # by default a study is written twice, and compared, in test_difficulty
def test_the_same_runs_give_the_same_bytes(report, tmp_path):
    out, *_ = report
    build_report([out.parent / "short", out.parent / "long"], tmp_path / "again")
    files = sorted(p.relative_to(out) for p in out.rglob("*") if p.is_file())
    assert len(files) > 10
    for file in files:
        assert (out / file).read_bytes() == (tmp_path / "again" / file).read_bytes(), file


@pytest.mark.filterwarnings("error")
def test_names_with_markup_are_shown_as_written(tmp_path):
    tables = solo_tables(30)
    tables["goals"] = tables["goals"].with_columns(pl.lit(EVIL).alias("goal"))
    tables["objectives"] = tables["objectives"].with_columns(pl.lit(EVIL).alias("objective"))
    about = manifest(
        scenario={"title": EVIL}, policies=[EVIL], versions={EVIL: EVIL}, rulings={EVIL: EVIL},
        tiles={"share": {"text": EVIL}}, objectives=[{"campaign": "1", "name": EVIL, "score": 40, "requires": EVIL}],
    )  # fmt: skip
    page = build_report([write_run(tmp_path / "run", tables, about)], tmp_path / "out")
    text = page.read_text(encoding="utf-8")
    assert Page(text).tags.count("script") == 2  # the counts behind the sliders, and the page's own
    assert EVIL in "".join(Page(text).texts)
    markdown = (page.parent / "report.md").read_text(encoding="utf-8")
    assert "<script" not in markdown
    assert "*b*" not in markdown.replace(r"\*b\*", "")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("games", [0, 1, 2])
@pytest.mark.usefixtures("undrawn")
def test_hardly_any_games_do_not_break_it(tmp_path, games):
    pages_of_few(tmp_path, games)


@pytest.mark.soak
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("games", [0, 1, 2])
def test_hardly_any_games_can_be_drawn(tmp_path, games):
    pages_of_few(tmp_path, games)


def pages_of_few(tmp_path, games):
    page = build_report([solo_run(tmp_path / "run", games), solo_run(tmp_path / "other", 20, 12)], tmp_path / "out")
    assert page.is_file()
    assert ">nan" not in page.read_text(encoding="utf-8")
    assert build_report([solo_run(tmp_path / "alone", games)], tmp_path / "out2").is_file()


def to_digits(value):
    """Return a number as files have it."""
    return float(f"{float(value):.{SAME_DIGITS}g}")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("met", [True, False])
def test_all_won_or_none(tmp_path, met):
    tables = solo_tables(40, goals=False)
    tables["objectives"] = tables["objectives"].with_columns(pl.lit(met).alias("met"))
    tables["seats"] = tables["seats"].with_columns(pl.lit(met).alias("won"), pl.lit(30).alias("score"))
    page = build_report([write_run(tmp_path / "run", tables, manifest())], tmp_path / "out")
    low, high = wilson(40 * met, 40)
    rows = numbers(tmp_path / "out", "win_rate")
    assert {(float(r["low"]), float(r["high"])) for r in rows} == {(to_digits(low), to_digits(high))}
    assert "goal_vp" not in page.read_text(encoding="utf-8")


@pytest.mark.usefixtures("undrawn")
def test_several_players_get_seats_instead_of_conditions(tmp_path):
    runs = [table_run(tmp_path / "four", 120, 4), table_run(tmp_path / "two", 80, 2), solo_run(tmp_path / "solo", 50)]
    text = build_report(runs, tmp_path / "out").read_text(encoding="utf-8")
    rows = numbers(tmp_path / "out", "4_players_seat_wins")
    assert [row["seat"] for row in rows] == ["0", "1", "2", "3"]
    assert sum(float(row["k"]) for row in rows) == pytest.approx(120)
    assert len(numbers(tmp_path / "out", "2_players_seat_score")) == 2
    assert "Solo, campaign 1" in text
    ids = Page(text).ids
    assert len(ids) == len(set(ids))


@pytest.mark.usefixtures("undrawn")
def test_alike_runs_get_labels_that_tell_them_apart(tmp_path):
    runs = [solo_run(tmp_path / "a", 20, policies=["uniform"]), solo_run(tmp_path / "b", 20),
            solo_run(tmp_path / "c", 20, seed=2)]  # fmt: skip
    build_report([*runs, tmp_path / "a"], tmp_path / "out")
    labels = list(dict.fromkeys(row["run"] for row in numbers(tmp_path / "out", "win_rate")))
    assert labels == ["10 rounds, uniform, seed 1", "10 rounds, balanced, seed 1", "10 rounds, balanced, seed 2"]


@pytest.mark.usefixtures("undrawn")
def test_rulings_that_differ_from_the_default_are_named(tmp_path):
    changes = {"scenario": {"title": "x", "game": "new_frontiers"}, "rulings": {"colonist_end": "few", "no_such": "y"}}
    text = read(build_report([solo_run(tmp_path / "run", 20, **changes)], tmp_path / "out"))
    assert re.search(r"R2 colonist_end = few \(default: \w+\)", text)
    assert "no_such = y" in text


@pytest.mark.usefixtures("undrawn")
def test_games_that_broke_off_are_named(tmp_path):
    run = solo_run(tmp_path / "run", 20, statuses={"finished": 18, "log_full": 2})
    assert "2 log full" in build_report([run], tmp_path / "out").read_text(encoding="utf-8")


@pytest.mark.usefixtures("undrawn")
def test_bad_input_is_one_sentence(tmp_path):
    with pytest.raises(BadInput):
        build_report([], tmp_path / "out")
    with pytest.raises(BadInput, match="nowhere"):
        build_report([tmp_path / "nowhere"], tmp_path / "out")
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        build_report([solo_run(tmp_path / "run", 5)], blocked / "out")
    assert not list(Path(tmp_path).rglob("*.part"))


def test_results_come_before_provenance(report):
    _, page, markdown = report
    for text, table, origin in ((page, "<table>", 'id="runs"'), (markdown, "| Condition |", "## Where the numbers")):
        assert text.index("500 to 700 games each; policy balanced; seed 1") < text.index(table) < text.index(origin)
    assert "<code>data</code>" in page
    assert re.search(r"<th scope=\"row\">Colonizer<small>40\+ VPs; 7\+? ?colon", page)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("games", [5_000, pytest.param(60_000, marks=pytest.mark.soak)])
def test_the_same_tables_give_the_same_files(tmp_path, games):
    """5,000: hundreds of thousands of rows, which threads share and add up in any order."""
    nfsim.play("rift_4p", tmp_path / "run", games=games, policy="uniform", log="tiles")
    pages = [build_report([tmp_path / "run"], tmp_path / name).parent for name in ("one", "other")]
    files = [
        {path.relative_to(page): path.read_bytes() for path in page.rglob("*") if path.is_file()} for page in pages
    ]
    assert files[0].keys() == files[1].keys()
    assert [str(name) for name in files[0] if files[0][name] != files[1][name]] == []
