"""The door to numba: options of compiled functions, cache folder, bounds-check switch.

Environment variables
---------------------
NFSIM_CACHE_DIR
    Where compiled code is kept instead of the user's cache folder.
NUMBA_DISABLE_JIT=1
    Run everything as plain Python (about 30 times slower), to debug or to check that both agree.
NUMBA_BOUNDSCHECK=1
    Stop at an index outside an array instead of silently damaging the next field. Has a folder of its own.
"""

from __future__ import annotations

import contextlib
import functools
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import filelock
import llvmlite
import llvmlite.binding
import numba
import numpy as np

from nfsim.compiled import cache

try:
    from nfsim.compiled import entries
except ImportError:  # another numba, without what that builds on: slower to compile, but it plays
    entries = None

F = TypeVar("F", bound=Callable[..., Any])

int64 = cast("Callable[[int], int]", np.int64)
"""For constants among the arguments of compiled functions: a bare literal would compile a variant of its own."""

_SETTINGS: Any = numba.config  # filled at run time, so type checkers see an empty module
JIT_ENABLED: bool = not _SETTINGS.DISABLE_JIT
BOUNDS_CHECKED: bool = bool(_SETTINGS.BOUNDSCHECK)
LOCK_SECONDS = 600.0  # longer than any compilation; after it two processes simply both compile

_PACKAGE = Path(__file__).resolve().parents[1]


_ENVIRONMENT = (
    sys.version,
    platform.machine(),
    numba.__version__,
    llvmlite.__version__,
    np.__version__,
    llvmlite.binding.get_host_cpu_name(),
    # settings of numba that change the code made from the same source
    _SETTINGS.CPU_NAME,
    _SETTINGS.CPU_FEATURES,
    str(_SETTINGS.OPT),
    _SETTINGS.DEBUGINFO_DEFAULT,
    BOUNDS_CHECKED,
    sys.flags.optimize,  # assertions are compiled too
)
_GAME_TYPES: dict[Any, str] = {}  # by numba's type of a record: the game it belongs to
_GAME_FOLDERS: dict[str, Path] = {}  # of games that stand elsewhere than in the package


@functools.cache
def cache_folder(game: str = "") -> Path | None:
    """Return the folder with compiled code, made if need be.

    Parameters
    ----------
    game : str
        Name of a game's package: of its functions, and of shared ones compiled for its records. Without: of shared
        functions that know no game's records.

    Returns
    -------
    Path or None
        None when nothing is compiled or nothing can be written.
    """
    if not JIT_ENABLED:
        return None
    name = cache.remembered_fingerprint(_PACKAGE, _ENVIRONMENT, _game_folder(game) if game else None)
    return cache.open_folder(f"{game}-{name}" if game else name)


def cache_folders() -> list[Path]:
    """Return all folders with compiled code of games that stand beside those of this process."""
    shared = cache_folder()
    return [] if shared is None else sorted(cache.folders(shared.parent))


def register_game(game: str, folder: Path, *dtypes: np.dtype[Any]) -> None:
    """Note that records belong to a game: what shared functions are compiled to for them is kept with its code.

    Parameters
    ----------
    game : str
        Name of the game's package.
    folder : Path
        Where the package stands.
    *dtypes : dtype
        Of records.
    """
    if JIT_ENABLED:
        _GAME_FOLDERS[game] = folder
        _GAME_TYPES.update({numba.from_dtype(dtype): game for dtype in dtypes})


def _game_folder(game: str) -> Path:
    return _GAME_FOLDERS.get(game, _PACKAGE / "games" / game)


def _home(func: Callable[..., Any], kinds: Iterable[Any]) -> Path | None:
    """Return where a function compiled for such types is kept."""
    return cache_folder(_game_of(func, kinds))


def _game_of(func: Callable[..., Any], kinds: Iterable[Any]) -> str:
    """Return the game that a function compiled for such types belongs to; '' if it is none's."""
    inside = func.__module__.split(".")
    if inside[:2] == [_PACKAGE.name, "games"]:
        return inside[2]
    games = (_GAME_TYPES.get(getattr(kind, "dtype", kind)) or _GAME_TYPES.get(kind) for kind in kinds)
    return next(filter(None, games), "")


def _home_of(part: str) -> Path | None:
    """Return where it is noted that a part is compiled."""
    game = part.partition(":")[0]
    return cache_folder(game if _game_folder(game).is_dir() else "")


_OPTIONS: dict[str, Any] = {
    "nogil": True,  # threads may run games side by side
    "error_model": "python",
    "boundscheck": BOUNDS_CHECKED,
}


def njit(func: F) -> F:
    """Compile a function on its first call, or load it from the cache.

    Parameters
    ----------
    func : callable
        Function of scalars, records and arrays. Pass tables as arguments: global arrays would be baked in.

    Returns
    -------
    callable
        The compiled function; its original stays reachable as ``func.py_func``. With ``NUMBA_DISABLE_JIT=1``
        the function itself.

    Notes
    -----
    ``error_model`` stays "python": a division by zero raises an error, where "numpy" would give a silent 0.
    The rules divide rarely, so the check is cheap.
    """
    if not JIT_ENABLED:
        return func
    compiled = _function(func)
    return cast(F, compiled)  # called in the same way, whatever numba calls it


def njit_apart(func: F) -> F:
    """Compile a function once, apart from all compiled functions that call it: they jump to it.

    Notes
    -----
    For the few large functions that several others call, so that no caller holds them again. A call costs some
    nanoseconds more, and nothing is optimised across it.
    """
    if not JIT_ENABLED:
        return func
    compiled = _function(func)
    compiled.apart = True
    return cast(F, compiled)


def njit_late(returns: str) -> Callable[[F], F]:
    """Compile a function apart, and only when `load` asks for it; calling it before then raises RuntimeError.

    Parameters
    ----------
    returns : str
        Name of the type it returns, for example ``int64``: its callers are compiled before it.
    """

    def decorate(func: F) -> F:
        compiled: Any = njit_apart(func)
        if JIT_ENABLED:
            compiled.late = getattr(numba.types, returns)
        return cast(F, compiled)

    return decorate


def load(func: Callable[..., Any], *arguments: Any, name: str, seconds: int) -> None:
    """Compile or load a function for such arguments without calling it, so that compiled functions can call it.

    Parameters
    ----------
    func : callable
        Compiled with `njit_late`.
    *arguments : Any
        As the call will have them.
    name : str
        What is compiled, as standard error says it if it is not there yet.
    seconds : int
        About how long that takes.
    """
    compiled: Any = func
    if not JIT_ENABLED or entries is None:
        return
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    if kinds in compiled.entries:
        return
    game = _game_of(func, kinds)
    part = f"{game}:{func.__qualname__}" if game else func.__qualname__
    if not is_warm(part):
        sys.stderr.write(f"compiling {name}, once (about {seconds} s) ...\n")
    with warming(part):
        compiled.entry(kinds)


def _function(func: Any, **options: Any) -> Any:
    if entries is None:  # numba's own way: everything is compiled within everything that calls it
        before, _SETTINGS.CACHE_DIR = _SETTINGS.CACHE_DIR, str(_home(func, ()) or "")
        try:
            return numba.njit(func, cache=bool(_SETTINGS.CACHE_DIR), **_OPTIONS, **options)
        finally:
            _SETTINGS.CACHE_DIR = before  # other users of numba keep theirs
    return entries.Function(func, targetoptions={"nopython": True, **_OPTIONS, **options}, home=_home)


def njit_inline(func: F) -> F:
    """Compile a function into every function that calls it, instead of being called by them.

    Notes
    -----
    Left alone, the compiler calls most functions, and with numba's way of passing results and errors that took
    almost half the time of a game. Use it for small functions that are called everywhere, and for larger
    ones on the way of every decision that have one or two callers; not for what is rarely reached.
    """
    if not JIT_ENABLED:
        return func
    compiled = _function(func, forceinline=True)
    return cast(F, compiled)


def njit_wrapping(func: F) -> F:
    """Compile a function whose uint64 arithmetic wraps round; uncompiled, keep numpy from warning."""
    if JIT_ENABLED:
        return njit(func)
    quiet: F = np.errstate(over="ignore")(func)
    return quiet


def entry(function: F, *arguments: object) -> F:
    """Return a compiled function as it runs for arguments of exactly these types.

    It does not look at types again: much faster where Python calls it for every decision of a game, and wrong with
    any others.
    """
    if not JIT_ENABLED:
        return function
    compiled: Any = function
    kinds = tuple(map(numba.typeof, arguments))
    if entries is not None:
        return cast(F, compiled.entry(kinds))
    compiled.compile(kinds)
    return cast(F, compiled.overloads[kinds].entry_point)


def is_warm(part: str = "rules") -> bool:
    """Tell whether a start finds everything compiled.

    Parameters
    ----------
    part : str
        What `warming` was called with: the name of a game, or of something in it as ``game:something``.
    """
    if not JIT_ENABLED:
        return True
    folder = _home_of(part)
    return folder is not None and (folder / _file("warm", part)).is_file()


def _file(prefix: str, part: str) -> str:
    return f"{prefix}-{part}".replace(":", "-")


@contextlib.contextmanager
def warming(part: str = "rules", lock: str | None = None) -> Iterator[bool]:
    """Let one process compile while others that start at the same time wait for its result.

    Parameters
    ----------
    part : str
        What is compiled in the ``with`` block. It is marked warm when the block ends without an error.
    lock : str, optional
        Another part that must not be compiled at the same time, for both share functions.

    Yields
    ------
    bool
        True if it must be compiled now; False if it is there, so that calling it only loads it.

    Notes
    -----
    The lock saves work, and it keeps two processes from adding different variants of one function to numba's
    index at the same moment, where they could take the same file name. Without it (timeout, file system
    without locks) both compile.
    """
    folder = _home_of(part)
    if is_warm(part) or folder is None:
        yield not is_warm(part)
        return
    held = filelock.FileLock(folder / (_file("warming", lock or part) + ".lock"))
    with contextlib.suppress(OSError, NotImplementedError, filelock.Timeout):
        held.acquire(timeout=LOCK_SECONDS)
    try:
        yield not is_warm(part)
        (folder / _file("warm", part)).touch()
    finally:
        held.release()
