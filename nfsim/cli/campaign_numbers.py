"""The numbers of campaigns played out, and how they are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from nfsim.cli.console import print_table, say
from nfsim.cli.summary import tile_lines
from nfsim.log.read import Run
from nfsim.report import formatting
from nfsim.stats.intervals import wilson

Row = dict[str, Any]


def campaign_numbers(run: Run) -> Row:
    """Return what came out of a run's campaigns, ready for JSON.

    Returns
    -------
    dict
        `played` and `computed`: chance of winning everything, by playing out and by dynamic programming, each with n
        and a 95 % interval. `by_campaign`: won of those begun; `computed_by_campaign`:
        the same by dynamic programming, whatever came before. `conditions`: how often aimed at and claimed, in which
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
        "rounds": manifest["scenario"]["setup"]["rounds"],
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
        "objectives": [_condition(table, int(each["campaign"]), each["name"]) for each in manifest["objectives"]],
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


def _condition(table: pl.DataFrame, campaign: int, name: str) -> Row:
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


def differing(found: Row, rulings: Sequence[Any]) -> list[str]:
    """Return the rulings in force that are not the defaults."""
    defaults = {ruling.switch: ruling for ruling in rulings}
    return [
        f"{defaults[switch].cite} {switch} = {choice} (default: {defaults[switch].seed})"
        for switch, choice in found["rulings"].items()
        if switch in defaults and defaults[switch].seed != choice
    ]


def print_campaigns(found: Row, rulings: Sequence[Any]) -> None:
    """Print one series: its chance twice, its conditions, where it fails, the chip."""
    played, computed = found["played"], found["computed"]
    changes = f" ({', '.join(found['changes'])})" if found["changes"] else ""
    say(f"{found['title']}{changes}: {found['policies'][0]}, seed {found['seed']}", style="bold")
    differ = differing(found, rulings)
    say(f"Rulings: {'; '.join(differ) if differ else 'all at their defaults'}")
    for line in [*tile_lines(found), found["tiles"]["share"]["text"]]:
        say(line)
    for status, count in found["statuses"].items():
        if status != "finished":
            say(f"Ended by a game not finished by the rules ({status}), counted as lost: {formatting.integer(count)}")
    say()
    rows = [
        ["by playing out", formatting.rate(played["rate"], played["low"], played["high"]),
         f"{formatting.integer(played['n'])} {'series' if found['gauntlet'] else 'campaigns'}"],
        ["computed", formatting.rate(computed["chance"], computed["low"], computed["high"]),
         f"{formatting.integer(computed['n'])} games, and as many to decide what claims are worth"],
    ]  # fmt: skip
    print_table(["everything won", "chance (95 % interval)", "n"], rows, right=[1])
    say()
    if found["gauntlet"]:
        _print_gauntlet(found)
    _print_conditions(found)
    _print_ends(found)


def _print_gauntlet(found: Row) -> None:
    computed = {
        (each["campaign"], each["chip"]): formatting.rate(each["chance"], each["low"], each["high"])
        for each in found["computed_by_campaign"]
    }
    rows = [
        [str(each["campaign"]), formatting.integer(each["n"]),
         formatting.rate(each["rate"], each["low"], each["high"]) if each["n"] else "–",
         *(computed.get((each["campaign"], chip), "–") for chip in (True, False))]
        for each in found["by_campaign"]
    ]  # fmt: skip
    heads = ["campaign", "begun", "won", "computed with the chip", "without it"]
    print_table(heads, rows, title="Each campaign by itself (95 % intervals)", right=[1, 2, 3, 4])
    say()


def _print_conditions(found: Row) -> None:
    size = {each["campaign"]: 0 for each in found["objectives"]}
    for each in found["objectives"]:
        size[each["campaign"]] += 1
    before, games = {}, 0
    for campaign, count in size.items():
        before[campaign], games = games, games + count
    rows = []
    for each in found["objectives"]:
        if each["games"] == 0:
            continue  # a campaign that no run came to
        own = range(before[each["campaign"]], before[each["campaign"]] + size[each["campaign"]])
        name = f"{each['campaign']} {each['objective']}" if len(size) > 1 else each["objective"]
        rows.append([
            name,
            "–" if each["aimed"] is None else formatting.integer(each["aimed"]),
            formatting.integer(each["claimed"]),
            " ".join(str(each["claimed_in_game"].get(str(game), 0)) for game in own),
            formatting.integer(each["with_chip"]),
            f"{formatting.integer(each['left_open'])} of {formatting.integer(each['lost'])}",
        ])  # fmt: skip
    heads = ["objective", "aimed at", "claimed", "as 1st, 2nd …", "with the chip", "open in lost campaigns"]
    print_table(heads, rows, title="Games in which each condition was aimed at and claimed", right=[1, 2, 3, 4, 5])


def _print_ends(found: Row) -> None:
    lost: Mapping[str, int] = found["lost_in_game"]
    if lost:
        listed = ", ".join(f"{formatting.integer(count)} in game {int(game) + 1}" for game, count in _by_number(lost))
        say(f"Lost: {listed}.")
    if found["so_close"]:
        spent = {side: found["chip"].get(side, 0) for side in ("vp", "count")}
        say(f"So Close spent: {spent['vp']} times as −3 VPs, {spent['count']} times as −1 of a count.")


def _by_number(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: int(item[0]))
