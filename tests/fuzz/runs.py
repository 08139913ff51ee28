"""Good run folders, kept in memory, and what can be done with a run folder."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import nfsim
from nfsim.contract.rule_set import load_rule_set
from nfsim.log import check
from nfsim.log.records import listed_records, save_record
from nfsim.report.build import build_report, parts_of, read_all
from nfsim.report.source import read
from nfsim.run import saved_games
from nfsim.run.execute import run
from nfsim.run.options import Options
from nfsim.run.replay import transcript
from nfsim.run.scenario import read_scenario
from nfsim.run.session import Session
from nfsim.studies.campaign.replay import transcript as campaign_transcript
from nfsim.studies.campaign.trials import Asked, make_trials, play_trial
from nfsim.studies.compare.numbers import compare
from nfsim.studies.study import Variant, play_variants

SCENARIOS = {"solo": "solo_campaign1_short", "three": "rift_3p"}
GAMES = 12


def scenario(name: str) -> Any:
    """Return the scenario of a run folder."""
    return read_scenario(SCENARIOS[name], overrides={"games": GAMES})


def make_good(base: Path) -> Path:
    """Make one folder of each kind: runs, one under way, a study, a campaign, a saved game."""
    for name in SCENARIOS:
        run(scenario(name), base / name, jobs=1, level="tiles")
    solo, going = base / "solo", base / "going"
    shutil.copytree(solo, going)
    manifest = json.loads((solo / check.MANIFEST).read_text())
    (going / check.MANIFEST).unlink()
    (going / check.RUN).write_text(json.dumps({"format": manifest["format"], "identity": manifest["identity"]}))
    (going / "chunks").mkdir()
    (record,) = listed_records(manifest)
    save_record(going, "000000000000", record)
    variants = [
        Variant(read_scenario(SCENARIOS["solo"], [f"setup.rounds={n}"], {"games": 4}), {"rounds": str(n)})
        for n in (9, 10)
    ]
    play_variants(variants, base / "study", Options(1, 1))
    rule_set = load_rule_set("new_frontiers")
    (trial,) = make_trials(Asked(rule_set, rule_set.campaigns[:1], rule_set.lengths[:1], "balanced", chip=True))
    play_trial(trial, base / "campaign", 5, 20, Options(1, 1))
    session = Session(scenario("solo"), 1, 0)
    for _ in range(5):
        session.choose(0)
    saved_games.save(session, base / "save" / "game.json")
    return base


def forge(manifest: Any, folder: Path) -> Any:
    """Give a manifest the sizes and checksums of what lies in the folder now, and its own checksum."""
    for table in manifest["tables"].values():
        for part in table["parts"]:
            content = (folder / part["file"]).read_bytes()
            part |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return sealed(manifest)


def sealed(told: Any) -> Any:
    """Give a manifest or record its own checksum, as somebody would who changes it with intent."""
    if isinstance(told, dict) and isinstance(told.get("digest"), str):
        told["digest"] = check.digest_of(json.loads(json.dumps(told, default=str)))
    return told


def use(folder: Path, name: str) -> dict[str, Callable[[], object]]:
    """Return what a user can do with a folder, by the name of the command."""
    other = folder.parent / "other"

    def tables() -> int:
        for table in nfsim.load(folder, content=True).values():
            try:
                table.collect(engine="streaming")
            except pl.exceptions.PolarsError:  # pages that are damaged under a forged checksum: polars says so
                return 1
        return 0

    def analysis() -> None:
        for group in read_all([folder]):
            parts_of(group)

    def again() -> None:
        run(scenario(name), folder, jobs=1, level="tiles")
        nfsim.load(folder, content=True)

    def replay() -> None:
        if "chances" in check.read_manifest(folder):
            warnings, lines = campaign_transcript(nfsim.load(folder), 3)
        else:
            warnings, lines = transcript(folder, 3)
        assert all(isinstance(text, str) for text in (*warnings, *lines))

    def study() -> None:
        for each in nfsim.study(folder).values():
            each.seats.select(pl.len()).collect()

    return {
        "load": tables,
        "report, numbers": analysis,
        "report": lambda: build_report([folder], Path("report")),
        "compare": lambda: compare(read(folder), read(other)),
        "run again": again,
        "replay": replay,
        "study": study,
        "resume a saved game": lambda: saved_games.resume(folder / "game.json", lambda _: None),
        "verify": lambda: verify(folder),
    }


def verify(folder: Path) -> int:
    """Return the exit code of ``nfsim verify``."""
    from nfsim.cli import main

    return main(["verify", os.fspath(folder)])
