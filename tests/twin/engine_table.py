"""A game of the engine with the same face as the twin's `TwinTable`: options and position in the same words."""

from typing import Any

from nfsim.games.new_frontiers import codes, scoring, solo
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import Prepared, prepare
from nfsim.games.new_frontiers.words import option_words
from twin.position import Setup, Words
from twin.settle import words as written
from twin.tiles import power

WITH_POWER = ("feed", "spend_good", "spend_credits")  # options with a power's text in the third place
PARTS = {"chips": "vp_chips", "worlds": "vp_worlds", "developments": "vp_developments",
         "nine_cost": "vp_nine_cost", "goals": "vp_goals", "penalty": "vp_penalty"}  # fmt: skip


def scenario(setup: Setup, rulings: dict[str, str], tiles: str = "reconstructed") -> Prepared:
    """Prepare the engine's tables for a setup."""
    part: dict[str, Any] = {"players": setup.players, "expansion": setup.expansion, "goals": setup.goals}
    part["rounds"] = setup.rounds
    if setup.players == 1:
        part |= {"campaign": setup.campaign, "length": setup.length}
    return prepare(read_settings({"setup": part, "rules": rulings, "tiles": tiles}, "twin"), "twin")


class EngineTable:
    """A game of the engine, with the same face as `TwinTable`."""

    def __init__(self, prepared: Prepared, setup: Setup, seed: int, number: int) -> None:
        self.setup, self.names = setup, prepared.names
        self.tables = prepared.tables[0]
        self.game = Game.new(prepared, seed, number)

    @property
    def over(self) -> bool:
        return self.game.finished

    @property
    def seat(self) -> int:
        return self.game.decision[0]

    @property
    def kind(self) -> str:
        return codes.label(self.game.decision[1])

    @property
    def options(self) -> list[Words]:
        game = self.game
        return [self.plain(option_words(game.prepared, game.state, *option)) for option in game.options]

    @staticmethod
    def plain(words: Words) -> Words:
        """Write the power of an option out as the twin does."""
        return (*words[:2], written(power(words[2])), *words[3:]) if words[0] in WITH_POWER else words

    def choose(self, choice: Words) -> None:
        self.game.choose(self.options.index(choice))

    # --- the position, in the twin's form

    def tile_names(self, ids: Any) -> list[str]:
        return [self.names.tile[int(tile)] for tile in ids]

    def position(self) -> dict[str, Any]:
        state = self.game.state
        goals = [(int(state.goal_where[goal]), name) for goal, name in enumerate(self.names.goal)]
        not_here = "retreat" if self.setup.goals else "chart"
        taken = [codes.label(action) for action in codes.Action if state.taken[action]]
        tops = [self.tables.stack_face[s, state.stack_side[s]] for s in range(int(self.tables.n_stacks))]
        return {
            "round": int(state.round_no),
            "space": {seat: int(state.space[seat]) for seat in range(int(state.n_seats))},
            "taken": sorted(set(taken) - {not_here}),
            "produce_credits": int(state.produce_credits),
            "supply_vp": int(state.supply_vp),
            "supply_colonists": int(state.supply_colonists),
            "bag": sorted(self.tile_names(state.bag[: state.bag_n])),
            "shown": self.tile_names(state.shown[: state.shown_n]),
            "stacks": list(zip(self.tile_names(tops), map(int, state.stack_left), strict=False)),
            "goals_up": sorted(name for where, name in goals if where == 2),
            "goals_deck": int(state.goal_deck_n),
            "hand": sorted(self.names.goal[int(goal)] for goal in state.goal_hand[: state.goal_hand_n]),
        } | {f"seat {n}": self.empire(n) for n in range(self.setup.players) if state.n_colonies[n]}

    def empire(self, seat: int) -> dict[str, Any]:
        state = self.game.state
        n, explored, devs = (int(count[seat]) for count in (state.n_colonies, state.n_explored, state.n_devs))
        store = [int(number) for number in state.stockpile[seat]]
        down = int(state.goal_down[seat])
        colonies = zip(
            self.tile_names(state.colony[seat, :n]),
            map(bool, state.colony_good[seat]),
            map(int, state.colony_explored[seat]),
            map(int, state.colony_settled[seat]),
            strict=False,
        )
        worlds, built = state.explored[seat, :explored], state.dev[seat, :devs]
        return {
            "home": (int(self.names.mat[int(state.mat[seat])]), "AB"[int(state.side[seat])]),
            "credits": int(state.credits[seat]),
            "colonists": int(state.colonists[seat]),
            "chips": int(state.chips[seat]),
            "colonies": list(colonies),
            "explored": list(zip(self.tile_names(worlds), map(int, state.explored_round[seat]), strict=False)),
            "developments": list(zip(self.tile_names(built), map(int, state.dev_round[seat]), strict=False)),
            "military": int(state.military[seat]),
            "stored_worlds": self.tile_names(state.stored[seat, : store[0]]),
            "stored": dict(zip(("colonists", "credits", "chips"), store[1:], strict=True)),
            "goal_down": self.names.goal[down] if down >= 0 else None,
        }

    def scores(self) -> list[dict[str, int]]:
        """Scores as of the last round's end."""
        return [{name: part[key] for key, name in PARTS.items()} for part in self.game.scores()]

    def goal_vps(self) -> dict[str, list[int]]:
        """VPs that each goal in play gives each seat."""
        state, seats = self.game.state, range(self.setup.players)
        found = [goal for goal, where in enumerate(state.goal_where[: len(self.names.goal)]) if where]
        return {
            self.names.goal[goal]: [int(scoring.goal_vps(self.tables, state, seat, goal)) for seat in seats]
            for goal in found
        }

    def met(self, prepared: Prepared) -> list[str]:
        """Conditions of a prepared campaign and length that the position meets."""
        names, tables = prepared.names.condition, prepared.tables[0]
        return [name for i, name in enumerate(names) if solo.condition_met(tables, self.game.state, 0, i)]

    def result(self) -> dict[str, Any]:
        state, seats = self.game.state, range(self.setup.players)
        mask = int(state.end_mask)
        ranks = [int(scoring.rank(self.tables, state, seat)) for seat in seats]
        return {
            "rounds": int(state.round_no),
            "triggers": [codes.label(reason) for reason in codes.EndReason if mask >> reason & 1],
            "ranks": ranks,
            "won": [bool(self.met(self.game.prepared))] if len(seats) == 1 else [place == 1 for place in ranks],
            "met": self.met(self.game.prepared) if len(seats) == 1 else [],
        }
