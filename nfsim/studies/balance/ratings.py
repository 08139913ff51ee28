"""All records in one table: how often each is taken, its effect for several players, and what that says of it.

Records that can be left out are rated by the same games without them (`effects`, estimate of takers). What is dealt
and not bought is rated by the game itself, if it says how (`Metrics.dealt`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from nfsim.report.source import Source
from nfsim.stats.frames import label
from nfsim.stats.many import with_adjusted
from nfsim.studies.balance.effects import SCORE, TAKERS, WINS, Changed, holdings_of, owned
from nfsim.studies.compare.numbers import SURE

STRONG, WEAK, UNCLEAR, NEVER = "strong", "weak", "unclear", "never taken"
DEALT = "dealt"  # by: compared with the average seat, not with the same games without it


class Player(NamedTuple):
    """Games of one player: as they are, with a record changed in each, and `effects.owned` of them."""

    name: str
    base: Source
    owned: pl.DataFrame

    @property
    def measure(self) -> str:
        """What counts: wins, or the score of one player."""
        return SCORE if self.base.players == 1 else WINS


def player(name: str, base: Source, changed: Sequence[Changed]) -> Player:
    """Return a player with the effects that its games show."""
    return Player(name, base, owned(base, changed))


def ratings(players: Sequence[Player], kinds: Mapping[str, str]) -> pl.DataFrame:
    """Return what each record does for each player.

    Parameters
    ----------
    players : sequence of Player
    kinds : mapping of str to str
        Kind of each record that can be left out, by name.

    Returns
    -------
    DataFrame
        record, kind, player, games, taken (games in which a seat took it), n (games behind the effect), effect, low,
        high, p, by (`TAKERS` or `DEALT`), p_adjusted (Benjamini–Hochberg over all rows), verdict (`STRONG`, `WEAK`,
        `UNCLEAR` or `NEVER`). Records by their effect with the first player.
    """
    frames = [frame for each in players for frame in (_left_out(each, kinds), _dealt(each)) if len(frame)]
    if not frames:
        return pl.DataFrame()
    return with_verdicts(pl.concat(frames, how="vertical_relaxed"), players[0].name)


def with_verdicts(found: pl.DataFrame, first: str) -> pl.DataFrame:
    """Add adjusted p-values and verdicts, and sort by the effect with the first player."""
    sure, effect = pl.col("p_adjusted").fill_nan(None) < SURE, pl.col("effect")
    verdict = (
        pl.when(pl.col("n") == 0).then(pl.lit(NEVER))
        .when(sure & (effect > 0)).then(pl.lit(STRONG))
        .when(sure & (effect < 0)).then(pl.lit(WEAK))
        .otherwise(pl.lit(UNCLEAR))
    )  # fmt: skip
    found = with_adjusted(found).with_columns(verdict.alias("verdict"))
    order = found.filter(pl.col("player") == first).select("record", "kind", order=effect.fill_nan(None))
    return (
        found.join(order, on=["record", "kind"], how="left", maintain_order="left")
        .sort("order", "record", descending=[True, False], nulls_last=True, maintain_order=True)
        .drop("order")
    )


COLUMNS = ["record", "kind", "player", "games", "taken", "n", "effect", "low", "high", "p", "by"]


def _left_out(player: Player, kinds: Mapping[str, str]) -> pl.DataFrame:
    """Return the records that were left out of games one by one."""
    if player.owned.is_empty():
        return pl.DataFrame()
    taken = (
        holdings_of(player.base)
        .rows(player.base.tables)
        .group_by(label("record").alias("record"))
        .agg(pl.col("game").n_unique().cast(pl.Int64).alias("taken"))
        .collect()
    )
    own = player.owned.filter(pl.col("measure") == player.measure, pl.col("estimate") == TAKERS)
    return (
        own.join(taken, on="record", how="left", maintain_order="left")
        .with_columns(
            pl.col("taken").fill_null(0),
            pl.col("record").replace_strict(dict(kinds), default="", return_dtype=pl.String).alias("kind"),
            pl.lit(player.name).alias("player"),
            pl.lit(player.base.games, pl.Int64).alias("games"),
            pl.lit(TAKERS).alias("by"),
        )
        .rename({"difference": "effect"})
        .select(COLUMNS)
    )


def _dealt(player: Player) -> pl.DataFrame:
    """Return the records that the game rates itself."""
    dealt = player.base.metrics.dealt
    found = dealt(player.base) if dealt is not None else pl.DataFrame()
    if found.is_empty():
        return found
    about = (pl.lit(player.name).alias("player"), pl.lit(DEALT).alias("by"))
    return found.with_columns(about).select(COLUMNS)
