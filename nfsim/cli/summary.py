"""The short table after a run, and the same numbers for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from nfsim.cli.console import print_table, say
from nfsim.contract.rule_set import load_rule_set
from nfsim.log.read import Run
from nfsim.report import formatting
from nfsim.report.parts import outcomes
from nfsim.run.titles import titled

if TYPE_CHECKING:
    from nfsim.report.source import Source

Row = dict[str, Any]


def print_run(run: Run) -> None:
    """Print win rates and VPs with 95 % intervals, and the share of reconstructed records."""
    manifest = run.manifest
    setting = load_rule_set(manifest["scenario"]["game"]).setting
    name = titled(manifest["title"], manifest.get("changes", []), setting)
    title = f"{name}: {formatting.integer(manifest['games'])} games, {', '.join(_players(manifest))}"
    wins = win_rates(run)
    rows = [[str(row["name"]), _rate(row), *([_vp(row)] if "score_mean" in row else [])] for row in wins]
    if has_conditions(run):
        print_table(["objective", "met (95 % interval)"], rows, title=title, right=[1])
        say(f"mean VPs: {_mean(vps(run)[0])}")
    else:
        print_table(["seat", "won (95 % interval)", "mean VPs (95 % interval)"], rows, title=title, right=[1, 2])
    print_notes(run)


def print_notes(run: Run) -> None:
    """Print what qualifies the numbers: games that broke off, and the share of reconstructed records."""
    bad = {name: n for name, n in run.manifest["statuses"].items() if name != "finished"}
    if bad:
        listed = ", ".join(f"{formatting.integer(n)} {name}" for name, n in bad.items())
        say(f"Not finished by the rules: {listed}.")
    for line in tile_lines(run.manifest):
        say(line)
    say(run.manifest["tiles"]["share"]["text"])


def print_shares(manifests: Sequence[Mapping[str, Any]]) -> None:
    """Print on how much reconstructed tile data results of several runs rest, each sentence once."""
    for text in dict.fromkeys(manifest["tiles"]["share"]["text"] for manifest in manifests):
        say(text)


def print_tiles(sources: Sequence[Source]) -> None:
    """Print which tiles several runs were played with: once if it is the same for all, else run by run."""
    lines = [tile_lines(source.manifest) for source in sources]
    alike = all(each == lines[0] for each in lines)
    for source, own in list(zip(sources, lines, strict=True))[: 1 if alike else None]:
        for text in own:
            say(text if alike else f"{source.label}: {text.strip()}")


def tile_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Return which tiles were played: the set with its hash, where it differs from the built-in one, every patch."""
    tiles, changes = manifest["tiles"], manifest.get("tile_changes") or {}
    differs = f"; {changes['text']}" if changes.get("text") else ""
    digest = f", hash {tiles['hash'][:8]}" if tiles.get("hash") else ""
    return [
        f"Tiles: {tiles.get('set') or 'not recorded'}{digest}{differs}",
        *(f"  patch: {patch}" for patch in changes.get("patches", [])),
    ]


def run_numbers(run: Run) -> Row:
    """Return the same as one object for JSON."""
    manifest = run.manifest
    keys = ("title", "changes", "games", "seed", "log", "policies", "statuses", "wall_seconds", "cpu_seconds")
    return {
        "folder": str(run.folder),
        **{key: manifest.get(key) for key in keys},
        "wins": win_rates(run),
        "score": vps(run),
        "tiles": manifest["tiles"],
        "tile_changes": manifest.get("tile_changes"),
    }


def has_conditions(run: Run) -> bool:
    """Tell whether the run was solo: it then has conditions instead of opponents."""
    return bool(run.manifest.get("objectives"))


def win_rates(run: Run) -> list[Row]:
    """Return how often each condition was met (solo) or each seat won, with Wilson's interval."""
    if has_conditions(run):
        words = load_rule_set(run.manifest["scenario"]["game"]).words
        frame = outcomes.objective_rates(run, words.any_objective).with_columns(pl.col("objective").alias("name"))
        order = {condition["name"]: place for place, condition in enumerate(run.manifest["objectives"])}
        rows = [plain(row) for row in frame.to_dicts()]
        return sorted(rows, key=lambda row: order.get(row["name"], len(order)))
    scores = {row["seat"]: row for row in vps(run)}
    rows = []
    for row in outcomes.seat_wins(run).to_dicts():
        score = scores[row["seat"]]
        policy = run.manifest["policies"][row["seat"]]
        rows.append(
            plain(row)
            | {"name": f"{row['seat']} {policy}", "policy": policy}
            | {f"score_{key}": score[key] for key in ("mean", "low", "high")}
        )
    return rows


def vps(run: Run) -> list[Row]:
    """Return the mean VPs of each seat with its t interval."""
    return [plain(row) for row in outcomes.score_summary(run).to_dicts()]


def rate_text(row: Row) -> str:
    """Write a rate with its interval."""
    return _rate(row)


def _rate(row: Row) -> str:
    value, low, high = (_number(row[key]) for key in ("rate", "low", "high"))
    return formatting.rate(value, low, high)


def _vp(row: Row) -> str:
    return _mean(row, "score_")


def _mean(row: Row, prefix: str = "") -> str:
    value, low, high = (_number(row[f"{prefix}{key}"]) for key in ("mean", "low", "high"))
    return formatting.mean(value, low, high)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def plain(row: Row) -> Row:
    """Replace NaN, which JSON does not know, by null."""
    return {key: None if isinstance(value, float) and value != value else value for key, value in row.items()}


def _players(manifest: Row) -> list[str]:
    return list(dict.fromkeys(manifest["policies"]))
