"""A test lab: positions made to measure, played on in words, over the engine itself.

`Table` sets up a game whose homes are plain and whose seats sit in the order 0, 1, 2 …; tiles made for
the question are added to the built-in set. A test gives the seats what it needs, selects an action and
looks at the options in words, as `words.option_words` gives them.
"""

from collections.abc import Callable, Iterable
from typing import Any

from lab_tiles import HOME_MAT, Tile, home, prepared

from nfsim.engine.playing import NO_CHOICE
from nfsim.games.new_frontiers import placing, powers, scoring
from nfsim.games.new_frontiers.codes import Decision, StockpileKind, label
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.state import Step

Words = tuple[str | int, ...]
QUIET = ("pass", "colonists", "place", "return", "amount")
QUIET_ACTIONS = ("retreat", "envoys", "chart", "develop", "trade_consume", "settle", "produce", "explore")


class Table:
    """A game at the first selection of seat 0, with plain homes and everything else as set up.

    Parameters
    ----------
    players : int
        1 for solo.
    tiles : list of dict
        Tiles made for the question; all are in the bag or on the development mat.
    rules : dict, optional
        Rulings.
    homes : dict, optional
        By seat, fields of its home; others have a plain gray one.
    setup
        Further keys of `[setup]`.
    """

    def __init__(
        self,
        players: int = 2,
        tiles: Iterable[Tile] = (),
        rules: dict[str, str] | None = None,
        homes: dict[int, Tile] | None = None,
        seed: int = 1,
        **setup: Any,
    ) -> None:
        made = [home(HOME_MAT, "A"), home(HOME_MAT, "B")]
        for seat, fields in (homes or {}).items():
            names = {side: f"Home of {seat} {side}" for side in "AB"}
            made += [home(HOME_MAT - 1 - seat, side, **{**fields, "name": names[side]}) for side in "AB"]
        self.prepared = prepared(rules, [*made, *tiles], players=players, **setup)
        self.tables = self.prepared.tables[0]
        self.game = Game.new(self.prepared, seed, 0, ["uniform"])
        self.state = self.game.state
        while Decision(int(self.state.decision)) in (Decision.CHOOSE_SIDE, Decision.CHOOSE_STACK_SIDE):
            if self.state.round_no > 0:
                break
            self.game.choose(0)
        for seat in range(players):
            self._plain(seat, f"Home of {seat} A" if seat in (homes or {}) else "Lab Home A")
        self.order(*range(int(self.state.n_seats)))

    # --- making the position

    def _plain(self, seat: int, name: str) -> None:
        state, tile = self.state, self.tile(name)
        state.counts[seat] = state.sums[seat] = 0
        state.n_specials[seat] = state.n_feeders[seat] = state.n_temps[seat] = 0
        state.home[seat] = state.colony[seat, 0] = tile
        state.colony_good[seat, 0] = int(self.tables.place_good[tile])
        powers.count_tile(self.tables, state, seat, tile)
        powers.install(self.tables, state, seat, tile)

    def order(self, *seats: int) -> None:
        """Put the disks in this order and begin round 1 anew."""
        for place, seat in enumerate(seats):
            self.state.space[seat] = place + 1
        self.state.round_no = 0
        self.again()

    def again(self) -> None:
        """Begin a round in the position as it is now."""
        self.state.step = Step.ROUND
        self.state.turn = 0
        self.game.play_on(NO_CHOICE)

    def tile(self, name: str) -> int:
        """Number of a tile."""
        return self.prepared.names.tile.index(name)

    def goal(self, name: str) -> int:
        """Number of a goal."""
        return self.prepared.names.goal.index(name)

    def give(self, seat: int, **amounts: int) -> None:
        """Set credits, colonists or chips of a seat; colonists and chips do not come from the supply."""
        for what, amount in amounts.items():
            self.state[what][seat] = amount

    def take_from_bag(self, name: str) -> int:
        """Take a world out of the bag."""
        state, tile = self.state, self.tile(name)
        bag = [int(world) for world in state.bag[: state.bag_n]]
        bag.remove(tile)
        state.bag_n = len(bag)
        state.bag[: state.bag_n] = bag
        return tile

    def explored(self, seat: int, *names: str) -> None:
        """Give a seat explored worlds."""
        for name in names:
            placing.place_world(self.state, seat, self.take_from_bag(name))

    def colony(self, seat: int, name: str, good: bool = False) -> int:
        """Give a seat a colony, with its powers in force, and return its slot."""
        state, tile = self.state, self.take_from_bag(name)
        slot = int(state.n_colonies[seat])
        state.colony[seat, slot] = tile
        state.colony_good[seat, slot] = int(good)
        state.n_colonies[seat] = slot + 1
        state.placed_colonists[seat] += self.tables.colonists[tile]
        powers.count_tile(self.tables, state, seat, tile)
        powers.install(self.tables, state, seat, tile)
        return slot

    def developed(self, seat: int, *names: str) -> None:
        """Give a seat developments, with their powers in force; the side they are on is turned up."""
        state = self.state
        for name in names:
            tile = self.tile(name)
            stack, side = next(
                (stack, side)
                for stack in range(int(self.tables.n_stacks))
                for side in (0, 1)
                if self.tables.stack_face[stack, side] == tile
            )
            state.stack_side[stack] = side
            state.stack_left[stack] -= 1
            state.owned[seat] |= 1 << stack
            state.dev[seat, state.n_devs[seat]] = tile
            state.n_devs[seat] += 1
            state.dev_spaces[seat] += self.tables.spaces[tile]
            powers.count_tile(self.tables, state, seat, tile)
            powers.install(self.tables, state, seat, tile)

    def bag_only(self, *names: str) -> None:
        """Leave only these worlds in the bag."""
        self.state.bag_n = len(names)
        self.state.bag[: len(names)] = [self.tile(name) for name in names]

    def only(self, *names: str) -> None:
        """Leave only these developments on the development mat."""
        faces, tiles = self.tables.stack_face, {self.tile(name) for name in names}
        for stack in range(int(self.tables.n_stacks)):
            if int(faces[stack, self.state.stack_side[stack]]) not in tiles:
                self.state.stack_left[stack] = 0

    def goal_up(self, name: str, by: int = -1) -> None:
        """Put a goal into play face up, or face down before a seat."""
        state, number = self.state, self.goal(name)
        deck = [int(found) for found in state.goal_deck[: state.goal_deck_n] if found != number]
        state.goal_deck_n = len(deck)
        state.goal_deck[: len(deck)] = deck
        state.goal_where[number] = 2 if by < 0 else 1
        state.goal_by[number] = by
        if by >= 0:
            state.goal_down[by] = number

    # --- looking

    @property
    def kind(self) -> str:
        """Kind of decision asked for; '' when the game is over."""
        return "" if self.game.finished else label(self.game.decision[1])

    @property
    def seat(self) -> int:
        """Seat that must decide."""
        return self.game.decision[0]

    @property
    def options(self) -> list[Words]:
        """Options in words."""
        return [self.game.words(choice) for choice in range(len(self.game.options))]

    def price(self, *choice: str) -> int:
        """Credits of an option to buy, to pay or to sell."""
        return self.game.options[self._find(choice)][2]

    def names(self, what: str, seat: int = 0) -> list[str]:
        """Names of a seat's `explored`, `colony`, `dev` or `stored` tiles."""
        state = self.state
        numbers = {"explored": state.n_explored, "colony": state.n_colonies, "dev": state.n_devs,
                   "stored": state.stockpile[:, StockpileKind.WORLDS]}  # fmt: skip
        return [self.prepared.names.tile[int(tile)] for tile in state[what][seat][: int(numbers[what][seat])]]

    def goods(self, seat: int = 0) -> list[str]:
        """Names of the colonies on which a good lies."""
        return [name for slot, name in enumerate(self.names("colony", seat)) if self.state.colony_good[seat, slot]]

    def has(self, what: str, seat: int = 0) -> int:
        """A number of a seat: credits, colonists, chips, military …"""
        return int(self.state[what][seat])

    def stockpiled(self, what: str, seat: int = 0) -> int:
        """What a seat has stockpiled of worlds, colonists, credits or chips."""
        return int(self.state.stockpile[seat, StockpileKind[what.upper()]])

    def track(self) -> list[int]:
        """Seats from the top of the priority track."""
        return sorted(range(int(self.state.n_seats)), key=lambda seat: int(self.state.space[seat]))

    def score(self, seat: int = 0) -> dict[str, int]:
        """What the position is worth to a seat, by part."""
        scoring.score(self.tables, self.state, seat)
        return self.game.scores()[seat]

    # --- playing

    def _find(self, choice: tuple[str | int, ...]) -> int:
        found = [n for n, words in enumerate(self.options) if words[: len(choice)] == choice]
        assert found, f"{choice} is not among {self.options}"
        return found[0]

    def pick(self, *choice: str | int) -> "Table":
        """Choose an option; its first words are enough."""
        self.game.choose(self._find(choice))
        return self

    def select(self, action: str) -> "Table":
        """Select an action for the seat or dummy whose turn it is."""
        assert self.kind.startswith("select_"), self.kind
        return self.pick("action", action)

    def quiet(self) -> None:
        """Choose what disturbs least; of actions the one that does least."""
        words = self.options
        wanted: list[Words] = [("action", name) for name in QUIET_ACTIONS]
        wanted += [(verb, 0) if verb == "amount" else (verb,) for verb in QUIET]
        for choice in wanted:
            if any(word[: len(choice)] == choice for word in words):
                self.pick(*choice)
                return
        self.game.choose(0)

    def quietly_until(self, done: Callable[["Table"], bool]) -> "Table":
        """Play quietly until something holds, or the game is over."""
        while not self.game.finished and not done(self):
            self.quiet()
        return self

    def finish_action(self) -> "Table":
        """Play quietly until the next selection."""
        return self.quietly_until(lambda table: table.kind.startswith("select_"))

    def finish_round(self) -> "Table":
        """Play quietly until the next round's first decision."""
        here = int(self.state.round_no)
        return self.quietly_until(lambda table: table.state.round_no != here)
