"""Positions, options and random outcomes in words: for transcripts, people and the twin of the rules."""

from typing import Any

from nfsim.compiled.jit import int64
from nfsim.games.new_frontiers import solo
from nfsim.games.new_frontiers.codes import (
    VERBS,
    Action,
    Class,
    Effect,
    Good,
    Option,
    RequirementKind,
    StockpileKind,
    label,
)
from nfsim.games.new_frontiers.scoring import Part
from nfsim.games.new_frontiers.state import Drawn, Step
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.games.new_frontiers.tiles import grammar
from nfsim.games.new_frontiers.tiles.grammar import Power

SIDES = "AB"


def power_text(tables: Any, tile: int, place: int) -> str:
    """Return a power as tile files write it, for example `consume.goods(rare) 1 vp=2`."""
    effect, filter_, *numbers = (int(number) for number in tables.power[tile, place][:7])
    return str(Power(Effect(effect), Class(filter_), *numbers))


def option_words(prepared: Prepared, state: Any, kind: int, a: int, b: int) -> tuple[str | int, ...]:
    """Return an option in words, for example `("pay", "Gem World")`; the first word is a `codes.Verb`.

    Parameters
    ----------
    prepared : Prepared
    state : record of STATE
        The position in which the option is offered.
    kind, a, b : int
        The option; see `codes.Option`.
    """
    option = Option(kind)
    tile = prepared.names.tile
    seat = int(state.actor)
    verb = VERBS[option]
    if option == Option.ACTION:
        return verb, label(Action(a))
    if option == Option.SIDE:
        return verb, SIDES[a]
    about = option_tile(state, kind, a, b)
    if about >= 0:
        return verb, tile[about]
    if option == Option.GOAL:
        return verb, prepared.names.goal[a]
    if option == Option.AMOUNT:
        return verb, a
    if option in (Option.PASS, Option.COLONISTS):
        return (verb,)
    tables = prepared.tables[0]
    feeding = option == Option.FEED
    owner = int((state.feeder_tile if feeding else state.temp_tile)[seat, a])
    power = power_text(tables, owner, int((state.feeder_power if feeding else state.temp_power)[seat, a]))
    if option == Option.USE_CREDITS:
        return verb, tile[owner], power
    return verb, tile[owner], power, tile[state.colony[seat, b]]


def option_tile(state: Any, kind: int, a: int, b: int) -> int:
    """Return the id of the tile that an option is about: taken, bought, settled, sold from …; -1 if there is none."""
    option, seat = Option(kind), int(state.actor)
    if option in (Option.SIDE, Option.STACK_SIDE, Option.TAKE, Option.DISCARD):
        return b
    if option in (Option.KEEP, Option.GIVE_BACK, Option.STOCKPILE_IT, Option.PLACE_IT, Option.BUY):
        return a
    if option in (Option.CONQUER, Option.PAY):
        return int(state.explored[seat, a])
    if option in (Option.GOOD_ON, Option.SELL_GOOD):
        return int(state.colony[seat, a])
    return -1


def option_text(prepared: Prepared, state: Any, kind: int, a: int, b: int) -> str:
    """Return an option as a phrase for people."""
    words = [str(word) for word in option_words(prepared, state, kind, a, b)]
    option = Option(kind)
    text = {
        Option.ACTION: "select {0}",
        Option.SIDE: "side {0}",
        Option.STACK_SIDE: "use {0}",
        Option.GIVE_BACK: "return {0} to the bag",
        Option.DISCARD: "discard {0}",
        Option.BUY: "buy {0}",
        Option.PASS: "pass",
        Option.CONQUER: "conquer {0}",
        Option.PAY: "settle {0}",
        Option.COLONISTS: "take 2 colonists",
        Option.USE_GOOD: "use {0}: {1}, with the good of {2}",
        Option.USE_CREDITS: "use {0}: {1}",
        Option.GOOD_ON: "put the good on {0}",
        Option.SELL_GOOD: "sell the good of {0}",
        Option.FEED: "feed {0} ({1}) with the good of {2}",
        Option.AMOUNT: "stockpile {0}",
    }.get(option, "{verb} {0}")
    phrase = text.format(*words[1:], verb=words[0])
    if option in (Option.BUY, Option.PAY):
        return f"{phrase} for {b} credits"
    if option == Option.SELL_GOOD:
        return f"{phrase} for {b} credits"
    if option == Option.AMOUNT:
        return f"{phrase} of {b}"
    return phrase


def drawn_words(prepared: Prepared, state: Any) -> list[tuple[str, str | int]]:
    """Return the random outcomes since the last decision, in order: (kind, name)."""
    found: list[tuple[str, str | int]] = []
    for kind, number in state.drawn[: int(state.drawn_n)]:
        drawn = Drawn(int(kind))
        name: str | int = int(number)
        if drawn in (Drawn.WORLD, Drawn.STACK):
            name = prepared.names.tile[int(number)]
        elif drawn == Drawn.GOAL:
            name = prepared.names.goal[int(number)]
        elif drawn == Drawn.MAT:
            name = prepared.names.mat[int(number)]
        found.append((label(drawn), name))
    return found


def describe(prepared: Prepared, state: Any) -> str:
    """Return the open position and every seat's empire, a line or two per seat."""
    tables = prepared.tables[0]
    lines = [
        f"Round {int(state.round_no)}; supply: {int(state.supply_vp)} VP chips, "
        f"{int(state.supply_colonists)} colonists; {int(state.produce_credits)} credits on Produce"
    ]
    goals = [
        f"{prepared.names.goal[goal]} ({'face down' if lies_face_down(state, goal) else 'face up'})"
        for goal in range(int(tables.n_goals))
        if state.goal_where[goal] > 0
    ]
    if goals:
        lines.append("Goals: " + ", ".join(goals))
    lines += [describe_seat(prepared, state, seat) for seat in range(int(tables.players))]
    return "\n".join(lines)


def lies_face_down(state: Any, goal: int) -> bool:
    """Tell whether a goal in play is hidden from somebody; at the end all of them are turned up."""
    return bool(state.goal_where[goal] == 1 and state.step != Step.OVER)


def describe_seat(prepared: Prepared, state: Any, seat: int) -> str:
    """Return one seat's empire in words."""
    tables, name = prepared.tables[0], prepared.names.tile
    colonies = []
    for slot in range(int(state.n_colonies[seat])):
        tile = int(state.colony[seat, slot])
        good = f" [{label(Good(int(tables.good[tile])))}]" if state.colony_good[seat, slot] else ""
        colonies.append(name[tile] + good)
    explored = [name[int(state.explored[seat, place])] for place in range(int(state.n_explored[seat]))]
    developments = [name[int(state.dev[seat, place])] for place in range(int(state.n_devs[seat]))]
    stored = [
        f"{int(state.stockpile[seat, kind])} {label(kind)}"
        for kind in StockpileKind
        if kind >= 0 and state.stockpile[seat, kind]
    ]
    text = (
        f"Seat {seat}: {int(state.credits[seat])} credits, {int(state.colonists[seat])} colonists, "
        f"{int(state.chips[seat])} VP chips, Military {int(state.military[seat])}, "
        f"priority {int(state.space[seat])}, {int(state.score[seat, Part.TOTAL])} VPs at the last round's end\n"
        f"  colonies: {', '.join(colonies) or 'none'}"
    )
    for title, items in (("explored", explored), ("developments", developments), ("stockpile", stored)):
        if items:
            text += f"\n  {title}: {', '.join(items)}"
    return text


def mat_text(prepared: Prepared, state: Any, seat: int) -> str:
    """Return a seat's mat and the home colony on each of its sides."""
    mat = int(state.mat[seat])
    homes = [prepared.names.tile[int(home)] for home in prepared.tables[0].mat_side[mat] if home >= 0]
    sides = ", ".join(f"side {side} {home}" for side, home in zip(SIDES, homes, strict=False))
    return f"seat {seat}: mat {prepared.names.mat[mat]} ({sides})"


def conditions_text(prepared: Prepared, state: Any) -> list[str]:
    """Return for each solo condition whether the final position meets it, and what of it is there."""
    tables = prepared.tables[0]
    setup, total = prepared.settings.setup, int(state.score[0, Part.TOTAL])
    played = {
        condition.name: getattr(condition, f"{setup.thresholds}_requires")
        for condition in prepared.tile_set.conditions
        if condition.campaign == setup.campaign_played and condition.holds(prepared.rulings)
    }
    lines = []
    for place in range(int(tables.n_objectives)):
        name, need = prepared.names.condition[place], int(tables.condition_vp[place])
        parts = [f"{total} of {need} VPs{_missing(total, need)}"]
        for i, required in enumerate(played.get(name, ())):
            met = bool(solo.requirement_met(tables, state, int64(0), int64(place), int64(i)))
            phrase = grammar.requirement_phrase(required)
            if required.kind == RequirementKind.AT_LEAST:
                has = int(solo.requirement_has(tables, state, int64(0), int64(place), int64(i)))
                parts.append(f"{phrase}: {has}{_missing(has, int(required.need))}")
            else:
                parts.append(f"{phrase}: {'yes' if met else 'no'}")
        met = bool(solo.condition_met(tables, state, int64(0), int64(place)))
        lines.append(f"condition {name} {'met' if met else 'not met'}: {'; '.join(parts)}")
    return lines


def _missing(has: int, need: int) -> str:
    return f" ({need - has} missing)" if has < need else ""
