"""Answers of `nfsim tiles check`: can a tile set be played, where does it differ from the manual's table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.rulings import BY_SWITCH
from nfsim.games.new_frontiers.settings import Settings, read_settings
from nfsim.games.new_frontiers.tables import prepare_set
from nfsim.games.new_frontiers.tiles.manual import Difference, differences
from nfsim.games.new_frontiers.tiles.share import Share
from nfsim.games.new_frontiers.tiles.tileset import TileSet


@dataclass(frozen=True)
class Findings:
    """What a check found.

    Attributes
    ----------
    differences : list of Difference
        From the manual's table.
    share : Share
        Of all records of the set under the readings checked.
    """

    differences: list[Difference]
    share: Share

    @property
    def exit_code(self) -> int:
        """0 if the set agrees with the manual, 1 if not."""
        return 1 if self.differences else 0


def check(tiles: TileSet, rules: dict[str, str] | None = None) -> Findings:
    """Check a tile set that was loaded.

    Parameters
    ----------
    tiles : TileSet
        The set.
    rules : dict of str to str, optional
        `[rules]` of a scenario: which readings hold when worlds are counted.

    Raises
    ------
    BadInput
        If some setup cannot be played with it: each number of players, with and without the Rift and
        goals, each campaign, and each reading that a record's `when` names.
    """
    settings = read_settings({"rules": rules or {}}, "rules")
    for each in setups(tiles, settings.rules):
        try:
            prepare_set(tiles, each)
        except BadInput as error:
            readings = ", ".join(f"{key} = {value}" for key, value in each.rules.items())
            reason = f"{error.problem} (found with {_name(each)}{', ' + readings if readings else ''})"
            raise BadInput(error.file, error.key, reason, error.remedy) from None
    in_set = [record for record in tiles if record.holds(settings.readings)]
    return Findings(differences(tiles, settings.readings), Share.of(in_set))


def setups(tiles: TileSet, rules: dict[str, str]) -> Iterator[Settings]:
    """Yield settings that together use every record of a set in each role it can have."""

    def one(setup: dict[str, Any], **more: str) -> Settings:
        return read_settings({"setup": setup, "rules": {**rules, **more}}, "setup")

    for players in (2, 3, 4, 5):
        for expansion in ("starry_rift", "base"):
            for goals in (True, False):
                yield one({"players": players, "expansion": expansion, "goals": goals})
    switches = {record.when.partition("=")[0] for record in tiles if record.when}
    readings = [{}, *({switch: choice} for switch in sorted(switches) for choice in BY_SWITCH[switch].choices)]
    for more in [*readings, {"rift_stacks": "one_sided"}]:
        for campaign in sorted({condition.campaign for condition in tiles.conditions}):
            for rounds in (10, 12):
                yield one({"players": 1, "campaign": campaign, "rounds": rounds}, **more)


def _name(settings: Settings) -> str:
    setup = settings.setup
    if setup.solo:
        return f"solo campaign {setup.campaign_played}, {setup.thresholds}"
    box = "the Rift" if setup.expansion == "starry_rift" else "the base game"
    return f"{setup.players} players, {box}, {'with' if setup.goals else 'without'} goals"
