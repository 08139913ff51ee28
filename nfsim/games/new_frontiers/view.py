"""A game in progress as one seat sees it: options, what others do, what a choice brought to light, the result."""

from __future__ import annotations

from typing import Any

from nfsim.compiled.jit import int64
from nfsim.contract.view import Row
from nfsim.engine import view
from nfsim.games.new_frontiers import board, words
from nfsim.games.new_frontiers.codes import Action, ChosenBy, Decision, EndReason, Option, label
from nfsim.games.new_frontiers.explain import ACTIONS, amount, explain, power, title
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.scoring import Part, rank
from nfsim.games.new_frontiers.tiles.grammar import parse_power

QUESTIONS = {
    Decision.SELECT_ACTION: "Select an action:",
    Decision.SELECT_FOR_DUMMY: "Select an action for {dummy}:",
    Decision.CHOOSE_SIDE: "Choose a side of your mat:",
    Decision.CHOOSE_STACK_SIDE: "Choose which side of the stack lies up:",
    Decision.EXPLORE_PICK: "Take a world:",
    Decision.KEEP_XENO: "Keep the XENO world, or return it to the bag:",
    Decision.STOCKPILE_WORLD: "Stockpile the world, or place it:",
    Decision.DISCARD_WORLD: "You are over the limit of worlds; discard one:",
    Decision.DEVELOP: "Buy a development:",
    Decision.SETTLE: "Settle a world, or take colonists:",
    Decision.SETTLE_AGAIN: "Settle one more:",
    Decision.WINDFALL_GOOD: "Put a good on a windfall colony:",
    Decision.SELL: "Sell a good:",
    Decision.CONSUME: "Consume a good:",
    Decision.CONSUME_MORE: "Consume one more good for the same power:",
    Decision.KEEP_GOAL: "Keep a goal, face down:",
    Decision.RETURN_GOAL: "Put the other goals under the stack; which one next?",
    Decision.STOCKPILE: "How much of the gain do you stockpile?",
}
OWN_GOAL = {Decision.KEEP_GOAL: "keep {}", Decision.RETURN_GOAL: "{} next"}
SECRET = {Decision.KEEP_GOAL: "keeps a goal face down", Decision.RETURN_GOAL: ""}


class SeatView(view.SeatView):
    """What `nfsim.contract.view.View` asks for, of New Frontiers.

    Parameters
    ----------
    game : Game
        Just begun, or at the decision from which on the view follows it.
    seat : int
        Who looks.
    """

    game: Game

    def __init__(self, game: Game, seat: int) -> None:
        super().__init__(game, seat)
        self._told_selections = 0
        self._selects = False  # the last choice was a selection, which `told` has told
        self._goals_up = int(game.state.face_up)

    def position(self) -> list[Row]:
        """Return the whole position."""
        return board.position(self.game.prepared, self._seen(), self.seat)

    def supply(self) -> list[Row]:
        """Return the development stacks."""
        return board.stacks(self.game.prepared, self._seen(), self.seat)

    def question(self) -> str:
        """Return what the seat must decide."""
        decision = self.game.decision[1]
        turn = int(self.game.state.turn)
        return QUESTIONS[decision].format(dummy=self.name(int(self.game.state.turn_seat[turn])))

    def option(self, choice: int) -> str:
        """Return one of them: with what its seat wants to know before it decides."""
        kind, a, b = self.game.options[choice]
        prepared, option = self.game.prepared, Option(kind)
        decision, tables, tile = self.game.decision[1], prepared.tables[0], prepared.names.tile
        if option == Option.ACTION:
            return title(a)
        if option == Option.SIDE:
            return f"side {words.SIDES[a]}: {tile[b]}"
        if option == Option.TAKE:
            needed, _ = board.world_needs(prepared, self._seen(), self.seat, b)
            return f"take {tile[b]} ({board.world_kind(prepared, b)}, {needed}, {amount(int(tables.vp[b]), 'VP')})"
        if option == Option.BUY:
            return f"{tile[a]}: {amount(b, 'credit')}, {amount(int(tables.vp[a]), 'VP')}"
        if option == Option.GOAL:
            return OWN_GOAL[decision].format(prepared.names.goal[a])
        if option in (Option.FEED, Option.USE_GOOD, Option.USE_CREDITS):
            _, owner, text, *goods = map(str, self.game.words(choice))
            using = f" with the good of {goods[0]}" if goods else ""
            return f"{owner}{using} ({power(parse_power(text))})"
        return self.game.option_text(choice)

    def tiles(self, choice: int) -> list[str]:
        """Return the names of the tiles, goals or actions that an option is about."""
        kind, a, _ = self.game.options[choice]
        if kind == Option.ACTION:
            return [title(a)]
        if kind == Option.SIDE:
            return [self.game.prepared.names.tile[self.game.options[choice][2]]]
        names = {*self.game.prepared.names.tile, *self.game.prepared.names.goal} - {""}
        return list(dict.fromkeys(str(word) for word in self.game.words(choice)[1:] if word in names))

    def explain(self, name: str) -> list[Row]:
        """Explain a tile, goal, condition or action."""
        for action, text in ACTIONS.items():
            if title(action).casefold() == name.strip().casefold():
                return [Row(title(action), ("action",), strong=True), Row("  does", (text,))]
        return explain(self.game.prepared, name)

    def signs(self) -> list[Row]:
        """Explain the signs in use."""
        goods = "[rare] a good lies on the colony, (rare) it can hold one"
        lacking = "what an explored world lacks is what you cannot pay yet; negative VPs count until it is conquered"
        return [Row("signs", (goods, lacking))]

    def told(self, choice: int) -> str:
        """Return what the seat may hear of a choice about to be made, by whomever."""
        state, (actor, decision) = self.game.state, self.game.decision
        kind, a, _ = self.game.options[choice]
        self._goals_up = int(state.face_up)
        self._selects = kind == Option.ACTION
        name = self.name(actor)
        if kind == Option.ACTION:
            who = self.name(int(state.turn_seat[int(state.turn)]))
            by = "" if decision == Decision.SELECT_ACTION else f" (chosen by {name})"
            return f"{who}: {title(a)}{by}"
        if actor != self.seat and decision in SECRET:
            return f"{name} {SECRET[decision]}" if SECRET[decision] else ""
        if kind == Option.GOAL:
            return f"{name}: {OWN_GOAL[decision].format(self.game.prepared.names.goal[a])}"
        return super().told(choice)

    def news(self) -> list[str]:
        """Return what happened by itself since the last choice: forced selections, ends of rounds, draws."""
        lines = super().news()
        current = [] if self.game.finished else self._selections()
        lines += self._forced(current)
        self._told_selections = len(current)
        self._selects = False
        return lines + self._draws()

    def round_news(self, ended: int) -> list[str]:
        """Return the selections of a round that has ended, and that it has."""
        forced = self._forced(self.game.selections[ended])
        self._told_selections = 0
        return [*forced, *super().round_news(ended)]

    def drawn(self) -> list[str]:
        """Return nothing: draws are told after the selections that led to them."""
        return []

    def _forced(self, selections: list[tuple[int, Action, ChosenBy]]) -> list[str]:
        """Put selections that are new into words, without one that was told as a choice."""
        new = selections[self._told_selections :]
        if new and self._selects:
            new, self._selects = new[1:], False
        why = {ChosenBy.RULE: " (its rule)", ChosenBy.PLAYER: " (the last one free)"}
        return [f"{self.name(seat)}: {title(action)}{why.get(by, '')}" for seat, action, by in new]

    def _draws(self) -> list[str]:
        drawn: dict[str, list[str]] = {}
        for kind, name in self.game.draws():
            drawn.setdefault(kind, []).append(str(name))
        lines = []
        if "seat" in drawn:
            lines.append("start order: " + ", ".join(self.name(int(seat)) for seat in drawn["seat"]))
        if "mat" in drawn:
            texts = [words.mat_text(self.game.prepared, self.game.state, seat) for seat in range(self.game.players)]
            lines += [f"{self.name(seat)}: {text.partition(': ')[2]}" for seat, text in enumerate(texts)]
        if "stack" in drawn:
            lines.append(f"{len(drawn['stack'])} development stacks laid out at random: see stacks")
        if "world" in drawn:
            lines.append("drawn: " + ", ".join(drawn["world"]))
        if "goal" in drawn:
            by = self._charting()
            goals = ", ".join(drawn["goal"]) if by == self.seat else amount(len(drawn["goal"]), "goal")
            lines.append(f"{self.name(by)} drew {goals}")
        return lines

    def revealed(self) -> str:
        """Return what the last choice brought to light."""
        kinds = [kind for kind, _ in self.game.draws()]
        found = [amount(kinds.count(kind), kind) for kind in dict.fromkeys(kinds)]
        if found:
            return f"{' and '.join(found)} {'was' if len(kinds) == 1 else 'were'} drawn"
        up = int(self.game.state.face_up) & ~self._goals_up
        others = [goal for goal in range(up.bit_length()) if up >> goal & 1
                  and int(self.game.state.goal_by[goal]) != self.seat]  # fmt: skip
        return "another seat's goal was turned up" if others else ""

    def result(self) -> list[Row]:
        """Return the final scores with their parts, and the conditions in solo."""
        game, state = self.game, self.game.state
        reasons = [label(reason).replace("_", " ") for reason in EndReason if int(state.end_mask) >> reason & 1]
        rows = [Row(f"Game over after round {int(state.round_no)}", (", ".join(reasons) or "no end",), strong=True)]
        for seat, parts in enumerate(game.scores()):
            total = amount(parts[label(Part.TOTAL)], "VP")
            place = int(rank(game.prepared.tables[0], state, int64(seat)))
            others = [f"{name.replace('nine_cost', '9-cost')} {value}" for name, value in parts.items()
                      if name != label(Part.TOTAL)]  # fmt: skip
            ranked = f", place {place}" if self.game.players > 1 else ""
            rows.append(Row(f"  {self.name(seat)}", (total + ranked, *others)))
        texts = words.conditions_text(game.prepared, state)
        return rows + [Row("  condition", (text.removeprefix("condition "),)) for text in texts]

    def _seen(self) -> Any:
        return self.game.look(self.seat)

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        return board.seat_name(self.game.prepared, seat, self.seat)

    def _selections(self) -> list[tuple[int, Action, ChosenBy]]:
        """Return the selections of the round under way."""
        state = self.game.state
        if int(state.round_no) <= self.game.rounds_ended:
            return []
        made = int(state.turn) + board.resolving(state)
        return [
            (int(state.turn_seat[t]), Action(int(state.turn_action[t])), ChosenBy(int(state.turn_by[t])))
            for t in range(made)
        ]

    def _charting(self) -> int:
        """Return the seat that drew goals last."""
        made = [turn for selections in self.game.selections for turn in selections] + self._selections()
        return next(
            (seat for seat, action, _ in reversed(made) if action == Action.CHART and seat < self.game.players), -1
        )
