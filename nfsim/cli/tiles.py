"""`nfsim tiles`: list, show, export, check and draw what is in a game's catalogue."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, Settings, help_text, path, whole_number

app = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode=None, help="List, show, export, check and draw tiles."
)

SetName = Annotated[
    str, typer.Option("--tiles", metavar="SET", help="Built-in set, or a folder of CSV files [default: the first].")
]
Game = Annotated[str, typer.Option("--game", metavar="NAME", help="Rule set.")]


def export_command(
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="New or empty folder to write to.")],
    tiles: SetName = "",
    force: Annotated[bool, typer.Option("--force", help="Replace files of the same names that are there.")] = False,
    game: Game = "new_frontiers",
    json: Json = False,
) -> None:
    """Write a tile set as CSV files to edit; the folder is a tile set itself (--set tiles=DIR).

    For example:
      nfsim tiles export --out my_tiles
    """
    from nfsim.cli.console import print_json, say
    from nfsim.contract.rule_set import load_rule_set

    catalogue = load_rule_set(game, "--game", "").need_catalogue("--game")
    files = catalogue.load(tiles).export(path("--out", out), force=force)
    if json:
        print_json({"ok": True, "exit_code": 0, "folder": out, "files": [file.name for file in files]})
        return
    say(f"Wrote {len(files)} files to {out}.")
    say(f"Edit them, check them with: nfsim tiles check DIR, and use them with: --set {catalogue.key}=DIR")


def check_command(
    tiles: Annotated[
        str, typer.Argument(metavar="[SET]", help="Folder of CSV files, or a built-in set [default: the first].")
    ] = "",
    settings: Settings = None,
    game: Game = "new_frontiers",
    json: Json = False,
) -> None:
    """Check that a set can be played (else exit 2) and agrees with what is known of the whole of it (else exit 1).

    For New Frontiers that is the manual's table of worlds. Lists the records that differ from the built-in set, for
    information. How worlds are counted depends on rulings: rules.table_keywords and rules.rare_good_world.

    For example:
      nfsim tiles check my_tiles
      nfsim tiles check my_tiles --set rules.rare_good_world=windfall
    """
    from nfsim.catalogue import compare
    from nfsim.cli.console import print_json, say
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.run.scenario_files import parse_rules

    catalogue = load_rule_set(game, "--game", "").need_catalogue("--game")
    built_in = catalogue.sets[0]
    name = tiles or built_in
    records = catalogue.load(name)
    findings = catalogue.check(records, parse_rules(settings or []))
    changes = compare.compare(records, catalogue.load(built_in))
    if json:
        rows = [{"says": found.says, "has": found.has, "source": found.source} for found in findings.differences]
        summary = {"hash": records.hash, "share": findings.share.describe(), "differences": rows}
        summary["changes"] = [{"record": each.title, "how": each.how, "fields": each.fields} for each in changes]
        print_json({"ok": not rows, "exit_code": findings.exit_code, "tiles": name, **summary})
        raise typer.Exit(findings.exit_code)
    if name != built_in:
        say(f"{name}, hash {records.hash[:8]}: {compare.summary(changes)}{':' if changes else '.'}")
        for change in changes:
            say(f"  {change}")
    for difference in findings.differences:
        say(str(difference))
    number = len(findings.differences)
    verdict = f"differs in {number} row{'s' if number > 1 else ''} from" if number else "agrees with"
    say(f"{name}: can be played; {verdict} {catalogue.agrees_with}.")
    say(findings.share.describe())
    raise typer.Exit(findings.exit_code)


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
        typer.Option(
            "--tiles",
            metavar="SET",
            help="Whose unknown fields are drawn: a built-in set, or a folder [default: the first].",
        ),
    ] = "",
    game: Game = "new_frontiers",
    json: Json = False,
) -> None:
    """Draw tile sets that agree with the manual's table and keep all that is sourced; all else is drawn anew.

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
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.studies.samples import draw_sets

    rule_set = load_rule_set(game, "--game", "")
    root, number = whole_number("--seed", seed), whole_number("--count", count)
    assert root is not None
    samples = draw_sets(rule_set, tiles, path("--out", out), root, number)
    if json:
        sets = [{"folder": name, **sample.describe()} for name, sample in samples.items()]
        print_json({"ok": True, "exit_code": 0, "folder": out, "sets": sets})
        return
    for name, sample in samples.items():
        say(f"Wrote {name}: {sample}.")
    key = rule_set.need_catalogue("--game").key
    say(f"Use one with: --set {key}=DIR. What is drawn and how is an assumption: nfsim tiles sample --help")


def list_command(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="[KIND]",
            help="Kind of record, as the list without it names them; all if none is named.",
        ),
    ] = "",
    tiles: SetName = "",
    game: Game = "new_frontiers",
    json: Json = False,
) -> None:
    """List tiles, one a line: kind, name, what it is, and how far it is sourced.

    For example:
      nfsim tiles list
      nfsim tiles list condition
      nfsim tiles list world --tiles my_tiles
    """
    from nfsim.cli.console import print_json, print_table
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.errors import BadInput
    from nfsim.validation import unknown

    catalogue = load_rule_set(game, "--game", "").need_catalogue("--game")
    if kind and kind not in catalogue.kinds:
        problem, _, remedy = unknown("kind", kind, catalogue.kinds).partition("; ")
        raise BadInput("KIND", "", problem, remedy)
    records = [record for record in catalogue.load(tiles) if kind in ("", record.kind)]
    if json:
        print_json({"ok": True, "exit_code": 0, "tiles": [{"kind": r.kind, **r.fields()} for r in records]})
        return
    rows = [[record.kind, record.name, record.summary(), record.status] for record in records]
    print_table(["kind", "name", "what it is", "status"], rows)


def show_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a record.")],
    tiles: SetName = "",
    game: Game = "new_frontiers",
    json: Json = False,
) -> None:
    """Show every field of a tile, with its source and what is reconstructed.

    For example:
      nfsim tiles show "Gem World"
    """
    from nfsim.cli.console import print_json, say
    from nfsim.contract.rule_set import load_rule_set

    records = load_rule_set(game, "--game", "").need_catalogue("--game").load(tiles).named(name)
    if json:
        print_json({"ok": True, "exit_code": 0, "tiles": [{"kind": r.kind, **r.fields()} for r in records]})
        return
    for record in records:
        for line in record.in_full():
            say(line)


for _name, _command in (
    ("export", export_command),
    ("check", check_command),
    ("sample", sample_command),
    ("list", list_command),
    ("show", show_command),
):
    app.command(_name, help=help_text(_command))(_command)
