"""The command `nfsim`: one file per subcommand, which reads its options and calls one plain function.

Modules here import what they need inside their functions: `nfsim --help` then starts quickly, and nothing
here is part of what is compiled.
Exit codes: 0 fine, 1 a check found something or something broke, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shlex
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

import nfsim
from nfsim.cli.console import drop_output, note, open_streams, print_json
from nfsim.cli.options import help_text
from nfsim.errors import BadInput, one_line
from nfsim.run.progress import GOES_ON, NO_MEMORY, NothingKept

COMMANDS = (
    "run", "demo", "report", "compare", "balance", "campaign", "ladder", "difficulty", "thresholds", "games", "sweep",
    "verify", "replay", "play", "schema", "rules", "policies", "tune", "bench", "info",
)  # fmt: skip
"""Commands, each the function `command` of a module of its name; and `TILES`, which has commands of its own."""
TILES = "tiles"
KEEPING = ("run", "demo", "compare", "balance", "difficulty", "thresholds", "sweep", "tune", "tiles sample")
KEEPING_IF_NAMED = ("campaign", "ladder")
"""Commands that keep what is complete in a folder and go on from there; the latter only in the one that is named."""
NUMBAS_CACHE = str(Path("numba", "core", "caching.py"))
EPILOG = "Start with: nfsim demo, or nfsim run solo_campaign1_short"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nfsim {nfsim.__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Simulate New Frontiers with The Starry Rift: thousands of games a second, logged and reported."""


def build_app(asked: str = "") -> typer.Typer:
    """Put the command together.

    Parameters
    ----------
    asked : str
        First word of the command line: if it names a command, the others are left out, which takes less time.
    """
    # plain help when nobody looks at it on a terminal: it is never wrapped there
    width = {} if sys.stdout.isatty() else {"terminal_width": 10_000, "max_content_width": 10_000}
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        epilog=EPILOG,
        context_settings={"help_option_names": ["-h", "--help"], **width},
    )
    app.callback()(_root)
    for name in [asked] if asked in COMMANDS else COMMANDS:
        command = importlib.import_module(f"nfsim.cli.{name}").command
        app.command(name, help=help_text(command))(command)
    if asked not in COMMANDS:
        app.add_typer(importlib.import_module(f"nfsim.cli.{TILES}").app, name=TILES)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; every user error is one sentence, never a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in given
    open_streams()
    terminals = [number for number in (0, 1, 2) if os.isatty(number)]
    os.environ.pop("MPLBACKEND", None)  # charts are drawn into files: a window system that is not there is no matter
    _end_as_ctrl_c_does()
    try:
        try:
            code, told = build_app(given[0] if given else "")(given, prog_name="nfsim", standalone_mode=False), False
        except SystemExit as end:  # of a command that has said all there is to say, in text or JSON
            if isinstance(end.__context__, BrokenPipeError):  # which typer ends a command by
                raise end.__context__ from None
            code, told = end.code, True
        sys.stdout.flush()
    except BadInput as error:
        return _fail(str(error), 2, as_json)
    except TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message())
            return 2
        return _fail(one_line(error.format_message()), 2, as_json)
    except (KeyboardInterrupt, typer.Abort) as stop:
        if _is_of_numbas_cache(stop.__cause__):  # typer takes the end of any file for Ctrl-D
            return _fail(_damaged_code(), 1, as_json)
        code, told = 130, False
    except BrokenPipeError:  # who reads has seen enough, as head does
        drop_output()
        return 0
    except OSError as error:
        if any(
            not os.isatty(number) for number in terminals
        ):  # closed while a line was printed: before SIGHUP is heard
            return _fail(_interrupted(given), 130, as_json)
        # whatever is not the fault of one input: a full disk, no memory, a closed output
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}cannot be read or written ({error.strerror or error})", 1, as_json)
    except MemoryError:
        return _fail(NO_MEMORY, 1, as_json)
    except Exception as error:
        # errors that know their exit code, such as a run that was stopped
        exit_code = getattr(error, "exit_code", None)
        if not isinstance(exit_code, int):
            if _interruptions:  # lost in a callback of the compiler, which then misses what the callback was to give
                return _fail(_interrupted(given), 130, as_json)
            if _is_of_numbas_cache(error):
                return _fail(_damaged_code(), 1, as_json)
            if as_json:
                print_json({"ok": False, "error": f"{type(error).__name__}: {error}", "exit_code": 1})
            raise
        goes_on = getattr(error, "goes_on", False)
        text = f"{error}: {_again(given)}" if goes_on else str(error)
        about = {key: getattr(error, key) for key in ("folder", "kept", "games", "unit") if hasattr(error, key)}
        return _fail(text, exit_code, as_json, about)
    if code == 130 and not told:
        return _fail(_interrupted(given), 130, as_json)
    return code if isinstance(code, int) else 0


def _interrupted(given: Sequence[str]) -> str:
    """Say what an interruption costs while nothing is played: before the first game, or after the last one."""
    command = " ".join(given[:2]) if given[:1] == ["tiles"] else "".join(given[:1])
    if command in KEEPING_IF_NAMED and not any(option.partition("=")[0] == "--out" for option in given):
        return str(NothingKept("interrupted", 130))
    if command not in KEEPING + KEEPING_IF_NAMED:
        return "interrupted"
    return f"interrupted: what was complete is kept; {GOES_ON}: {_again(given)}"


def _is_of_numbas_cache(error: BaseException | None) -> bool:
    """Tell whether an error came up where numba reads compiled code from the disk."""
    frames = traceback.walk_tb(None if error is None else error.__traceback__)
    return any(frame.f_code.co_filename.endswith(NUMBAS_CACHE) for frame, _ in frames)


def _damaged_code() -> str:
    from nfsim.compiled.jit import cache_folders

    return f"compiled code is damaged; remove the folder {' and the folder '.join(map(str, cache_folders()))}"


def _again(given: Sequence[str]) -> str:
    return shlex.join(["nfsim", *given])


_interruptions: list[int] = []  # signals that ended this command, or were to


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Do as Python does on Ctrl-C, and remember it: a callback that the compiler calls cannot pass it on."""
    _interruptions.append(number)
    signal.default_int_handler(number, frame)


def _say_lost(lost: Any) -> None:
    """Print an error that nothing could pass on, but for Ctrl-C: `main` says that."""
    if not (_interruptions and lost.exc_type is KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def _end_as_ctrl_c_does() -> None:
    """Let what else ends a command do so as Ctrl-C does: being told to, or losing its terminal."""
    _interruptions.clear()
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _say_lost
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        usual = (signal.SIG_DFL, signal.default_int_handler)  # else nohup, say, wants it ignored
        if number is not None and signal.getsignal(number) in usual:
            with contextlib.suppress(ValueError):  # only a main thread may set this
                signal.signal(number, _interrupt)


def _fail(text: str, code: int, as_json: bool, about: Mapping[str, object] | None = None) -> int:
    try:
        if as_json:
            print_json({"ok": False, "error": text, "exit_code": code, **_plain(about or {})})
        sys.stdout.flush()
    except OSError:  # it is the output that cannot be written
        drop_output()
    with contextlib.suppress(OSError):  # nobody can be told
        note(f"nfsim: {text}")
    return code


def _plain(about: Mapping[str, object]) -> dict[str, object]:
    """Return what JSON can say: folders are text."""
    return {key: value if value is None or isinstance(value, int) else str(value) for key, value in about.items()}
