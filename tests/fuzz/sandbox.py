"""Where hostile input is tried: what an entry point may do is watched, and what came of it is counted."""

import contextlib
import hashlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, Phase, settings

from nfsim.errors import BadInput, PolicyFailed
from nfsim.run.progress import Stopped

INPUTS = int(os.environ.get("NFSIM_FUZZ", "150"))  # mutated inputs of all test files together
SHARES = 1.37  # fewer than the tests have together: some kinds of input are soon used up
COUNTS = os.environ.get("NFSIM_FUZZ_COUNTS")  # file that the counts are added to
SECONDS = 10.0  # of CPU: more is a hang
WAITING = 10  # times as long by the clock is one, too: on a pipe or a lock; others at work do not make it that long
GROWTH = 1500  # MB of peak memory that all inputs together may add
OFTEN = 40  # inputs of an entry point, from which on it must have seen good ones and bad ones
USED = 0.05  # of what was tried often at least so much is used: most mutations of a file are rightly refused
# entry points that can use nothing of what they get: no file, a run that is not finished, bytes that do not fit
NEVER_USED = ("no file", "unfinished run", "part, bytes", "names")
ONE_LINE = 2500  # characters of a message

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NEVER = ("pickle.find_class", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect")
CHANGES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.truncate", "os.chmod",
           "shutil.rmtree", "shutil.move")  # fmt: skip


class Hang(BaseException):
    """An input that takes too long; no `except Exception` may catch it."""


class _Guard:
    """The audit hook: it cannot be taken away, so it is installed once and listens only inside a sandbox."""

    def __init__(self) -> None:
        self.inside: Path | None = None
        self.found: list[str] = []
        self.installed = False

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.inside is None:
            return
        if event in NEVER and not (event == "pickle.find_class" and _numba_asks()):
            self.found.append(f"{event} {arguments!r}"[:300])
        elif event == "open":
            path, mode, flags = (*arguments, None, None, None)[:3]
            if (isinstance(mode, str) and set(mode) & set("wax+")) or (isinstance(flags, int) and flags & WRITES):
                self._writes(event, path)
        elif event in CHANGES:
            for path in arguments[:2] if event in ("os.rename", "os.symlink", "os.link") else arguments[:1]:
                self._writes(event, path)
        elif event == "exec":
            name = getattr(arguments[0], "co_filename", "")
            if not name.startswith("<") and self._is_inside(name):  # <string>: what dataclasses make
                self.found.append(f"code of the input is run: {name}")

    def _writes(self, event: str, path: object) -> None:
        if isinstance(path, str | bytes | os.PathLike) and not self._is_inside(path):
            self.found.append(f"{event} outside: {path!r}"[:300])

    def _is_inside(self, path: object) -> bool:
        assert self.inside is not None
        text = os.fsdecode(path)  # type: ignore[arg-type]
        full = os.path.normpath(os.path.join(os.getcwd(), text))  # noqa: PTH109, PTH118
        return full.startswith(f"{self.inside}{os.sep}") or full == str(self.inside)


def _numba_asks() -> bool:
    """Tell whether numba reads its own cache of compiled rules, which lies in the user's cache folder."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.endswith("numba/core/caching.py"):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


_guard = _Guard()


class Sandbox:
    """A folder `work`, the current one, beside a folder that nothing may touch."""

    def __init__(self, base: Path) -> None:
        self.base = base.resolve()
        self.work, self.outside = self.base / "work", self.base / "outside"
        self.outside.mkdir(parents=True)
        (self.outside / "kept.txt").write_text("dear", "utf-8")
        (self.outside / "empty").mkdir()
        self.before = self._outside()
        self.counts: Counter[tuple[str, str]] = Counter()
        self.peak = _peak()
        self.said = ""

    def fresh(self) -> Path:
        """Return the folder, empty but for a module that must never be imported."""
        self.work.mkdir(exist_ok=True)  # it may be the current folder: it stays, what is in it goes
        for entry in self.work.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        (self.work / "planted.py").write_text("raise SystemExit('code of the input was run')\n", "utf-8")
        return self.work

    def _outside(self) -> dict[str, str]:
        found = {}
        for path in sorted(self.outside.rglob("*")):
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[str(path)] = f"{path.stat().st_mtime_ns} {content}"
        return found | {"": ",".join(sorted(entry.name for entry in self.base.iterdir()))}

    def attempt(self, entry: str, call: Callable[[], object]) -> str:
        """Call an entry point; return ``ok``, ``refused`` or ``damage``, and fail on anything else.

        A call may return an exit code: 1 is damage that was found, 2 a refusal.
        """
        outcome = "ok"
        with watched(self.work), alarm(SECONDS), quiet():
            try:
                code = call()
            except BadInput as error:
                outcome = "refused"
                self.said = text = str(error)
                assert text.isprintable(), f"not one line: {text[:200]!r}"
                assert len(text) < ONE_LINE, f"a message of {len(text)} characters: {text[:200]}"
            except (PolicyFailed, Stopped) as error:
                self.said = str(error)
                outcome = "damage"
            else:
                if isinstance(code, int) and not isinstance(code, bool):
                    outcome = {0: "ok", 1: "damage", 2: "refused"}[code]
        found, _guard.found = _guard.found, []
        assert not found, found[:5]
        assert "planted" not in sys.modules
        self.counts[entry, outcome] += 1
        return outcome

    def close(self) -> None:
        """Check what only shows at the end, and add the counts to the file of counts."""
        note(self.counts)
        self._saw_both()
        after = self._outside()
        assert {k: v for k, v in after.items() if k} == {k: v for k, v in self.before.items() if k}
        assert set(after[""].split(",")) <= {"outside", "work", "good"}
        assert _peak() - self.peak < GROWTH, f"memory grew by {_peak() - self.peak} MB"

    def _saw_both(self) -> None:
        """Check of what was tried often that some of it was used and some was not: else little was tried at all."""
        totals = Counter[str]()
        for (entry, _), number in self.counts.items():
            totals[entry] += number
        for entry, number in totals.items():
            if number < OFTEN or entry.endswith(NEVER_USED):
                continue
            fine, used = self.counts[entry, "ok"], number - self.counts[entry, "refused"]
            assert used >= USED * number or entry.startswith("run again"), f"{entry}: only {used} of {number} were used"
            assert fine < number, f"{entry}: all {number} were fine"


@pytest.fixture(name="sandbox", scope="module")
def one_sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Sandbox"]:
    """Give a test module, which imports this, a sandbox of its own; `prepare(sandbox)` of the module makes it ready."""
    made = Sandbox(tmp_path_factory.mktemp(request.module.__name__))
    request.module.prepare(made)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def each_test(sandbox: "Sandbox", monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test in the sandbox's folder, which is empty."""
    sandbox.fresh()
    monkeypatch.chdir(sandbox.work)


def note(counts: Counter[tuple[str, str]]) -> None:
    """Add counts by entry point and outcome to the file of counts, if there is one."""
    if COUNTS:
        with Path(COUNTS).open("a", encoding="utf-8") as file:
            for (entry, outcome), number in sorted(counts.items()):
                file.write(json.dumps({"entry": entry, "outcome": outcome, "inputs": number}) + "\n")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@contextlib.contextmanager
def watched(folder: Path) -> Iterator[None]:
    """Listen to what Python reports of files, imports, processes and pickles."""
    if not _guard.installed:
        sys.addaudithook(_guard.hear)
        _guard.installed = True
    _guard.found = []
    _guard.inside = folder
    try:
        yield
    finally:
        _guard.inside = None


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Break off what takes too long: so many seconds of CPU, or `WAITING` times as many by the clock."""

    def ring(number: int, _frame: FrameType | None) -> None:
        found = f"{seconds} s of CPU" if number == signal.SIGPROF else f"{WAITING * seconds} s by the clock"
        raise Hang(f"more than {found}")

    limits = (
        (signal.SIGPROF, signal.ITIMER_PROF, seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, WAITING * seconds),
    )
    before = [signal.signal(number, ring) for number, _, _ in limits]
    try:
        for _, timer, most in limits:
            signal.setitimer(timer, most)
        yield
    finally:
        for _, timer, _ in limits:
            signal.setitimer(timer, 0)
        for (number, _, _), earlier in zip(limits, before, strict=True):
            signal.signal(number, earlier)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep what is printed to itself, and warnings with it."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


def inputs(share: float) -> int:
    """Return how many inputs a test draws that has so many shares of `SHARES`."""
    return max(1, round(INPUTS * share / SHARES))


def fuzzing(share: float) -> settings:
    """Return Hypothesis' settings of a test that draws a share of all inputs: the same ones every time."""
    return settings(
        max_examples=inputs(share), derandomize=True, deadline=None, database=None, print_blob=False,
        suppress_health_check=list(HealthCheck), phases=(Phase.explicit, Phase.generate, Phase.shrink),
    )  # fmt: skip
