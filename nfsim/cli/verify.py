"""`nfsim verify`: look at every file of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nfsim.cli.options import Json, path

if TYPE_CHECKING:
    from nfsim.log.verify import Verified

AGAIN = "The same command that wrote a run plays what is missing or damaged again, and only that."
FOREIGN = "Files that are not of a run can be moved away."
BROKEN = "A manifest that was changed or cannot be read says nothing for sure"


def command(
    folders: Annotated[list[str], typer.Argument(metavar="DIR", help="Run folders, or folders of runs.")],
    json: Json = False,
) -> None:
    """Look at every file of runs: is it there, whole, readable, and are all games in it.

    DIR is the folder of a run, a study (all its variants), of several campaigns, or any folder of runs. Files are
    compared with their checksums, so that a single changed bit is found; each game must be there once. The columns are
    looked at in finished runs, whose manifests list them. Nothing is changed.
    Exit code 0: all is well; 1: something is missing, damaged, foreign or not finished; 2: there is no run.

    For example:
      nfsim verify runs/solo_campaign1_short
      nfsim verify runs
      nfsim verify runs/one runs/two --json
    """
    from nfsim.cli.console import print_json, say
    from nfsim.cli.progress import watch_run
    from nfsim.log.verify import Finding, verify_run
    from nfsim.studies.study import runs_in

    found: list[Verified] = []
    missing: list[Finding] = []
    remedies: list[str] = []
    for place in dict.fromkeys(path("DIR", folder) for folder in folders):
        runs, problems = runs_in(place, AGAIN)
        for problem in problems:
            missing.append(Finding(str(problem.folder), problem.text))
            remedies.append(problem.remedy)
        for run in runs:
            with watch_run(f"verifying {run.name}", quiet=json, unit="files") as watch:
                found.append(verify_run(run, watch.started, watch.advanced))
    wrong = bool(missing) or any(each.findings for each in found)
    remedies = list(dict.fromkeys([*remedies, *_remedies(found)]))
    if json:
        listed = [vars(finding) for finding in missing]
        runs_listed = [_numbers(each) for each in found]
        about: dict[str, Any] = {"runs": runs_listed, "findings": listed, "remedies": remedies}
        print_json({"ok": not wrong, "exit_code": int(wrong), **about})
        raise typer.Exit(int(wrong))
    for finding in missing:
        say(f"{finding.file}: {finding.problem}")
    for each in found:
        for line in _lines(each):
            say(line)
    for remedy in remedies:
        say(remedy)
    raise typer.Exit(int(wrong))


def _lines(each: Verified) -> list[str]:
    """Return what is said of a run: a line if all is well, or one for each finding."""
    if not each.findings:
        busy = "; another process has it open" if each.locked else ""
        return [
            f"{each.folder}: {each.games:,} {each.unit}, {each.files:,} files, {_size(each.bytes)}: all is well{busy}"
        ]
    lines = [
        f"{each.folder / finding.file if finding.file else each.folder}: {finding.problem}" for finding in each.findings
    ]
    if each.locked:
        lines.append(f"{each.folder}: another process is writing this folder")
    return lines


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _remedies(found: list[Verified]) -> list[str]:
    """Return what to do, each sentence once."""
    from nfsim.log.check import MANIFEST, REPLACE, RUN

    findings = [finding for each in found for finding in each.findings]
    broken = any(finding.file in (MANIFEST, RUN) for finding in findings)
    foreign = any(finding.foreign for finding in findings)
    again = any(finding.file not in (MANIFEST, RUN) and not finding.foreign for finding in findings)
    return [text for text, said in ((AGAIN, again), (FOREIGN, foreign), (f"{BROKEN}: {REPLACE}.", broken)) if said]


def _numbers(each: Verified) -> dict[str, Any]:
    """Return the same for JSON."""
    return {**vars(each), "folder": str(each.folder), "findings": [vars(finding) for finding in each.findings]}
