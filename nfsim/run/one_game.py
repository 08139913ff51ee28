"""One game of a scenario from Python, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from nfsim.engine import game
from nfsim.policies.functions import named
from nfsim.run.execute import check_options
from nfsim.run.scenario import DEFAULT_SEED, read_scenario
from nfsim.validation import whole


class Game(game.Game):
    """A game in progress that a scenario describes; `nfsim.engine.game.Game` says what it can do.

    Examples
    --------
    >>> import nfsim
    >>> game = nfsim.Game.from_scenario("solo_campaign1_short", seed=1)
    >>> game.round, game.seat, len(game.options)
    (0, 0, 2)
    """

    @classmethod
    def from_scenario(
        cls,
        scenario: Path | str,
        *,
        seed: int = DEFAULT_SEED,
        number: int = 0,
        policy: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] | None = None,
        settings: Sequence[str] = (),
    ) -> Game:
        """Begin a game: the one of this number in a run of the scenario with this seed.

        Parameters
        ----------
        scenario : path or str
            A TOML file, or the name of a built-in one, as ``nfsim run`` reads it.
        seed, number : int
            Seed of the run, and number of the game in it.
        policy : policy, or sequence of them, optional
            Who `suggest` asks: names, files, or functions in Python; one for every seat, or one per seat. By default
            as the scenario says.
        settings : sequence of str
            ``key=value`` as with ``--set``.

        Returns
        -------
        Game
            Of the class that the scenario's rule set has for it, with this game's own words.

        Raises
        ------
        BadInput
            Naming what is wrong.
        """
        overrides = {} if policy is None else {"policy": named(policy)}
        chosen = read_scenario(scenario, settings, overrides)
        root, number = whole("seed", seed), whole("number", number)
        check_options(root, None)
        begun = chosen.rule_set.game(chosen.prepared, chosen.seated, root, number)
        return cast("Game", begun)
