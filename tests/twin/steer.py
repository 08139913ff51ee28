"""Steers a game to the point a test is about, whoever runs it (`TwinTable` or `EngineTable`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from twin.engine_table import EngineTable, scenario
from twin.lab import write
from twin.position import Setup, Words
from twin.table import TwinTable, readings
from twin.tiles import DATA, load

QUIET = ("pass", "place", "colonists", "return")
QUIET_ACTIONS = ("develop", "trade_consume", "settle", "explore", "retreat", "chart", "produce", "envoys")


def quiet(options: list[Words], keep_free: str = "") -> Words:
    """Do as little as possible; as an action, nothing that disturbs, and not the one to be kept free."""
    for name in QUIET_ACTIONS:
        if ("action", name) in options and name != keep_free:
            return ("action", name)
    return next((option for word in QUIET for option in options if option[0] == word), options[0])


class Play:
    """A table, played with as little fuss as possible between the choices a test is about."""

    def __init__(self, table: Any) -> None:
        self.table = table

    # --- looking

    @property
    def kind(self) -> str:
        return str(self.table.kind)

    @property
    def seat(self) -> int:
        return int(self.table.seat)

    @property
    def options(self) -> list[Words]:
        found: list[Words] = self.table.options
        return found

    @property
    def over(self) -> bool:
        return bool(self.table.over)

    def look(self, what: str) -> Any:
        return self.table.position()[what]

    def empire(self, seat: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = self.look(f"seat {seat}")
        return found

    def score(self, seat: int = 0) -> dict[str, int]:
        """Parts of a score as of the last round's end."""
        found: dict[str, int] = self.table.scores()[seat]
        return found

    def order(self) -> list[int]:
        """Seats from the top of the priority track."""
        space = self.look("space")
        return sorted(space, key=lambda seat: space[seat])

    # --- playing

    def do(self, *choice: Any) -> None:
        """Choose an option; the first words are enough."""
        found = [option for option in self.options if option[: len(choice)] == choice]
        assert found, f"{choice} is not among {self.options}"
        self.table.choose(found[0])

    def until(self, kind: str, seat: int | None = None, keep_free: str = "") -> None:
        """Play quietly until a decision."""
        while not self.over and (self.kind != kind or seat not in (None, self.seat)):
            self.table.choose(quiet(self.options, keep_free))
        assert not self.over, f"no {kind}"

    def act(self, action: str, seat: int = 0) -> None:
        """The next time the seat selects an action, it is this one; nobody takes it away before."""
        self.until("select_action", seat, action)
        while ("action", action) not in self.options:
            self.table.choose(quiet(self.options, action))
            self.until("select_action", seat, action)
        self.do("action", action)

    def dummy(self, action: str) -> None:
        """Choose an action for the next dummy that does not choose by rule."""
        self.until("select_for_dummy", keep_free=action)
        self.do("action", action)

    def finish_action(self) -> None:
        """Play quietly until the next action is selected."""
        while not self.over and not self.kind.startswith("select_"):
            self.table.choose(quiet(self.options))

    def finish_round(self) -> None:
        """Play quietly until the first decision of another round."""
        here = self.look("round")
        while not self.over and self.look("round") == here:
            self.table.choose(quiet(self.options))

    def finish(self) -> dict[str, Any]:
        """Play quietly to the end."""
        while not self.over:
            self.table.choose(quiet(self.options))
        found: dict[str, Any] = self.table.result()
        return found


def explore(play: Play, *worlds: str) -> None:
    """Seat 0 explores as selector, takes these worlds and keeps them, Xeno worlds too."""
    play.act("explore")
    for world in worlds:
        play.until("explore_pick", 0)
        play.do("take", world)
    while play.kind == "keep_xeno" and play.seat == 0:
        play.do("keep")
    play.finish_action()


Sit = Callable[..., Play]


def sit_down(who: str, folder: Path) -> Sit:
    """Return `sit(setup, seed=1, rulings={}, real=False, worlds=[...], empires=[...], …)`: a game of either.

    `who` is "twin" or "engine"; the tiles are the built-in ones (`real`) or ones made for the question.
    """
    solo = Setup(1, "starry_rift", True, 1, 12, "long")

    def sit(setup: Setup = solo, seed: int = 1, rulings: Any = (), real: bool = False, **rows: Any) -> Play:
        chosen = readings("seed", **dict(rulings))
        where = DATA if real else write(folder / f"tiles{len(list(folder.iterdir()))}", **rows)
        if who == "engine":
            prepared = scenario(setup, chosen, "reconstructed" if real else str(where))
            return Play(EngineTable(prepared, setup, seed, 0))
        return Play(TwinTable.alone(setup, seed, chosen, load(setup.expansion, chosen, where)))

    return sit
