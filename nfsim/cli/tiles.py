"""`nfsim tiles`: list, show, export and check the tiles of New Frontiers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nfsim.cli.options import Json, Settings

app = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode=None, help="List, show, export and check tiles."
)

TileSetName = Annotated[
    str, typer.Option("--tiles", metavar="SET", help="Built-in tile set, or a folder of CSV files.")
]


@app.command("export")
def export_command(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="New or empty folder to write to.")],
    tiles: TileSetName = "reconstructed",
    force: Annotated[bool, typer.Option("--force", help="Replace files of the same names that are there.")] = False,
) -> None:
    """Write a tile set as CSV files to edit; the folder is a tile set itself (--set tiles=DIR)."""
    from nfsim.cli.console import say
    from nfsim.games.new_frontiers.tiles import csv_files, read

    files = csv_files.export(read.load(tiles), out, force=force)
    say(f"Wrote {len(files)} files to {out}.")
    say("Edit them, check them with: nfsim tiles check DIR, and use them with: --set tiles=DIR")


@app.command("check")
def check_command(
    tiles: Annotated[
        str, typer.Argument(metavar="[SET]", help="Folder of CSV files, or a built-in set.")
    ] = "reconstructed",
    settings: Settings = None,
    json: Json = False,
) -> None:
    """Check that a tile set can be played (else exit 2) and agrees with the manual's table of worlds (else exit 1).

    How worlds are counted depends on rulings: rules.table_keywords and rules.rare_good_world.
    """
    from nfsim.cli.console import print_json, say
    from nfsim.errors import BadInput
    from nfsim.games.new_frontiers.tiles import read
    from nfsim.games.new_frontiers.tiles.check import check
    from nfsim.run.toml_files import parse_setting

    rules: dict[str, str] = {}
    for text in settings or []:
        changed = parse_setting(text)
        if list(changed) != ["rules"] or not isinstance(changed["rules"], dict):
            raise BadInput(
                "--set", text, "has no meaning here", "only rules.SWITCH=READING changes how worlds are counted"
            )
        rules |= changed["rules"]
    tile_set = read.load(tiles)
    findings = check(tile_set, rules)
    if json:
        rows = [{"says": found.says, "has": found.has, "source": found.source} for found in findings.differences]
        summary = {"hash": tile_set.hash, "share": findings.share.describe(), "differences": rows}
        print_json({"ok": not rows, "exit_code": findings.exit_code, "tiles": tiles, **summary})
        raise typer.Exit(findings.exit_code)
    for difference in findings.differences:
        say(str(difference))
    number = len(findings.differences)
    verdict = f"differs in {number} row{'s' if number > 1 else ''} from" if number else "agrees with"
    say(f"{tiles}: can be played; {verdict} the manual's table of worlds.")
    say(findings.share.describe())
    raise typer.Exit(findings.exit_code)


@app.command("list")
def list_command(
    kind: Annotated[
        str,
        typer.Argument(metavar="[KIND]", help="world, development, empire, goal or condition; all if none is named."),
    ] = "",
    tiles: TileSetName = "reconstructed",
    json: Json = False,
) -> None:
    """List tiles, one a line: kind, name, what it is, and how far it is sourced."""
    from nfsim.cli.console import print_json, print_table
    from nfsim.errors import BadInput
    from nfsim.games.new_frontiers.tiles import read
    from nfsim.games.new_frontiers.tiles.describe import summary
    from nfsim.games.new_frontiers.tiles.records import KINDS
    from nfsim.validation import unknown

    if kind and kind not in KINDS:
        problem, _, remedy = unknown("kind", kind, KINDS).partition("; ")
        raise BadInput("KIND", "", problem, remedy)
    records = [record for record in read.load(tiles) if kind in ("", record.kind)]
    if json:
        print_json({"ok": True, "exit_code": 0, "tiles": [{"kind": r.kind, **r.fields()} for r in records]})
        return
    rows = [[record.kind, record.name, summary(record), record.status] for record in records]
    print_table(["kind", "name", "what it is", "status"], rows)


@app.command("show")
def show_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a tile, goal or condition.")],
    tiles: TileSetName = "reconstructed",
    json: Json = False,
) -> None:
    """Show every field of a tile, with its source and what is reconstructed."""
    from nfsim.cli.console import print_json, say
    from nfsim.games.new_frontiers.tiles import read
    from nfsim.games.new_frontiers.tiles.describe import in_full, named

    records = named(read.load(tiles), name)
    if json:
        print_json({"ok": True, "exit_code": 0, "tiles": [{"kind": r.kind, **r.fields()} for r in records]})
        return
    for record in records:
        for line in in_full(record):
            say(line)
