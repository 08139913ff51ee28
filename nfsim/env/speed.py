"""How many decisions a second games that are stepped together make: ``python -m nfsim.env.speed SCENARIO``.

Agents choose any legal action. Observations and masks are written at each step, and what writing them takes is said.
"""

from __future__ import annotations

import sys
import time

from nfsim.compiled.jit import entry, int64, njit
from nfsim.engine.observing import Sight
from nfsim.engine.records import Record
from nfsim.engine.stepping import Batch, show
from nfsim.env import vector
from nfsim.env.many import Vector
from nfsim.errors import BadInput

SCENARIO = "solo_campaign1_short"
GAMES = 64
DECISIONS = 600_000
TRIES = 3


@njit
def show_all(tables: Record, batch: Batch, sight: Sight, times: int) -> None:
    """Write what agents see of all games, so many times."""
    for _ in range(times):
        for place in range(len(batch.numbers)):
            show(tables, batch, sight, place)


def decisions_a_second(games: Vector, decisions: int = DECISIONS) -> float:
    """Return the decisions of an agent in a CPU-second, with observation and mask, chosen among the legal ones."""
    games.reset()
    for step in range(20):
        games.step(games.any_actions(step))
    steps = max(1, decisions // games.n)
    clock = time.process_time()
    for step in range(steps):
        games.step(games.any_actions(step))
    return steps * games.n / (time.process_time() - clock)


def observations_a_second(games: Vector, decisions: int = DECISIONS) -> float:
    """Return the observations, with their masks, that are written in a CPU-second."""
    tables, batch, sight = games.parts
    times = max(1, decisions // games.n)
    run = entry(show_all, tables, batch, sight, int64(times))
    clock = time.process_time()
    run(tables, batch, sight, int64(times))
    return times * games.n / (time.process_time() - clock)


def main() -> None:
    """Measure and print."""
    scenario = sys.argv[1] if len(sys.argv) > 1 else SCENARIO
    games = vector(GAMES, scenario)
    best = max(decisions_a_second(games) for _ in range(TRIES))
    seen = max(observations_a_second(games) for _ in range(TRIES))
    sys.stdout.write(
        f"{scenario}, {GAMES} games together: {best:,.0f} decisions a CPU-second, observation and mask included; "
        f"writing these takes {best / seen:.0%} of the time\n"
    )


if __name__ == "__main__":
    try:
        main()
    except BadInput as error:
        raise SystemExit(str(error)) from None
