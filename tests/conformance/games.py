"""The rule sets that are put through the suite; a new one is named here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import tiny_game
from tiny_game import policies

from nfsim.contract.rule_set import RuleSet, load_rule_set
from nfsim.policies.presets import Shelf

HERE = Path(__file__).parent
GOLDEN_TILES = str(HERE.parent / "data" / "golden_tiles")
Settings = dict[str, Any]


@dataclass(frozen=True)
class GameCase:
    """A rule set and what the suite must know of it.

    Attributes
    ----------
    rule_set : RuleSet
    setups : dict of str to settings
        Settings to play, by a name: alone and with others, with what hides most.
    simple : tuple of str
        Policies that do not look ahead; the first chooses any option.
    thinkers : callable
        ``() -> policies`` that look ahead, but little, so that tests are quick.
    exchange : callable
        ``(state, seat, rng)``: makes another truth of everything that the seat cannot see.
    parts : tuple of str
        Columns of ``seats`` that add up to the score.
    goldens : dict of str to settings
        Games whose transcripts are kept.
    """

    rule_set: RuleSet
    setups: dict[str, Settings]
    simple: tuple[str, ...]
    thinkers: Callable[[], list[Any]]
    exchange: Callable[[Any, int, np.random.Generator], None]
    parts: tuple[str, ...]
    goldens: dict[str, Settings]

    def prepared(self, setup: str) -> Any:
        """A setup, prepared once."""
        return _prepared(self.rule_set.name, setup)

    def policy(self, name: Any) -> Any:
        """A policy by name, or as it is."""
        return self.rule_set.policy(name, "test", Path()) if isinstance(name, str) else name

    def game(self, setup: str, seed: int, number: int, *policies: Any) -> Any:
        """A game of a setup; one policy plays all seats."""
        ready = self.prepared(setup)
        chosen = [self.policy(policy) for policy in policies] or [self.policy(self.simple[0])]
        players = self.rule_set.players(ready)
        return self.rule_set.game(ready, chosen * players if len(chosen) == 1 else chosen, seed, number)


@cache
def _prepared(name: str, setup: str) -> Any:
    case = CASES[name]
    found = {**case.setups, **case.goldens}[setup]
    return case.rule_set.prepare(case.rule_set.read_settings(found, setup), setup)


# --- New Frontiers


def _little(shelf: Shelf) -> list[Any]:
    """The policies that look ahead, thinking less."""
    less = {"rollouts": 6, "plan_rollouts": 4, "candidates": 3}
    found = [shelf.get(name) for name in ("planner", "search", "search_planner")]
    return [replace(each, thinking=each.thinking.model_copy(update=less)) for each in found if each.thinking]


def _thinkers() -> list[Any]:
    from nfsim.games.new_frontiers.policies.shelf import SHELF

    return _little(SHELF)


def hidden_goals(state: Any, seat: int) -> list[int]:
    """Goals that a seat cannot see: in the stack, or face down before others."""
    deck = [int(goal) for goal in state.goal_deck[: int(state.goal_deck_n)]]
    return deck + [int(state.goal_down[s]) for s in range(int(state.n_seats)) if s != seat and state.goal_down[s] >= 0]


def _exchange(state: Any, seat: int, rng: np.random.Generator) -> None:
    state.draw_key = int(rng.integers(1 << 60))
    state.draw_counter = int(rng.integers(100))
    state.bag[: int(state.bag_n)] = rng.permutation(state.bag[: int(state.bag_n)])
    goals = [int(goal) for goal in rng.permutation(hidden_goals(state, seat))]
    for other in range(int(state.n_seats)):
        if other != seat and state.goal_down[other] >= 0:
            state.goal_where[state.goal_down[other]], state.goal_by[state.goal_down[other]] = 0, -1
    for other in range(int(state.n_seats)):
        if other != seat and state.goal_down[other] >= 0:
            goal = goals.pop()
            state.goal_down[other], state.goal_where[goal], state.goal_by[goal] = goal, 1, other
    state.goal_deck[: len(goals)] = goals


NEW_FRONTIERS = GameCase(
    rule_set=load_rule_set("new_frontiers"),
    setups={
        "solo": {"setup": {"players": 1, "campaign": 3, "rounds": 10}},
        "solo long": {"setup": {"players": 1, "campaign": 6, "rounds": 12}},
        "2 players": {"setup": {"players": 2}},
        "4 players": {"setup": {"players": 4}},
        "base, 3 players": {"setup": {"players": 3, "expansion": "base", "goals": False}},
    },
    simple=("uniform", "balanced"),
    thinkers=_thinkers,
    exchange=_exchange,
    parts=("vp_chips", "vp_worlds", "vp_developments", "vp_nine_cost", "vp_goals", "vp_penalty"),
    goldens={
        "solo_campaign1_short": {"setup": {"players": 1, "campaign": 1, "rounds": 10}, "tiles": GOLDEN_TILES},
        "solo_campaign6_long": {"setup": {"players": 1, "campaign": 6, "rounds": 12}, "tiles": GOLDEN_TILES},
        "base_3p_no_goals": {"setup": {"players": 3, "expansion": "base", "goals": False}, "tiles": GOLDEN_TILES},
        "rift_4p": {"setup": {"players": 4}, "tiles": GOLDEN_TILES},
        "rift_2p_table": {"setup": {"players": 2}, "rules": {"profile": "table"}, "tiles": GOLDEN_TILES},
    },
)


# --- the tiny game


def _exchange_cards(state: Any, seat: int, rng: np.random.Generator) -> None:
    state.draw_key, state.draw_counter = int(rng.integers(1 << 60)), int(rng.integers(100))
    deck, other = int(state.deck_n), 1 - seat
    held = int(state.hand_n[other])
    cards = rng.permutation([*state.deck[:deck], *state.hand[other, :held]])
    state.deck[:deck], state.hand[other, :held] = cards[:deck], cards[deck:]


TINY = GameCase(
    rule_set=tiny_game.RULE_SET,
    setups={
        "solo": {"setup": {"players": 1}},
        "solo long": {"setup": {"players": 1, "length": "long"}},
        "2 players": {"setup": {"players": 2}},
        "2 players long": {"setup": {"players": 2, "length": "long"}},
    },
    simple=("uniform", "balanced"),
    thinkers=lambda: _little(policies.SHELF),
    exchange=_exchange_cards,
    parts=("cards", "bonus"),
    goldens={
        "tiny_solo_long": {"setup": {"players": 1, "length": "long"}},
        "tiny_2p": {"setup": {"players": 2}, "rules": {"bonus": "five"}},
    },
)

CASES = {case.rule_set.name: case for case in (NEW_FRONTIERS, TINY)}
