"""Engine and plain-Python twin side by side in 20,000 games: every setup, profile, single reading, invented tile sets.

`python -m soak.twin_soak [--games N]` with tests/ on the path; exit code 1 and the first differences if they do not
agree in everything. `tests/test_twin.py` plays some of each; here are others, with another seed.
"""

import argparse
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from test_twin import FEW, OTHERS, SOLO, TABLES
from twin.compare import play_games
from twin.invent import invent
from twin.position import Setup
from twin.table import readings

SEED = 20_000
SIZE = 20  # games of a piece of work
SHOWN = 5


class Piece(NamedTuple):
    """Some games of one configuration; `tiles`: the number of an invented tile set, -1 for the built-in one."""

    seed: int
    kind: str
    setup: Setup
    rulings: dict[str, str]
    tiles: int
    first: int
    games: int


def pieces(games: int, seed: int) -> Iterator[Piece]:
    """Share games out: half over all setups, the rest over the other profile, single readings and invented tiles."""
    every = [("setups", setup, readings(), -1) for setup in SOLO + TABLES]
    table = [("profile table", setup, readings("table"), -1) for setup in FEW]
    single = [
        ("single readings", s, readings("seed", **{switch: choice}), -1) for switch, choice in OTHERS for s in FEW
    ]
    sets = range(max(1, games // 400))
    invented = [
        ("invented tiles", s, readings("table" if n % 2 else "seed"), n) for n in sets for s in (*FEW, TABLES[-1])
    ]
    for group, share in ((every, 0.5), (table, 0.1), (single, 0.25), (invented, 0.15)):
        each = -(-int(games * share) // len(group))  # rounded up: at least so many in all
        for kind, setup, rulings, tiles in group:
            for first in range(0, each, SIZE):
                yield Piece(seed, kind, setup, rulings, tiles, first, min(SIZE, each - first))


def compare(piece: Piece, _stop: Any = None) -> tuple[Piece, int, str]:
    """Play a piece in lockstep; return it with the decisions compared and the first difference, if there is one."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            tiles = None if piece.tiles < 0 else invent(Path(folder, "tiles"), piece.seed + piece.tiles)
            return piece, play_games(piece.setup, piece.games, piece.rulings, tiles, piece.seed, piece.first), ""
    except Exception as error:  # whatever goes wrong in either of them is a finding
        return piece, 0, f"{type(error).__name__}: {error}"


def main() -> int:
    """Run the soak and print a line per kind of configuration."""
    from nfsim.run.worker_pool import in_processes

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    began = time.perf_counter()
    games: dict[str, int] = {}
    decisions: dict[str, int] = {}
    differences: list[str] = []
    with contextlib.closing(in_processes(compare, list(pieces(given.games, given.seed)), given.jobs)) as done:
        for piece, compared, difference in done:
            games[piece.kind] = games.get(piece.kind, 0) + piece.games
            decisions[piece.kind] = decisions.get(piece.kind, 0) + compared
            if difference:
                differences.append(difference)
                print(difference if len(differences) <= SHOWN else "a further difference", flush=True)
    for kind, count in games.items():
        print(f"{kind:<16} {count:>7,} games {decisions[kind]:>10,} decisions")
    print(
        f"twin: engine and twin compared in {sum(games.values()):,} games and {sum(decisions.values()):,} decisions, "
        f"{len(differences)} differences, {time.perf_counter() - began:,.0f} s"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
