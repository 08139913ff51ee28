"""How many games an interval or a difference takes: the answers of `nfsim games`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nfsim.errors import BadInput
from nfsim.stats import planning


def answers(asked: Mapping[str, float | None]) -> list[dict[str, Any]]:
    """Return how many games are needed.

    Parameters
    ----------
    asked : mapping
        rate or sd; width, difference or both; power; correlation.

    Returns
    -------
    list of dict
        One per question: for, games, unit.
    """
    rate, sd, width, gap, correlation = (asked[key] for key in ("rate", "sd", "width", "difference", "correlation"))
    power = asked["power"] or planning.POWER
    rows: list[dict[str, Any]] = []
    option = "--width"
    try:
        if width is not None:
            n = _games_for_width(rate, sd, width)
            of = f"a rate of {rate:g}" if rate is not None else f"a mean (sd {sd:g})"
            rows.append({"for": f"an interval {width:g} wide of {of}", "games": n, "unit": "games"})
        if gap is not None:
            option = "--difference"
            what = f"a change of {gap:+g}, found with a probability of {100 * power:g} %"
            n = _games_for_difference(rate, sd, gap, power, None)
            rows.append({"for": f"{what}; different deals", "games": n, "unit": "games in each variant"})
            if correlation is not None:
                option = "--correlation"
                n = _games_for_difference(rate, sd, gap, power, correlation)
                paired = f"{what}; the same deals (correlation {correlation:g})"
                rows.append({"for": paired, "games": n, "unit": "deals, each played in both variants"})
    except ValueError as error:
        raise BadInput(option, "", str(error)) from None
    return rows


def _games_for_width(rate: float | None, sd: float | None, width: float) -> int:
    return planning.games_for_mean(sd or 0.0, width) if rate is None else planning.games_for_rate(rate, width)


def _games_for_difference(
    rate: float | None, sd: float | None, gap: float, power: float, correlation: float | None
) -> int:
    if rate is None:
        return planning.games_for_mean_difference(gap, sd or 0.0, power=power, correlation=correlation)
    after = round(rate + gap, 12)  # 0.9 + 0.1 is 1
    if not 0 <= after <= 1:
        raise BadInput("--difference", "", f"a rate of {rate:g} cannot change by {gap:+g}", "rates are from 0 to 1")
    return planning.games_for_rate_difference(rate, after, power=power, correlation=correlation)
