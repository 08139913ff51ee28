"""Mutated Parquet parts, with and without checksums that fit: read, or refused in one sentence; nothing else."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fuzz.mutations import TRICKS, contents, play_trick
from fuzz.parquet import parts
from fuzz.runs import forge, make_good, use
from fuzz.sandbox import Sandbox, fuzzing
from hypothesis import given
from hypothesis import strategies as st

TABLES = ("seats", "seats", "seats", "games", "games", "conditions", "goals", "rounds", "selections", "tiles")
QUICK = ["load", "compare", "run again", "verify"]
PART = "000000000000.parquet"


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = Sandbox(tmp_path_factory.mktemp("parts"))
    make_good(made.base / "good")
    yield made
    made.close()


@pytest.fixture(autouse=True)
def here(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.fresh()
    monkeypatch.chdir(sandbox.work)


def folders(sandbox: Sandbox, kind: str) -> Path:
    """Return a copy of a good run folder, another beside it."""
    work = sandbox.fresh()
    shutil.copytree(sandbox.base / "good" / kind, work / "other")
    return Path(shutil.copytree(sandbox.base / "good" / kind, work / kind))


def good(sandbox: Sandbox, kind: str, table: str) -> bytes:
    return (sandbox.base / "good" / kind / table / PART).read_bytes()


@fuzzing(0.13)
@given(
    kind=st.sampled_from(["solo", "three"]), table=st.sampled_from(TABLES), data=st.data(),
    how=st.sampled_from([*QUICK, "compare", "report, numbers", "report, numbers"]),
)  # fmt: skip
def test_a_part_with_other_rows_and_a_forged_checksum_is_read_or_refused(
    sandbox: Sandbox, kind: str, table: str, data: Any, how: str
) -> None:
    if table == "conditions" and kind == "three":
        table = "seats"
    folder = folders(sandbox, kind)
    (folder / table / PART).write_bytes(data.draw(parts(good(sandbox, kind, table))))
    file = folder / "manifest.json"
    file.write_text(json.dumps(forge(json.loads(file.read_text()), folder)))
    sandbox.attempt(f"{how}: part, values", use(folder, kind)[how])


@fuzzing(0.04)
@given(table=st.sampled_from(TABLES), data=st.data(), forged=st.booleans(), how=st.sampled_from(QUICK))
def test_a_part_of_other_bytes_is_read_or_refused(
    sandbox: Sandbox, table: str, data: Any, forged: bool, how: str
) -> None:
    folder = folders(sandbox, "solo")
    (folder / table / PART).write_bytes(data.draw(contents(good(sandbox, "solo", table))))
    if forged:
        file = folder / "manifest.json"
        file.write_text(json.dumps(forge(json.loads(file.read_text()), folder)))
    outcome = sandbox.attempt(f"{how}: part, bytes", use(folder, "solo")[how])
    assert outcome == "ok" or how != "run again" or forged, "the damaged chunk is played again"


@fuzzing(0.02)
@given(table=st.sampled_from(TABLES), trick=st.sampled_from(TRICKS), how=st.sampled_from(QUICK))
def test_a_part_that_is_no_file_is_refused_or_played_again(sandbox: Sandbox, table: str, trick: str, how: str) -> None:
    folder = folders(sandbox, "solo")
    play_trick(trick, folder / table / PART)
    sandbox.attempt(f"{how}: part, no file", use(folder, "solo")[how])
