"""`nfsim report`: a page about one or more finished runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def command(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Folders of finished runs.")],
    out: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", help="Folder for the report [default: reports/<run>, or reports/<first>_vs_<last>]."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a report: one HTML page that needs nothing else, the same in Markdown, and the numbers as CSV.

    Runs of the same solo campaign, or of the same number of players, are compared with each other.

    For example:
      nfsim report runs/solo_campaign1_short runs/solo_campaign1_long --out reports/lengths
    """
    from pathlib import Path

    from nfsim.cli.console import print_json, say
    from nfsim.report.build import build_report
    from nfsim.report.page import HTML

    folders = [path("RUN", run) for run in runs]
    folder = path("--out", out) if out is not None else Path("reports", default_name(folders))
    replaced = (folder / HTML).exists()
    page = build_report(folders, folder)
    if json:
        print_json({"ok": True, "exit_code": 0, "report": str(page), "replaced": replaced})
    else:
        say(f"Report: {page}{' (replaced)' if replaced else ''}")


def default_name(folders: Sequence[Path]) -> str:
    """Return the name of a report's folder: its run's, or those of the first and the last of several runs."""
    from nfsim.files import real

    found = list(dict.fromkeys(real(folder) for folder in folders))
    return found[0].name if len(found) == 1 else f"{found[0].name}_vs_{found[-1].name}"
