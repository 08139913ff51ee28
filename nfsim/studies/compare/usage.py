"""Whether cards or tiles that were changed between two runs were used at all, and who would use them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from nfsim.report.formatting import integer, rate
from nfsim.report.source import Source
from nfsim.run.sample import sample
from nfsim.run.scenario import Scenario
from nfsim.stats.frames import label
from nfsim.stats.intervals import wilson

GAMES = 200  # of each built-in player
NAMED = 3  # players that a sentence names

Row = dict[str, Any]


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of the records that two scenarios patch differently, in their order."""
    one, two = ([_plain(patch) for patch in scenario.get("patch") or []] for scenario in (before, after))
    apart = [patch for patch in two if patch not in one] + [patch for patch in one if patch not in two]
    names = (str(patch.get("name") or patch.get("set", {}).get("name", "")) for patch in apart)
    return list(dict.fromkeys(name for name in names if name))


def _plain(patch: Mapping[str, Any]) -> Row:
    """Leave out what was not given, which a manifest may write and a file does not."""
    return {key: value for key, value in patch.items() if value not in (None, "", {})}


def usage(source: Source, names: Sequence[str]) -> list[Row] | None:
    """Return in how many games of a run each record was taken and owned; None if the log does not say.

    Returns
    -------
    list of dict
        record, n (games), taken, owned (games in which a seat took it, and had it at the end). Records of kinds that
        nobody holds are left out.
    """
    holdings = source.metrics.holdings
    if holdings is None or holdings.table not in source.tables:
        return None
    return _counted(holdings.rows(source.tables).with_columns(label("record")), names, source.games)


def _counted(rows: pl.LazyFrame, names: Sequence[str], games: int) -> list[Row]:
    found = (
        rows.filter(pl.col("record").is_in(list(names)))
        .group_by("record")
        .agg(
            pl.col("game").n_unique().alias("taken"),
            pl.col("game").filter(pl.col("owned")).n_unique().alias("owned"),
        )
        .collect()
    )
    at = {row["record"]: row for row in found.to_dicts()}
    return [
        {"record": name, "n": games, **{key: at.get(name, {}).get(key, 0) for key in ("taken", "owned")}}
        for name in names
    ]


def users(scenario: Scenario, source: Source, names: Sequence[str], jobs: int | None) -> list[Row]:
    """Return how often each fast built-in player uses the records: a few games of each, in memory.

    Returns
    -------
    list of dict
        policy, and as `usage`: the highest share first.
    """
    holdings, rule_set = source.metrics.holdings, scenario.rule_set
    if holdings is None:
        return []
    (table,) = (table for table in rule_set.tables if table.name == holdings.table)
    lists = next(column.labels for column in table.columns if isinstance(column.labels, str))
    labels = dict(enumerate(rule_set.labels(scenario.prepared, lists)))
    found = []
    for policy in rule_set.policies():
        if policy.slow or not policy.compiled:
            continue
        seats = [policy] * len(scenario.seated)
        (rows,) = sample(
            rule_set, scenario.prepared, seats, root=1, games=GAMES, tables=(holdings.table,), jobs=jobs
        ).values()
        frame = pl.LazyFrame({name: rows[name] for name in rows.dtype.names or ()})
        named = holdings.rows({holdings.table: frame}).with_columns(
            pl.col("record").replace_strict(labels, default="", return_dtype=pl.String)
        )
        found += [{"policy": policy.name, **row} for row in _counted(named, names, GAMES)]
    return sorted(found, key=lambda row: -row["owned"])


def sentences(used: Sequence[Row] | None, who: Sequence[Row], source: Source, names: Sequence[str]) -> list[str]:
    """Say whether the changed records were used in these games, and which built-in players would use them."""
    words, holdings = source.words, source.metrics.holdings
    if not names or holdings is None:
        return []
    verbs = holdings.verbs
    if used is None:
        return [
            f"Changed: {', '.join(names)}. These runs do not log which {words.records} were taken (nfsim run --log "
            f"{words.records} does), so nothing is known of their use."
        ]
    said = [f"The changed {words.records if len(used) > 1 else words.record}."]
    for row in used:
        own = sorted((r for r in who if r["record"] == row["record"]), key=lambda r: -r["owned"])
        built = _share(row["owned"], row["n"])
        said.append(
            f"{row['record']} was {verbs[0]} in {_share(row['taken'], row['n'])} of these games and {verbs[1]} in "
            f"{built}."
        )
        if own and own[0]["owned"]:
            best = "; ".join(f"{r['policy']} in {_share(r['owned'], r['n'])}" for r in own[:NAMED] if r["owned"])
            said.append(f"Of the built-in players, these use it most: {best} (n = {integer(own[0]['n'])} games each).")
        elif own:
            said.append("No built-in player uses it.")
    return [" ".join(said)]


def _share(k: int, n: int) -> str:
    low, high = wilson(k, n)
    return rate(k / n, float(low), float(high)) if n else "–"
