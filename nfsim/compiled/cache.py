"""Where compiled code is kept, and when it must be compiled again.

Numba checks only the file a function stands in. A function that uses a constant or calls a function from
another file would therefore be loaded stale after an edit there. So the cache is a folder whose name is a
hash of all source that can end up in machine code; a new hash is a new folder, and old folders are pruned.
Each game has a folder of its own, and an edit to one compiles nothing of another.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import platformdirs

ENV_FOLDER = "NFSIM_CACHE_DIR"
KEEP_FOLDERS = 3  # the newest ones, so that switching between two branches compiles nothing
KEEP_SECONDS = 24 * 3600  # a folder used within a day may belong to a running process
KEEP_NOTES = 20
_PREFIX = "jit-"
_FINGERPRINT = "source-"
_SETTLED_NS = 5_000_000_000
_LAST_USED = "last_used"
_COMPILED = re.compile(r"^[ \t]*@(?:\w+\.)*njit", re.MULTILINE)


def compiled_sources(package: Path, game: Path | None = None) -> list[Path]:
    """List the files whose text can change machine code of a game; without one, of what all games share.

    Parameters
    ----------
    package : Path
        Folder of the package, for example ``.../nfsim``.
    game : Path, optional
        Folder of the game's package.

    Returns
    -------
    list of Path
        Every module that decorates a function with ``@njit``, those of other games left out, and every module of the
        package that those import, directly or not; sorted. Imports under ``if TYPE_CHECKING`` do not count: they
        never run.
    """
    games = package / "games"
    waiting = [path for path in package.glob("*/**/*.py") if not path.is_relative_to(games)]
    waiting += [*package.glob("*.py"), *(game.rglob("*.py") if game else ())]
    waiting = [path for path in waiting if _COMPILED.search(path.read_text("utf-8"))]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported_files(path, package))
    return sorted(found)


def _imported_files(path: Path, package: Path) -> Iterator[Path]:
    """Files of the package that the module at `path` imports."""
    ours = path.is_relative_to(package)
    inside = path.relative_to(package.parent).with_suffix("").parts if ours else ()
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except SyntaxError:  # importing the module will say so, with the line; here its text is enough
        return
    for node in _running_nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module_file(tuple(alias.name.split(".")), package)
        elif isinstance(node, ast.ImportFrom):
            # one dot is the folder the module stands in, each further dot one folder up
            start = inside[: -node.level] if node.level else ()
            module = start + tuple(node.module.split(".") if node.module else ())
            for alias in node.names:
                submodule = list(_module_file((*module, alias.name), package))
                yield from submodule or _module_file(module, package)


def _running_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree without the bodies of ``if TYPE_CHECKING``."""
    children: Iterable[ast.AST] = ast.iter_child_nodes(tree)
    if isinstance(tree, ast.If) and ast.unparse(tree.test).endswith("TYPE_CHECKING"):
        children = tree.orelse
    for node in children:
        if not isinstance(node, ast.expr):  # imports are statements: nine tenths of a tree are left out
            yield node
            yield from _running_nodes(node)


def _module_file(module: tuple[str, ...], package: Path) -> Iterator[Path]:
    """Yield the file of a dotted module name, if it belongs to the package."""
    if module and module[0] == package.name:
        base = package.joinpath(*module[1:])
        for path in (base.with_name(base.name + ".py"), base / "__init__.py"):
            if path.is_file():
                yield path


def fingerprint(package: Path, environment: Iterable[object], game: Path | None = None) -> str:
    """Hash everything machine code depends on.

    Parameters
    ----------
    package : Path
        Folder of the package. Its place is part of the hash: compiled code keeps file names for messages.
    environment : iterable of object
        Versions, processor and flags; hashed by their ``repr``.
    game : Path, optional
        As `compiled_sources` takes it.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    digest = hashlib.sha256(repr((str(package), *environment)).encode())
    for path in compiled_sources(package, game):
        source = path.read_bytes()
        # name and length first, so that text cannot move from one file to the next unnoticed
        digest.update(repr((os.path.relpath(path, package), len(source))).encode())
        digest.update(source)
    return digest.hexdigest()[:16]


def remembered_fingerprint(package: Path, environment: tuple[object, ...], game: Path | None = None) -> str:
    """Return `fingerprint`, without reading any source if no file has changed since it was last computed.

    Parameters
    ----------
    package, environment, game
        As `fingerprint` takes them.

    Notes
    -----
    Fingerprints are remembered in the `base_folder`; if it cannot be written they are computed each time. Files are
    told by size, number and times of change, as git tells them; what changed within the last seconds is not relied
    on, for a clock may not tell two changes apart.
    """
    base = base_folder()
    if base is None:
        return fingerprint(package, environment, game)
    state, newest = [], 0
    for folder in filter(None, (package, game)):
        for path, _, names in os.walk(folder):
            for name in names:
                if name.endswith(".py"):
                    info = Path(path, name).stat()
                    newest = max(newest, info.st_mtime_ns, info.st_ctime_ns)
                    state.append((path, name, info.st_size, info.st_ino, info.st_mtime_ns, info.st_ctime_ns))
    seen = hashlib.sha256(repr((environment, str(package), str(game), sorted(state))).encode()).hexdigest()[:16]
    note = base / (_FINGERPRINT + seen)
    try:
        known = note.read_text("ascii")
        if re.fullmatch("[0-9a-f]{16}", known):
            return known
    except (OSError, ValueError):
        pass
    result = fingerprint(package, environment, game)
    if time.time_ns() - newest > _SETTLED_NS:
        with contextlib.suppress(OSError):
            base.mkdir(parents=True, exist_ok=True)
            for old in sorted(base.glob(_FINGERPRINT + "*"), key=lambda each: each.stat().st_mtime)[:-KEEP_NOTES]:
                old.unlink()
            note.write_text(result, "ascii")
    return result


def base_folder() -> Path | None:
    """Return where folders with compiled code are wanted; None for a user without a home folder and without a name."""
    try:
        return Path(os.environ.get(ENV_FOLDER) or platformdirs.user_cache_dir("nfsim", appauthor=False))
    except (RuntimeError, KeyError):  # as in containers
        return None


def open_folder(name: str) -> Path | None:
    """Make the folder for compiled code and note that it is in use.

    It stands in the folder that the environment variable ``NFSIM_CACHE_DIR`` names, or else in the user's
    cache folder. If that cannot be written it stands in a private temporary folder, which is said once on
    standard error; child processes are pointed at the same place and stay silent.

    Parameters
    ----------
    name : str
        Result of `fingerprint`, a game's with its name before it.

    Returns
    -------
    Path or None
        None when nothing at all can be written: code is then compiled in every process and kept nowhere.
    """
    wanted = base_folder()
    folder = None if wanted is None else _prepare(wanted, name)
    if folder is not None:
        return folder
    wanted = wanted or Path("~/.cache/nfsim")  # for the message
    spare = _private_temporary_folder()
    folder = _prepare(spare, name) if spare is not None else None
    if spare is None or folder is None:
        sys.stderr.write(f"nfsim: cannot keep compiled code in {wanted} nor in a temporary folder\n")
        return None
    sys.stderr.write(f"nfsim: cannot keep compiled code in {wanted}: keeping it in {spare}\n")
    os.environ[ENV_FOLDER] = str(spare)
    return folder


def _prepare(base: Path, name: str) -> Path | None:
    """Make ``base/jit-<name>`` and prune its neighbours; None if it cannot be written."""
    folder = base / (_PREFIX + name)
    try:
        is_new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _LAST_USED).touch()  # also refreshes the time that pruning looks at
        # touching a file that exists may be allowed where making one is not
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    if is_new:  # the only moment the number of folders grows; a warm start looks at nothing
        prune(base, keep=folder)
    return folder


def _private_temporary_folder() -> Path | None:
    """Folder for compiled code that nobody else can write to: it is loaded, so it must be trusted."""
    try:
        user = os.getuid() if hasattr(os, "getuid") else "user"  # Windows has one temporary folder per user
        folder = Path(tempfile.gettempdir(), f"nfsim-{user}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if is_private(folder):
            return folder
        folder = Path(tempfile.mkdtemp(prefix="nfsim-"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def is_private(folder: Path) -> bool:
    """Tell whether a folder is a real folder, belongs to this user and is closed to all others."""
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True
    return info.st_uid == os.getuid() and stat.S_IMODE(info.st_mode) == 0o700


def folders(base: Path) -> list[Path]:
    """Return the folders with compiled code in a folder."""
    return [path for path in base.glob(_PREFIX + "*") if path.is_dir() and not path.is_symlink()]


def prune(base: Path, keep: Path) -> None:
    """Remove compiled code of a game that nobody needs.

    Parameters
    ----------
    base : Path
        Folder that holds the hashed folders.
    keep : Path
        Never removed; neither are the newest `KEEP_FOLDERS` and those used within `KEEP_SECONDS`.
        Errors are ignored: another process may be pruning too.
    """

    def last_used(folder: Path) -> float:
        try:
            return (folder / _LAST_USED).stat().st_mtime
        except OSError:
            return 0.0

    same = keep.name.rpartition("-")[0]  # folders of other games take nobody's place
    found = [path for path in folders(base) if path.name.rpartition("-")[0] == same]
    found.sort(key=last_used, reverse=True)
    now = time.time()
    for rank, folder in enumerate(found):
        if folder == keep or rank < KEEP_FOLDERS or now - last_used(folder) < KEEP_SECONDS:
            continue
        with contextlib.suppress(OSError):
            # renamed first, so that nobody finds a half-removed folder under the old name
            doomed = folder.rename(folder.with_name(f"{folder.name}.old-{os.getpid()}"))
            shutil.rmtree(doomed, ignore_errors=True)
