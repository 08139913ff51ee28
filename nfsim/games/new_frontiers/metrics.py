"""What reports and studies show of New Frontiers besides what every game has: see `nfsim.report.metrics`.

Modules that draw are imported inside the functions that need them: a comparison of numbers waits for no chart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from nfsim.report import metrics
from nfsim.report.metrics import Figure, Holdings, Mending, Metrics, OwnPart

if TYPE_CHECKING:
    from nfsim.report.page import Part
    from nfsim.report.source import Source
    from nfsim.stats.frames import Tables

HOME, DEVELOPMENT = 0, -1  # what `round_explored` is for home colonies and developments
PENALTIES = "Xeno penalties"


def holdings(tables: Tables) -> pl.LazyFrame:
    """Return who held which world or development, home colonies left out; see `nfsim.report.metrics.Holdings`.

    A world is taken when it is explored and owned when it is settled, a development is built.
    """
    explored, settled = pl.col("round_explored"), pl.col("round_settled")
    built = explored == DEVELOPMENT
    taken = pl.when(built).then(settled).otherwise(explored).cast(pl.Int64)
    return (
        tables["tiles"]
        .filter(explored != HOME)
        .select(
            "game", "seat", pl.col("tile").alias("record"),
            pl.when(built).then(pl.lit("development")).otherwise(pl.lit("world")).alias("kind"),
            taken.alias("round"), (settled > 0).alias("owned"), settled.alias("owned_round"),
        )
        .filter(pl.col("round") > 0)
    )  # fmt: skip


def setup(scenario: Mapping[str, Any], players: int) -> Sequence[tuple[str, str]]:
    """Return the setup of a run for the head of a page: players, rounds and length, then the rest."""
    from nfsim.report.naming import value_text

    found = scenario.get("setup", {})
    rest = dict(found) if isinstance(found, Mapping) else {}
    rows = []
    for key, name in (("players", "Players"), ("rounds", "Rounds"), ("length", "Length")):
        value = rest.pop(key, None)
        if value is not None:
            limit = "at most " if key == "rounds" and players > 1 else ""
            rows.append((name, limit + value_text(value)))
    return [*rows, ("Setup", value_text(rest))] if rest else rows


def _empires(group: Sequence[Source]) -> Part:
    from nfsim.games.new_frontiers.analysis import empires

    return empires.part(group)


def _xeno(group: Sequence[Source]) -> Part:
    from nfsim.games.new_frontiers.analysis import xeno

    return xeno.part(group)


def _goals(group: Sequence[Source]) -> Part:
    from nfsim.games.new_frontiers.analysis import goals

    return goals.part(group)


def _drawing(group: Sequence[Source]) -> Part:
    from nfsim.games.new_frontiers.analysis import goals

    return goals.drawing_part(group)


def _chances(source: Source) -> Mapping[str, pl.DataFrame]:
    from nfsim.games.new_frontiers.analysis import empires

    return empires.chances(source)


def _dealt(source: Source) -> pl.DataFrame:
    from nfsim.games.new_frontiers.analysis import dealt

    return dealt.ratings(source)


METRICS = Metrics(
    score="victory points",
    score_parts={
        "VP chips": "vp_chips",
        "Worlds": "vp_worlds",
        "Developments": "vp_developments",
        "9-cost scoring": "vp_nine_cost",
        "Goals": "vp_goals",
        PENALTIES: "vp_penalty",
    },
    about_parts="Developments count with their printed VPs; 9-cost scoring is what 9-cost developments score besides.",
    figures=(
        Figure("Colonies", "colonies", "worlds"),
        Figure("Developments", "developments", "tiles"),
        Figure("9-cost developments", "nine_cost", "tiles"),
        Figure("Military", "military", "Military"),
        Figure("Credits left", "credits", "credits"),
        Figure("Goods left", "goods", "goods"),
        Figure("Goals scored", "goals_scored", "goals"),
        Figure("Xeno worlds taken", "xeno_taken", "worlds", swept=True),
        Figure("Xeno worlds conquered", "xeno_conquered", "worlds", swept=True),
        Figure("Xeno worlds unconquered", "xeno_unconquered", "worlds", swept=True),
    ),
    also_swept=(PENALTIES,),
    headline=PENALTIES,
    about_start="Share of games won by place in the first round's priority order, which is drawn at random.",
    parts=(
        OwnPart(metrics.START, _empires),
        OwnPart(metrics.BY_ROUND, _xeno),
        OwnPart(metrics.BY_ROUND, _goals),
        OwnPart(metrics.BY_ROUND, _drawing),
    ),
    chances=_chances,
    dealt=_dealt,
    about_drawn="All of this is conditional on the prior over bags that `nfsim tiles sample` draws from: bags that "
    "satisfy the manual's table and every sourced record, with an assumed distribution of all else.",
    holdings=Holdings(
        rows=holdings,
        table="tiles",
        level="tiles",
        kinds=("development", "world"),
        title="Worlds and developments owned",
        in_place="without it, a development lies on its stack at a price nobody can pay, and a world lies in the "
        "bag as "
        "a blank",
        verbs=("explored or built", "settled or built"),
        about_effects="A blank is nothing at all where another world might have been, so the effect of a world "
        "includes "
        "that of any world in its place: compare tiles with each other rather than with zero.",
        about_cost="The cost of a military world is its defense. ",
    ),
    mending=Mending(
        3,
        "So Close",
        "So Close can mend up to 3 VPs, or 1 of a count, where nothing else is missing.",
    ),
    about_series="The chance to win four games in a row, each by another condition, computed from games of every "
    "position "
    "by dynamic programming; n counts the games that judge the plan, as many others made the plan. The "
    "interval says how well the chance under this plan is known. As four games have to go well, it can lie far below "
    "the bound for any one of them.",
    rest="a count, a tile, no Military",
    claims=(
        "A condition counts as met if the final position meets it, and one game can meet several. That is not the "
        "chance of a campaign, which claims another condition after each game. So Close counts only where it is "
        "named.",
    ),
    setup=setup,
)
