import errno
import hashlib
import json
import os
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from synthetic_runs import write_manifest

import nfsim
from nfsim.contract.tables import Column, Table
from nfsim.errors import BadInput
from nfsim.files import write_atomic
from nfsim.log.folder import RunFolder
from nfsim.log.parts import PartFile, PartWriter, RowOutOfRange
from nfsim.log.records import ChunkRecord, run_key, save_record
from nfsim.log.schema import plan_table

GAME = Column("game", "number", "int64", encoding="delta")
TABLE = Table("rolls", "rolls", "games", (
    GAME, Column("seat", "seat", "int8"), Column("credits", "credits", "int32"), Column("score", "VPs"),
    Column("won", "won", "bool"), Column("action", "action", "label", labels=("explore", "develop")),
    Column("tile", "tile", "label", labels="tile"),
))  # fmt: skip
WORDS = {"tile": ["Gem World", "", "Old Earth", "Gem World"]}
IDENTITY = {"games": 10, "seed": 1}


def rows(n=1000):
    table = np.zeros(n, TABLE.dtype).view(np.recarray)
    table.game, table.seat = np.arange(n) // 2, np.arange(n) % 2
    table.credits, table.score, table.won = np.arange(n) * 1000, -np.arange(n), np.arange(n) % 3 == 0
    table.action, table.tile = np.arange(n) % 3 - 1, np.arange(n) % 4
    return table


@pytest.fixture
def part(tmp_path):
    writer = PartWriter([plan_table(TABLE, WORDS.__getitem__)])
    for start in (0, 400, 1000):
        writer.add({"rolls": rows()[start : start + 600 if start else 400]})
    (written,) = writer.write(tmp_path, "000")
    assert written.rows == 1000
    return tmp_path / written.file


def expected():
    table = rows()
    return {
        **{name: table[name].tolist() for name in ("game", "seat", "credits", "score")},
        "won": table.won.astype(bool).tolist(),
        "action": [(None, "explore", "develop")[code + 1] for code in table.action],
        "tile": [("Gem World", None, "Old Earth", "Gem World")[code] for code in table.tile],
    }


def test_polars_reads_a_part_with_its_labels(part):
    frame = pl.read_parquet(part)
    assert frame.with_columns(pl.col(pl.Categorical).cast(pl.String)).to_dict(as_series=False) == expected()
    assert frame.schema["score"] == pl.Int16
    assert frame.schema["seat"] == pl.Int8


def test_pandas_reads_a_part_with_its_labels(part):
    frame = pd.read_parquet(part)
    assert frame["action"].dtype == "category"
    found = {name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame}
    assert found == expected()


def test_duckdb_reads_a_part_with_its_labels(part):
    found = duckdb.sql(f"select * from '{part}'")
    values = list(zip(*found.fetchall(), strict=True))
    assert {name: list(value) for name, value in zip(found.columns, values, strict=True)} == expected()


@pytest.mark.parametrize(
    ("column", "value"), [("score", 40_000), ("seat", 128), ("seat", -129), ("action", 2), ("won", 2)]
)
def test_a_value_that_does_not_fit_stops_the_run(column, value):
    table = rows(10)
    table[column][3] = value
    with pytest.raises(RowOutOfRange, match=rf"rolls\.{column}: {value} does not fit"):
        PartWriter([plan_table(TABLE, WORDS.__getitem__)]).add({"rolls": table})


def test_a_table_without_rows_gets_no_file(tmp_path):
    writer = PartWriter([plan_table(TABLE, WORDS.__getitem__)])
    writer.add({"rolls": rows(0)})
    assert writer.write(tmp_path, "000") == []
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_complete_or_not_there(tmp_path):
    with pytest.raises(TypeError):
        write_atomic(tmp_path / "x", "text, not bytes")
    assert list(tmp_path.iterdir()) == []
    write_atomic(tmp_path / "x", b"content", lasting=True)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def record(folder, first=0, **changes):
    path = folder / "rolls" / f"{first}.parquet"
    path.parent.mkdir(exist_ok=True)
    pl.DataFrame({"game": range(first, first + 5)}).write_parquet(path)
    content = path.read_bytes()
    part = {"table": "rolls", "file": f"rolls/{first}.parquet", "rows": 5, "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest()}  # fmt: skip
    return ChunkRecord(
        first, 5, [PartFile(**{**part, **changes})], {"finished": 5}, [1], [2], 0.1, run=run_key(IDENTITY)
    )


def test_complete_chunks_are_found_again(tmp_path):
    with RunFolder(tmp_path / "run", IDENTITY) as folder:
        assert folder.start() == {}
        kept = record(folder.path)
        save_record(folder.path, "0", kept)
    with RunFolder(tmp_path / "run", IDENTITY) as folder:
        assert folder.start() == {0: kept}
        assert folder.finished() is None


@pytest.mark.parametrize("damage", ["short", "flipped", "gone", "record"])
def test_a_damaged_chunk_is_not_kept(tmp_path, damage):
    with RunFolder(tmp_path / "run", IDENTITY) as folder:
        folder.start()
        save_record(folder.path, "0", record(folder.path))
        part = folder.path / "rolls" / "0.parquet"
        content = part.read_bytes()
        if damage == "short":
            part.write_bytes(content[:-1])
        elif damage == "flipped":
            part.write_bytes(content[:10] + bytes([content[10] ^ 1]) + content[11:])
        elif damage == "gone":
            part.unlink()
        else:
            (folder.path / "chunks" / "0.json").write_text('{"first": 0')
        assert folder.start() == {}


def test_leftovers_of_a_killed_process_are_removed(tmp_path):
    with RunFolder(tmp_path / "run", IDENTITY) as folder:
        folder.start()
        (folder.path / "rolls").mkdir()
        left = folder.path / "rolls" / "0.parquet.123.tmp"
        left.write_bytes(b"half")
        folder.start()
        assert not left.exists()


def test_another_run_is_refused_and_named(tmp_path):
    with RunFolder(tmp_path / "run", IDENTITY) as folder:
        folder.start()
    with pytest.raises(BadInput, match="seed is 1 there, 2 here"), RunFolder(tmp_path / "run", {**IDENTITY, "seed": 2}):
        pass


def test_one_process_writes_a_folder(tmp_path):
    with RunFolder(tmp_path / "run", IDENTITY), pytest.raises(BadInput, match="another process is writing"):
        RunFolder(tmp_path / "run", IDENTITY).__enter__()
    with RunFolder(tmp_path / "run", IDENTITY):
        pass


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadInput, match="holds other files"), RunFolder(tmp_path, IDENTITY):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(BadInput, match="is a file"), RunFolder(tmp_path / "letter.txt", IDENTITY):
        pass


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left"), "cannot be written (No space left); name another folder"),
        (KeyboardInterrupt(), ""),
    ],
)
def test_a_folder_that_could_not_be_begun_is_not_kept_locked(tmp_path, monkeypatch, error, said):
    def full(*_, **__):
        raise error

    first = RunFolder(tmp_path / "run", IDENTITY)  # is kept: what is collected gives its lock back
    with monkeypatch.context() as patch:
        patch.setattr("nfsim.log.folder.write_atomic", full)
        with pytest.raises((BadInput, KeyboardInterrupt)) as raised:
            first.__enter__()
    assert str(raised.value).partition(": ")[2] == said
    with RunFolder(tmp_path / "run", IDENTITY) as folder:
        assert folder.start() == {}


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="nothing is forbidden to this user")
def test_an_unwritable_folder_is_named(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="cannot be written"), RunFolder(tmp_path / "run", IDENTITY):
        pass


def finished(folder: Path, **changes) -> Path:
    folder.mkdir()
    manifest = {"games": 0, "tables": {"rolls": {"parts": [], "columns": {"game": "int64", "tile": "label"}}}}
    write_manifest(folder, {**manifest, **changes})
    return folder


def test_a_table_without_parts_has_its_columns(tmp_path):
    run = nfsim.load(finished(tmp_path / "run"))
    assert dict(run.rolls.collect().schema) == {"game": pl.Int64, "tile": pl.Categorical}
    assert list(run) == ["rolls"]
    assert len(run) == 1
    with pytest.raises(AttributeError, match="no table 'seats'"):
        run.seats  # noqa: B018


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"123", r"rolls.0\.parquet: this part is cut off: 3 of 20 bytes; run"),
        (b"x" * 20, r"rolls.0\.parquet: this part was changed: its checksum is another; run"),
    ],
)
def test_what_is_wrong_with_a_part_is_said_when_a_run_is_opened(tmp_path, content, words):
    part = {"file": "rolls/0.parquet", "bytes": 20, "sha256": hashlib.sha256(bytes(20)).hexdigest()}
    folder = finished(tmp_path / "run", tables={"rolls": {"parts": [part], "columns": {"game": "int64"}}})
    (folder / "rolls").mkdir()
    (folder / "rolls" / "0.parquet").write_bytes(content)
    with pytest.raises(BadInput, match=words):
        nfsim.load(folder)


def test_a_part_that_no_checksum_is_known_of_must_have_a_footer(tmp_path):
    tables = {"rolls": {"parts": [{"file": "a"}, {"file": "b"}], "columns": {"game": "int64"}}}
    folder = finished(tmp_path / "run", tables=tables)
    pl.DataFrame({"game": [1]}).write_parquet(folder / "a")
    (folder / "b").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(BadInput, match=r"run.b: cannot be read as Parquet"):
        nfsim.load(folder)


@pytest.mark.parametrize(
    ("key", "words"),
    [("format", "format: is missing, and this version of nfsim reads format 2 only"), ("digest", "was changed after")],
)
def test_a_manifest_without_format_or_digest_is_refused(tmp_path, key, words):
    file = finished(tmp_path / "run") / "manifest.json"
    told = json.loads(file.read_text())
    del told[key]
    file.write_text(json.dumps(told))
    with pytest.raises(BadInput, match=words):
        nfsim.load(tmp_path / "run")


@pytest.mark.parametrize("name", ["/etc/passwd", "../x.parquet", "rolls/../../x", "a\\b"])
def test_a_manifest_cannot_point_out_of_its_folder(tmp_path, name):
    tables = {"rolls": {"parts": [{"file": name}], "columns": {"game": "int64"}}}
    with pytest.raises(BadInput, match="outside the folder"):
        nfsim.load(finished(tmp_path / "run", tables=tables))


def test_what_is_no_finished_run_is_said(tmp_path):
    with pytest.raises(BadInput, match="no such folder"):
        nfsim.load(tmp_path / "none")
    with pytest.raises(BadInput, match="not the folder of a run"):
        nfsim.load(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(BadInput, match="not finished"):
        nfsim.load(tmp_path)
    (tmp_path / "manifest.json").write_text("[1")
    with pytest.raises(BadInput, match="is not JSON"):
        nfsim.load(tmp_path)
    write_manifest(tmp_path, {"tables": {"rolls": 3}})
    with pytest.raises(BadInput, match=r"tables\.rolls: must be a table"):
        nfsim.load(tmp_path)
    write_manifest(tmp_path, {"tables": {"r": {"parts": [{"file": "r/0.parquet"}], "columns": {}}}})
    with pytest.raises(BadInput, match="part is missing"):
        nfsim.load(tmp_path)
