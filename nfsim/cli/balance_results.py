"""What `nfsim balance` prints and writes: the page, the table of tiles, who has equal chances, the object for JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from nfsim.report.page import Part
    from nfsim.report.source import Source
    from nfsim.run.scenario import Scenario
    from nfsim.studies.balance.effects import Changed


def chosen_how(names: Sequence[str], wanted: list[str] | int) -> str:
    """Say which tiles are looked at."""
    if isinstance(wanted, int):
        what = (
            "the development and the world that seats own"
            if wanted == 1
            else f"the {wanted} developments and the {wanted} worlds that seats own"
        )
        return (
            f"The {len(names)} tiles looked at are {what} most often at the end (--tiles top:{wanted}); other tiles "
            "may matter more or less."
        )
    return f"The tiles looked at are those asked for ({len(names)}, --tiles)."


def write_results(
    scenario: Scenario,
    base: Source,
    changed: Sequence[Changed],
    frames: Mapping[str, pl.DataFrame],
    out: Path,
    how: str,
) -> tuple[Path, Sequence[Part]]:
    """Write the page; return it, and the parts about the games as they are."""
    from dataclasses import replace

    from nfsim.report.build import parts_of
    from nfsim.report.page import Section, write_page
    from nfsim.studies.balance.page import arms_part, record_parts

    alone = replace(base, label="Games as they are")
    found = parts_of([alone])
    sections = [Section("Games as they are", found, "base_")]
    if changed:
        first, *rest = record_parts(
            frames["owned"], frames["alike"], frames["differences"], frames["prices"], base
        )  # fmt: skip
        first = replace(first, text=[how, *first.text])
        # what was patched is long and read last
        sections = [Section("Tiles", [first, *rest], "tiles_"), *sections,
                    Section("What was played for the tiles", [arms_part(changed)], "arms_")]  # fmt: skip
    return write_page(out, f"Balance: {scenario.shown_title}", [alone], sections), found


def json_numbers(base: Source, names: Sequence[str], frames: Mapping[str, pl.DataFrame]) -> dict[str, Any]:
    """Return the numbers as one object for JSON."""
    from nfsim.cli.summary import plain

    return {
        "scenario": base.title,
        "games": base.games,
        "seed": base.say("seed"),
        "policies": base.seat_policies,
        "tiles_changed": list(names),
        **{name: [plain(row) for row in frame.to_dicts()] for name, frame in frames.items()},
        "tiles": base.say("tiles"),
    }


def print_results(scenario: Scenario, base: Source, frames: Mapping[str, pl.DataFrame], found: Sequence[Part]) -> None:
    """Print a line for each tile, what qualifies them, and whether seats, empires and policies have equal chances."""
    from nfsim.cli.console import print_table, say
    from nfsim.cli.summary import print_run, print_shares, print_tiles
    from nfsim.log.read import load
    from nfsim.studies.balance.page import short_table

    if frames["owned"].is_empty():
        print_run(load(base.folder, content=False))
        _print_chances(found)
        return
    title = f"{scenario.shown_title}: {base.games:,} games an arm, {base.policies}"
    head, rows = short_table(frames["owned"], frames["differences"], frames["prices"], base)
    print_table(head, rows, title=title, right=range(1, len(head)))
    say("Effect: first takers, less the same seats in the same games without the tile. As logged is no effect.")
    say("A → B: with the tile as it is, then with its cost moved. n: games. p: Benjamini–Hochberg.")
    _print_chances(found)
    print_tiles([base])
    print_shares([base.manifest])


def _print_chances(found: Sequence[Part]) -> None:
    """Print what the page says in words about equal chances, if there are several players."""
    from nfsim.cli.console import say

    for part in found:
        if part.chances and part.text:
            say()
            say(part.title, style="bold")
            for text in part.text:
                say(text)
    say()
