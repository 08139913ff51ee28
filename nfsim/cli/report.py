"""`nfsim report`: a page about one or more finished runs."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json


def command(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Folders of finished runs.")],
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder for the report [default: reports/<first run>].")
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
    from nfsim.errors import BadInput
    from nfsim.report.build import build_report

    if out == "":
        raise BadInput("--out", "", "must name a folder")
    folders = [Path(run) for run in runs]
    page = build_report(folders, Path(out) if out is not None else Path("reports", folders[0].resolve().name))
    if json:
        print_json({"ok": True, "exit_code": 0, "report": str(page)})
    else:
        say(f"Report: {page}")
