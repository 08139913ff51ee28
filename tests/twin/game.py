"""A whole game: setup, rounds, dummies, end. `Twin.play()` is a generator that asks and draws.

It yields `Ask(seat, kind, options)` and is sent the option chosen (a tuple of words), and yields
`Draw(kind, number)` and is sent what came out (names, seats, mats, sides). Decisions with one option are
carried out without asking. Whoever drives it may look at the position between two yields.
"""

from collections import Counter
from typing import Any

from twin.actions import Actions
from twin.position import Board, IllegalError, Play
from twin.score import condition_met, ranks, score
from twin.seat import Colony, Seat


class Twin(Actions, Board):
    """One game: `Twin(tiles, setup, rulings).play()`."""

    def play(self) -> Play:
        yield from self.set_up()
        while not self.end_triggers:
            self.round += 1
            yield from self.one_round()
        for seat in self.seats:  # 001: at the end face-down goals are turned up
            if seat.goal_down:
                self.goals_up.append(seat.goal_down)
                seat.goal_down = None

    def set_up(self) -> Play:
        """Rules page section 1; 000 p. 1 and p. 2 (solo)."""
        players = self.setup.players
        places = max(2, players)  # 000 p. 2: solo as with two players
        self.supply_vp = 12 * places  # 001
        # 001: 10 colonists a player and 4; P: 12 a player (R1)
        ten = self.rulings["colonist_supply"] == "ten_plus_four"
        self.supply_colonists = 10 * places + 4 if ten else 12 * places

        if self.solo:  # 000 p. 2: the player on the second space, then the dummies
            order, first = [0, 1, 2], 2 if self.rulings["priority_gaps"] == "kept" else 1  # R8
        else:
            order, first = (yield from self.draw("seat", players)), 1
            if sorted(order) != list(range(players)):
                raise IllegalError(f"start order {order}")
        self.start_order = order
        self.space = {seat: first + place for place, seat in enumerate(order)}

        mats = yield from self.draw("mat", players)
        if len(set(mats)) < players or not set(mats) <= set(self.tileset.mats):
            raise IllegalError(f"mats {mats}")
        for number, mat in zip(order, mats, strict=False):  # dealt in start order; dummies get none
            self.seats[number].mat = mat

        # P: small developments 1, 2, 2, 3 copies with 2, 3, 4, 5 players; large ones 1. Solo as two players
        small = {2: 1, 3: 2, 4: 2, 5: 3}[places]
        two_sided = [stack for stack in self.tileset.stacks if len(stack.faces) > 1]
        names = yield from self.draw("stack", len(two_sided))  # P: a coin flip says which face lies up
        self.copies = {stack.name: 1 if stack.large else small for stack in self.tileset.stacks}
        self.face = {stack.name: 0 for stack in self.tileset.stacks}
        for stack, name in zip(two_sided, names, strict=True):
            self.face[stack.name] = [face.name for face in stack.faces].index(name)

        self.bag = Counter(world.name for world in self.tileset.worlds)
        if self.setup.goals:
            self.goals_unseen = {goal.name: goal for goal in self.tileset.goals}
            if self.setup.campaign == 5:  # 000 p. 2: Prestige begins with the Exploration goal in play
                self.goals_up = [self.goals_unseen.pop("Exploration")]

        for place, number in enumerate(order[:players]):
            seat = self.seats[number]
            # 001: 3 credits; the last player 4, with four or five players the last two. 000 p. 2: solo 3
            late = players - place <= (2 if players >= 4 else 1)
            seat.credits = 4 if late and not self.solo else 3
            seat.side = (yield from self.ask(number, "choose_side", [("side", "A"), ("side", "B")]))[1]
            home = self.tileset.mats[seat.mat][seat.side]
            # 000 p. 2, P: one colonist of the supply on the home; P: a home with a halo starts with its good
            seat.colonies.append(Colony(home, 0, 0, good=home.type == "windfall"))
            seat.tiles.append(home)
            self.supply_colonists -= 1

        if self.setup.campaign == 6:  # 000 p. 2: Mastery, after everything else
            for stack in self.tileset.stacks:
                names = [face.name for face in stack.faces]
                if set(names) == {"Improved Logistics", "Terraforming Robots"}:
                    options = [("face", name) for name in names]
                    _, chosen = yield from self.ask(0, "choose_stack_side", options)
                    self.face[stack.name] = names.index(chosen)

    def one_round(self) -> Play:
        """Each seat selects one action in priority order; it is carried out before the next selects (P)."""
        self.taken = {}
        order = self.track()
        twice = self.setup.players == 2 and self.rulings["two_player_selections"] == "two"  # R4
        self.turns = order * 2 if twice else order
        for turn, selector in enumerate(self.turns):
            action = yield from self.select(turn, selector)
            self.taken[action] = selector
            if self.solo and selector > 0:
                self.dummy_bonus(action, selector)
            elif self.solo and action == "envoys" and turn >= 1:  # 000 p. 2: as second or third: 1 credit
                self.seats[0].credits += 1
            yield from getattr(self, action)(selector, self.resolve_order(turn, selector))
        # 001: if nobody selected Produce, 1 credit is put on it (and on no other tile)
        if "produce" not in self.taken:
            self.produce_credits += 1
        if self.chart_pending is not None:  # R7
            self.move_up(self.chart_pending)
            self.chart_pending = None
        self.round_scores = [score(seat, self.goals_in_play()) for seat in self.seats]
        self.end_triggers = self.triggers()

    def select(self, turn: int, selector: int) -> Play:
        free = self.available()
        if not (self.solo and selector > 0):
            return (yield from self.ask(selector, "select_action", [("action", name) for name in free]))[1]
        # 000 p. 2: how a dummy chooses
        if "produce" in free and self.produce_credits >= 2:
            return "produce"
        if turn == len(self.turns) - 1 and "envoys" in free:
            return "envoys"
        return (yield from self.ask(0, "select_for_dummy", [("action", name) for name in free]))[1]

    def dummy_bonus(self, action: str, dummy: int) -> None:
        """All a dummy ever does (000 p. 2)."""
        if action == "settle":
            self.supply_colonists = max(0, self.supply_colonists - 1)
        elif action in ("trade_consume", "envoys"):
            self.supply_vp = max(0, self.supply_vp - 1)
        elif action == "produce":
            self.produce_credits = 0
        if action == "envoys":
            self.to_front(dummy)
        elif action == "chart":
            self.chart_move(dummy)

    def resolve_order(self, turn: int, selector: int) -> list[int]:
        """Players in the order in which they carry out an action: the selector first, then R5."""
        if self.solo:
            return [0]
        order = self.turns[: self.setup.players]
        place = order.index(selector)
        if self.rulings["resolve_order"] == "wrap":
            return order[place:] + order[:place]
        return [selector] + [seat for seat in order if seat != selector]

    # --- the end

    def triggers(self) -> list[str]:
        """Every reason to end at the end of this round, in the order in which they are named."""
        empties = 4 if self.rulings["colonist_end"] == "four_left" else 0  # R2; 001: four left
        found = {
            "colonies": any(len(seat.colonies) >= 8 for seat in self.seats),  # 001: home included
            "developments": any(self.full_of_developments(seat) for seat in self.seats),
            "vp_chips": self.supply_vp == 0,
            "colonists": self.supply_colonists <= empties,
            "round_limit": self.round >= self.setup.rounds,  # 000 p. 2: 10 or 12 rounds; else a safety stop
        }
        return [name for name, holds in found.items() if holds]

    def full_of_developments(self, seat: Seat) -> bool:
        if self.rulings["development_end"] == "tenth_tile":  # R3; 001
            return len(seat.developments) >= 10
        return sum(development.tile.spaces for development in seat.developments) >= 11

    def result(self) -> dict[str, Any]:
        """Reason, ranks and winners; in solo the conditions met (000 p. 3)."""
        goals = self.goals_in_play()
        met = {
            (length, condition.campaign, condition.name): condition_met(self.seats[0], goals, condition)
            for length, conditions in self.tileset.conditions.items()
            for condition in conditions
        }
        played = [
            name
            for (length, campaign, name), ok in met.items()
            if ok and (length, campaign) == (self.setup.length, self.setup.campaign)
        ]
        places = ranks(self.seats, goals)
        return {
            "rounds": self.round,
            "reason": self.end_triggers[0],
            "triggers": self.end_triggers,
            "ranks": places,
            "won": [bool(played)] if self.solo else [place == 1 for place in places],
            "met": played if self.solo else [],  # conditions of the campaign and length played
            "conditions": met if self.solo else {},  # of every campaign and both lengths
        }
