"""Mutated Parquet parts, with and without checksums that fit: read, or refused in one sentence; nothing else."""

import io
import json
import shutil
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzz.mutations import TRICKS, contents, play_trick
from fuzz.parquet import parts
from fuzz.runs import forge, make_good, use
from fuzz.sandbox import Sandbox, each_test, fuzzing, one_sandbox  # noqa: F401 - fixtures
from hypothesis import given
from hypothesis import strategies as st
from pyarrow.parquet import encryption

from nfsim.log.verify import MOST_FOREIGN, verify_run

TABLES = ("seats", "seats", "seats", "games", "games", "objectives", "goals", "rounds", "selections", "tiles")
QUICK = ["load", "compare", "run again", "verify"]
PART = "000000000000.parquet"


def prepare(sandbox: Sandbox) -> None:
    make_good(sandbox.base / "good")


def folders(sandbox: Sandbox, kind: str) -> Path:
    """Return a copy of a good run folder, another beside it."""
    work = sandbox.fresh()
    shutil.copytree(sandbox.base / "good" / kind, work / "other")
    return Path(shutil.copytree(sandbox.base / "good" / kind, work / kind))


def forge_checksums(folder: Path) -> None:
    """Let the manifest of a folder say of its parts what they are now."""
    file = folder / "manifest.json"
    file.write_text(json.dumps(forge(json.loads(file.read_text()), folder)))


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
    if table == "objectives" and kind == "three":
        table = "seats"
    folder = folders(sandbox, kind)
    (folder / table / PART).write_bytes(data.draw(parts(good(sandbox, kind, table))))
    forge_checksums(folder)
    sandbox.attempt(f"{how}: part, values", use(folder, kind)[how])


@fuzzing(0.04)
@given(table=st.sampled_from(TABLES), data=st.data(), forged=st.booleans(), how=st.sampled_from(QUICK))
def test_a_part_of_other_bytes_is_read_or_refused(
    sandbox: Sandbox, table: str, data: Any, forged: bool, how: str
) -> None:
    folder = folders(sandbox, "solo")
    (folder / table / PART).write_bytes(data.draw(contents(good(sandbox, "solo", table))))
    if forged:
        forge_checksums(folder)
    outcome = sandbox.attempt(f"{how}: part, bytes", use(folder, "solo")[how])
    assert outcome == "ok" or how != "run again" or forged, "the damaged chunk is played again"


@fuzzing(0.02)
@given(table=st.sampled_from(TABLES), trick=st.sampled_from(TRICKS), how=st.sampled_from(QUICK))
def test_a_part_that_is_no_file_is_refused_or_played_again(sandbox: Sandbox, table: str, trick: str, how: str) -> None:
    folder = folders(sandbox, "solo")
    play_trick(trick, folder / table / PART)
    sandbox.attempt(f"{how}: part, no file", use(folder, "solo")[how])


def encrypted(table: pa.Table, column: str) -> bytes:
    """Return a part with a footer that can be read and a column that cannot."""

    class Keys(encryption.KmsClient):  # type: ignore[misc] # no types published
        def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> str:
            return b64encode(key_bytes).decode()

        def unwrap_key(self, wrapped_key: bytes, master_key_identifier: str) -> bytes:
            return b64decode(wrapped_key)

    factory = encryption.CryptoFactory(lambda _: Keys())
    how = encryption.EncryptionConfiguration("f" * 16, column_keys={"c" * 16: [column]}, plaintext_footer=True)
    sink = io.BytesIO()
    keys = factory.file_encryption_properties(encryption.KmsConnectionConfig(), how)
    pq.write_table(table, sink, encryption_properties=keys)
    return sink.getvalue()


@pytest.mark.parametrize("column", ["game", "score"])
def test_an_encrypted_column_under_a_forged_checksum_is_named_and_ends_no_process(
    sandbox: Sandbox, column: str
) -> None:
    folder = folders(sandbox, "solo")
    part = folder / "seats" / PART
    part.write_bytes(encrypted(pq.read_table(part), column))
    forge_checksums(folder)
    assert sandbox.attempt("verify: part, encrypted", use(folder, "solo")["verify"]) == "damage"
    assert sandbox.attempt("compare: part, encrypted", use(folder, "solo")["compare"]) == "refused"


def test_a_part_with_a_footer_of_many_megabytes_is_refused_before_it_is_read(sandbox: Sandbox) -> None:
    folder = folders(sandbox, "solo")
    part = folder / "seats" / PART
    pq.write_table(pq.read_table(part).replace_schema_metadata({"k": "x" * 11_000_000}), part)
    forge_checksums(folder)
    assert sandbox.attempt("load: part, footer", use(folder, "solo")["load"]) == "refused"
    assert "footer" in sandbox.said
    assert sandbox.attempt("verify: part, footer", use(folder, "solo")["verify"]) == "damage"


def test_of_thousands_of_stray_files_the_first_are_named_and_the_rest_counted(sandbox: Sandbox) -> None:
    folder = folders(sandbox, "solo")
    (folder / "stray").mkdir()
    for number in range(1_000):
        (folder / "stray" / f"{number}.txt").touch()
    *named, rest = verify_run(folder).findings
    assert len(named) == MOST_FOREIGN
    assert rest.problem == f"holds {1_000 - MOST_FOREIGN} more files that are not of this run"
    assert all(finding.foreign for finding in (*named, rest))
