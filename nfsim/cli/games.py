"""`nfsim games`: how many games an interval or a difference takes."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, number


def command(
    rate: Annotated[str | None, typer.Option(metavar="R", help="Expected rate, 0 to 1 (0.5: the worst case).")] = None,
    sd: Annotated[
        str | None, typer.Option(metavar="SD", help="For a mean: standard deviation of single values.")
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
            metavar="C",
            help="Both variants play the same deals, with this correlation of their results (nfsim compare).",
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
    from nfsim.studies.planning import answers

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
    rows = answers(asked)
    if json:
        print_json({"ok": True, "exit_code": 0, **asked, "answers": rows})
        return
    cells = [[row["for"], f"{row['games']:,}", row["unit"]] for row in rows]
    print_table(["for", "games", "of what"], cells, title="Games needed", right=[1])


def _between(option: str, text: str | None, low: float, high: float, *, ends: bool = True) -> float | None:
    from nfsim.errors import BadInput

    value = number(option, text)
    if value is not None and not (low <= value <= high and (ends or low < value < high)):
        bounds = f"from {low:g} to {high:g}" if ends else f"above {low:g} and below {high:g}"
        raise BadInput(option, "", f"must be {bounds}, not {value:g}")
    return value
