"""A game of Islets from Python, in words, and what a function of the user's and a person see of it."""

from pathlib import Path
from typing import Any

from nfsim.contract.view import Row
from nfsim.engine import game, position, view
from nfsim.engine.rules import Rules
from tiny_game import rules
from tiny_game.policies import RECORDS, SHELF

RULES = Rules(
    game="tiny", folder=Path(__file__).parent, tables=rules.TABLES, state=rules.STATE, option_list=rules.OPTION_LIST,
    policy=rules.POLICY, rows=rules.Rows, row_types={table.name: table.dtype for table in rules.LOGGED},
    capacity=rules.capacity, most=rules.most, load_policies=RECORDS.load, fill_policy=RECORDS.fill,
    adviser="search_planner", begin=rules.begin, advance=rules.advance, apply=rules.apply, choose=rules.choose,
    get_ready=rules.get_ready, matters=rules.matters, forget_hidden=rules.forget_hidden, deal_anew=rules.deal_anew,
    claim=rules.claim, nearness=rules.nearness, write_round=rules.write_round, write_end=rules.write_end,
    verbs=("open", "deck", "card"),
)  # fmt: skip


def name(card: int) -> str:
    """Return a card's name."""
    return f"{['red', 'green', 'blue'][card % rules.SUITS]} {card // rules.SUITS + 1}"


class InWords(position.Position):
    """A position with this game's names."""

    @property
    def decision_label(self) -> str:
        return ("take", "play")[self.decision[1]]

    def words(self, choice: int) -> tuple[str | int, ...]:
        kind, card, _ = self.options[choice]
        return ("deck",) if kind == rules.DECK else (("open", "card")[kind == rules.CARD], name(card))

    def describe(self) -> str:
        suits = [" ".join(map(str, self.state.suits[seat])) for seat in range(self.players)]
        return f"open: {name(int(self.state.open))}; suits: {', '.join(suits)}"

    def parts(self, state: Any) -> list[dict[str, int]]:
        parts = ("total", "cards", "bonus")
        return [dict(zip(parts, map(int, state.score[seat]), strict=True)) for seat in range(self.players)]

    def preset(self, name: str) -> Any:
        return SHELF.get(name)


class Turn(InWords, position.Turn):
    """What a function sees."""

    @property
    def hand(self) -> list[int]:
        """Your cards."""
        return [int(card) for card in self.state.hand[self.seat, : int(self.state.hand_n[self.seat])]]


class Game(InWords, game.Game):
    """A game in progress."""

    own_rules = RULES
    turn = Turn

    def objective_names(self) -> list[str]:
        return list(rules.OBJECTIVES)[: int(self.tables.n_objectives)]

    def draws(self) -> list[tuple[str, str | int]]:
        return [("card", name(int(card))) for _, card in self.state.drawn[: int(self.state.drawn_n)]]


class SeatView(view.SeatView):
    """What a person sees."""

    def told(self, choice: int) -> str:
        return super().told(choice) if self.game.options[choice][0] != rules.DECK else "somebody takes a hidden card"

    def explain(self, text: str) -> list[Row]:
        for card in range(rules.CARDS):
            if name(card) == text:
                return [Row(text, (f"counts {card // rules.SUITS + 1}",), strong=True)]
        return super().explain(text)
