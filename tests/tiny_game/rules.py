"""The rules of Islets, compiled, with the records they work on."""

from typing import NamedTuple

import numpy as np

from nfsim.compiled.jit import int64, njit, njit_inline
from nfsim.compiled.rng import shuffle
from nfsim.compiled.status import STATUS_LABELS, Status
from nfsim.contract.series import MET, MISSED
from nfsim.contract.tables import Column, Table
from nfsim.engine.records import (
    F8,
    I8,
    Ints,
    Record,
    Records,
    note_drawn,
    option_list_fields,
    policy_fields,
    state_fields,
    tables_fields,
)
from nfsim.engine.rules import Event

SEATS, SUITS, CARDS = 2, 3, 18
OBJECTIVES = ("Rich", "One suit")
RICH, ONE_SUIT = range(2)
TAKE, PLAY = range(2)  # decisions
OPEN, DECK, CARD = range(3)  # kinds of option
ROUND, TAKING, PLAYING = range(3)  # steps
TOTAL, VALUES, BONUS = range(3)  # parts of a score
POINT, SUIT, BLIND = range(3)  # parameters: worth of a point, of a card in a suit that one has, of a hidden card
LAST = 99.0

TABLES = np.dtype([
    *tables_fields(),
    ("rounds", I8),
    ("bonus", I8),  # for three cards of a suit
    ("need", I8, (2,)),  # what each objective asks for: points, cards
])  # fmt: skip
STATE = np.dtype([
    *state_fields(SEATS, decisions=2, parts=3, drawn=8),
    ("step", I8),
    ("turn", I8),  # seat
    ("open", I8),  # card
    ("deck_n", I8),
    ("deck", I8, (CARDS,)),  # the last one lies on top
    ("hand_n", I8, (SEATS,)),
    ("hand", I8, (SEATS, 2)),
    ("suits", I8, (SEATS, SUITS)),  # cards played of each suit
])  # fmt: skip
OPTION_LIST = np.dtype(option_list_fields(2))
POLICY = np.dtype([*policy_fields(2), ("params", F8, (3,))])

GAME = Column("game", "number of the game", "int64", encoding="delta")
SEAT = Column("seat", "seat, from 0", "int8")
CLAIMS = ("none", "one_short", "", "missed")  # by the codes of `claim`
LOGGED = (
    Table("games", "one row per game", "games", (
        GAME, Column("rounds", "rounds played", "int8"),
        Column("status", "how it ended", "label", labels=STATUS_LABELS),
    )),
    Table("seats", "one row per game and seat", "games", (
        GAME, SEAT, Column("policy", "who decided", "label", labels="policy"),
        Column("score", "the sum of the next two", unit="points"), Column("cards", "of the cards", unit="points"),
        Column("bonus", "for three cards of a suit", "int8", "points"), Column("rank", "place, from 1", "int8"),
        Column("won", "first; alone: any objective met", "bool"), Column("most", "cards of one suit", "int8", "cards"),
    )),
    Table("rounds", "one row per game, round and seat", "rounds", (
        GAME, Column("round", "round, from 1", "int8"), SEAT, Column("score", "so far", unit="points"),
    )),
    Table("objectives", "one row per game and objective", "games", (
        GAME, Column("objective", "objective", "label", labels="objective"), Column("met", "met", "bool"),
        Column("margin", "score less what it asks for", unit="points"),
        Column("requires_met", "what else it asks for is there", "bool"),
        Column("claim", "how it can be claimed", "label", labels=CLAIMS),
        Column("aimed", "the policy aimed at it", "bool"),
    )),
)  # fmt: skip
SERIES = Table("campaigns", "one row per game of a campaign", "games", (
    Column("campaign_run", "number of the run", "int64", encoding="delta"), Column("campaign", "campaign", "int8"),
    Column("game_in_run", "place in its run", "int8"), Column("game", "number", "int64", encoding="delta"),
    Column("target", "aimed at", "label", labels="series_objective"),
    Column("claimed", "claimed", "label", labels="series_objective"),
    Column("chip_used", "how", "label", labels=CLAIMS[:2]), Column("won", "the campaign was won", "bool"),
))  # fmt: skip
ENDS = Table("ends", "one row per run", "games", (Column("status", "how it ended", "label", labels=STATUS_LABELS),))


class Rows(NamedTuple):
    games: Records
    seats: Records
    rounds: Records
    objectives: Records


@njit_inline
def value(card: int) -> int:
    return card // SUITS + 1


@njit
def draw(state: Record) -> int:
    state.deck_n -= 1
    return state.deck[state.deck_n]


@njit
def turn_up(state: Record) -> None:
    state.open = draw(state)
    note_drawn(state, int64(0), state.open)


@njit
def begin(tables: Record, state: Record, root: int, game: int) -> None:
    state.deck_n = CARDS
    for card in range(CARDS):
        state.deck[card] = card
    state.draw_counter = shuffle(state.draw_key, int64(0), state.deck, state.deck_n)
    for seat in range(tables.players):
        state.hand[seat, 0] = draw(state)
        state.hand_n[seat] = 1
    turn_up(state)


@njit_inline
def offer(options: Record, kind: int, card: int) -> None:
    options.kind[options.count] = kind
    options.a[options.count] = card
    options.b[options.count] = -1
    options.count += 1


@njit
def advance(tables: Record, state: Record, options: Record) -> int:
    if state.status != Status.RUNNING:
        return int64(Event.FINISHED)
    if state.step == ROUND:
        state.round_no += 1
        state.turn = 0
        state.step = TAKING
    if state.turn == tables.players:
        for seat in range(tables.players):
            state.score[seat, BONUS] = tables.bonus if state.suits[seat].max() >= 3 else 0
            state.score[seat, TOTAL] = state.score[seat, VALUES] + state.score[seat, BONUS]
        state.step = ROUND
        if state.round_no == tables.rounds:
            state.status = Status.FINISHED
        return int64(Event.ROUND_ENDED)
    options.count = 0
    options.overflow = 0
    state.actor = state.turn
    if state.step == TAKING and state.round_no < tables.rounds:
        state.decision = TAKE
        offer(options, OPEN, state.open)
        offer(options, DECK, int64(-1))
    else:
        state.step = PLAYING
        state.decision = PLAY
        for place in range(state.hand_n[state.turn]):
            offer(options, CARD, state.hand[state.turn, place])
    if options.count == 1:
        return int64(Event.FORCED)
    state.asked[state.decision] += 1
    state.options_seen[state.decision] += options.count
    return int64(Event.DECISION)


@njit
def apply(tables: Record, state: Record, options: Record, choice: int) -> None:
    seat = state.turn
    if state.step == TAKING:
        if options.kind[choice] == OPEN:
            state.hand[seat, 1] = state.open
            turn_up(state)
        else:
            state.hand[seat, 1] = draw(state)
        state.hand_n[seat] = 2
        state.step = PLAYING
    else:
        card = options.a[choice]
        state.hand[seat, 0] = state.hand[seat, 1 - choice]
        state.hand_n[seat] -= 1
        state.suits[seat, card % SUITS] += 1
        state.score[seat, VALUES] += value(card)
        state.turn += 1
        state.step = TAKING


@njit
def choose(tables: Record, state: Record, options: Record, policy: Record) -> int:
    best = int64(0)
    for i in range(options.count):
        options.score[i] = policy.params[BLIND]
        if options.kind[i] != DECK:
            card = options.a[i]
            suits = state.suits[state.actor, card % SUITS]
            options.score[i] = policy.params[POINT] * value(card) + policy.params[SUIT] * suits
            if policy.target == ONE_SUIT:
                options.score[i] += LAST * suits
        if options.score[i] > options.score[best]:
            best = int64(i)
    return best


@njit
def get_ready(tables: Record, policy: Record) -> None:
    pass


@njit
def matters(tables: Record, state: Record) -> bool:
    return True


@njit
def gather(tables: Record, state: Record, seat: int) -> None:
    """Put the cards of other hands on the deck."""
    for other in range(tables.players):
        for place in range(state.hand_n[other]):
            if other != seat:
                state.deck[state.deck_n] = state.hand[other, place]
                state.deck_n += 1


@njit
def give_back(tables: Record, state: Record, seat: int) -> None:
    for other in range(tables.players):
        for place in range(state.hand_n[other]):
            if other != seat:
                state.hand[other, place] = draw(state)


@njit
def forget_hidden(tables: Record, state: Record, seat: int) -> None:
    gather(tables, state, seat)
    state.deck[: state.deck_n].sort()
    give_back(tables, state, seat)
    state.draw_key = 0
    state.draw_counter = 0


@njit
def deal_anew(tables: Record, state: Record, seat: int, key: int) -> None:
    gather(tables, state, seat)
    state.draw_key = key
    state.draw_counter = shuffle(key, int64(0), state.deck, state.deck_n)
    give_back(tables, state, seat)


@njit
def missing(tables: Record, state: Record, seat: int, objective: int) -> int:
    has = state.score[seat, TOTAL] if objective == RICH else state.suits[seat].max()
    return tables.need[objective] - has


@njit
def claim(tables: Record, state: Record, seat: int, objective: int) -> int:
    short = missing(tables, state, seat, objective)
    return int64(MET) if short <= 0 else int64(1) if short == 1 else int64(MISSED)


@njit
def nearness(tables: Record, state: Record, seat: int, objective: int) -> float:
    return 1.0 - max(0, missing(tables, state, seat, objective)) / tables.need[objective]


@njit
def write_round(tables: Record, state: Record, game: int, rows: Rows, used: Ints) -> None:
    for seat in range(tables.players):
        row = rows.rounds[used[2]]
        row.game = game
        row.round = state.round_no
        row.seat = seat
        row.score = state.score[seat, TOTAL]
        used[2] += 1


@njit
def write_end(tables: Record, state: Record, policies: Records, game: int, level: int, rows: Rows, used: Ints) -> None:
    row = rows.games[used[0]]
    row.game = game
    row.rounds = state.round_no
    row.status = state.status
    used[0] += 1
    any_met = False
    for objective in range(tables.n_objectives):
        goal = rows.objectives[used[3]]
        goal.game = game
        goal.objective = objective
        goal.margin = state.score[0, TOTAL] - (tables.need[RICH] if objective == RICH else 0)
        goal.claim = claim(tables, state, int64(0), int64(objective))
        goal.met = goal.claim == MET
        goal.requires_met = objective == RICH or goal.met
        goal.aimed = policies[0].plans and policies[0].use - policies[0].first_mind == objective
        any_met = any_met or goal.claim == MET
        used[3] += 1
    for seat in range(tables.players):
        line = rows.seats[used[1]]
        line.game = game
        line.seat = seat
        line.policy = policies[seat].name
        line.score = state.score[seat, TOTAL]
        line.cards = state.score[seat, VALUES]
        line.bonus = state.score[seat, BONUS]
        line.most = state.suits[seat].max()
        line.rank = 1
        for other in range(tables.players):
            line.rank += state.score[other, TOTAL] > line.score
        line.won = any_met if tables.players == 1 else line.rank == 1
        used[1] += 1


def most(tables: Record, table: str) -> int:
    players = int(tables.players)
    return {"games": 1, "seats": players, "rounds": players * int(tables.rounds), "objectives": 2}[table]


def capacity(tables: Record, table: str, games: int) -> int:
    return games * most(tables, table)
