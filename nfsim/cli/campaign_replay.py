"""Playing one game of a campaign again: by what its claims were worth where the campaign stood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.columns import CAMPAIGNS
from nfsim.games.new_frontiers.game import Game
from nfsim.log.check import MANIFEST
from nfsim.log.read import Run
from nfsim.run.progress import Watch
from nfsim.run.replay import changed_since
from nfsim.run.scenario import scenario_from
from nfsim.run.session import get_ready
from nfsim.validation import checked, quoted

_COLUMNS = [column.name for column in CAMPAIGNS.columns]


class _Kept(BaseModel):
    """Base: what a manifest holds besides is nobody's business here."""

    model_config = ConfigDict(strict=True, frozen=True)


class _Claim(_Kept):
    condition: str
    chip: bool
    worth: Annotated[float, Field(allow_inf_nan=False)]


class _Position(_Kept):
    campaign: int
    open: list[str]
    chip: bool
    claims: list[_Claim]


class _Chances(_Kept):
    positions: list[_Position]


class _Played(_Kept):
    """What is read back from the manifest of campaigns."""

    name: str
    scenario: dict[str, Any]
    seed: int
    so_close: bool
    chances: _Chances
    identity: dict[str, Any]


@dataclass(frozen=True)
class CampaignGame:
    """A game of a campaign, not yet played.

    Attributes
    ----------
    game : Game
    row : dict
        Its row of the table `campaigns`.
    open : list of str
        Conditions that were open.
    chip : bool
        Whether the chip was there.
    worth : ndarray of float64, shape (condition, 2)
        Of claiming each condition of the campaign, without and with the chip.
    warnings : list of str
        Why it may not be the game that was logged.
    """

    game: Game
    row: dict[str, Any]
    open: list[str]
    chip: bool
    worth: NDArray[np.float64]
    warnings: list[str]


def campaign_game(run: Run, number: int, compiling: Callable[[int], None] | None = None) -> CampaignGame:
    """Set up a game of a run that `nfsim campaign` wrote.

    Parameters
    ----------
    run : Run
    number : int
        Of the game: column `game`.
    compiling : callable, optional
        Told beforehand when the rules have to be compiled, with the seconds that takes.

    Raises
    ------
    BadInput
        If no game of this number was played.
    """
    file, manifest = run.folder / MANIFEST, run.manifest
    played = checked(_Played, manifest, file)
    if "campaigns" not in run or list(run.manifest["tables"]["campaigns"]["columns"]) != _COLUMNS:
        raise BadInput(
            file, "tables", "does not list the table of campaigns", "name a folder that nfsim campaign wrote"
        )
    rows = run["campaigns"].filter(pl.col("game") <= number).collect()
    if rows.is_empty() or rows["game"][-1] != number:
        raise BadInput("GAME", "", f"no game {number} was played", "the column game of the table campaigns lists them")
    row = rows.row(-1, named=True)
    before = rows.head(-1).filter(pl.col("campaign_run") == row["campaign_run"])
    claimed = before.filter(pl.col("campaign") == row["campaign"])["claimed"].to_list()
    chip = bool(played.so_close and (before["chip_used"].cast(pl.String) == "none").all())
    resolved = dict(manifest["scenario"])
    setup = resolved.get("setup")
    resolved["setup"] = {**(setup if isinstance(setup, dict) else {}), "campaign": row["campaign"]}
    scenario = scenario_from(resolved, file, played.name)
    names = scenario.prepared.names.condition
    still = [name for name in names if name not in claimed]
    worth = np.zeros((len(names), 2))
    for position in played.chances.positions:
        if (position.campaign, position.open, position.chip) == (row["campaign"], still, chip):
            for claim in position.claims:
                if claim.condition not in names:
                    raise BadInput(file, "chances", f"names no condition {quoted(claim.condition)} of the campaign")
                worth[names.index(claim.condition), int(claim.chip)] = claim.worth
    policy: Any = scenario.seated[0]
    get_ready(scenario, played.seed, compiling or Watch().compiling)
    game = Game.new(scenario.prepared, played.seed, number, [replace(policy, worth=worth)])
    return CampaignGame(game, row, still, chip, worth, changed_since(scenario, manifest))


def transcript(
    run: Run, number: int, compiling: Callable[[int], None] | None = None
) -> tuple[list[str], Iterator[str]]:
    """Replay a game of a campaign; parameters as `campaign_game`, returned as by `nfsim.run.replay.transcript`."""
    found = campaign_game(run, number, compiling)
    return found.warnings, _lines(found)


def _lines(found: CampaignGame) -> Iterator[str]:
    row, chip = found.row, "; with the So Close chip" if found.chip else ""
    yield f"Run {row['campaign_run']}, campaign {row['campaign']}, open: {', '.join(found.open)}{chip}"
    yield from found.game.transcript()
    side = {"none": "", "vp": " with the chip's −3 VPs", "count": " with the chip's −1"}[row["chip_used"]]
    yield f"claimed: {row['claimed']}{side}" if row["claimed"] else "no claim: the campaign is lost"
