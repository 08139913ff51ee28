"""Functions that users write: found by ``module:function``, imported once, every mistake said in one sentence."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nfsim.errors import MOST_SHOWN, BadInput, nearest, one_line

REMEDY = "write module:function, for example examples.greedy:choose"

_imported: dict[str, tuple[str, bytes]] = {}  # by module: the folder it was looked up from, what its file said


@dataclass(frozen=True)
class Function:
    """A user's function and the file it stands in.

    Attributes
    ----------
    call : callable
    file : Path
    content : bytes
        What the file said when it was imported.
    """

    call: Callable[..., Any]
    file: Path
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of its file; what the file imports is not in it."""
        return hashlib.sha256(self.content).hexdigest()


def load(spec: str, origin: object, folder: Path) -> Function:
    """Import a function of one argument.

    Parameters
    ----------
    spec : str
        ``module:function``; the module may be dotted.
    origin : object
        File or option that holds the text, for errors.
    folder : Path
        Where modules are looked for first; it stays on Python's path, for what the function imports later.

    Raises
    ------
    BadInput
        Naming what is wrong: no such module or function, an error in the module (with its line), a function that
        does not take one argument.
    """
    module_name, _, name = spec.partition(":")
    if not name.isidentifier() or not all(part.isidentifier() for part in module_name.split(".")):
        raise BadInput(origin, "policy", f'"{spec}" names no function', REMEDY)
    module, content = _import(module_name, spec, origin, folder)
    functions = [key for key, value in vars(module).items() if inspect.isfunction(value) and key[0] != "_"]
    try:
        call = getattr(module, name)
    except AttributeError:
        raise BadInput(origin, "policy", f'{module_name} has no function "{name}"', nearest(name, functions)) from None
    except Exception as error:  # a module may make its names itself
        raise BadInput(origin, "policy", f"{spec} cannot be imported: {what_happened(error)}") from None
    if not callable(call):
        raise BadInput(origin, "policy", f"{spec} is no function", nearest(name, functions))
    try:
        inspect.signature(call).bind(None)
    except (TypeError, ValueError):
        raise BadInput(origin, "policy", f"{spec} must take one argument, the game", f"def {name}(game):") from None
    return Function(call, Path(str(module.__file__)), content)


def named(policies: Any) -> Any:
    """Return policies as texts: a function in Python as ``module:function``, in a list too; all else as it is.

    Raises
    ------
    BadInput
        If a function has no such name: other processes could not find it.
    """
    if isinstance(policies, str) or policies is None:
        return policies
    if not callable(policies):
        return [named(policy) for policy in policies]
    module, name = getattr(policies, "__module__", None), getattr(policies, "__qualname__", "")
    found = getattr(sys.modules.get(module or ""), name, None)
    if module == "__main__" or found is not policies:
        raise BadInput(
            "policy",
            "",
            f"{name or type(policies).__name__} cannot be found by other processes",
            "write it at the top level of a file of its own and import it from there",
        )
    return f"{module}:{name}"


def _import(module: str, spec: str, origin: object, folder: Path) -> tuple[Any, bytes]:
    """Import a module, again if it has changed, and return it with what its file says."""
    root = str(folder)
    if module in _imported and _imported[module] != (root, _content(sys.modules.get(module))):
        _forget(module)
    if root not in sys.path:
        sys.path.insert(0, root)
    importlib.invalidate_caches()
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # leave no files in the user's folder
    try:
        with printing_aside():
            found = importlib.import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit and the like are a mistake of the module too
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
            raise BadInput(origin, "policy", f'{spec}: there is no module "{error.name}" in {folder}', REMEDY) from None
        raise BadInput(origin, "policy", f"{spec} cannot be imported: {what_happened(error)}") from None
    finally:
        sys.dont_write_bytecode = writes
    content = _content(found)
    if content is None:
        raise BadInput(origin, "policy", f"{spec}: the module has no source file that can be read")
    _imported[module] = (root, content)
    return found, content


def _content(module: Any) -> bytes | None:
    try:
        return Path(getattr(module, "__file__", None) or "").read_bytes()
    except OSError:
        return None


def _forget(module: str) -> None:
    """Forget a module that is another one now, and what came with it."""
    top = module.partition(".")[0]
    sys.path[:] = [entry for entry in sys.path if entry != _imported[module][0]]
    for known in (sys.modules, _imported):
        for name in [name for name in known if name == top or name.startswith(f"{top}.")]:
            del known[name]


@contextlib.contextmanager
def printing_aside() -> Iterator[None]:
    """Let what a user's code prints go to standard error: standard output is for results, one JSON object perhaps."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def what_happened(error: BaseException) -> str:
    """Return an error with the file and line it comes from, as part of a sentence."""
    if isinstance(error, SyntaxError) and error.filename:
        file, line, text = error.filename, error.lineno, error.msg
    else:
        steps = [step for step in traceback.extract_tb(error.__traceback__) if not _is_ours(step.filename)]
        file, line = (steps[-1].filename, steps[-1].lineno) if steps else ("", None)
        text = _text(error)
    where = f" in {Path(file).name}, line {line}" if file else ""
    if len(text) > MOST_SHOWN:
        text = f"{text[:MOST_SHOWN]}…"
    return one_line(f"{type(error).__name__}{where}{f': {text}' if text else ''}")


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _is_ours(file: str) -> bool:
    package = Path(__file__).parents[1]
    return file.startswith("<frozen") or Path(file).is_relative_to(package) or Path(file) == Path(importlib.__file__)
