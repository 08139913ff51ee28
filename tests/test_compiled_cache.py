"""Compiled code is reused exactly as long as it is right, wherever it has to be kept.

Each test runs a copy of what compiles with a toy engine in processes of its own.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import nfsim.compiled
from nfsim.compiled import cache

CORE = Path(nfsim.compiled.__file__).parent

SHARED = "from nfsim.compiled.jit import njit\n@njit\ndef first(values):\n    return RESULT\n"
TOY = {
    "__init__.py": "",
    "games/__init__.py": "",
    "games/toy/__init__.py": "",
    "games/toy/codes.py": "FACTOR = 3\n",
    "games/toy/labels.py": "NAMES = ('one',)\n",
    "games/toy/helper.py": "from .codes import FACTOR\nSIZE = FACTOR * 2\n",
    "games/toy/engine.py": (
        "from typing import TYPE_CHECKING\n"
        "from nfsim.compiled.jit import njit\n"
        "from nfsim.games.toy import helper\n"
        "if TYPE_CHECKING:\n"
        "    from nfsim.games.toy.labels import NAMES\n"
        "@njit\n"
        "def size(x):\n"
        "    return x * helper.SIZE\n"
    ),
    "cli/__init__.py": "from nfsim.games.toy.engine import size\nGREETING = 'hello'\n",
    "report/__init__.py": "TITLE = 'report'\n",
}

RUN = """
from nfsim.compiled import jit
from nfsim.cli import size
print(jit.cache_folder("toy"))
print(size(7))
stats = getattr(size, "stats", None)
print(sum(stats.cache_hits.values()) if stats else -1)
"""

RACE = """
import sys, time
from pathlib import Path
from nfsim.compiled import jit
from nfsim.cli import size
gate = Path(sys.argv[1])
print("ready", flush=True)
while not gate.exists():
    time.sleep(0.001)
with jit.warming("toy") as must_compile:
    print(must_compile, size(7), jit.cache_folder("toy"))
"""


@dataclass
class Result:
    folder: Path | None
    value: int
    hits: int
    stderr: str


@dataclass
class Toy:
    """A copied package and the folders its processes see."""

    root: Path
    cache: Path

    def write(self, name: str, text: str) -> None:
        path = self.root / "nfsim" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def environment(self, **extra: str) -> dict[str, str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "NFSIM_"))}
        return {**clean, "PYTHONPATH": str(self.root), "NFSIM_CACHE_DIR": str(self.cache), **extra}

    def run(self, **extra: str) -> Result:
        run = subprocess.run(
            [sys.executable, "-c", RUN],
            cwd=self.root,
            env=self.environment(**extra),
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        folder, value, hits = run.stdout.split()
        return Result(None if folder == "None" else Path(folder), int(value), int(hits), run.stderr)


@pytest.fixture
def toy(tmp_path):
    made = Toy(tmp_path / "code", tmp_path / "cache")
    shutil.copytree(CORE, made.root / "nfsim" / "compiled", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in TOY.items():
        made.write(name, text)
    return made


def test_a_second_start_loads_what_the_first_compiled(toy):
    first, second = toy.run(), toy.run()
    assert (first.value, first.hits) == (42, 0)
    assert (second.value, second.hits) == (42, 1)
    assert first.folder == second.folder
    assert first.folder is not None
    assert first.folder.parent == toy.cache
    assert first.stderr == second.stderr == ""


def test_a_changed_constant_in_another_file_is_noticed(toy):
    before = toy.run()
    toy.write("games/toy/codes.py", "FACTOR = 5\n")
    after = toy.run()
    assert (after.value, after.hits) == (70, 0)
    assert after.folder != before.folder


@pytest.mark.soak
def test_a_changed_engine_file_gets_a_new_folder(toy):
    before = toy.run()
    toy.write("games/toy/engine.py", TOY["games/toy/engine.py"].replace("* helper", "+ helper"))
    after = toy.run()
    assert after.value == 13
    assert after.folder != before.folder


def test_an_edit_to_one_game_leaves_what_is_compiled_of_another(toy):
    toy.write("games/other/__init__.py", "")
    toy.write("games/other/engine.py", TOY["games/toy/engine.py"])
    before = toy.run()
    toy.write("games/other/engine.py", TOY["games/toy/engine.py"].replace("x * helper", "x + helper"))
    after = toy.run()
    assert (after.folder, after.hits) == (before.folder, 1)


SHARED = """
from pathlib import Path
import numpy as np
from nfsim.compiled import jit
from nfsim.compiled.shared import first
kept = np.zeros(2, np.dtype([("x", np.int64)])).view(np.recarray)
jit.register_game("toy", Path("nfsim/games/toy").resolve(), kept.dtype)
first(kept)
first(np.zeros(2, np.int64))
for game in ("", "toy", "other"):
    print(sum(1 for _ in jit.cache_folder(game).rglob("*.nbc")))
"""


@pytest.mark.soak
def test_what_is_shared_is_kept_with_the_game_whose_records_it_is_compiled_for(toy):
    toy.write(
        "compiled/shared.py", "from nfsim.compiled.jit import njit\n@njit\ndef first(values):\n    return len(values)\n"
    )
    toy.write("games/other/__init__.py", "")
    run = subprocess.run(
        [sys.executable, "-c", SHARED], cwd=toy.root, env=toy.environment(), capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["1", "1", "0"]


def test_an_edit_to_what_games_share_is_noticed_by_all(toy):
    toy.write(
        "compiled/shared.py", "from nfsim.compiled.jit import njit\n@njit\ndef first(values):\n    return len(values)\n"
    )
    before = toy.run()
    toy.write("compiled/shared.py", SHARED.replace("RESULT", "1"))
    assert toy.run().folder != before.folder


def test_an_edit_to_command_line_report_or_labels_recompiles_nothing(toy):
    before = toy.run()
    toy.write("cli/__init__.py", TOY["cli/__init__.py"].replace("hello", "good day"))
    toy.write("report/__init__.py", "TITLE = 'another title'\n")
    toy.write("games/toy/labels.py", "NAMES = ('eins',)\n")
    after = toy.run()
    assert after.folder == before.folder
    assert after.hits == 1


@pytest.mark.soak
def test_files_that_are_copied_again_with_new_times_stay_compiled(toy):
    before = toy.run()
    for path in (toy.root / "nfsim").rglob("*.py"):
        os.utime(path, (time.time() + 1000, time.time() + 1000))
    after = toy.run()
    assert after.folder == before.folder
    assert after.hits == 1


@pytest.mark.soak
def test_a_numba_that_is_built_otherwise_compiles_in_its_own_way(toy):
    toy.write("compiled/entries.py", "raise ImportError\n")
    first, second = toy.run(), toy.run()
    assert (first.value, first.hits) == (42, 0)
    assert (second.value, second.hits) == (42, 1)


LATE = """
import numpy as np
from nfsim.compiled import jit
@jit.njit_late("int64")
def double(x):
    if x < 0:
        raise ValueError("negative")
    return 2 * x
@jit.njit
def outer(x):
    return double(x) + 1
def tried(x):
    try:
        return outer(x)
    except (RuntimeError, ValueError) as error:
        return error
print(tried(4))
jit.load(double, 4, name="doubles", seconds=1)
print(tried(4))
print(tried(-1))
"""


@pytest.mark.parametrize("built_otherwise", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_what_is_compiled_late_waits_for_load_and_passes_errors_on(toy, built_otherwise):
    if built_otherwise:
        toy.write("compiled/entries.py", "raise ImportError\n")
    toy.write("late.py", LATE)
    for start in range(2):
        run = subprocess.run(
            [sys.executable, "-c", "import nfsim.late"],
            cwd=toy.root, env=toy.environment(), capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert run.stdout.split("\n")[1:] == ["9", "negative", ""]
        assert (run.stdout.split("\n")[0] == "double has not been loaded") == (not built_otherwise)
        assert ("compiling doubles, once" in run.stderr) == (start == 0 and not built_otherwise)


def test_bounds_checked_code_has_a_folder_of_its_own(toy):
    plain, checked = toy.run(), toy.run(NUMBA_BOUNDSCHECK="1")
    assert checked.folder != plain.folder
    assert checked.hits == 0


def test_without_compilation_nothing_is_written(toy):
    result = toy.run(NUMBA_DISABLE_JIT="1")
    assert (result.folder, result.value) == (None, 42)
    assert not toy.cache.exists()


@pytest.mark.soak
def test_the_package_folder_is_never_written_to(toy):
    toy.run(PYTHONDONTWRITEBYTECODE="1")
    assert not [path for path in toy.root.rglob("*") if path.suffix in {".nbi", ".nbc"}]


@pytest.mark.soak
def test_an_unwritable_cache_falls_back_to_a_private_temporary_folder_and_says_so_once(toy, tmp_path):
    toy.cache.write_text("a file where the folder should be")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    first = toy.run(TMPDIR=str(temporary))
    assert first.value == 42
    assert first.folder is not None
    assert first.folder.is_relative_to(temporary)
    assert first.stderr.count("cannot keep compiled code") == 1
    assert str(toy.cache) in first.stderr
    assert stat.S_IMODE(first.folder.parent.stat().st_mode) == 0o700
    second = toy.run(TMPDIR=str(temporary))
    assert (second.folder, second.hits) == (first.folder, 1)


@pytest.mark.soak
def test_a_home_that_cannot_be_written_falls_back_too(toy, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    result = toy.run(NFSIM_CACHE_DIR="", HOME="/dev/null", XDG_CACHE_HOME="/dev/null", TMPDIR=str(temporary))
    assert result.folder is not None
    assert result.folder.is_relative_to(temporary)
    assert result.value == 42


@pytest.mark.soak
def test_child_processes_use_the_same_fallback_silently(toy, tmp_path):
    toy.cache.write_text("a file where the folder should be")
    code = (
        "import subprocess, sys; from nfsim.compiled import jit; print(jit.cache_folder('toy'), flush=True);"
        "subprocess.run([sys.executable, '-c', "
        "'from nfsim.compiled import jit; print(jit.cache_folder(\"toy\"))'], check=True)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=toy.root,
        env=toy.environment(TMPDIR=str(tmp_path)),
        capture_output=True,
        text=True,
        check=True,
    )
    parent, child = run.stdout.split()
    assert parent == child
    assert run.stderr.count("cannot keep compiled code") == 1


@pytest.mark.soak
def test_a_temporary_folder_open_to_others_is_not_trusted(toy, tmp_path):
    toy.cache.write_text("a file where the folder should be")
    temporary = tmp_path / "temporary"
    planted = temporary / f"nfsim-{os.getuid()}"
    planted.mkdir(parents=True)
    planted.chmod(0o777)
    result = toy.run(TMPDIR=str(temporary))
    assert result.value == 42
    assert result.folder is not None
    assert not result.folder.is_relative_to(planted)
    assert not list(planted.iterdir())
    assert not result.folder.exists()  # a folder that nobody can find again is removed at the end


def test_a_link_is_not_a_private_folder(tmp_path):
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    link = tmp_path / "link"
    link.symlink_to(real)
    assert cache.is_private(real)
    assert not cache.is_private(link)


@pytest.mark.soak
def test_two_first_starts_that_race_both_work_and_compile_once(toy, tmp_path):
    gate = tmp_path / "gate"
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, str(gate)],
            cwd=toy.root,
            env=toy.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for start in starts:
        assert start.stdout is not None
        assert start.stdout.readline() == "ready\n"
    gate.touch()
    ends = [start.communicate(timeout=120) for start in starts]
    assert [start.returncode for start in starts] == [0, 0], ends
    compiled, values, folders = zip(*(out.split() for out, _ in ends), strict=True)
    assert sorted(compiled) == ["False", "True"]
    assert values == ("42", "42")
    assert folders[0] == folders[1]


@pytest.mark.soak
def test_two_first_starts_without_the_lock_both_work(toy):
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", RUN],
            cwd=toy.root,
            env=toy.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for start in starts:
        out, err = start.communicate(timeout=120)
        assert start.returncode == 0, err
        assert out.split()[1] == "42"
    assert toy.run().hits == 1


def test_a_failed_warm_up_leaves_the_cache_cold(toy):
    code = (
        "from nfsim.compiled import jit\n"
        "try:\n"
        "    with jit.warming('toy'):\n"
        "        raise ValueError\n"
        "except ValueError:\n"
        "    pass\n"
        "print(jit.is_warm('toy'), end=' ')\n"
        "with jit.warming('toy') as must: print(must, end=' ')\n"
        "with jit.warming('toy') as must: print(must, jit.is_warm('toy'), jit.is_warm('other'))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=toy.root,
        env=toy.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["False", "True", "False", "True", "False"]


@pytest.mark.soak
def test_other_users_of_numba_in_the_process_keep_their_cache_folder(toy, tmp_path):
    code = "import numba; from nfsim.cli import size; print(numba.config.CACHE_DIR)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=toy.root,
        env=toy.environment(NUMBA_CACHE_DIR=str(tmp_path / "theirs")),
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == str(tmp_path / "theirs")


def test_pruning_keeps_the_newest_and_the_recently_used(tmp_path):
    day = 24 * 3600
    ages = {"jit-a": 0, "jit-b": 0.1, "jit-c": 0.2, "jit-d": 0.5, "jit-e": 2, "jit-f": 30, "other": 30}
    for name, days in ages.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "last_used").touch()
        os.utime(folder / "last_used", (time.time() - days * day,) * 2)
    cache.prune(tmp_path, keep=tmp_path / "jit-f")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["jit-a", "jit-b", "jit-c", "jit-d", "jit-f", "other"]


def test_pruning_counts_each_game_for_itself(tmp_path):
    for name in ("jit-a", "jit-b", "jit-toy-a", "jit-toy-b", "jit-other-a", "jit-other-b"):
        (tmp_path / name).mkdir()
    cache.prune(tmp_path, keep=tmp_path / "jit-toy-a")
    assert len(list(tmp_path.iterdir())) == 6


def test_pruning_keeps_three_however_old(tmp_path):
    for name in ("jit-a", "jit-b", "jit-c"):
        (tmp_path / name).mkdir()
    cache.prune(tmp_path, keep=tmp_path / "jit-a")
    assert len(list(tmp_path.iterdir())) == 3


def test_the_sources_that_count_are_found_through_every_form_of_import(toy):
    toy.write(
        "games/toy/a.py",
        "import nfsim.games.toy.b as b\nfrom nfsim.compiled.jit import njit\n@njit\ndef f(): ...\n",
    )
    toy.write("games/toy/b.py", "from . import c\n")
    toy.write("games/toy/c.py", "from .. import constants\nfrom ..toy.d import X\n")
    toy.write("games/toy/d.py", "def g():\n    from nfsim.games.toy.e import Y\n    return Y\n")
    toy.write("games/toy/e.py", "import numpy\n")
    toy.write("games/constants/__init__.py", "from .deep import Z\n")
    toy.write("games/constants/deep.py", "Z = 1\n")
    package = toy.root / "nfsim"
    found = {
        path.relative_to(package).as_posix() for path in cache.compiled_sources(package, package / "games" / "toy")
    }
    assert found >= {f"games/toy/{name}.py" for name in ("a", "b", "c", "d", "e", "engine", "helper", "codes")}
    assert found >= {"games/constants/__init__.py", "games/constants/deep.py", "compiled/rng.py", "compiled/jit.py"}
    shared = {path.relative_to(package).as_posix() for path in cache.compiled_sources(package)}
    assert "compiled/rng.py" in shared
    assert not any(name.startswith("games/") for name in shared)
    assert not found & {"cli/__init__.py", "report/__init__.py", "games/toy/labels.py", "compiled/status.py"}


def test_an_unchanged_source_is_not_read_again_and_a_change_is_seen(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("NFSIM_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(cache, "_SETTLED_NS", 0)
    package, game = toy.root / "nfsim", toy.root / "nfsim" / "games" / "toy"
    first = cache.remembered_fingerprint(package, ("one",), game)
    assert first == cache.fingerprint(package, ("one",), game)
    computed = []
    real = cache.fingerprint
    monkeypatch.setattr(cache, "fingerprint", lambda *given: computed.append(given) or real(*given))
    assert cache.remembered_fingerprint(package, ("one",), game) == first
    assert not computed
    assert cache.remembered_fingerprint(package, ("another",), game) != first
    toy.write("games/toy/helper.py", TOY["games/toy/helper.py"] + "X = 1\n")
    assert cache.remembered_fingerprint(package, ("one",), game) != first
    assert len(computed) == 2


def test_a_source_of_this_moment_is_not_remembered(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("NFSIM_CACHE_DIR", str(tmp_path / "kept"))
    cache.remembered_fingerprint(toy.root / "nfsim", ("one",))
    assert not list(tmp_path.glob("kept/source-*"))


def test_a_damaged_note_of_the_source_is_computed_again(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("NFSIM_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(cache, "_SETTLED_NS", 0)
    first = cache.remembered_fingerprint(toy.root / "nfsim", ("one",))
    (note,) = tmp_path.glob("kept/source-*")
    note.write_bytes(b"\xff../../elsewhere")
    assert cache.remembered_fingerprint(toy.root / "nfsim", ("one",)) == first
