"""What a run that stopped by a rule says of its interval, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nfsim.report import formatting


def until_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Return how a run with ``--until`` ended, with the interval that allows for its looks beside the plain one."""
    found = manifest["until"]
    fixed, games, looks = found["fixed"], formatting.integer(manifest["games"]), len(found["looks"])
    looked = f"after {formatting.integer(looks)} look{'' if looks == 1 else 's'}"
    wanted = _points(found["width"])
    if found["reached"]:
        end = f"{games} games {looked} until it was at most {wanted} wide"
    else:
        end = f"NOT yet at most {wanted} wide: --games stopped it at {games} games {looked}"
    if found["rate"] is None:
        return [f"{found['rate_of']}, interval valid for any number of looks: none yet; {end}"]
    valid = formatting.rate(found["rate"], found["low"], found["high"])
    plain = formatting.rate(fixed["rate"], fixed["low"], fixed["high"])
    return [
        f"{found['rate_of']}, interval valid for any number of looks (confidence sequence): {valid}, "
        f"n = {formatting.integer(found['n'])} after a pilot of {formatting.integer(found['pilot']['games'])}; {end}",
        f"for comparison, Wilson's interval as if {games} games had been fixed beforehand: {plain}; "
        f"such a plan needs {formatting.integer(fixed['games_needed'])} games for {wanted}",
    ]


def _points(width: float) -> str:
    return f"{100 * width:g} percentage point{'' if width == 0.01 else 's'}"
