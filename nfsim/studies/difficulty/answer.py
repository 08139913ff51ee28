"""How hard objectives are, in plain sentences and one picture: who meets which, what a longer game changes, how sure.

Only players that aim say how hard an objective is; one that does not aim shows what it happens to like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from nfsim.contract.objectives import Words
from nfsim.report.answers import unknown
from nfsim.report.formatting import integer, percent, rate
from nfsim.report.page import Answer
from nfsim.report.picture import Picture
from nfsim.report.source import Source
from nfsim.studies.difficulty.numbers import AIMED, extremes
from nfsim.studies.difficulty.page import rates_picture

Frame = pl.DataFrame
Kinds = Mapping[str, str]
"""Kind of each policy, by the name it is shown under: ``search``, ``planner`` and so on."""

AIMS, SEARCHES, DOES_NOT = "aims", "aims and searches", "does not aim"


def shown(found: Frame, kinds: Kinds) -> list[str]:
    """Return the players that an answer is about, the strongest first: those that aim, and the best of the others.

    Parameters
    ----------
    found : DataFrame
        As `nfsim.studies.difficulty.numbers.rates` returns it.
    kinds : mapping of str to str
    """
    players = found["player"].unique(maintain_order=True).to_list()
    aim = set(found.filter(pl.col("games") == AIMED)["player"])
    idle = [player for player in players if player not in aim]
    aiming = [player for player in reversed(players) if player in aim]
    ordered = sorted(aiming, key=lambda player: kinds.get(player) != "search")
    return [*ordered, *idle[-1:]]


def described(player: str, kinds: Kinds, *, aims: bool) -> str:
    """Return what a player does, with its name in brackets."""
    return f"{DOES_NOT if not aims else SEARCHES if kinds.get(player) == 'search' else AIMS} ({player})"


def first_answer(found: Frame, words: Words) -> str:
    """Return a provisional answer from the first games of one player, in one sentence."""
    rows = found.filter(pl.col("objective") != words.any_objective).sort("rate", descending=True).to_dicts()
    listed = _and([f"{row['objective']} in {rate(row['rate'], row['low'], row['high'])}" for row in rows])
    first = rows[0]
    return (
        f"First answer, provisional: with {first['rounds']} rounds {first['player']} meets {listed} of its games "
        f"(n = {integer(first['n'])} each, 95 % intervals), going for one at a time. Stronger players may meet more."
    )


def difficulty_answer(
    found: Frame, compared: Frame, bags: Frame, kinds: Kinds, titles: Mapping[str, str], sources: Sequence[Source]
) -> Answer:
    """Return the answer of a page about one campaign or several.

    Parameters
    ----------
    found, compared, bags : DataFrame
        As `rates`, `comparisons` and `bag_rates` of `nfsim.studies.difficulty.numbers` return them.
    kinds : mapping of str to str
    titles : mapping of str to str
        Of the campaigns, by name.
    sources : sequence of Source
    """
    words = sources[0].words
    every = found.filter(pl.col("objective") != words.any_objective)
    # another reading of an objective is a line of the picture, no matter for the sentences
    readings = [reading.title for campaign in sources[0].rules.campaigns for reading in campaign.readings]
    each = every.filter(~pl.col("objective").is_in(readings))
    text = []
    for name in each["campaign"].unique(maintain_order=True).to_list():
        own = each.filter(pl.col("campaign") == name)
        ends = compared.filter(pl.col("campaign") == name) if len(compared) else compared
        text += [f"{titles[name]}. {said}" if len(titles) > 1 else said for said in _campaign(own, ends, kinds, words)]
    first, drawn = (frame.filter(pl.col("campaign") == each["campaign"][0]) for frame in (each, every))
    return Answer([*text, doubt(first, bags, kinds, sources[0])], answer_picture(drawn, kinds, words))


def _campaign(own: Frame, compared: Frame, kinds: Kinds, words: Words) -> list[str]:
    """Return two or three sentences about a campaign: the rates, the ends, the lengths and weaker players."""
    players = shown(own, kinds)
    aim = set(own.filter(pl.col("games") == AIMED)["player"])
    strongest, short = players[0], own["rounds"][0]
    here = own.filter(pl.col("player") == strongest, pl.col("rounds") == short).sort("rate", descending=True)
    rates = _and([f"{row['objective']} in {_of_100(row['rate'])}" for row in here.to_dicts()])
    if strongest not in aim:
        return [
            f"None of these players aims at {_one(words)}. So this says what they like, not how hard it is: with "
            f"{short} rounds {strongest} meets {rates} of 100 games.",
        ]
    best = described(strongest, kinds, aims=True)
    text = [f"With {short} rounds, a player that {best} meets {rates} of 100 games, going for one at a time."]
    aiming = [player for player in players if player in aim]
    each = [(player, own.filter(pl.col("player") == player)) for player in aiming]
    said = (
        _first([(player, _hardest(frame, compared, short, words)) for player, frame in each])
        or f"These games do not tell which {words.objective} is the hardest.",
        _first([(player, _longer(frame)) for player, frame in each]) or _as_long(own, words),
    )
    text.append(" ".join(filter(None, said)))
    who = {player: described(player, kinds, aims=player in aim) for player in players[1:]}
    others = _and([f"one that {what} meets {_span(own, player, short)}" for player, what in who.items()])
    if others:
        text.append(f"{others[0].upper()}{others[1:]} of 100.")
    return [sentence for sentence in text if sentence]


def _first(said: Sequence[tuple[str, str]]) -> str:
    """Return the first sentence that says something, with who it is about if that is not the strongest player."""
    for place, (player, sentence) in enumerate(said):
        if sentence:
            return f"{sentence} ({player})." if place else f"{sentence}."
    return ""


def _hardest(own: Frame, compared: Frame, rounds: int, words: Words) -> str:
    """Say which objective is the hardest, if the games tell."""
    here = own.filter(pl.col("rounds") == rounds)
    found = extremes(here, compared, words.any_objective)
    if not found or len(here) < 2:
        return ""
    easy, hard = next(iter(found.values()))
    if set(easy) == set(hard):
        return ""
    names = sorted(hard)
    return f"{_and(names)} {'is' if len(names) == 1 else 'are'} the hardest"


def _longer(own: Frame) -> str:
    """Say for how many objectives the longer game is easier or harder, where intervals are apart."""
    lengths = own["rounds"].unique(maintain_order=True).to_list()
    if len(lengths) < 2:
        return ""
    short, long = ({row["objective"]: row for row in own.filter(pl.col("rounds") == n).to_dicts()} for n in lengths[:2])
    both = [name for name in short if name in long]
    easier = [name for name in both if long[name]["low"] > short[name]["high"]]
    harder = [name for name in both if long[name]["high"] < short[name]["low"]]
    ways = [(word, names) for word, names in (("easier", easier), ("harder", harder)) if names]
    said = [f"{word} for {'all' if len(names) == len(both) else len(names)} of {len(both)}" for word, names in ways]
    return f"{lengths[1]} rounds with their own thresholds are {_and(said).replace('all of', 'all')}" if said else ""


def _as_long(own: Frame, words: Words) -> str:
    """Say that no length is easier, if there are two."""
    lengths = own["rounds"].unique(maintain_order=True).to_list()
    if len(lengths) < 2:
        return ""
    return f"No {words.objective} is clearly easier or harder with {lengths[1]} rounds and their own thresholds."


def doubt(own: Frame, bags: Frame, kinds: Kinds, source: Source) -> str:
    """Say by how much chance, the player and unknown records move the rates of the strongest player."""
    words, short = source.words, own["rounds"][0]
    players, aim = shown(own, kinds), set(own.filter(pl.col("games") == AIMED)["player"])
    here = own.filter(pl.col("player") == players[0], pl.col("rounds") == short)
    chance = float(here.select(((pl.col("high") - pl.col("low")) / 2).max()).item())
    n = integer(min(here["n"].to_list()))
    sizes = {f"chance by up to {_points(chance)} (95 % intervals, n = {n})": chance}
    weaker = [player for player in players[1:] if player in aim]
    if weaker:
        other = own.filter(pl.col("player") == weaker[0], pl.col("rounds") == short)
        gap = float(here.join(other, on="objective").select((pl.col("rate") - pl.col("rate_right")).abs().max()).item())
        sizes[f"the player by up to {_points(gap)} ({players[0]} against {weaker[0]})"] = gap
    guessed = unknown(source)
    if len(bags):
        spread = float(bags.select(pl.col("change").abs().max()).item())
        count = bags["bag"].n_unique()
        sizes[
            f"{words.records} that nobody knows by up to {_points(spread)} ({count} other sets, {bags['player'][0]})"
        ] = spread
        guessed = ""
    widest = max(sizes, key=lambda text: sizes[text]).split(" by ")[0]
    most = f" The widest is {widest}." if len(sizes) > 1 else ""
    return f"How sure is this? These move the numbers: {_and(list(sizes))}.{most}{f' {guessed}' if guessed else ''}"


def answer_picture(own: Frame, kinds: Kinds, words: Words) -> Picture:
    """Return the rates of one campaign in its shortest length: a row for each objective and kind of player."""
    players, aim = shown(own, kinds), set(own.filter(pl.col("games") == AIMED)["player"])
    short = own.filter(pl.col("rounds") == own["rounds"][0])
    order = {player: place for place, player in enumerate(players)}
    names = {player: described(player, kinds, aims=player in aim) for player in players}
    drawn = (
        short.filter(pl.col("player").is_in(players))
        .with_columns(pl.col("player").replace_strict(order, return_dtype=pl.Int64).alias("place"))
        .with_columns(pl.col("player").replace_strict(names, return_dtype=pl.String))
    )
    objectives = {name: place for place, name in enumerate(drawn["objective"].unique(maintain_order=True))}
    drawn = drawn.sort(pl.col("objective").replace_strict(objectives, return_dtype=pl.Int64), "place").drop("place")
    title = f"How often each {words.objective} is met, {own['rounds'][0]} rounds"
    note = f"Share of games that met each {words.objective}, by what the player does; 95 % intervals."
    return rates_picture("answer", title, note, drawn, "objective", "share of games")


def _span(own: Frame, player: str, rounds: int) -> str:
    rates = own.filter(pl.col("player") == player, pl.col("rounds") == rounds)["rate"]
    low, high = float(str(rates.min())), float(str(rates.max()))
    return f"{_of_100(low)}\N{EN DASH}{_of_100(high)}"


def _of_100(rate: float) -> str:
    """Write a rate as games of 100, finer near 0 and 100."""
    return f"{100 * rate:.1f}" if 0 < rate < 0.095 or 0.905 < rate < 1 else f"{100 * rate:.0f}"


def _points(size: float) -> str:
    return f"{percent(size).removesuffix(' %')} points"


def _one(words: Words) -> str:
    return f"{'an' if words.objective[0] in 'aeiou' else 'a'} {words.objective}"


def _and(names: Sequence[Any]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
