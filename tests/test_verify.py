"""`nfsim verify`: every file that is not as it was written is named, and nothing else is."""

import json
import re
import shutil
from dataclasses import replace

import filelock
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from killing import dice
from synthetic_runs import write_manifest

from nfsim.errors import BadInput
from nfsim.log.folder import RunFolder
from nfsim.log.parts import chunk_name, sha256
from nfsim.log.records import save_record, saved_records
from nfsim.log.verify import verify_run
from nfsim.run.execute import run
from nfsim.run.options import Options
from nfsim.run.progress import Stopped, Watch
from nfsim.studies.study import Variant, play_variants

CHANGED = "was changed since it was written: its digest is another"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "whole"
    run(dice("threads"), folder, jobs=1)
    return folder


@pytest.fixture
def out(whole, tmp_path):
    folder = tmp_path / "out"
    shutil.copytree(whole, folder)
    return folder


def found(folder):
    return {finding.file: finding.problem for finding in verify_run(folder).findings}


def test_a_whole_run_is_fine(whole, command):
    each = verify_run(whole)
    assert (each.findings, each.games, each.files, each.finished, each.locked) == ([], 80_000, 24, True, False)
    code, text, _ = command("verify", whole)
    assert code == 0
    assert "80,000 games, 24 files" in text
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda part: part.unlink(), "is missing"),
        (lambda part: part.write_bytes(part.read_bytes()[:-7]), "is cut off"),
        (lambda part: part.write_bytes(part.read_bytes() + b"more"), "bytes, not"),
        (lambda part: part.write_bytes(bytes([part.read_bytes()[0] ^ 1]) + part.read_bytes()[1:]), "checksum"),
    ],
    ids=["missing", "truncated", "longer", "a flipped bit"],
)
def test_a_damaged_part_is_named_alone(out, damage, words, command):
    damage(out / "seats" / "000000020000.parquet")
    (name, problem), *others = found(out).items()
    assert (name, others) == ("seats/000000020000.parquet", [])
    assert words in problem
    assert verify_run(out).games == 70_000
    code, text, _ = command("verify", out)
    assert code == 1
    assert str(out / name) in text
    assert "plays what is missing or damaged again, and only that" in text


def test_a_file_that_is_none_of_the_runs_is_named(out):
    (out / "seats" / "000000999999.parquet").write_bytes(b"")
    (out / "notes.txt").write_text("dear")
    assert found(out) == dict.fromkeys(["seats/000000999999.parquet", "notes.txt"], "is not a file of this run")


def test_records_that_a_finished_run_does_not_need_are_none_of_its_files(out):
    (out / "chunks").mkdir()
    (out / "chunks" / "notes.txt").write_text("dear")
    (finding,) = verify_run(out).findings
    assert (finding.file, finding.foreign) == ("chunks/notes.txt", True)


def rewritten(out, table, change):
    """Replace a part by other contents, and the manifest's word of it: no checksum tells."""
    part = out / table / "000000020000.parquet"
    pq.write_table(change(pq.read_table(part)), part)
    manifest = json.loads((out / "manifest.json").read_text())
    for listed in manifest["tables"][table]["parts"]:
        if listed["file"] == f"{table}/{part.name}":
            listed |= {"bytes": part.stat().st_size, "sha256": sha256(part)}
    write_manifest(out, manifest)
    return f"{table}/{part.name}"


@pytest.mark.parametrize(
    ("table", "change", "words"),
    [
        ("games", lambda rows: rows.slice(1), "has 9,999 rows, not 10,000"),
        ("seats", lambda rows: rows.drop_columns(["score"]), "has other columns: score"),
        ("seats", lambda rows: rows.select(rows.column_names[::-1]), "has its columns in another order"),
        (
            "seats",
            lambda rows: rows.set_column(3, "score", rows["score"].cast(pa.int64())),
            "has score as int64, not as int16",
        ),
        ("games", lambda rows: rows.take([0, *range(9_999)]), "does not hold games 20,000 to 29,999, each once"),
        ("seats", lambda rows: rows.set_column(0, "game", pc.add(rows["game"], 1)), "holds games 20,001 to 30,000"),
    ],
)
def test_contents_are_compared_with_the_manifest(out, table, change, words):
    name = rewritten(out, table, change)
    findings = found(out)
    assert list(findings) == [name]
    assert words in findings[name]


def test_what_is_no_parquet_is_said_so(out):
    part = out / "games" / "000000020000.parquet"
    rewritten(out, "games", lambda rows: rows)
    manifest = json.loads((out / "manifest.json").read_text())
    part.write_bytes(b"PAR1 and nothing else PAR1")
    listed = manifest["tables"]["games"]["parts"][2]
    listed |= {"bytes": part.stat().st_size, "sha256": sha256(part)}
    write_manifest(out, manifest)
    assert "cannot be read as Parquet" in found(out)["games/000000020000.parquet"]


def changed_manifest(out, change):
    manifest = json.loads((out / "manifest.json").read_text())
    change(manifest)
    (out / "manifest.json").write_text(json.dumps(manifest))
    return [finding.problem for finding in verify_run(out).findings if finding.file == "manifest.json"]


def test_games_that_no_part_has_are_named(out):
    problems = changed_manifest(out, lambda manifest: manifest["tables"]["games"]["parts"].pop(3))
    assert "games 30,000 to 39,999 are in no part" in problems
    assert any("digest" in problem for problem in problems)


def test_games_listed_twice_are_named(out):
    parts = "tables", "games", "parts"
    problems = changed_manifest(out, lambda m: m[parts[0]][parts[1]][parts[2]].append(m["tables"]["games"]["parts"][0]))
    assert any("games 0 to 9,999 are listed twice" in problem for problem in problems)


def test_a_manifest_that_cannot_be_read_is_named(out, command):
    (out / "manifest.json").write_text('{"format": 2, "games": ')
    code, text, _ = command("verify", out)
    assert code == 1
    assert "manifest.json: is not JSON" in text
    assert "remove that folder and run again" in text


def test_a_manifest_without_its_digest_is_named_and_all_is_played_again(out, command):
    assert changed_manifest(out, lambda manifest: manifest.pop("digest")) == [CHANGED]
    assert command("verify", out)[0] == 1
    assert run(dice("threads"), out, jobs=1).played == 80_000


def test_of_a_changed_manifest_no_part_is_read_before_all_is_played_again(out, monkeypatch):
    changed_manifest(out, lambda manifest: manifest.update(title="another"))
    monkeypatch.setattr("nfsim.log.parts.sha256", lambda _: pytest.fail("a checksum that nobody asks for"))
    with RunFolder(out, json.loads((out / "manifest.json").read_text())["identity"]) as folder:
        assert folder.finished() is None


def test_games_that_a_manifest_does_not_list_are_played(out):
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["chunks"].pop(3)
    for table in manifest["tables"].values():
        table["parts"].pop(3)
    write_manifest(out, manifest)
    assert run(dice("threads"), out, jobs=1).played == 10_000
    assert found(out) == {}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda manifest: manifest["tables"]["seats"].update(rows="x"), "tables.seats.rows: must be a whole number"),
        (lambda manifest: manifest["chunks"][1].update(first="abc"), "chunks.1.first: must be a whole number"),
        (lambda manifest: manifest["chunks"][1].update(first=[]), "chunks.1.first: must be a whole number"),
        (lambda manifest: manifest["chunks"][1].pop("games"), "chunks.1.games: is missing"),
    ],
    ids=["rows", "first game", "a list for the first game", "no games"],
)
def test_a_manifest_with_values_of_other_types_is_named_and_nothing_is_played(out, change, words):
    (problem,) = changed_manifest(out, change)
    assert words in problem
    with pytest.raises(BadInput, match=re.escape(words)):
        run(dice("threads"), out, jobs=1)


def test_a_manifest_without_a_number_of_rows_is_taken_for_changed_only(out):
    (problem,) = changed_manifest(out, lambda manifest: manifest["tables"]["seats"].update(rows=None))
    assert problem == CHANGED


class StopAfter(Watch):
    def __init__(self, chunks):
        self.left = chunks

    def advanced(self, games):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_an_unfinished_run_says_how_many_games_are_there(tmp_path, command):
    with pytest.raises(Stopped):
        run(dice("threads"), tmp_path / "out", jobs=1, watch=StopAfter(3))
    code, text, _ = command("verify", tmp_path / "out")
    assert code == 1
    assert "is not finished: 30,000 of 80,000 games are there" in text
    (tmp_path / "out" / "seats" / "000000010000.parquet").unlink()
    (tmp_path / "out" / "chunks" / "000000020000.json").write_text("{")
    assert found(tmp_path / "out") == {
        "": "is not finished: 10,000 of 80,000 games are there",
        "seats/000000010000.parquet": "is missing",
        "chunks/000000020000.json": "is not the record of a chunk of this run as it was written",
    }


def test_games_of_an_unfinished_run_are_looked_at_by_number(tmp_path):
    with pytest.raises(Stopped):
        run(dice("threads"), tmp_path / "out", jobs=1, watch=StopAfter(3))
    folder = tmp_path / "out"
    identity = json.loads((folder / "run.json").read_text())["identity"]
    for record in [*saved_records(folder, identity)][1:]:
        table = {10_000: "games", 20_000: "seats"}[record.first]
        part = folder / table / f"{chunk_name(record.first)}.parquet"
        rows = pq.read_table(part)
        pq.write_table(rows.set_column(0, "game", pc.add(rows["game"], 1)), part)
        told = {"bytes": part.stat().st_size, "sha256": sha256(part)}
        parts = [replace(each, **told) if each.table == table else each for each in record.parts]
        save_record(folder, chunk_name(record.first), replace(record, parts=parts))
    assert found(folder) == {
        "": "is not finished: 10,000 of 80,000 games are there",
        "games/000000010000.parquet": "does not hold games 10,000 to 19,999, each once and in order",
        "seats/000000020000.parquet": "holds games 20,001 to 30,000, not 20,000 to 29,999",
    }


def test_another_process_at_work_is_told(out, command):
    with filelock.FileLock(out / ".lock"):
        assert verify_run(out).locked
        assert "another process has it open" in command("verify", out)[1]
    assert not verify_run(out).locked


def test_every_variant_of_a_study_is_verified(tmp_path, command):
    scenario = dice("processes")
    variants = [Variant(scenario, {"who": "one"}), Variant(scenario, {"who": "two"})]

    class Silent(Watch):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    play_variants(variants, tmp_path / "study", Options(1, 1, watching=lambda *_: Silent()))
    code, text, _ = command("verify", tmp_path / "study")
    assert (code, len(text.splitlines())) == (0, 2)
    next((tmp_path / "study" / "runs" / "two" / "games").iterdir()).unlink()
    assert command("verify", tmp_path / "study")[0] == 1
    shutil.rmtree(tmp_path / "study" / "runs" / "two")
    code, text, _ = command("verify", tmp_path / "study")
    assert code == 1
    assert "these variants of the study are missing: two" in text
    (tmp_path / "study" / "study.json").unlink()
    assert "the study is not finished" in command("verify", tmp_path / "study")[1]


def test_a_folder_of_runs_is_verified_run_by_run_and_json_is_one_object(out, command):
    shutil.copytree(out, out.parent / "other")
    (out / "games" / "000000000000.parquet").unlink()
    code, text, _ = command("verify", out.parent, "--json")
    said = json.loads(text)
    assert (code, said["ok"], said["exit_code"]) == (1, False, 1)
    assert [(each["folder"], len(each["findings"])) for each in said["runs"]] == [
        (str(out.parent / "other"), 0),
        (str(out), 1),
    ]
    missing = {"file": "games/000000000000.parquet", "problem": "is missing", "foreign": False}
    assert said["runs"][1]["findings"] == [missing]


@pytest.mark.parametrize("what", ["empty", "none"])
def test_where_there_is_no_run_the_exit_code_is_2(tmp_path, what, command):
    (tmp_path / "empty").mkdir()
    code, text, error = command("verify", tmp_path / what)
    assert (code, text) == (2, "")
    assert what in error


def test_nothing_in_the_folder_is_changed(out):
    (out / ".lock").unlink(missing_ok=True)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    verify_run(out)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_runs_are_looked_at_however_deep_they_lie(out, tmp_path, command):
    deep = tmp_path / "deep" / "a" / "b"
    shutil.copytree(out, deep / "run")
    part = next((deep / "run" / "games").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-1])
    code, text, _ = command("verify", tmp_path / "deep")
    assert code == 1
    assert part.name in text


def test_tables_whose_manifest_is_lost_are_named_and_not_called_well(out, tmp_path, command):
    shutil.copytree(out, tmp_path / "runs" / "whole")
    shutil.copytree(out, tmp_path / "runs" / "lost")
    (tmp_path / "runs" / "lost" / "manifest.json").unlink()
    code, text, _ = command("verify", tmp_path / "runs")
    assert code == 1
    assert "lost: holds tables of a run, but its manifest.json is missing" in text


def test_what_a_desktop_leaves_in_a_folder_is_no_fault(out, command):
    for name in (".DS_Store", "games/._000000000000.parquet", "Thumbs.db"):
        (out / name).write_bytes(b"x")
    code, text, _ = command("verify", out)
    assert (code, "all is well" in text) == (0, True)
