"""What stands at the head of a report: where the numbers come from, and what they can and cannot claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nfsim.contract.objectives import Words
from nfsim.report.formatting import integer
from nfsim.report.naming import changes, patches, record_set, title, value_text
from nfsim.report.source import Source
from nfsim.stats.intervals import ENOUGH

NAMED = 3  # policies that a line names one by one; of more it says how many


@dataclass(frozen=True)
class Facts:
    """One run at the head of a report: a heading and lines of (name, text)."""

    label: str
    lines: Sequence[tuple[str, str]]


def facts(source: Source) -> Facts:
    """Return what a run's manifest says about it."""
    differ = rulings(source)
    broken = broken_off(source)
    return Facts(
        source.label,
        [
            ("Scenario", source.title),
            *([("Changed", "; ".join(changes(source)))] if changes(source) else []),
            *setup(source),
            ("Games", integer(source.games)),
            *([("Broken off", broken)] if broken else []),
            ("Seed", str(source.say("seed", default="not recorded"))),
            ("Policies", source.policies or "not recorded"),
            (f"{source.words.record.capitalize()} set", record_set(source)),
            *([("Patches", "; ".join(patches(source)))] if patches(source) else []),
            (source.words.records.capitalize(), share(source)),
            ("Rulings", "; ".join(differ) if differ else "all at their defaults"),
            ("Versions", versions(source.say("versions", default={}))),
            ("Folder", source.folder.name),
        ],
    )


def cards(sources: Sequence[Source]) -> list[Facts]:
    """Return the facts of all runs: all of the first, and of every other one only the lines in which it differs."""
    first, *rest = map(facts, sources)
    known = dict(first.lines)
    found = [first]
    for card in rest:
        own = dict(card.lines)
        names = [*own, *(name for name in known if name not in own)]
        lines = [(name, own.get(name, "none")) for name in names if own.get(name) != known.get(name)]
        found.append(Facts(card.label, lines or [("All", "as there")]))
    return found


def setup(source: Source) -> list[tuple[str, str]]:
    """Return what the run's settings were, whatever its title says."""
    scenario = source.say("scenario", default={})
    rows = source.metrics.setup(scenario, source.players)
    if rows is not None:
        return list(rows)
    # rulings that differ have a line of their own
    tables = {name: scenario.get(name) for name in source.rules.section if name != "rules"}
    return [
        (name.capitalize(), value_text(value)) for name, value in tables.items() if isinstance(value, Mapping) and value
    ]


def broken_off(source: Source) -> str:
    """Return how many games did not end by the rules, by status; '' if all did."""
    statuses = source.say("statuses", default={})
    bad = {name: n for name, n in statuses.items() if name != "finished"} if isinstance(statuses, Mapping) else {}
    return ", ".join(f"{integer(int(n))} {str(name).replace('_', ' ')}" for name, n in bad.items())


def share(source: Source) -> str:
    """Return the sentence about the share of reconstructed records."""
    return str(source.catalogue("share", "text") or "the share of reconstructed records is not recorded")


def versions(named: Any) -> str:
    """Write versions as a list: name and number."""
    if not isinstance(named, Mapping) or not named:
        return str(named) if named else "not recorded"
    return ", ".join(f"{name} {version}" for name, version in named.items())


def rulings(source: Source) -> list[str]:
    """Return the rulings of a run that differ from the defaults: R2 colonist_end = empty (default: five)."""
    in_force = source.say("rulings", default={})
    if not isinstance(in_force, Mapping):
        return []
    known = {ruling.switch: ruling for ruling in source.rules.rulings}
    found = []
    for switch, reading in in_force.items():
        ruling = known.get(switch)
        if ruling is None:
            # without the rule set nobody can say what the default was, so the reading is named
            found.append(f"{switch} = {reading}")
        elif str(reading) != ruling.seed:
            found.append(f"{ruling.cite} {switch} = {reading} (default: {ruling.seed})")
    return found


def summary(sources: Sequence[Source]) -> str:
    """Return the line under the title: games, policy, seed, and how much is reconstructed."""
    n = played(sources)
    shares, record = shares_text(sources), sources[0].words.record
    return "; ".join([
        f"{n} game{'' if n == '1' else 's'}{' each' if len(sources) > 1 else ''}",
        policies_text(sources),
        seeds_text(sources),
        f"{shares} of the {record} set reconstructed, not sourced" if shares
        else f"share of reconstructed {sources[0].words.records} not recorded",
    ]) + "."  # fmt: skip


def imprint(sources: Sequence[Source]) -> str:
    """Return the line under a picture that stands alone: what was played by whom, how often, with which records."""
    n = f"n = {played(sources)}{' each' if len(sources) > 1 else ''}"
    return stamp(
        [title(sources), policies_text(sources), seeds_text(sources), n], shares_text(sources), sources[0].words
    )


def stamp(said: Sequence[str], shares: str, words: Words) -> str:
    """Return the line under a picture that stands alone, from what was played and how much is reconstructed."""
    whole = [text.replace("n = ", "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}") for text in said]
    unknown = f"share of reconstructed {words.records} not recorded"
    known = f"{shares} of the {words.record} set reconstructed" if shares else unknown
    # a line may end after a dot and not before it
    return "\N{NO-BREAK SPACE}· ".join(["nfsim", *whole, known])


def played(sources: Sequence[Source]) -> str:
    """Write the number of games of each run, a range if it differs."""
    games = sorted({source.games for source in sources})
    return integer(games[0]) if len(games) == 1 else f"{integer(games[0])} to {integer(games[-1])}"


def policies_text(sources: Sequence[Source]) -> str:
    """Write who played; how many, if they are too many for a line."""
    names = policies(sources)
    if len(names) > NAMED:
        return f"{len(names)} policies"
    return f"{'policy' if len(names) == 1 else 'policies'} {' / '.join(names) or 'not recorded'}"


def policies(sources: Sequence[Source]) -> list[str]:
    """Return who played, each once."""
    return list(dict.fromkeys(source.policies for source in sources if source.policies))


def seeds_text(sources: Sequence[Source]) -> str:
    """Write the seeds."""
    seeds = list(dict.fromkeys(str(source.say("seed", default="not recorded")) for source in sources))
    return f"seed{'' if len(seeds) == 1 else 's'} {', '.join(seeds)}"


def shares_text(sources: Sequence[Source]) -> str:
    """Write the percentage of reconstructed records, from the lowest to the highest; '' if it is not recorded."""
    shares = sorted({found for source in sources if (found := reconstructed(source)) is not None}, key=int)
    return f"{' to '.join(dict.fromkeys((shares[0], shares[-1])))} %" if shares else ""


def reconstructed(source: Source) -> str | None:
    """Return the percentage of reconstructed records; None if it is not recorded."""
    return percentage(source.catalogue("share", default={}))


def percentage(shares: Mapping[str, Any]) -> str | None:
    """Return the percentage of reconstructed records from their numbers; None if it is not recorded."""
    total = shares.get("total", 0)
    return f"{100 * shares.get('reconstructed', 0) / total:.0f}" if total else None


def claims(sources: Sequence[Source]) -> list[str]:
    """Return in plain words what the numbers can and cannot claim."""
    names = policies(sources)
    who = ", ".join(names) or "not recorded"
    if len(names) > NAMED:
        who = "named where the numbers come from"
    words, metrics = sources[0].words, sources[0].metrics
    shares = {share(source).rstrip(".") for source in sources}
    several = f"Each run names the share of reconstructed {words.records} it rests on."
    rests_on = f"{min(shares)}." if len(shares) == 1 else several
    said = [
        f"Rates and {words.score} are those of the policies that played ({who}), not of the best possible player: a "
        "stronger player reaches more, a weaker one less. Differences between runs, too, hold for these policies.",
        f"{rests_on} Where {words.records} are reconstructed, the numbers describe a game very like the printed one, "
        "not the printed one itself, and no interval covers that difference.",
        "Intervals are 95 % intervals: Wilson's for rates of games, Student's t for means of games; intervals of other "
        "numbers (medians, whole campaigns, differences of paired games and the like) come from methods that suit "
        "them. They cover the luck of the simulated games only, and shrink with their number n. Below "
        f"{ENOUGH} games a mean is shown without an interval: the method is not reliable there.",
        "Where the rules leave a point open, one reading was chosen; those that differ from the defaults are named.",
    ]
    if any(source.objectives for source in sources):
        said += metrics.claims
    if any("@" in name for name in names):
        said.append(f"Behind the @ in a policy's name stands the {words.objective} that it aimed at.")
    return said
