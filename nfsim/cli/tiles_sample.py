"""`nfsim tiles sample`: draw tile sets that differ in what nobody outside the box knows."""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, path, whole_number
from nfsim.files import TEMPORARY

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.tiles.sampling import Sample
    from nfsim.games.new_frontiers.tiles.tileset import TileSet

MOST = 1000  # folders that one command writes
BEGUN = "unfinished.json"  # what is being drawn, until all sets are there
STRAY = f"{BEGUN}.*{TEMPORARY}"  # what is left of it by a try that was killed while it was first written


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
    Each folder is a tile set with a file sample.json that says how it was drawn. An interrupted command goes on.

    For example:
      nfsim tiles sample --seed 1 --out other_bag
      nfsim run solo_campaign1_short --set tiles=other_bag --out runs/other_bag
      nfsim tiles sample --seed 1 --count 20 --out bags
      nfsim tiles check bags/7
    """
    from nfsim.cli.console import print_json, say
    from nfsim.errors import BadInput
    from nfsim.games.new_frontiers.tiles import read

    folder, root, number = path("--out", out), whole_number("--seed", seed), whole_number("--count", count)
    assert root is not None
    if number is not None and not 1 <= number <= MOST:
        raise BadInput("--count", "", f"must be 1 to {MOST}, not {number}")
    if root < 0:
        raise BadInput("--seed", "", f"must not be below 0, not {root}")
    base = read.load(tiles)
    places = (
        {out: (1, folder)} if number is None else {f"{out}/{n}": (n, folder / str(n)) for n in range(1, number + 1)}
    )
    samples = _write(folder, places, root, base)
    if json:
        sets = [{"folder": name, **sample.describe()} for name, sample in samples.items()]
        print_json({"ok": True, "exit_code": 0, "folder": out, "sets": sets})
        return
    for name, sample in samples.items():
        records = sum(sample.drawn.values())
        say(f"Wrote {name}: {records} records drawn anew, {sample.mood.loose:.0%} loose, hash {sample.tiles.hash[:8]}.")
    say("Use one with: --set tiles=DIR. What is drawn and how is an assumption: nfsim tiles sample --help")


def _write(folder: Path, places: Mapping[str, tuple[int, Path]], seed: int, base: TileSet) -> dict[str, Sample]:
    """Draw and write sets, each by its number, or what an earlier try has left of them."""
    from nfsim.errors import BadInput
    from nfsim.files import write_atomic
    from nfsim.games.new_frontiers.tiles.sampling import META, draw, sample_tiles
    from nfsim.run.progress import keeping

    plan = json_text.dumps({"seed": seed, "sets": len(places), "drawn_from": base.hash}).encode()
    begun = _begun(folder, plan)
    samples: dict[str, Sample] = {}
    with keeping(folder, lambda: len(samples), len(places), "tile sets"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomic(folder / BEGUN, plan)
            for stray in folder.rglob(f"*{TEMPORARY}" if begun else STRAY):
                stray.unlink()
            for name, (number, place) in places.items():
                if begun and (place / META).is_file():  # written last: the set is complete, and may be in use
                    samples[name] = draw(seed, number, base)
                else:
                    samples[name] = sample_tiles(seed, place, number=number, tiles=base, force=True)
            (folder / BEGUN).unlink()
        except BadInput as error:
            if isinstance(error.__cause__, OSError):  # the disk, and no fault of the tiles
                raise error.__cause__ from None
            raise
    return samples


def _begun(folder: Path, plan: bytes) -> bool:
    """Tell whether an earlier try at the same sets was interrupted; refuse a folder with other files."""
    from nfsim.errors import BadInput

    try:
        entries = folder.iterdir() if folder.exists() else ()
        # what a try leaves that was killed before `BEGUN` was there says nothing about whose folder it is
        names = {entry.name for entry in entries if not entry.match(STRAY)}
        same = BEGUN in names and (folder / BEGUN).read_bytes()[: len(plan) + 1] == plan
    except OSError as error:
        raise BadInput(folder, "", f"cannot be written: {error.strerror or error}") from None
    if names and not same:
        raise BadInput(folder, "", "already holds files", "name another folder")
    return same
