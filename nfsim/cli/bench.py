"""`nfsim bench`: speed, memory and size on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import whole_number


def command(
    games: Annotated[str | None, typer.Option(metavar="N", help="Games per case [default: a second's worth].")] = None,
    repeat: Annotated[str, typer.Option(metavar="N", help="Tries per case; the best one counts.")] = "3",
    cold: Annotated[bool, typer.Option("--cold", help="Also compile everything anew, which takes minutes.")] = False,
) -> None:
    """Measure and print one JSON line a case.

    Cases: solo with 12 rounds and 4 players, each with both policies and with --log games and --log rounds, written
    to Parquet; then rollouts of a search, the start of the command, two threads against one, and a report over
    1,000,000 solo games, or as many as --games says.

    For example:
      nfsim bench > bench.jsonl
    """
    import sys

    from nfsim.cli.console import print_json
    from nfsim.cli.progress import say_compiling
    from nfsim.core import jit
    from nfsim.errors import BadInput
    from nfsim.run import bench
    from nfsim.run.playing import COMPILE_SECONDS

    count, tries = whole_number("--games", games), whole_number("--repeat", repeat)
    assert tries is not None
    if not 1 <= tries <= 100:
        raise BadInput("--repeat", "", f"must be from 1 to 100, not {tries}")
    if count is not None and not 1 <= count <= 10**9:
        raise BadInput("--games", "", f"must be from 1 to 1000000000, not {count}")

    def show(line: bench.Line) -> None:
        print_json(line)
        sys.stdout.flush()

    if not jit.is_warm(bench.GAME):
        say_compiling(COMPILE_SECONDS)
    for line in bench.speed_lines(tries, count):
        show(line)
    show(bench.rollout_line(tries))
    show(bench.start_line())
    show(bench.scaling_line(tries, count))
    show(bench.report_line(tries, count))
    if cold:
        show(bench.cold_line())
