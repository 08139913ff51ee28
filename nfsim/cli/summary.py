"""The short table after a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nfsim.cli.console import print_table, say
from nfsim.contract.objectives import together
from nfsim.contract.rule_set import NAMES, load_rule_set
from nfsim.log.read import Run
from nfsim.report import formatting
from nfsim.report.source import objective_of
from nfsim.run.titles import titled
from nfsim.studies.results import has_objectives, scores, win_rates

if TYPE_CHECKING:
    from nfsim.report.source import Source

Row = dict[str, Any]


def print_run(run: Run) -> None:
    """Print win rates and scores with 95 % intervals, and the share of reconstructed records."""
    manifest = run.manifest
    setting = load_rule_set(manifest["scenario"]["game"]).setting
    name = titled(manifest["title"], manifest.get("changes", []), setting)
    title = f"{name}: {formatting.integer(manifest['games'])} games, {', '.join(_players(manifest))}"
    words = load_rule_set(manifest["scenario"]["game"]).words
    wins = printed_rates(run)
    rows = [
        [str(row["name"]), rate_text(row), *([_mean(row, "score_")] if "score_mean" in row else [])] for row in wins
    ]
    if has_objectives(run):
        print_table([words.objective, "met (95 % interval)"], rows, title=title, right=[1])
        say(f"mean {words.score}: {_mean(scores(run)[0])}")
    else:
        print_table(
            ["seat", "won (95 % interval)", f"mean {words.score} (95 % interval)"], rows, title=title, right=[1, 2]
        )
    print_notes(run)


def printed_rates(run: Run) -> list[Row]:
    """Return the rows of `win_rates`, one for objectives that ask for the same, under all their names."""
    rows = win_rates(run)
    if not has_objectives(run):
        return rows
    groups = together([objective_of(told) for told in run.manifest["objectives"]])
    titles = {names[0]: objective.name for objective, names in groups.items()}
    left_out = {name for names in groups.values() for name in names[1:]}
    return [row | {"name": titles.get(row["name"], row["name"])} for row in rows if row["name"] not in left_out]


def print_notes(run: Run) -> None:
    """Print what qualifies the numbers: games that broke off, and the share of reconstructed records."""
    bad = {name: n for name, n in run.manifest["statuses"].items() if name != "finished"}
    if bad:
        listed = ", ".join(f"{formatting.integer(n)} {name}" for name, n in bad.items())
        say(f"Not finished by the rules: {listed}.")
    for line in record_lines(run.manifest):
        say(line)
    say(run.manifest["tiles"]["share"]["text"])


def print_shares(manifests: Sequence[Mapping[str, Any]]) -> None:
    """Print on how much reconstructed data results of several runs rest, each sentence once."""
    for text in dict.fromkeys(manifest["tiles"]["share"]["text"] for manifest in manifests):
        say(text)


def print_records(sources: Sequence[Source]) -> None:
    """Print which records several runs were played with: once if it is the same for all, else run by run."""
    lines = [record_lines(source.manifest) for source in sources]
    alike = all(each == lines[0] for each in lines)
    for source, own in list(zip(sources, lines, strict=True))[: 1 if alike else None]:
        for text in own:
            say(text if alike else f"{source.label}: {text.strip()}")


def record_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Return which records were played: the set with its hash, where it differs from the built-in one, every patch."""
    tiles, changes = manifest["tiles"], manifest.get("tile_changes") or {}
    differs = f"; {changes['text']}" if changes.get("text") else ""
    digest = f", hash {tiles['hash'][:8]}" if tiles.get("hash") else ""
    game = manifest.get("scenario", {}).get("game") or NAMES[0]  # as `nfsim.report.source` has it
    records = load_rule_set(game).words.records.capitalize()
    return [
        f"{records}: {tiles.get('set') or 'not recorded'}{digest}{differs}",
        *(f"  patch: {patch}" for patch in changes.get("patches", [])),
    ]


def rate_text(row: Row) -> str:
    """Write a rate with its interval."""
    value, low, high = (_number(row[key]) for key in ("rate", "low", "high"))
    return formatting.rate(value, low, high)


def _mean(row: Row, prefix: str = "") -> str:
    value, low, high = (_number(row[f"{prefix}{key}"]) for key in ("mean", "low", "high"))
    return formatting.mean(value, low, high)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _players(manifest: Row) -> list[str]:
    return list(dict.fromkeys(manifest["policies"]))
