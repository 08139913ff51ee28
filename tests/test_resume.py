"""Whatever ends a run, or damages it afterwards: the next one plays what is missing, and the tables are the same."""

import errno
import os
import random
import shutil
import sys
import time
from pathlib import Path

import pytest
from disks import disk, enlarge, mounted
from killing import Dies, dice, differences, kill, kill_worker, start, wait_for, workers

from nfsim.cli import main
from nfsim.errors import BadInput
from nfsim.log import parts as parts_module
from nfsim.run.execute import run
from nfsim.run.progress import Stopped

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Undisturbed runs, by kind."""
    folder = tmp_path_factory.mktemp("whole")
    for kind in ("threads", "processes"):
        run(dice(kind), folder / kind, jobs=1)
    return folder


@pytest.mark.parametrize(
    ("kind", "number"), [("threads", 1), pytest.param("threads", 2, marks=pytest.mark.soak), ("processes", 3)]
)
def test_a_run_killed_at_a_random_moment_goes_on_to_the_same_tables(tmp_path, whole, kind, number):
    out = tmp_path / "out"
    victim = start(kind, out)
    wait_for((out / "run.json").is_file, victim)
    time.sleep(random.Random(number).uniform(0.0, 1.0 if kind == "threads" else 2.5))
    kill(victim)
    assert not (out / "manifest.json").exists()
    assert run(dice(kind), out, jobs=1).played > 0
    assert differences(out, whole / kind) == ""


@pytest.mark.soak
def test_a_worker_killed_at_a_random_moment_is_replaced(tmp_path, whole):
    out = tmp_path / "out"
    process = start("processes", out)
    wait_for(lambda: workers(process), process)
    assert kill_worker(process, random.Random(1), 1.0)
    assert process.wait(60) == 0
    assert process.stderr.read() == ""
    assert differences(out, whole / "processes") == ""


@pytest.mark.soak
def test_a_run_whose_workers_always_end_stops_in_one_sentence_and_can_go_on(tmp_path, whole):
    words = r"a worker process was ended from outside, or crashed, 3 times in a row; .*: 0 of 12,000 games are kept"
    with pytest.raises(Stopped, match=words) as stopped:
        run(dice("processes", Dies), tmp_path / "out", jobs=2)
    assert (stopped.value.exit_code, stopped.value.goes_on) == (1, True)
    assert run(dice("processes"), tmp_path / "out", jobs=1).played == 12_000
    assert differences(tmp_path / "out", whole / "processes") == ""


def test_a_second_process_is_refused_and_a_killed_one_leaves_no_lock(tmp_path, whole):
    out = tmp_path / "out"
    first = start("threads", out)
    wait_for((out / "run.json").is_file, first)
    with pytest.raises(BadInput, match="another process is writing this folder"):
        run(dice("threads"), out, jobs=1)
    kill(first)
    run(dice("threads"), out, jobs=1)
    assert differences(out, whole / "threads") == ""


def damage(part, how):
    """Damage a part."""
    content = bytearray(part.read_bytes())
    if how == "removed":
        part.unlink()
    elif how == "truncated":
        part.write_bytes(content[: len(content) // 2])
    elif how == "emptied":
        part.write_bytes(b"")
    else:
        content[len(content) // 2] ^= 16
        part.write_bytes(content)


@pytest.mark.parametrize("how", ["removed", "truncated", "emptied", "a flipped bit"])
def test_only_damaged_chunks_of_a_finished_run_are_played_again(tmp_path, whole, how):
    out = tmp_path / "out"
    shutil.copytree(whole / "threads", out)
    damage(sorted((out / "rounds").iterdir())[2], how)
    damage(sorted((out / "seats").iterdir())[2], how)
    damage(sorted((out / "games").iterdir())[5], how)
    untouched = sorted((out / "games").iterdir())[0]
    before = untouched.stat().st_mtime_ns
    assert run(dice("threads"), out, jobs=1).played == 20_000
    assert untouched.stat().st_mtime_ns == before
    assert differences(out, whole / "threads") == ""


def test_only_damaged_chunks_of_an_unfinished_run_are_played_again(tmp_path, whole):
    out = tmp_path / "out"
    victim = start("threads", out)
    wait_for(lambda: len(list(out.glob("chunks/*.json"))) > 2, victim)
    kill(victim)
    complete = sorted(out.glob("chunks/*.json"))
    damage(out / "seats" / f"{complete[1].stem}.parquet", "a flipped bit")
    assert run(dice("threads"), out, jobs=1).played == 80_000 - 10_000 * (len(complete) - 1)
    assert differences(out, whole / "threads") == ""


def test_a_repair_that_is_killed_loses_nothing(tmp_path, whole):
    out = tmp_path / "out"
    shutil.copytree(whole / "threads", out)
    for part in sorted((out / "games").iterdir())[4:]:
        part.unlink()
    victim = start("threads", out, jobs=1)
    wait_for(lambda: len(list(out.glob("chunks/*.json"))) == 5, victim)
    kill(victim)
    assert run(dice("threads"), out, jobs=1).played <= 30_000
    assert differences(out, whole / "threads") == ""


def test_a_manifest_that_was_changed_is_not_believed(tmp_path, whole):
    out = tmp_path / "out"
    shutil.copytree(whole / "threads", out)
    manifest = out / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"rounds": {', '"roumds": {', 1), "utf-8")
    assert run(dice("threads"), out, jobs=1).played == 80_000
    assert differences(out, whole / "threads") == ""


@pytest.fixture
def small_disk(tmp_path):
    with disk(tmp_path / "disk", "160k") as folder:
        yield folder


def test_a_full_disk_keeps_what_is_complete_and_the_run_goes_on_when_there_is_room(small_disk, whole):
    with pytest.raises(Stopped, match=r"No space left on device\): [\d,]+ of 80,000 games are kept") as stopped:
        run(dice("threads"), small_disk / "out", jobs=2)
    assert stopped.value.exit_code == 1
    assert 0 < stopped.value.kept < 80_000
    enlarge(small_disk)
    assert run(dice("threads"), small_disk / "out", jobs=1).played == 80_000 - stopped.value.kept
    assert differences(small_disk / "out", whole / "threads") == ""


def test_a_read_only_disk_is_named_and_a_finished_run_on_it_can_be_verified(small_disk, whole, command):
    shutil.copytree(whole / "processes", small_disk / "out")
    mounted(small_disk, "-o", "remount,ro")
    with pytest.raises(BadInput, match=r"new.* cannot be written \(Read-only file system\)"):
        run(dice("processes"), small_disk / "new", jobs=1)
    code, out, _ = command("verify", small_disk / "out")
    assert (code, "all is well" in out) == (0, True)


def test_a_part_that_cannot_be_written_stops_the_run_in_one_sentence(tmp_path, monkeypatch, whole):
    written = []

    def full(path, content, **options):
        if len(written) == 9:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        write(path, content, **options)

    write = parts_module.write_atomic
    with monkeypatch.context() as patch:
        patch.setattr(parts_module, "write_atomic", full)
        with pytest.raises(Stopped, match=r"30,000 of 80,000 games are kept .*; the same command goes on from there"):
            run(dice("threads"), tmp_path / "out", jobs=1)
    run(dice("threads"), tmp_path / "out", jobs=1)
    assert differences(tmp_path / "out", whole / "threads") == ""


DICE = 'game = "fake"\ngames = 60000\npolicy = "roll"\n[setup]\nseats = 2\n'


def test_an_interruption_names_the_whole_command_in_text_and_json(tmp_path, monkeypatch, command):
    dice("threads")  # registered
    monkeypatch.chdir(tmp_path)
    Path("my dice.toml").write_text(DICE, "utf-8")
    monkeypatch.setattr("nfsim.cli.progress._Quiet.advanced", interrupt)
    code, out, error = command("run", "my dice.toml", "--jobs", "1", "--out", "out")
    assert (code, out) == (130, "")
    assert error == (
        "nfsim: interrupted: 10,000 of 60,000 games are kept in out; the same command goes on from there: "
        "nfsim run 'my dice.toml' --jobs 1 --out out\n"
    )
    code, out, _ = command("run", "my dice.toml", "--jobs", "1", "--out", "out", "--json")
    said = json_of(out)
    assert (code, said["exit_code"], said["kept"], said["games"], said["folder"]) == (130, 130, 20_000, 60_000, "out")


def test_with_json_a_run_that_breaks_prints_one_object_too(tmp_path, monkeypatch, capsys):
    dice("threads")
    monkeypatch.chdir(tmp_path)
    Path("dice.toml").write_text(DICE, "utf-8")

    def breaks(*_):
        raise RuntimeError("no such luck")

    monkeypatch.setattr("nfsim.cli.progress._Quiet.advanced", breaks)
    with pytest.raises(RuntimeError):
        main(["run", "dice.toml", "--jobs", "1", "--json"])
    assert json_of(capsys.readouterr().out) == {"ok": False, "error": "RuntimeError: no such luck", "exit_code": 1}


def interrupt(*_):
    raise KeyboardInterrupt


def json_of(text):
    import json

    (line,) = text.splitlines()
    return json.loads(line)
