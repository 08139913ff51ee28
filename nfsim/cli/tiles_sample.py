"""`nfsim tiles sample`: draw tile sets that differ in what nobody outside the box knows."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, path, whole_number

MOST = 1000  # folders that one command writes


def sample_command(
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="New or empty folder to write to.")],
    seed: Annotated[
        str, typer.Option("--seed", metavar="N", help="What is drawn: the same seed gives the same sets.")
    ] = "1",
    count: Annotated[
        str | None, typer.Option("--count", metavar="N", help="So many sets, as folders DIR/1, DIR/2 and so on.")
    ] = None,
    tiles: Annotated[
        str,
        typer.Option("--tiles", metavar="SET", help="Whose unknown fields are drawn: a built-in set, or a folder."),
    ] = "reconstructed",
    json: Json = False,
) -> None:
    """Draw tile sets that agree with the manual's table and keep all that is sourced; the rest is drawn anew.

    What nobody outside the box knows (costs, VPs, colonists, goods, powers, most of the homes) is exchanged among
    tiles of a kind or drawn within what is seen, and stays even with its price. How widely is an assumption, a prior
    over bags: it says how much results depend on the unknown tiles, and makes no set truer than another.
    Each folder is a tile set with a file sample.json that says how it was drawn.

    For example:
      nfsim tiles sample --seed 1 --out other_bag
      nfsim run solo_campaign1_short --set tiles=other_bag --out runs/other_bag
      nfsim tiles sample --seed 1 --count 20 --out bags
      nfsim tiles check bags/7
    """
    from nfsim.cli.console import print_json, say
    from nfsim.errors import BadInput
    from nfsim.games.new_frontiers.tiles import read
    from nfsim.games.new_frontiers.tiles.sampling import sample_tiles

    folder, root, number = path("--out", out), whole_number("--seed", seed), whole_number("--count", count)
    assert root is not None
    if number is not None and not 1 <= number <= MOST:
        raise BadInput("--count", "", f"must be 1 to {MOST}, not {number}")
    base = read.load(tiles)
    _must_be_empty(out)
    if number is None:
        samples = {out: sample_tiles(root, folder, tiles=base)}
    else:
        samples = {
            f"{out}/{each}": sample_tiles(root, folder / str(each), number=each, tiles=base)
            for each in range(1, number + 1)
        }
    if json:
        sets = [{"folder": name, **sample.describe()} for name, sample in samples.items()]
        print_json({"ok": True, "exit_code": 0, "folder": out, "sets": sets})
        return
    for name, sample in samples.items():
        records = sum(sample.drawn.values())
        say(f"Wrote {name}: {records} records drawn anew, {sample.mood.loose:.0%} loose, hash {sample.tiles.hash[:8]}.")
    say("Use one with: --set tiles=DIR. What is drawn and how is an assumption: nfsim tiles sample --help")


def _must_be_empty(out: str) -> None:
    """Refuse a folder with files before the first set is drawn."""
    from nfsim.errors import BadInput

    folder = path("--out", out)
    try:
        holds = folder.exists() and any(folder.iterdir())
    except OSError as error:
        raise BadInput(out, "", f"cannot be written: {error.strerror or error}") from None
    if holds:
        raise BadInput(out, "", "already holds files", "name another folder")
