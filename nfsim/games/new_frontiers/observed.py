"""What agents see of New Frontiers: fields of the state that a seat may know, and what is said of an option.

Not shown are the goals that other seats hold face down, all scores with goals in them, the goal stack and the order of
the bag.
"""

from nfsim.compiled.jit import njit
from nfsim.engine.observed import Entry, Observed
from nfsim.engine.records import Floats, Record
from nfsim.games.new_frontiers.codes import (
    Action,
    Class,
    Decision,
    Effect,
    Good,
    Option,
    StockpileKind,
    TileKind,
    label,
)
from nfsim.games.new_frontiers.layout import ACTIONS, COLONIES, DEVELOPMENTS, EXPLORED, GOALS, STACKS, TILES
from nfsim.games.new_frontiers.powers import develop_cost, military_against, pay_military_cost, settle_cost
from nfsim.games.new_frontiers.scoring import Part

MOST = 200  # of credits, chips and the like: more than any game has shown

OBSERVED = (
    Observed("round_no", 0, 100, "round being played, 0 during setup"),
    Observed("actor", 0, 4, "seat that must decide"),
    Observed("decision", 0, max(Decision), "what it must decide, by `Decision`"),
    Observed("action", 0, ACTIONS - 1, "action being carried out, by `Action`"),
    Observed("selector", 0, 4, "seat that selected it"),
    Observed("turn", 0, 9, "which selection of the round"),
    Observed("n_turns", 0, 10, "selections in the round"),
    Observed("taken", 0, 1, "the action is taken in this round", labels=tuple(map(label, Action))),
    Observed("supply_vp", 0, MOST, "VP chips in the supply"),
    Observed("supply_colonists", 0, MOST, "colonists in the supply"),
    Observed("produce_credits", 0, MOST, "credits on Produce"),
    Observed("bag_n", 0, MOST, "worlds in the bag"),
    Observed("shown_n", 0, 32, "worlds open in an Explore action"),
    Observed("face_up", 0, 1, "the goal lies face up", labels=tuple(map(str, range(GOALS))), bits=True),
    Observed("settles_left", 0, 4, "worlds that may still be settled in this action", acting=True),
    Observed("temp_military", 0, 50, "temporary Military in this action", acting=True),
    Observed("feed_left", 0, 10, "goods that a power still takes", acting=True),
    Observed("gained", 0, MOST, "what was just gained and may be stockpiled", acting=True),
    Observed("goal_down", -1, GOALS - 1, "the own face-down goal, -1 none", of="own"),
    Observed("space", 0, 5, "space on the priority track, 1 = top", of="players"),
    Observed("credits", 0, MOST, "credits", of="players"),
    Observed("colonists", 0, MOST, "colonists not yet on a world", of="players"),
    Observed("placed_colonists", 0, MOST, "colonists on worlds", of="players"),
    Observed("chips", 0, MOST, "VPs of chips", of="players"),
    Observed("stockpile", 0, MOST, "stockpiled", of="players", labels=tuple(label(k) for k in StockpileKind if k >= 0)),
    Observed("military", -10, 50, "permanent Military", of="players"),
    Observed("n_colonies", 0, COLONIES, "colonies, home included", of="players"),
    Observed("n_explored", 0, EXPLORED, "worlds explored and not settled", of="players"),
    Observed("n_devs", 0, DEVELOPMENTS, "developments", of="players"),
    Observed("dev_spaces", 0, DEVELOPMENTS, "spaces that they take", of="players"),
    Observed("colony_good", 0, 1, "a good lies on the colony of the slot", of="players"),
    Observed(
        "score",
        -50,
        MOST,
        "VPs as of the last round's end",
        of="players",
        labels=tuple("" if part in (Part.TOTAL, Part.GOALS) else label(part) for part in Part),
    ),
    Observed("counts", 0, 40, "own tiles of the class", of="players", labels=tuple(map(label, Class))),
    Observed(
        "sums",
        -10,
        50,
        "powers without a filter, added up",
        of="players",
        labels=tuple(label(effect) for effect in Effect if effect < Effect.SETTLE_PLACE_GOOD),
    ),
    Observed(
        "owned", 0, 1, "owns a tile of the stack", of="players", labels=tuple(map(str, range(STACKS - 1))), bits=True
    ),
    Observed("explored", 0, TILES - 1, "world explored and not settled, by its id", of="own"),
)

FEATURES = (
    Entry("tile", -1, TILES - 1, "id of the tile that the option is about, -1 none"),
    Entry("vp", 0, 20, "its printed VPs"),
    Entry("cost", 0, 20, "its printed credits"),
    Entry("price", 0, 50, "credits that the option costs or brings"),
    Entry("defense", 0, 20, "its defense"),
    Entry("lacks", 0, 20, "credits or Military that the seat lacks to settle it"),
    Entry("colonists", 0, 10, "colonists to settle it"),
    Entry("penalty", -10, 0, "VPs of an explored Xeno world until it is conquered"),
    Entry("type", -1, 2, "0 gray, 1 production, 2 windfall; -1 for developments"),
    Entry("good", -1, max(Good), "its kind of good, by `Good`; -1 none"),
    Entry("powers", 0, 6, "its powers"),
    Entry("scores", 0, 1, "it is a 9-cost development"),
    Entry(
        "ready", 0, 40, "of an action: worlds or developments that the seat could pay now, goods to sell or to produce"
    ),
)
TILE, VP, COST, PRICE, DEFENSE, LACKS, COLONISTS, PENALTY, TYPE, GOOD, POWERS, SCORES, READY = range(len(FEATURES))


@njit
def features(tables: Record, state: Record, options: Record, choice: int, out: Floats, at: int) -> None:
    """Say what agents are told of an option; see `nfsim.engine.rules.features`."""
    seat = state.actor
    kind = options.kind[choice]
    tile = tile_of(state, kind, options.a[choice], options.b[choice])
    out[at + TILE] = tile
    out[at + TYPE] = -1
    out[at + GOOD] = -1
    if kind == Option.BUY or kind == Option.PAY or kind == Option.SELL_GOOD or kind == Option.USE_CREDITS:
        out[at + PRICE] = options.b[choice]
    if kind == Option.ACTION:
        out[at + READY] = ready(tables, state, seat, options.a[choice])
    if tile >= 0:
        out[at + VP] = tables.vp[tile]
        out[at + COST] = tables.cost[tile]
        out[at + DEFENSE] = tables.defense[tile]
        out[at + COLONISTS] = tables.colonists[tile]
        out[at + PENALTY] = tables.penalty[tile]
        out[at + TYPE] = tables.type[tile]
        out[at + GOOD] = tables.good[tile]
        out[at + POWERS] = tables.n_powers[tile]
        out[at + SCORES] = min(1, tables.n_scorings[tile])
        if tables.kind[tile] == TileKind.WORLD:
            out[at + LACKS] = lacks(tables, state, seat, tile)


@njit
def tile_of(state: Record, kind: int, a: int, b: int) -> int:
    """Return the tile that an option is about, -1 if there is none; as `words.option_tile`."""
    seat = state.actor
    if kind == Option.SIDE or kind == Option.STACK_SIDE or kind == Option.TAKE or kind == Option.DISCARD:
        return b
    if kind == Option.CONQUER or kind == Option.PAY:
        return state.explored[seat, a]
    if kind == Option.GOOD_ON or kind == Option.SELL_GOOD:
        return state.colony[seat, a]
    if (kind >= Option.KEEP and kind <= Option.PLACE_IT) or kind == Option.BUY:
        return a
    return -1


@njit
def lacks(tables: Record, state: Record, seat: int, tile: int) -> int:
    """Return the credits, or the Military, that a seat lacks to settle a world."""
    if tables.military[tile]:
        price = pay_military_cost(tables, state, seat, tile)
        if price >= 0 and price <= state.credits[seat]:
            return 0
        return max(0, tables.defense[tile] - military_against(tables, state, seat, tile))
    return max(0, settle_cost(tables, state, seat, tile) - state.credits[seat])


@njit
def ready(tables: Record, state: Record, seat: int, action: int) -> int:
    """Return for how much a seat could use an action now."""
    found = 0
    if action == Action.SETTLE:
        for place in range(state.n_explored[seat]):
            tile = state.explored[seat, place]
            if tables.colonists[tile] <= state.colonists[seat] and lacks(tables, state, seat, tile) == 0:
                found += 1
    elif action == Action.DEVELOP:
        for stack in range(tables.n_stacks):
            tile = tables.stack_face[stack, state.stack_side[stack]]
            if state.stack_left[stack] > 0 and not (state.owned[seat] >> stack) & 1:
                if develop_cost(tables, state, seat, tile, 1) <= state.credits[seat]:
                    found += 1
    elif action == Action.PRODUCE:
        found = state.counts[seat, Class.PRODUCTION]
        for slot in range(state.n_colonies[seat]):
            found -= state.colony_good[seat, slot]
        found = max(0, found)
    elif action == Action.TRADE_CONSUME:
        for slot in range(state.n_colonies[seat]):
            found += state.colony_good[seat, slot]
    elif action == Action.EXPLORE:
        found = max(0, tables.world_limit - state.n_explored[seat] - state.n_colonies[seat] + 1)
    return found
