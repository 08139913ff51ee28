"""What attacks on long runs found: blocked folders, a source that changes underneath, memory set aside for nothing."""

import contextlib
import errno
import tracemalloc

import pytest
from killing import dice

import nfsim
from nfsim.errors import BadInput
from nfsim.files import read_bytes
from nfsim.log import folder as folder_module
from nfsim.log.verify import verify_run
from nfsim.run.about import hash_sources
from nfsim.run.execute import run
from nfsim.run.watching import Stopped


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
        patch.setattr("nfsim.run.about.program", lambda: "as it was when the parent began")
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
