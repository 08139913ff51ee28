"""`nfsim replay`: print one game of a run."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, path, whole_number


def command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder of a finished run.")],
    game: Annotated[str, typer.Argument(metavar="GAME", help="Number of the game, from 0.")],
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="P", help="Policies of the run that are functions in Python and may be run: module:function."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Print one game as a readable transcript, decision by decision.

    Nothing is read from the tables: the game is played again from seed and number. Code in Python that the run's folder
    names is run only if you name it too.

    For example:
      nfsim replay runs/demo_short 17
      nfsim replay runs/campaign1_short 8
      nfsim replay runs/greedy 3 --policy examples.greedy:choose
    """
    from nfsim.cli.console import note, print_json
    from nfsim.cli.progress import say_compiling
    from nfsim.log.check import read_manifest
    from nfsim.run.replay import transcript

    number = whole_number("GAME", game)
    assert number is not None
    place = path("DIR", folder)
    if "chances" in read_manifest(place):  # written by nfsim campaign
        from nfsim.log.read import load
        from nfsim.studies.campaign import replay

        warnings, lines = replay.transcript(load(place), number, say_compiling)
    else:
        warnings, lines = transcript(place, number, say_compiling, allowed=(policy or "").split(","))
    for warning in warnings:
        note(f"nfsim: {warning}")
    if json:
        print_json({"ok": True, "exit_code": 0, "game": number, "lines": list(lines)})
        return
    for line in lines:
        typer.echo(line)
