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
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import filelock
import llvmlite
import llvmlite.binding
import numba
import numpy as np

from nfsim.compiled import cache, entries

F = TypeVar("F", bound=Callable[..., Any])

int64 = cast("Callable[[int], int]", np.int64)
"""For constants among the arguments of compiled functions: a bare literal would compile a variant of its own."""

_SETTINGS: Any = numba.config  # filled at run time, so type checkers see an empty module
JIT_ENABLED: bool = not _SETTINGS.DISABLE_JIT
BOUNDS_CHECKED: bool = bool(_SETTINGS.BOUNDSCHECK)
LOCK_SECONDS = 600.0  # longer than any compilation; after it two processes simply both compile

_PACKAGE = Path(__file__).resolve().parents[1]


def _open_cache() -> Path | None:
    if not JIT_ENABLED:
        return None
    environment = (
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
    return cache.open_folder(cache.fingerprint(_PACKAGE, environment))


_CACHE = _open_cache()
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
    with _our_cache_folder():
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
    with _our_cache_folder():
        compiled = _function(func)
    compiled.apart = True
    return cast(F, compiled)


def _function(func: Any, **options: Any) -> Any:
    compiled = entries.Function(func, targetoptions={"nopython": True, **_OPTIONS, **options})
    if _CACHE is not None:
        compiled.enable_caching()
    return compiled


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
    with _our_cache_folder():
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
    return cast(F, compiled.entry(kinds))


@contextlib.contextmanager
def _our_cache_folder() -> Iterator[None]:
    """Point numba at our folder while one of our functions is decorated.

    Numba looks at the setting only then, and other users of numba in the same process keep theirs.
    """
    before = _SETTINGS.CACHE_DIR
    _SETTINGS.CACHE_DIR = str(_CACHE or "")
    try:
        yield
    finally:
        _SETTINGS.CACHE_DIR = before


def cache_folder() -> Path | None:
    """Folder with this process's compiled code; None when nothing is compiled or nothing can be written."""
    return _CACHE


def is_warm(part: str = "rules") -> bool:
    """Tell whether a start finds everything compiled.

    Parameters
    ----------
    part : str
        Name that `mark_warm` was called with, for example the name of a rule set.
    """
    if not JIT_ENABLED:
        return True
    return _CACHE is not None and (_CACHE / f"warm-{part}").is_file()


def mark_warm(part: str = "rules") -> None:
    """Note that every function of a part has been compiled; call it after a successful warm-up."""
    if _CACHE is not None:
        (_CACHE / f"warm-{part}").touch()


@contextlib.contextmanager
def warming(part: str = "rules") -> Iterator[bool]:
    """Let one process compile while others that start at the same time wait for its result.

    Parameters
    ----------
    part : str
        What is compiled in the ``with`` block. It is marked warm when the block ends without an error.

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
    if is_warm(part) or _CACHE is None:
        yield not is_warm(part)
        return
    lock = filelock.FileLock(_CACHE / f"warming-{part}.lock")
    with contextlib.suppress(OSError, NotImplementedError, filelock.Timeout):
        lock.acquire(timeout=LOCK_SECONDS)
    try:
        yield not is_warm(part)
        mark_warm(part)
    finally:
        lock.release()
