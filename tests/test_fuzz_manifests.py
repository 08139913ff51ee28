"""Mutated manifests and other JSON of run folders: each is used, or refused in one sentence; nothing else."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fuzz.mutations import TRICKS, contents, play_trick, to_json, trees
from fuzz.runs import make_good, sealed, use
from fuzz.sandbox import Sandbox, each_test, fuzzing, one_sandbox  # noqa: F401 - fixtures
from hypothesis import given
from hypothesis import strategies as st

QUICK = ["load", "compare", "run again", "replay", "verify"]
FILES = {  # by folder: the file, and what is done with the folder
    "solo": ("manifest.json", [*QUICK, *QUICK, *QUICK, "report, numbers"]),
    "three": ("manifest.json", [*QUICK, *QUICK, *QUICK, "report, numbers"]),
    "going": ("run.json", ["run again", "load", "replay"]),
    "study": ("study.json", ["study"]),
    "campaign": ("manifest.json", ["load", "replay", "compare"]),
    "save": ("game.json", ["resume a saved game"]),
}
MANY = ["solo", "solo", "three", "going", "study", "campaign", "save"]


def prepare(sandbox: Sandbox) -> None:
    make_good(sandbox.base / "good")


def attempt(sandbox: Sandbox, kind: str, how: str, file: str, content: bytes, trick: str = "") -> str:
    """Put a file in a copy of a good folder and do something with it."""
    work = sandbox.fresh()
    folder = Path(shutil.copytree(sandbox.base / "good" / kind, work / kind))
    shutil.copytree(sandbox.base / "good" / ("three" if kind == "three" else "solo"), work / "other")
    (folder / file).write_bytes(content)
    if trick:
        play_trick(trick, folder / file)
    name = "unfinished run" if kind == "going" else file
    return sandbox.attempt(f"{how}: {name}", use(folder, kind if kind == "three" else "solo")[how])


def read(sandbox: Sandbox, kind: str, file: str) -> bytes:
    return (sandbox.base / "good" / kind / file).read_bytes()


@pytest.mark.parametrize(
    ("kind", "how"), [(kind, how) for kind, (_, hows) in FILES.items() for how in dict.fromkeys(hows)]
)
def test_an_untouched_folder_is_used(sandbox: Sandbox, kind: str, how: str) -> None:
    file = FILES[kind][0]
    refused = (kind, how) in {("going", "load"), ("going", "replay"), ("campaign", "compare")}
    outcome = attempt(sandbox, kind, how, file, read(sandbox, kind, file))
    assert outcome == ("refused" if refused else "ok"), sandbox.said


@fuzzing(0.16)
@given(kind=st.sampled_from(MANY), data=st.data())
def test_json_with_other_values_and_keys_is_used_or_refused(sandbox: Sandbox, kind: str, data: Any) -> None:
    file, hows = FILES[kind]
    tree = data.draw(trees(json.loads(read(sandbox, kind, file))))
    how = data.draw(st.sampled_from(hows))
    attempt(sandbox, kind, how, file, to_json(sealed(tree)).encode("utf-8", "surrogatepass"))


@fuzzing(0.04)
@given(kind=st.sampled_from(MANY), data=st.data())
def test_json_of_other_bytes_is_used_or_refused(sandbox: Sandbox, kind: str, data: Any) -> None:
    file, hows = FILES[kind]
    content = data.draw(contents(read(sandbox, kind, file)))
    attempt(sandbox, kind, data.draw(st.sampled_from(hows)), file, content)


@fuzzing(0.04)
@given(data=st.data())
def test_a_mutated_record_of_a_chunk_is_used_or_played_again(sandbox: Sandbox, data: Any) -> None:
    file = "chunks/000000000000.json"
    good = read(sandbox, "going", file)
    content = data.draw(trees(json.loads(good)).map(lambda tree: to_json(sealed(tree)).encode()) | contents(good))
    assert attempt(sandbox, "going", "run again", file, content) == "ok"


@fuzzing(0.03)
@given(kind=st.sampled_from(MANY), trick=st.sampled_from(TRICKS), data=st.data())
def test_what_is_no_file_is_refused(sandbox: Sandbox, kind: str, trick: str, data: Any) -> None:
    file, hows = FILES[kind]
    attempt(sandbox, kind, data.draw(st.sampled_from(hows)), file, b"", trick)


@pytest.mark.parametrize("trick", TRICKS)
def test_a_record_of_a_chunk_that_is_no_file_is_played_again(sandbox: Sandbox, trick: str) -> None:
    outcome = attempt(sandbox, "going", "run again", "chunks/000000000000.json", b"", trick)
    assert outcome == ("damage" if trick == "folder" else "ok"), sandbox.said
