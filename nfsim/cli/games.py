"""`nfsim games`: how many games an interval or a difference takes."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from nfsim.cli.options import Json, number


def command(
    rate: Annotated[str | None, typer.Option(metavar="R", help="Expected rate, 0 to 1 (0.5: the worst case).")] = None,
    sd: Annotated[
        str | None, typer.Option(metavar="SD", help="For a mean: standard deviation of single values (VPs: about 10).")
    ] = None,
    width: Annotated[
        str | None, typer.Option(metavar="W", help="How wide the interval may be from end to end.")
    ] = None,
    difference: Annotated[
        str | None, typer.Option(metavar="D", help="Change of the rate or mean that is to be detected.")
    ] = None,
    power: Annotated[str, typer.Option(metavar="P", help="Probability to detect it, 0.1 to 0.99.")] = "0.8",
    correlation: Annotated[
        str | None,
        typer.Option(
            metavar="C", help="Both arms play the same deals, with this correlation of their results (nfsim compare)."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Say how many games an interval of a given width takes, or a difference to be detected.

    Name a rate or a standard deviation, and a width or a difference (or both). Intervals are 95 % intervals, tests
    two-sided at 5 %.

    For example:
      nfsim games --rate 0.2 --width 0.01
      nfsim games --rate 0.2 --difference 0.02
      nfsim games --rate 0.2 --difference 0.02 --power 0.9 --correlation 0.4
      nfsim games --sd 10 --width 0.2
      nfsim games --sd 10 --difference 0.5 --correlation 0.6
    """
    from nfsim.cli.console import print_json, print_table
    from nfsim.errors import BadInput

    asked: dict[str, float | None] = {
        "rate": _between("--rate", rate, 0, 1),
        "sd": _between("--sd", sd, 0, 1e6, ends=False),
        "width": _between("--width", width, 0, 1 if sd is None else 1e6, ends=False),
        "difference": _between("--difference", difference, -1 if sd is None else -1e6, 1 if sd is None else 1e6),
        "power": _between("--power", power, 0.1, 0.99),
        "correlation": _between("--correlation", correlation, -1, 1),
    }
    if (rate is None) == (sd is None):
        raise BadInput("", "", "name either --rate or --sd", "for example --rate 0.2 --width 0.01")
    if width is None and difference is None:
        raise BadInput("", "", "name --width or --difference", "for example --rate 0.2 --width 0.01")
    if correlation is not None and difference is None:
        raise BadInput("--correlation", "", "is about a --difference, which is not given")
    rows = _answers(asked)
    if json:
        print_json({"ok": True, "exit_code": 0, **asked, "answers": rows})
        return
    cells = [[row["for"], f"{row['games']:,}", row["unit"]] for row in rows]
    print_table(["for", "games", "of what"], cells, title="Games needed", right=[1])


def _answers(asked: dict[str, float | None]) -> list[dict[str, Any]]:
    """Return one row per question: for, games, unit."""
    from nfsim.errors import BadInput
    from nfsim.stats import planning

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
            rows.append({"for": f"{what}; different deals", "games": n, "unit": "games in each arm"})
            if correlation is not None:
                option = "--correlation"
                n = _games_for_difference(rate, sd, gap, power, correlation)
                paired = f"{what}; the same deals (correlation {correlation:g})"
                rows.append({"for": paired, "games": n, "unit": "deals, each played in both arms"})
    except ValueError as error:
        raise BadInput(option, "", str(error)) from None
    return rows


def _games_for_width(rate: float | None, sd: float | None, width: float) -> int:
    from nfsim.stats import planning

    return planning.games_for_mean(sd or 0.0, width) if rate is None else planning.games_for_rate(rate, width)


def _games_for_difference(
    rate: float | None, sd: float | None, gap: float, power: float, correlation: float | None
) -> int:
    from nfsim.errors import BadInput
    from nfsim.stats import planning

    if rate is None:
        return planning.games_for_mean_difference(gap, sd or 0.0, power=power, correlation=correlation)
    after = round(rate + gap, 12)  # 0.9 + 0.1 is 1
    if not 0 <= after <= 1:
        raise BadInput("--difference", "", f"a rate of {rate:g} cannot change by {gap:+g}", "rates are from 0 to 1")
    return planning.games_for_rate_difference(rate, after, power=power, correlation=correlation)


def _between(option: str, text: str | None, low: float, high: float, *, ends: bool = True) -> float | None:
    from nfsim.errors import BadInput

    value = number(option, text)
    if value is not None and not (low <= value <= high and (ends or low < value < high)):
        bounds = f"from {low:g} to {high:g}" if ends else f"above {low:g} and below {high:g}"
        raise BadInput(option, "", f"must be {bounds}, not {value:g}")
    return value
