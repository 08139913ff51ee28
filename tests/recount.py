"""Recounts of a position, from the tiles up: what must hold in any game whatever is chosen."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from nfsim.engine.records import new_record
from nfsim.games.new_frontiers.codes import Action, ChosenBy, Class, Effect, Option, StockpileKind
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.layout import CLASSES, STATE
from nfsim.games.new_frontiers.scoring import Part
from nfsim.games.new_frontiers.tables import Prepared

XENO = int(Class.XENO)


@dataclass(frozen=True)
class Position:
    """A game as it stood after a round."""

    prepared: Prepared
    state: Any
    selections: list[list[tuple[int, Action, ChosenBy]]]
    scores: list[dict[str, int]]
    finished: bool

    @classmethod
    def of(cls, game: Game) -> "Position":
        """Copy what a game is at now."""
        copy = new_record(STATE)
        copy[0] = game.state
        return cls(game.prepared, copy[0], list(game.selections), game.scores(), game.finished)


def owned(state: Any, seat: int) -> list[int]:
    """Tiles of a seat: colonies and developments."""
    colonies = [int(tile) for tile in state.colony[seat, : state.n_colonies[seat]]]
    return colonies + [int(tile) for tile in state.dev[seat, : state.n_devs[seat]]]


def worlds(game: Position) -> Counter[int]:
    """Where every world tile is: bag, shown, taken, explored, settled or stockpiled."""
    state, found = game.state, Counter[int]()
    found.update(int(tile) for tile in state.bag[: state.bag_n])
    found.update(int(tile) for tile in state.shown[: state.shown_n])
    for seat in range(int(game.prepared.tables[0].players)):
        found.update(int(tile) for tile in state.explored[seat, : state.n_explored[seat]])
        found.update(int(tile) for tile in state.colony[seat, 1 : state.n_colonies[seat]])
        found.update(int(tile) for tile in state.stored[seat, : state.stockpile[seat, StockpileKind.WORLDS]])
    return found


def developments(game: Position) -> list[int]:
    """Copies of each stack, on the mat and with the seats."""
    tables, state = game.prepared.tables[0], game.state
    found = [int(left) for left in state.stack_left[: tables.n_stacks]]
    for seat in range(int(tables.players)):
        for tile in state.dev[seat, : state.n_devs[seat]]:
            found[int(np.flatnonzero((tables.stack_face == tile).any(axis=1))[0])] += 1
    return found


def goals(game: Position) -> list[int]:
    """Every goal of the game once: in the stack, drawn, or in play."""
    state = game.state
    found = [int(goal) for goal in state.goal_deck[: state.goal_deck_n]]
    found += [int(goal) for goal in state.goal_hand[: state.goal_hand_n]]
    return sorted(found + [int(goal) for goal in np.flatnonzero(state.goal_where)])


def held(game: Position, kind: StockpileKind) -> int:
    """Chips or colonists with the seats, stockpiled and placed ones included."""
    state, players = game.state, int(game.prepared.tables[0].players)
    own = state.chips if kind == StockpileKind.CHIPS else state.colonists + state.placed_colonists
    return int(own[:players].sum() + state.stockpile[:players, kind].sum())


def taken_by_dummies(game: Position, *actions: Action) -> int:
    """How often a dummy selected one of these actions, in the rounds that are over."""
    players = int(game.prepared.tables[0].players)
    return sum(seat >= players and action in actions for turns in game.selections for seat, action, _ in turns)


def counts(game: Position, seat: int) -> list[int]:
    """Tiles of a seat in each class."""
    masks = [int(game.prepared.tables[0].mask[tile]) for tile in owned(game.state, seat)]
    return [sum(mask >> class_ & 1 for mask in masks) for class_ in range(CLASSES)]


def military(game: Position, seat: int) -> int:
    """Permanent Military of a seat's tiles."""
    tables, value, numbers = game.prepared.tables[0], 0, counts(game, seat)
    for tile in owned(game.state, seat):
        for effect, class_, amount in tables.power[tile, : tables.n_powers[tile], :3]:
            if effect == Effect.SETTLE_MILITARY and class_ == Class.ANY:
                value += int(amount)
            elif effect == Effect.SETTLE_MILITARY_PER:
                value += int(amount) * numbers[class_]
    return value


def sums(game: Position, seat: int) -> dict[tuple[int, int], int]:
    """Amounts of the additive effects of a seat's tiles, by effect and filter."""
    tables, found = game.prepared.tables[0], Counter[tuple[int, int]]()
    for tile in owned(game.state, seat):
        for effect, class_, amount in tables.power[tile, : tables.n_powers[tile], :3]:
            if effect < Effect.SETTLE_PLACE_GOOD:
                found[int(effect), int(class_)] += int(amount)
    return {key: value for key, value in found.items() if value}


def sums_kept(game: Position, seat: int) -> dict[tuple[int, int], int]:
    """The same as the engine keeps them."""
    state, found = game.state, Counter[tuple[int, int]]()
    for effect, amount in enumerate(state.sums[seat]):
        found[effect, int(Class.ANY)] += int(amount)
    for place in range(int(state.n_specials[seat])):
        key = int(state.special_effect[seat, place]), int(state.special_filter[seat, place])
        found[key] += int(state.special_amount[seat, place])
    return {key: value for key, value in found.items() if value}


def printed(game: Position, seat: int) -> dict[str, int]:
    """Parts of the score that are printed on tiles, and chips."""
    tables, state = game.prepared.tables[0], game.state
    colonies = [int(tile) for tile in state.colony[seat, : state.n_colonies[seat]] if not tables.n_scorings[tile]]
    return {
        "chips": int(state.chips[seat] + state.stockpile[seat, StockpileKind.CHIPS]),
        "worlds": sum(int(tables.vp[tile]) for tile in colonies),
        "developments": sum(int(tables.vp[tile]) for tile in state.dev[seat, : state.n_devs[seat]]),
        "penalty": sum(int(tables.penalty[tile]) for tile in state.explored[seat, : state.n_explored[seat]]),
    }


def parts(game: Position, seat: int) -> list[int]:
    """Score of a seat by part, the total first."""
    return [int(game.state.score[seat, part]) for part in Part]


def below_zero(game: Position) -> list[str]:
    """Names of what has become negative."""
    names = ("supply_vp", "supply_colonists", "reserve_vp", "reserve_colonists", "credits", "colonists", "chips",
             "stockpile", "stack_left", "produce_credits", "n_explored", "bag_n")  # fmt: skip
    return [name for name in names if np.min(game.state[name]) < 0]


def wrong_option(game: Position, kind: int, a: int, b: int) -> str:
    """Why an option is not legal, told by the position alone; '' if nothing speaks against it."""
    tables, state, seat = game.prepared.tables[0], game.state, int(game.state.actor)
    mask, option = tables.mask, Option(kind)
    if option == Option.ACTION:
        return "taken" if state.taken[a] else ""
    if option == Option.TAKE:
        return "" if state.shown[a] == b and a < state.shown_n else "not shown"
    if option in (Option.STOCKPILE_IT, Option.DISCARD):
        tile = b if option == Option.DISCARD else a
        return "Xeno worlds stay" if int(mask[tile]) >> XENO & 1 else ""
    if option in (Option.KEEP, Option.GIVE_BACK):
        return "" if int(mask[a]) >> XENO & 1 else "not a Xeno world"
    if option == Option.BUY:
        if b > state.credits[seat] or a in owned(state, seat):
            return "not to be had"
        stack, side = map(int, np.argwhere(tables.stack_face == a)[0])
        return "" if state.stack_left[stack] > 0 and state.stack_side[stack] == side else "not for sale"
    if option in (Option.CONQUER, Option.PAY):
        tile = int(state.explored[seat, a])
        if a >= state.n_explored[seat] or tables.colonists[tile] > state.colonists[seat]:
            return "no colonists"
        if option == Option.PAY:
            paid_xeno = int(mask[tile]) >> XENO & 1
            return "Xeno worlds are conquered" if paid_xeno else "too dear" if b > state.credits[seat] else ""
        return "" if tables.military[tile] else "not military"
    if option in (Option.SELL_GOOD, Option.FEED, Option.USE_GOOD):
        slot = a if option == Option.SELL_GOOD else b
        return "" if state.colony_good[seat, slot] and slot < state.n_colonies[seat] else "no good"
    if option == Option.GOOD_ON:
        return "has a good" if state.colony_good[seat, a] else ""
    if option == Option.AMOUNT:
        return "" if 0 <= a <= b else "more than gained"
    if option == Option.USE_CREDITS:
        return "too dear" if b > state.credits[seat] else ""
    return ""
