"""The position in words for a person at the table, from a copy of the state without what is hidden from the seat."""

from __future__ import annotations

import re
from typing import Any

from nfsim.compiled.jit import int64
from nfsim.contract.view import Row
from nfsim.engine.records import new_record
from nfsim.games.new_frontiers import words
from nfsim.games.new_frontiers.codes import Action, Class, Effect, Good, StockpileKind, WorldType, label
from nfsim.games.new_frontiers.explain import adjective, amount, title
from nfsim.games.new_frontiers.layout import STATE
from nfsim.games.new_frontiers.powers import develop_cost, military_against, pay_military_cost, settle_cost
from nfsim.games.new_frontiers.scoring import Part, goal_vps, measure, score
from nfsim.games.new_frontiers.state import Step
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.games.new_frontiers.tiles import grammar

HIDDEN = -2  # in goal_down of what a seat may see: there is a goal, nobody else knows which


def seat_name(prepared: Prepared, seat: int, mine: int) -> str:
    """Return what a person in seat `mine` calls a seat."""
    if seat == mine:
        return "you"
    return f"dummy {seat}" if seat >= int(prepared.tables[0].players) else f"seat {seat}"


def seen_by(prepared: Prepared, state: Any, seat: int) -> Any:
    """Return a copy of the state without what the seat cannot know, scored as far as it can know.

    Other seats' face-down goals, the goal stack, the order of the bag, goals in another seat's hand and the
    random streams are gone. When the game is over nothing is hidden.

    Parameters
    ----------
    prepared : Prepared
    state : record of STATE
    seat : int
        Who looks.

    Returns
    -------
    record of STATE
        With `score` as if the game ended now.
    """
    tables = prepared.tables[0]
    copies = new_record(STATE)
    copies[0] = state
    seen = copies[0]
    players = range(int(tables.players))
    if state.step != Step.OVER:
        for other in players:
            if other != seat and seen.goal_down[other] >= 0:
                seen.goal_where[seen.goal_down[other]] = 0
                seen.goal_by[seen.goal_down[other]] = -1
                seen.goal_down[other] = HIDDEN
        seen.bag[:] = seen.goal_deck[:] = seen.drawn[:] = 0
        seen.drawn_n = seen.draw_key = 0
        seen.policy_key[:] = 0
        if seen.actor != seat:
            seen.goal_hand_n = seen.temp_military = 0
            seen.goal_hand[:] = 0
    for other in players:
        score(tables, seen, int64(other))
    return seen


def position(prepared: Prepared, seen: Any, mine: int) -> list[Row]:
    """Return the position in rows.

    Parameters
    ----------
    prepared : Prepared
    seen : record of STATE
        From `seen_by`.
    mine : int
        The seat that looks; it comes first.
    """
    players = int(prepared.tables[0].players)
    rows = _table(prepared, seen, mine)
    for seat in sorted(range(players), key=lambda seat: (seat != mine, seat)):
        rows += _seat(prepared, seen, seat, mine)
    return rows


def resolving(state: Any) -> bool:
    """Tell whether the action of the current turn has been selected."""
    return bool(state.step != Step.SELECT and state.turn < state.n_turns)


def _table(prepared: Prepared, seen: Any, mine: int) -> list[Row]:
    tables = prepared.tables[0]
    limit = f" of {int(tables.round_limit)}" if tables.limit_is_end else ""
    head = f"Round {int(seen.round_no)}{limit}" if seen.round_no else "Setup"
    supply = (
        f"supply {int(seen.supply_vp)} VP chips, {amount(int(seen.supply_colonists), 'colonist')}",
        f"credits on Produce {int(seen.produce_credits)}",
        f"worlds in the bag {int(seen.bag_n)}",
    )
    order = sorted(range(int(seen.n_seats)), key=lambda seat: int(seen.space[seat]))
    rows = [
        Row(head, supply, strong=True),
        Row("priority", (" > ".join(seat_name(prepared, seat, mine) for seat in order),)),
    ]
    if seen.round_no:
        free = tuple(title(action) for action in Action if not seen.taken[action])
        rows += [Row("actions", _actions(prepared, seen, mine)), Row("  free", free or ("none",))]
    rows += [Row("goals", goals)] if (goals := _goals(prepared, seen, mine)) else []
    conditions = tuple(map(_short, words.conditions_text(prepared, seen)))
    return rows + ([Row("conditions", conditions)] if conditions else [])


def _short(condition: str) -> str:
    """Return a condition without what is missing, which two numbers beside each other say too."""
    name, _, parts = re.sub(r" \(\d+ missing\)", "", condition.removeprefix("condition ")).partition(": ")
    return f"{name.removesuffix(' not met')} ({parts})"


def _actions(prepared: Prepared, seen: Any, mine: int) -> tuple[str, ...]:
    chosen = []
    for turn in range(int(seen.n_turns)):
        who = seat_name(prepared, int(seen.turn_seat[turn]), mine)
        now = turn == seen.turn and resolving(seen)
        if turn < seen.turn or now:
            chosen.append(f"{who} {title(int(seen.turn_action[turn]))}{' (now)' if now else ''}")
        else:
            chosen.append(f"{who} to select")
    return tuple(chosen)


def _goals(prepared: Prepared, seen: Any, mine: int) -> tuple[str, ...]:
    tables, found = prepared.tables[0], []
    for goal in range(int(tables.n_goals)):
        if not seen.goal_where[goal]:
            continue
        has = int(measure(tables, seen, int64(mine), tables.goal_measure[goal]))
        gives = int(goal_vps(tables, seen, int64(mine), int64(goal)))
        steps = range(int(tables.goal_n_steps[goal]))
        ahead = [f"{int(tables.goal_vp[goal, s])} at {int(tables.goal_need[goal, s])}" for s in steps
                 if tables.goal_need[goal, s] > has]  # fmt: skip
        down = ", face down" if words.lies_face_down(seen, goal) else ""
        counts = grammar.counted(int(tables.goal_measure[goal]))
        found.append(f"{prepared.names.goal[goal]} ({counts} {has}: {gives} VPs"
                     f"{', ' + ahead[0] if ahead else ''}{down})")  # fmt: skip
    hidden = [seat for seat in range(int(tables.players)) if seen.goal_down[seat] == HIDDEN]
    return (*found, *(f"one face down of {seat_name(prepared, seat, mine)}" for seat in hidden))


def _seat(prepared: Prepared, seen: Any, seat: int, mine: int) -> list[Row]:
    name = prepared.names.tile
    parts = [f"{label(part).replace('nine_cost', '9-cost')} {int(seen.score[seat, part])}" for part in Part
             if part != Part.TOTAL and seen.score[seat, part]]  # fmt: skip
    total = amount(int(seen.score[seat, Part.TOTAL]), "VP")
    head = (
        f"{total} so far" + (f" ({', '.join(parts)})" if parts else ""),
        amount(int(seen.credits[seat]), "credit"),
        amount(int(seen.colonists[seat]), "colonist"),
        f"VP chips {int(seen.chips[seat])}",
        "Military " + _military(seen, seat),
    )
    rows = [Row(seat_name(prepared, seat, mine).capitalize(), head, strong=True)]
    colonies = tuple(_colony(prepared, seen, seat, slot) for slot in range(int(seen.n_colonies[seat])))
    explored = tuple(_explored(prepared, seen, seat, place) for place in range(int(seen.n_explored[seat])))
    developments = tuple(name[int(seen.dev[seat, place])] for place in range(int(seen.n_devs[seat])))
    stored = tuple(
        amount(int(seen.stockpile[seat, kind]), label(kind).removesuffix("s"))
        for kind in StockpileKind
        if kind >= 0 and seen.stockpile[seat, kind]
    )
    items = {"colonies": colonies, "explored": explored, "developed": developments, "stockpiled": stored}
    counted = {what: f"  {what}" + (f" {len(of)}" if what != "stockpiled" else "") for what, of in items.items()}
    return rows + [Row(counted[what], of) for what, of in items.items() if of]


def _military(seen: Any, seat: int) -> str:
    special: dict[int, int] = {}
    for i in range(int(seen.n_specials[seat])):
        if seen.special_effect[seat, i] == Effect.SETTLE_MILITARY:
            against = int(seen.special_filter[seat, i])
            special[against] = special.get(against, 0) + int(seen.special_amount[seat, i])
    text = str(int(seen.military[seat]))
    if special:
        text += " (" + ", ".join(f"+{n} {adjective(Class(against)).strip()}" for against, n in special.items()) + ")"
    return text


def _colony(prepared: Prepared, seen: Any, seat: int, slot: int) -> str:
    tables, tile = prepared.tables[0], int(seen.colony[seat, slot])
    name = prepared.names.tile[tile]
    if tables.type[tile] == WorldType.GRAY:
        return name
    good = label(Good(int(tables.good[tile])))
    return f"{name} [{good}]" if seen.colony_good[seat, slot] else f"{name} ({good})"


def _explored(prepared: Prepared, seen: Any, seat: int, place: int) -> str:
    tables, tile = prepared.tables[0], int(seen.explored[seat, place])
    needed, missing = world_needs(prepared, seen, seat, tile)
    penalty = f", {int(tables.penalty[tile])} VPs" if tables.penalty[tile] else ""
    return f"{prepared.names.tile[tile]} ({needed}{penalty}; {'lacks ' + missing if missing else 'ready'})"


def world_needs(prepared: Prepared, seen: Any, seat: int, tile: int) -> tuple[str, str]:
    """Return what it takes a seat to settle a world, with its powers, and what of it the seat lacks ('' nothing)."""
    tables, who = prepared.tables[0], int64(seat)
    colonists, credits_ = int(tables.colonists[tile]), int(seen.credits[seat])
    short = [(colonists - int(seen.colonists[seat]), "colonist")]
    if tables.military[tile]:
        defense, strength = int(tables.defense[tile]), int(military_against(tables, seen, who, int64(tile)))
        price = int(pay_military_cost(tables, seen, who, int64(tile)))
        text = f"defense {defense}" + (f" or {amount(price, 'credit')}" if price >= 0 else "")
        if not 0 <= price <= credits_:
            short.append((defense - strength, "Military"))
    else:
        cost = int(settle_cost(tables, seen, who, int64(tile)))
        text = amount(cost, "credit")
        short.append((cost - credits_, "credit"))
    lacks = [f"{n} Military" if thing == "Military" else amount(n, thing) for n, thing in short if n > 0]
    return f"{text}, {amount(colonists, 'colonist')}", ", ".join(lacks)


def world_kind(prepared: Prepared, tile: int) -> str:
    """Return how a world holds goods, for example ``rare windfall``."""
    tables = prepared.tables[0]
    if tables.type[tile] == WorldType.GRAY:
        return "gray"
    return f"{label(Good(int(tables.good[tile])))} {label(WorldType(int(tables.type[tile])))}"


def stacks(prepared: Prepared, seen: Any, seat: int) -> list[Row]:
    """Return the developments that can still be bought: cost for the seat, VPs, tiles left."""
    tables, rows = prepared.tables[0], []
    for stack in range(int(tables.n_stacks)):
        tile, left = int(tables.stack_face[stack, seen.stack_side[stack]]), int(seen.stack_left[stack])
        cost = int(develop_cost(tables, seen, int64(seat), int64(tile), int64(0)))
        own = bool(int(seen.owned[seat]) >> stack & 1)
        note = "yours" if own else amount(cost, "credit") if left else "none left"
        of = f", {left} left" if left and int(tables.players) > 1 else ""
        rows.append((cost, f"{prepared.names.tile[tile]} ({note}, {amount(int(tables.vp[tile]), 'VP')}{of})"))
    return [Row("stacks", tuple(text for _, text in sorted(rows)))]
