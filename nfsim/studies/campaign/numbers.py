"""The numbers of campaigns played out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from nfsim.contract.rule_set import load_rule_set
from nfsim.log.read import Run
from nfsim.stats.intervals import wilson
from nfsim.studies.forms import rounds_of

Row = dict[str, Any]


def campaign_numbers(run: Run) -> Row:
    """Return what came out of a run's campaigns, ready for JSON.

    Returns
    -------
    dict
        `played` and `computed`: chance of winning everything, by playing out and by dynamic programming, each with n
        and a 95 % interval. `by_campaign`: won of those begun; `computed_by_campaign`:
        the same by dynamic programming, whatever came before. `objectives`: how often aimed at and claimed, in which
        game, with the chip, and left open in lost campaigns. `lost_in_game`, `chip`: counts. `positions`: chance by
        what is open.
    """
    manifest, table = run.manifest, run["campaigns"].collect()
    runs, listed = int(manifest["games"]), list(manifest["campaigns"])
    won = int(table.filter((pl.col("campaign") == listed[-1]) & pl.col("won"))["campaign_run"].n_unique())
    first = manifest["chances"]["positions"][0]
    keys = ("name", "title", "changes", "campaigns", "so_close", "gauntlet", "seed", "policies", "statuses")
    return {
        **{key: manifest[key] for key in keys},
        "rounds": rounds_of(load_rule_set(manifest["scenario"]["game"]), manifest["scenario"]),
        "runs": runs,
        "sample": manifest["sample"],
        "played": _rate(won, runs),
        "computed": {
            "n": manifest["chances"]["n"],
            "games": manifest["chances"]["games"],
            **{key: first[key] for key in ("chance", "low", "high", "fitted")},
        },
        "by_campaign": [_campaign(table, campaign) for campaign in listed],
        "computed_by_campaign": manifest["chances"]["by_campaign"],
        "objectives": [_objective(table, int(each["campaign"]), each["name"]) for each in manifest["objectives"]],
        "lost_in_game": _counts(table.filter(pl.col("claimed").is_null())["game_in_run"]),
        "chip": _counts(table["chip_used"].cast(pl.String)),
        "positions": manifest["chances"]["positions"],
        "rulings": manifest["rulings"],
        "tiles": manifest["tiles"],
    }


def _rate(k: int, n: int) -> Row:
    low, high = wilson(k, n)
    known = n > 0
    return {"n": n, "k": k, "rate": k / n if known else None, "low": float(low) if known else None,
            "high": float(high) if known else None}  # fmt: skip


def _counts(values: pl.Series) -> dict[str, int]:
    found = values.drop_nulls().value_counts().sort(values.name)
    return {str(value): int(count) for value, count in found.rows()}


def _campaign(table: pl.DataFrame, campaign: int) -> Row:
    own = table.filter(pl.col("campaign") == campaign)
    begun = own["campaign_run"].n_unique()
    won = own.filter("won")["campaign_run"].n_unique()
    return {"campaign": campaign, **_rate(won, begun)}


def _objective(table: pl.DataFrame, campaign: int, name: str) -> Row:
    own = table.filter(pl.col("campaign") == campaign)
    claims = own.filter(pl.col("claimed").cast(pl.String) == name)
    lost = own.filter(~pl.col("won"))["campaign_run"].n_unique()
    with_claim = claims.filter(~pl.col("won")).height
    aims = own["target"].cast(pl.String)
    return {
        "campaign": campaign,
        "objective": name,
        "games": own.height,
        "aimed": None if aims.is_null().all() else int((aims == name).sum()),
        "claimed": claims.height,
        "claimed_in_game": _counts(claims["game_in_run"]),
        "with_chip": claims.filter(pl.col("chip_used").cast(pl.String) != "none").height,
        "left_open": lost - with_claim,
        "lost": lost,
    }


def order_to_try(numbers: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Return the objectives of the first campaign in the order in which their claims are worth most.

    Parameters
    ----------
    numbers : mapping
        As `campaign_numbers` returns them.

    Returns
    -------
    list of (str, float)
        Each objective with the chance of all that is then still open, the one to claim first at the head. The last one
        leaves nothing open: its chance is 1 within its campaign. Empty for a policy that has no plan.
    """
    rows = [row for row in numbers["positions"] if row["campaign"] == numbers["campaigns"][0]]
    chances = {(frozenset(row["open"]), row["chip"]): row["chance"] for row in rows}
    open_, chip, found = set(rows[0]["open"]), rows[0]["chip"], []
    while open_:
        left = {name: chances.get((frozenset(open_ - {name}), chip), 1.0) for name in sorted(open_)}
        best = max(left, key=lambda name: left[name])
        found.append((best, left[best]))
        open_.remove(best)
    return found
