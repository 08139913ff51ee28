"""Every series of a chart stands under its own name, and a user's settings of matplotlib change nothing."""

from __future__ import annotations

import matplotlib as mpl
import polars as pl
import pytest
from matplotlib.figure import Figure

from nfsim.report import svg, theme
from nfsim.report.charts.rates import draw_rates
from nfsim.report.picture import one_axes

NAMES = ("_mine", "balanced", "_other")


def frame(names: tuple[str, ...] = NAMES) -> pl.DataFrame:
    rows = [(name, "Builder", 10 * (place + 1), 0.2, 0.1, 0.3) for place, name in enumerate(names)]
    return pl.DataFrame(rows, ["run", "objective", "n", "rate", "low", "high"], orient="row")


def drawn() -> Figure:
    return one_axes(lambda own, ax: draw_rates(own, ax, "objective"), frame(), "objective")


def test_a_name_that_begins_with_an_underscore_is_in_the_legend_beside_its_own_marker():
    (ax,) = drawn().axes
    legend = ax.get_legend()
    assert [text.get_text().split()[0] for text in legend.get_texts()] == list(NAMES)
    markers = [handle.get_marker() for handle in legend.legend_handles]
    assert markers == [theme.marker(place) for place in range(len(NAMES))]


@pytest.mark.parametrize("setting", [{"axes.facecolor": "red"}, {"axes.grid": True, "xtick.bottom": False},
                                     {"font.size": 30, "lines.linewidth": 9}])  # fmt: skip
def test_a_users_matplotlibrc_changes_no_chart(setting):
    usual = svg.raw(drawn())
    with mpl.rc_context(setting):
        assert svg.raw(drawn()) == usual


def test_the_users_own_settings_are_his_again_after_a_chart():
    with mpl.rc_context({"axes.facecolor": "red"}):
        drawn()
        assert mpl.rcParams["axes.facecolor"] == "red"
