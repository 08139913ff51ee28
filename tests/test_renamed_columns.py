"""Values of the log are those of format 1, column by column, under the names that format 2 has for them."""

import hashlib
import json
from pathlib import Path

import polars as pl
import pytest

import nfsim

BEFORE = Path(__file__).parent / "data" / "columns_of_format_1.json"
"""SHA-256 of each column of 60 games of two scenarios, written by the last version with format 1."""
TABLES = {"conditions": "objectives"}
COLUMNS = {
    ("conditions", "condition"): "objective",
    ("conditions", "vp_margin"): "margin",
    ("goals", "vp"): "score",
    ("rounds", "vp"): "score",
    ("seats", "vp"): "score",
}


def digest(column: pl.Series) -> str:
    """Return the hash of a column's values, labels as text."""
    values = column.cast(pl.String) if column.dtype == pl.Categorical else column
    return hashlib.sha256(json.dumps(values.to_list()).encode()).hexdigest()


@pytest.mark.parametrize("scenario", ["solo_campaign1_short", "rift_4p"])
def test_a_scenario_and_a_seed_write_the_values_that_they_wrote_before(scenario: str, tmp_path: Path) -> None:
    reading = ["rules.satisfied_populace=vp_chips"]  # the default of R18 in those days
    run = nfsim.play(scenario, tmp_path / "out", games=60, seed=5, log="tiles", settings=reading)
    found = {(table, column): digest(values) for table in run for column, values in _columns(run, table)}
    before = json.loads(BEFORE.read_text("utf-8"))[scenario]
    assert found == {
        (TABLES.get(table, table), COLUMNS.get((table, column), column)): value
        for table, columns in before.items()
        for column, value in columns.items()
    }


def _columns(run: nfsim.Run, table: str) -> list[tuple[str, pl.Series]]:
    frame = run[table].collect()
    return [(name, frame[name]) for name in frame.columns]
