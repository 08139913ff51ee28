"""Playing one game of a campaign again: by what its claims were worth where the campaign stood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from nfsim.contract.rule_set import Game, load_rule_set
from nfsim.contract.series import SeriesRules
from nfsim.errors import BadInput
from nfsim.log.check import MANIFEST
from nfsim.log.read import Run
from nfsim.run.progress import Watch
from nfsim.run.replay import changed_since
from nfsim.run.scenario import scenario_from
from nfsim.run.session import get_ready
from nfsim.studies.campaign.trials import series_rules
from nfsim.studies.forms import nested, settings_of
from nfsim.validation import checked, quoted


class _Kept(BaseModel):
    """Base: what a manifest holds besides is nobody's business here."""

    model_config = ConfigDict(strict=True, frozen=True)


class _Claim(_Kept):
    objective: str
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
    rules : SeriesRules
    game : Game
    row : dict
        Its row of the table `campaigns`.
    open : list of str
        Objectives that were open.
    chip : bool
        Whether the chip was there.
    worth : ndarray of float64, shape (objective, 2)
        Of claiming each objective of the campaign, without and with the chip.
    warnings : list of str
        Why it may not be the game that was logged.
    """

    rules: SeriesRules
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
    rule_set = load_rule_set(str(played.scenario.get("game")), file, "scenario.game")
    rules = series_rules(rule_set)
    name, columns = rules.table.name, [column.name for column in rules.table.columns]
    if name not in run or list(manifest["tables"][name]["columns"]) != columns:
        raise BadInput(
            file, "tables", "does not list the table of campaigns", "name a folder that nfsim campaign wrote"
        )
    rows = run[name].filter(pl.col("game") <= number).collect()
    if rows.is_empty() or rows["game"][-1] != number:
        raise BadInput("GAME", "", f"no game {number} was played", f"the column game of the table {name} lists them")
    row = rows.row(-1, named=True)
    before = rows.head(-1).filter(pl.col("campaign_run") == row["campaign_run"])
    claimed = before.filter(pl.col("campaign") == row["campaign"])["claimed"].to_list()
    chip = bool(played.so_close and (before["chip_used"].cast(pl.String) == "none").all())
    if not 1 <= row["campaign"] <= len(rule_set.campaigns):
        raise BadInput(file, "tables", f"names no campaign of {rule_set.title}: {row['campaign']}")
    resolved = dict(played.scenario)
    for table, keys in nested(settings_of(rule_set.campaigns[row["campaign"] - 1])).items():
        there = resolved.get(table)
        resolved[table] = {**(there if isinstance(there, dict) else {}), **keys}
    scenario = scenario_from(resolved, file, played.name)
    names = [objective.name for objective in rule_set.objectives(scenario.prepared)]
    still = [name for name in names if name not in claimed]
    worth = np.zeros((len(names), 2))
    for position in played.chances.positions:
        if (position.campaign, position.open, position.chip) == (row["campaign"], still, chip):
            for claim in position.claims:
                if claim.objective not in names:
                    raise BadInput(file, "chances", f"names no objective {quoted(claim.objective)} of the campaign")
                worth[names.index(claim.objective), int(claim.chip)] = claim.worth
    get_ready(scenario, played.seed, compiling or Watch().compiling)
    game = rule_set.game(scenario.prepared, [rules.weighing(scenario.seated[0], worth)], played.seed, number)
    return CampaignGame(rules, game, row, still, chip, worth, changed_since(scenario, manifest))


def transcript(
    run: Run, number: int, compiling: Callable[[int], None] | None = None
) -> tuple[list[str], Iterator[str]]:
    """Replay a game of a campaign; parameters as `campaign_game`, returned as by `nfsim.run.replay.transcript`."""
    found = campaign_game(run, number, compiling)
    return found.warnings, _lines(found)


def _lines(found: CampaignGame) -> Iterator[str]:
    row, chip = found.row, f"; with the {found.rules.chip}" if found.chip else ""
    yield f"Run {row['campaign_run']}, campaign {row['campaign']}, open: {', '.join(found.open)}{chip}"
    yield from found.game.transcript()
    mended = found.rules.sides.get(row["chip_used"])
    side = f" with the chip's {mended}" if mended else ""
    yield f"claimed: {row['claimed']}{side}" if row["claimed"] else "no claim: the campaign is lost"
