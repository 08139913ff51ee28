"""`nfsim tiles`: list, show, export, check and draw tiles of New Frontiers."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, Settings, help_text, path
from nfsim.cli.tiles_sample import sample_command

app = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode=None, help="List, show, export, check and draw tiles."
)

TileSetName = Annotated[
    str, typer.Option("--tiles", metavar="SET", help="Built-in tile set, or a folder of CSV files.")
]


def export_command(
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="New or empty folder to write to.")],
    tiles: TileSetName = "reconstructed",
    force: Annotated[bool, typer.Option("--force", help="Replace files of the same names that are there.")] = False,
    json: Json = False,
) -> None:
    """Write a tile set as CSV files to edit; the folder is a tile set itself (--set tiles=DIR).

    For example:
      nfsim tiles export --out my_tiles
    """
    from nfsim.cli.console import print_json, say
    from nfsim.games.new_frontiers.tiles import csv_files, read

    folder = path("--out", out)
    files = csv_files.export(read.load(tiles), folder, force=force)
    if json:
        print_json({"ok": True, "exit_code": 0, "folder": out, "files": [file.name for file in files]})
        return
    say(f"Wrote {len(files)} files to {out}.")
    say("Edit them, check them with: nfsim tiles check DIR, and use them with: --set tiles=DIR")


def check_command(
    tiles: Annotated[
        str, typer.Argument(metavar="[SET]", help="Folder of CSV files, or a built-in set.")
    ] = "reconstructed",
    settings: Settings = None,
    json: Json = False,
) -> None:
    """Check that a tile set can be played (else exit 2) and agrees with the manual's table of worlds (else exit 1).

    Lists the records that differ from the built-in set, for information.
    How worlds are counted depends on rulings: rules.table_keywords and rules.rare_good_world.

    For example:
      nfsim tiles check my_tiles
      nfsim tiles check my_tiles --set rules.rare_good_world=windfall
    """
    from nfsim.cli.console import print_json, say
    from nfsim.errors import BadInput
    from nfsim.games.new_frontiers.tiles import compare, read
    from nfsim.games.new_frontiers.tiles.check import check
    from nfsim.run.scenario_files import parse_setting

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
    changes = compare.compare(tile_set, read.built_in())
    if json:
        rows = [{"says": found.says, "has": found.has, "source": found.source} for found in findings.differences]
        summary = {"hash": tile_set.hash, "share": findings.share.describe(), "differences": rows}
        summary["changes"] = [{"record": each.title, "how": each.how, "fields": each.fields} for each in changes]
        print_json({"ok": not rows, "exit_code": findings.exit_code, "tiles": tiles, **summary})
        raise typer.Exit(findings.exit_code)
    if tiles != read.BUILT_IN:
        say(f"{tiles}, hash {tile_set.hash[:8]}: {compare.summary(changes)}{':' if changes else '.'}")
        for change in changes:
            say(f"  {change}")
    for difference in findings.differences:
        say(str(difference))
    number = len(findings.differences)
    verdict = f"differs in {number} row{'s' if number > 1 else ''} from" if number else "agrees with"
    say(f"{tiles}: can be played; {verdict} the manual's table of worlds.")
    say(findings.share.describe())
    raise typer.Exit(findings.exit_code)


def list_command(
    kind: Annotated[
        str,
        typer.Argument(metavar="[KIND]", help="world, development, empire, goal or condition; all if none is named."),
    ] = "",
    tiles: TileSetName = "reconstructed",
    json: Json = False,
) -> None:
    """List tiles, one a line: kind, name, what it is, and how far it is sourced.

    For example:
      nfsim tiles list
      nfsim tiles list condition
      nfsim tiles list world --tiles my_tiles
    """
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


def show_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a tile, goal or condition.")],
    tiles: TileSetName = "reconstructed",
    json: Json = False,
) -> None:
    """Show every field of a tile, with its source and what is reconstructed.

    For example:
      nfsim tiles show "Gem World"
    """
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


for _name, _command in (
    ("export", export_command),
    ("check", check_command),
    ("sample", sample_command),
    ("list", list_command),
    ("show", show_command),
):
    app.command(_name, help=help_text(_command))(_command)
