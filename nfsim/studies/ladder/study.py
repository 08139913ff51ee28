"""The study behind `nfsim ladder`: its games played, the numbers, the files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nfsim.report.formatting import integer
from nfsim.report.page import try_folder
from nfsim.run.options import Options
from nfsim.run.provenance import policy_notes
from nfsim.run.scenario import Scenario
from nfsim.studies.ladder.games import FOLDER, KeptBatches, Ladder, check_ladder, play_ladder
from nfsim.studies.ladder.solo_ladder import rungs
from nfsim.studies.ladder.standings import Frames, alike, standings
from nfsim.studies.results import plain


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes
    ----------
    scenario : Scenario
    ladder : Ladder
    seed : int
    frames : dict of str to DataFrame
        As `rungs` of one player, as `standings` of several.
    about : str
        What was played, in a line.
    share : mapping
        Where the records of the game come from.
    files : list of Path
    """

    scenario: Scenario
    ladder: Ladder
    seed: int
    frames: Frames
    about: str
    share: Mapping[str, Any]
    files: list[Path] = field(default_factory=list)


def study_ladder(
    scenario: Scenario, policies: Sequence[str], out: Path | None, options: Options, *, aim: bool = True
) -> Found:
    """Play a ladder, or what is missing of it, and write its files.

    Parameters
    ----------
    scenario : Scenario
        Its games are the deals.
    policies : sequence of str
        Names and files, the weakest first.
    out : Path or None
        Where to; None: nothing is kept.
    options : Options
        Its cluster says nothing: this machine plays.
    aim : bool
        As for `nfsim.studies.ladder.games.play_ladder`.
    """
    players = check_ladder(scenario, policies)
    if out is not None:
        try_folder(out)
    for text in policy_notes(scenario, players):
        options.note(text)
    kept = KeptBatches(None if out is None else out / FOLDER)
    with options.watching(scenario.shown_title, "games") as watch:
        ladder = play_ladder(scenario, players, options.seed, aim=aim, jobs=options.jobs, watch=watch, kept=kept)
    rule_set, prepared = scenario.rule_set, scenario.prepared
    if ladder.seats == 1:
        frames = rungs(ladder, rule_set.objectives(prepared), rule_set.words)
    else:
        frames = standings(ladder, options.seed)
    about = f"{scenario.shown_title}: {integer(ladder.deals)} deals, seed {options.seed}"
    found = Found(scenario, ladder, options.seed, frames, about, rule_set.provenance(prepared))
    if out is not None:
        found.files.extend(_write(found, out))
        kept.remove()
    return found


def numbers_of(found: Found) -> dict[str, Any]:
    """Return everything as one object for JSON."""
    scenario, ladder = found.scenario, found.ladder
    hashed = scenario.prepared.tile_hash
    return {
        "title": scenario.title,
        "changes": list(scenario.changes),
        "scenario": scenario.resolved | {"policy": list(ladder.policies)},
        "seed": found.seed,
        "players": ladder.seats,
        "policies": list(ladder.policies),
        "deals": ladder.deals,
        "unfinished": ladder.unfinished,
        "aimed": bool(ladder.aimed),
        "identical": [list(pair) for pair in alike(ladder)],
        "tiles": {
            "set": scenario.resolved.get("tiles") or scenario.rule_set.title,
            "hash": hashed,
            "share": found.share,
        },
        **{name: [plain(row) for row in frame.to_dicts()] for name, frame in found.frames.items()},
    }


def _write(found: Found, out: Path) -> list[Path]:
    from nfsim.report.head import percentage, stamp
    from nfsim.studies.ladder.page import rungs_picture, win_matrix_picture, write_files

    names, words = found.ladder.policies, found.scenario.rule_set.words
    if found.ladder.seats == 1:
        picture = rungs_picture(found.frames["rungs"], found.about, words)
    else:
        picture = win_matrix_picture(found.frames["pairs"], names, found.about)
    percent = f"{percentage(found.share)} %" if found.share["total"] else ""
    below = stamp([f"policies {', '.join(names)}"], percent, words)
    numbers = {"ok": True, "exit_code": 0, **numbers_of(found)}
    return write_files(out, found.frames, numbers, picture, below)
