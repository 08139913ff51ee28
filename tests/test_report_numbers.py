"""Numbers in the files of a report: the same ones, whatever the order in which threads have summed up."""

import polars as pl
import pytest

from nfsim.report.formatting import csv_of


def written(**columns: list[float | None]) -> list[str]:
    """Return the lines of a file below its first."""
    return csv_of(pl.DataFrame(columns)).decode().splitlines()[1:]


@pytest.mark.parametrize("noise", [1.1e-17, -3.3e-18, -0.0])
def test_what_is_left_of_sums_that_cancel_out_is_written_as_0(noise: float) -> None:
    assert written(difference=[noise, 0.5, float("nan"), None], n=[1, 2, 3, 4]) == ["0.0,1", "0.5,2", "NaN,3", ",4"]


@pytest.mark.parametrize("name", ["p", "p_adjusted", "edge_p", "edge_p_adjusted"])
def test_a_p_value_is_written_however_small_it_is(name: str) -> None:
    assert float(written(**{name: [1.1e-17]})[0]) == pytest.approx(1.1e-17, rel=1e-9, abs=0)


@pytest.mark.parametrize("name", ["score", "gap", "p_low"])
def test_other_names_with_a_p_are_no_p_values(name: str) -> None:
    assert written(**{name: [1.1e-17]}) == ["0.0"]
