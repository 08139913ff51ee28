"""What docs/cluster.md computes on paper follows from the measured figures and from how runs are cut."""

from pathlib import Path

import pytest

from nfsim.contract.rule_set import load_rule_set
from nfsim.run.bench import figures
from nfsim.run.chunks import MOST, MOST_SLOW, chunk_size

GAMES = 10**9
ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "cluster.md").read_text("utf-8")
ROWS = [line.strip("| \n").split(" | ") for line in TEXT.splitlines() if line.startswith(("| solo, ", "| 4 players"))]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_hours_bytes_and_files_of_a_billion_games(row: list[str]) -> None:
    what = row[0]
    rate, size, hours, gigabytes, chunks, files = (float(cell.replace(",", "")) for cell in row[1:])
    slow = "balanced" not in what
    tables = [table.name for table in load_rule_set("new_frontiers").tables_at("rounds")]
    if "4 players" in what:
        tables.remove("objectives")  # those of solo games
    assert hours == round(GAMES / rate / 3600, 1)
    assert gigabytes == size  # 10^9 games, 10^9 bytes
    assert chunk_size(GAMES, slow) == (MOST_SLOW if slow else MOST)
    assert chunks == GAMES / chunk_size(GAMES, slow)
    assert files == chunks * len(tables)


def test_the_table_has_rows() -> None:
    assert len(ROWS) == 4


@pytest.mark.parametrize("row", [row for row in ROWS if "balanced" in row[0]], ids=lambda row: row[0])
def test_rates_and_sizes_of_balanced_are_those_of_the_benchmark(row: list[str]) -> None:
    _, kept = figures.read(ROOT / "bench.json")
    case = next(each for each in kept if each["case"] == f"{row[0].replace('`', '')}, log rounds")
    assert row[1] == f"{case['value']:,.0f}"
    assert row[2] == f"{case['bytes_per_game']:.0f}"
