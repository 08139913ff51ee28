"""What attacks on long runs found: blocked folders, a source that changes underneath, memory set aside for nothing."""

import contextlib
import errno
import json
import shutil
import threading
import tracemalloc

import filelock
import pytest
from killing import dice, differences

import nfsim
from nfsim.compiled import cache
from nfsim.errors import BadInput
from nfsim.files import read_bytes
from nfsim.log import folder as folder_module
from nfsim.log.verify import verify_run
from nfsim.run import execute
from nfsim.run.execute import run
from nfsim.run.progress import Stopped, Watch
from nfsim.run.provenance import hash_sources


def test_a_disk_that_was_full_when_a_run_began_leaves_a_folder_that_the_same_command_can_use(tmp_path, monkeypatch):
    out = tmp_path / "out"

    def full(path, content, *, lasting=False):
        path.with_name(f"{path.name}.1-ab.tmp").write_bytes(b"")  # that it cannot be removed either is the worst
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(folder_module, "write_atomic", full)
        with pytest.raises(BadInput, match="No space left on device"):
            run(dice("threads"), out, jobs=1)
    assert run(dice("threads"), out, jobs=1).played == dice("threads").games
    assert verify_run(out).findings == []


@pytest.mark.parametrize("left", ["chunks/", "run.json.1-ab.tmp"])
def test_what_a_run_leaves_that_was_killed_before_it_could_say_what_it_is_blocks_nothing(tmp_path, left):
    place = tmp_path / "out" / left
    place.parent.mkdir()
    place.mkdir() if left.endswith("/") else place.write_bytes(b"{")
    assert run(dice("threads"), tmp_path / "out", jobs=1).played == dice("threads").games


@pytest.mark.parametrize("other", ["chunks/000000000000.json", "run.json.tmp.txt", "notes.tmp"])
def test_files_that_no_start_of_a_run_leaves_are_other_files(tmp_path, other):
    place = tmp_path / "out" / other
    place.parent.mkdir(parents=True)
    place.write_bytes(b"{}")
    with pytest.raises(BadInput, match="holds other files and no run"):
        run(dice("threads"), tmp_path / "out", jobs=1)
    assert place.read_bytes() == b"{}"


def test_a_run_killed_while_it_wrote_its_manifest_leaves_nothing_of_that_when_it_has_gone_on(tmp_path, monkeypatch):
    out = tmp_path / "out"

    def killed(folder, manifest):
        (folder.path / "manifest.json.1-ab.tmp").write_bytes(b"{")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(folder_module.RunFolder, "finish", killed)
        with pytest.raises(Exception, match="interrupted"):
            run(dice("threads"), out, jobs=1)
    assert run(dice("threads"), out, jobs=1).played == 0
    assert verify_run(out).findings == []


def test_a_process_goes_on_saying_by_which_source_it_plays_when_the_files_have_changed(tmp_path, monkeypatch):
    package = tmp_path / "nfsim"
    package.mkdir()
    module = package / "rules.py"
    module.write_text("ROUNDS = 10\n")
    monkeypatch.setattr(nfsim, "__file__", str(package / "__init__.py"))
    before = hash_sources(package)
    module.write_text("ROUNDS = 12\n")
    assert hash_sources(package) == before
    assert hash_sources.__wrapped__(package) != before  # what a process says that starts now


def test_a_worker_process_that_has_read_another_source_than_its_parent_plays_nothing(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("nfsim.run.provenance.program", lambda: "as it was when the parent began")
        with pytest.raises(Stopped, match=r"source of nfsim has changed .*: 0 of 12,000 games are kept") as stopped:
            run(dice("processes"), tmp_path / "out", jobs=2)
    assert (stopped.value.exit_code, stopped.value.goes_on) == (1, False)
    assert run(dice("processes"), tmp_path / "out", jobs=1).played == 12_000


def test_reading_a_small_file_takes_little_memory_however_large_it_could_be(tmp_path):
    file = tmp_path / "run.json"
    file.write_bytes(b"{}" * 1_000_000)
    tracemalloc.start()
    try:
        assert len(read_bytes(file, 1_000_000_000, "a file")) == 2_000_000
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("size", "fits"), [(2_500_000, True), (2_500_001, False)])
def test_a_file_is_read_to_the_last_byte_and_not_beyond_its_limit(tmp_path, size, fits):
    file = tmp_path / "large"
    file.write_bytes(bytes(size))
    with contextlib.nullcontext() if fits else pytest.raises(BadInput, match="too large"):
        assert len(read_bytes(file, 2_500_000, "a file")) == size


@pytest.fixture
def played(tmp_path):
    run(dice("threads"), tmp_path / "run", jobs=1)
    return tmp_path / "run"


@pytest.mark.parametrize("arguments", ["report RUN --out PAGE", "replay RUN 0", "compare RUN RUN"])
def test_results_are_not_read_from_a_manifest_that_was_changed_after_the_run(played, arguments, command):
    file = played / "manifest.json"
    told = json.loads(file.read_text())
    file.write_text(json.dumps(told | {"seed": 9, "title": "Another"}))
    places = {"RUN": played, "PAGE": played.parent / "page"}
    code, _, said = command(*(places.get(word, word) for word in arguments.split()))
    assert (code, "manifest.json: was changed after the run" in said) == (2, True)


def test_a_flipped_bit_is_seen_when_a_run_is_opened(played):
    part = next(played.glob("games/*.parquet"))
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    with pytest.raises(BadInput, match="this part was changed: its checksum is another"):
        nfsim.load(played)


def test_a_run_that_has_too_little_memory_says_what_is_kept(tmp_path, command, monkeypatch):
    def greedy(job, chunk, _stop):
        raise MemoryError

    monkeypatch.setattr(execute, "play_chunk", greedy)
    with pytest.raises(Stopped, match=r"not enough memory.*: 0 of .* games are kept in .*; the same command goes on"):
        run(dice("threads"), tmp_path / "run", jobs=1)


@pytest.mark.parametrize("content", [b"", b"\x80\x05X", b"rubbish"])
def test_compiled_code_that_is_damaged_is_named(content, command, monkeypatch):
    """As a disk that was full or a power cut leaves it: numba's index is there, and is cut."""

    def read_index(scenario, *_, **__):
        code = compile(f"import pickle\npickle.loads({content!r})", "numba/core/caching.py", "exec")
        exec(code)

    monkeypatch.setattr("nfsim.run.execute.run", read_index)
    code, _, said = command("run", "solo_campaign1_short", "--games", "1")
    assert code == 1
    assert "\n" not in said.strip()
    assert "compiled code is damaged; remove the folder" in said


def test_a_user_without_home_or_name_keeps_compiled_code_in_a_temporary_folder(tmp_path, monkeypatch, capsys):
    def unknown(*_, **__):
        raise RuntimeError("Could not determine home directory.")  # what pathlib says

    monkeypatch.setattr("platformdirs.user_cache_dir", unknown)
    monkeypatch.delenv("NFSIM_CACHE_DIR", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = cache.open_folder("abc")
    monkeypatch.delenv("NFSIM_CACHE_DIR", raising=False)
    assert folder is not None
    assert tmp_path in folder.parents
    assert "keeping it in" in capsys.readouterr().err


@pytest.mark.parametrize("changed", ["another seed", "a number", "a table left out"])
def test_a_record_that_is_not_as_this_run_wrote_it_is_not_believed(tmp_path, changed):
    class Interrupts(Watch):
        def advanced(self, games):
            raise KeyboardInterrupt

    def begin(out, seed):
        with pytest.raises(Stopped):
            run(dice("threads"), out, jobs=1, seed=seed, watch=Interrupts())
        return out

    out, other = begin(tmp_path / "out", 1), begin(tmp_path / "other", 2)
    record = next((out / "chunks").glob("*.json"))
    told = json.loads(record.read_text())
    if changed == "another seed":
        for file in [*other.rglob("*.parquet"), *other.glob("chunks/*.json")]:
            shutil.copy(file, out / file.relative_to(other))
    elif changed == "a number":
        record.write_text(json.dumps(told | {"wins": told["wins"] + 1}))
    else:
        record.write_text(json.dumps(told | {"parts": told["parts"][1:]}))
    assert run(dice("threads"), out, jobs=1, seed=1).played == dice("threads").games
    run(dice("threads"), tmp_path / "whole", jobs=1, seed=1)
    assert differences(out, tmp_path / "whole") == ""


def test_a_run_that_begins_while_somebody_verifies_the_folder_waits_a_moment(tmp_path, monkeypatch):
    out, scenario, lock_of = tmp_path / "out", dice("threads"), folder_module.lock_of
    out.mkdir()
    with filelock.FileLock(out / ".lock", thread_local=False) as held:

        def asked_for(path):
            threading.Timer(0.5, held.release).start()  # not before: preparing may take longer than that
            return lock_of(path)

        monkeypatch.setattr(folder_module, "GLANCE", 10.0)
        monkeypatch.setattr(folder_module, "lock_of", asked_for)
        assert run(scenario, out, jobs=1).played == scenario.games
