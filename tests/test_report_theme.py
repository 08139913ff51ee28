"""Colours stand out from their page, and numbers are written in one way."""

import itertools

import polars as pl
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from nfsim.report import formatting, theme
from nfsim.report.charts.distributions import draw_histogram


def luminance(colour):
    """Return the relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_text_and_lines_have_the_contrast_that_wcag_asks_for(dark):
    colours = {role: pair[dark] for role, pair in theme.COLOURS.items()}
    for role in ("ink", "muted"):
        assert contrast(colours[role], colours["paper"]) >= 4.5, role
    for role in theme.SERIES:
        assert contrast(colours[role], colours["paper"]) >= 3, role
    assert contrast(colours["series-1"], colours["paper"]) >= 4.5  # links
    assert contrast(colours["step-3"], colours["paper"]) >= 3  # the tracks of sliders
    for step in range(theme.STEPS):
        assert contrast(colours[f"on-step-{step}"], colours[f"step-{step}"]) >= 3.9, step
    for a, b in itertools.pairwise(range(theme.STEPS)):
        assert contrast(colours[f"step-{a}"], colours[f"step-{b}"]) >= 1.2, (a, b)


def test_every_drawn_colour_has_one_role():
    drawn = [light for light, _ in theme.COLOURS.values()]
    assert len(set(drawn)) == len(drawn)
    assert len(theme.SERIES) == len(theme.MARKERS) == len(set(theme.MARKERS))


def test_numbers_are_written_in_one_way():
    assert formatting.rate(0.2346, 0.2, 0.27) == "23.5 % (20.0–27.0)"
    assert formatting.rate(0.0, 0.0, 0.0002) == "0.00 % (0.00–0.02)"
    assert formatting.rate(1.0, 0.996, 1.0) == "100.00 % (99.60–100.00)"
    assert formatting.rate(0.0, 0.0, 3e-10) == "0.00 % (below 0.01)"
    assert formatting.rate(1.0, 1 - 3e-10, 1.0) == "100.00 % (above 99.99)"
    assert formatting.mean(-5.4, -5.5, -5.3) == "−5.4 (−5.5 to −5.3)"
    assert formatting.mean(3.25, 3.0, 3.5) == "3.2 (3.0–3.5)"
    assert formatting.mean(1.0, float("nan"), float("nan")) == "1.0 (n too small)"
    assert formatting.signed(-0.01) == "0"
    assert formatting.integer(20000) == "20,000"
    assert [formatting.percent_tick(x) for x in (0, 0.05, 0.025)] == ["0 %", "5 %", "2.5 %"]


@pytest.mark.parametrize(
    ("difference", "written"),
    [
        ((18.76, 18.1, 19.4), "+18.8 (+18.1 to +19.4)"),
        ((0.5, -0.2, 1.2), "+0.5 (−0.2 to +1.2)"),
        ((0.43, 0.2, 0.7), "+0.43 (+0.20 to +0.70)"),
        ((0.04, 0.0003, 0.07), "+0.040 (+0.000 to +0.070)"),
        ((-0.02, -0.05, 0.0), "−0.020 (−0.050 to 0.000)"),
        ((0.0, 0.0, 0.0), "0.0 (0.0 to 0.0)"),
        ((0.04, float("nan"), float("nan")), "+0.040 (n too small)"),
    ],
)
def test_a_small_difference_is_not_rounded_to_nothing(difference, written):
    assert formatting.change(*difference) == written


def test_points_have_the_digits_of_rates():
    assert formatting.points(0.0002, 0.00001, 0.0004) == "+0.020 points (+0.001 to +0.040)"


def test_the_bars_of_a_histogram_end_at_the_estimate():
    frame = pl.DataFrame({"score": [30, 31], "rate": [0.25, 0.75], "low": [0.1, 0.5], "high": [0.5, 0.9]})
    ax = draw_histogram(frame, Figure().subplots())
    (bars,) = ax.patches
    (whiskers,) = (each for each in ax.collections if isinstance(each, LineCollection))
    assert bars.get_data().values.tolist() == [0.25, 0.75]
    assert [line[:, 1].tolist() for line in whiskers.get_segments()] == [[0.1, 0.5], [0.5, 0.9]]
