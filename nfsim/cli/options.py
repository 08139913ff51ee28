"""Options that several commands share."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.errors import BadInput

if TYPE_CHECKING:
    from nfsim.run.cluster import Cluster
    from nfsim.run.options import Options
    from nfsim.run.progress import Watch

Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one key of the scenario, for example setup.rounds=12; may be given several times.",
    ),
]
Patches = Annotated[
    list[str] | None,
    typer.Option(
        "--patch",
        metavar="FILE",
        help="Change what is printed as the [[patch]] tables of a TOML file say; may be given several times.",
    ),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend", metavar="NAME", help="Who plays. local: this machine; dask: the workers of a Dask cluster."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="With --backend dask: its scheduler, or the scheduler's file."),
]
Game = Annotated[str, typer.Option("--game", metavar="NAME", help="Rule set.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text, also about an error.")]


def all_settings(settings: list[str] | None, patches: list[str] | None) -> list[str]:
    """Return ``--set`` and ``--patch`` together: a file of patches is the setting ``patch=FILE``."""
    for file in patches or []:
        if not file.endswith(".toml"):
            raise BadInput(
                "--patch", "", f'must name a TOML file, not "{file[:60]}"', "for example --patch dearer.toml"
            )
    return [*(settings or []), *(f"patch={file}" for file in patches or [])]


def whole_number(option: str, text: str | None) -> int | None:
    """Read a whole number given to an option; `BadInput` names the option."""
    if text is None:
        return None
    if not re.fullmatch(r"[+-]?\d{1,30}(_\d{1,30}){0,10}", text.strip(), re.ASCII):
        raise BadInput(option, "", f'must be a whole number, not "{text[:40]}"')
    return int(text)


def number(option: str, text: str | None) -> float | None:
    """Read a number given to an option; `BadInput` names the option."""
    if text is None:
        return None
    if not re.fullmatch(
        r"[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?", text.strip(), re.ASCII | re.IGNORECASE
    ):
        raise BadInput(option, "", f'must be a number, not "{text[:40]}"')
    return float(text)


def study_folder(out: str | None, usual: Path) -> Path:
    """Return the folder that ``--out`` names, or the usual one; `BadInput` if it is an address."""
    from nfsim.log.addresses import is_address, without_file

    if out is not None and is_address(without_file(out)):
        problem = f"{out} is an address, and the page is made from the rows of all variants"
        raise BadInput(
            "--out", "", problem, "name a folder of this machine; workers that do not see it send their rows"
        )
    return usual if out is None else path("--out", out)


def options_of(seed: str, jobs: str | None, *, quiet: bool, cluster: Cluster | None = None) -> Options:
    """Read how a study is played.

    Parameters
    ----------
    seed, jobs : str
        As given.
    quiet : bool
        Show nothing even on a terminal.
    cluster : Cluster, optional
        Whose workers play.
    """
    from nfsim.cli.console import note
    from nfsim.cli.progress import watch_run
    from nfsim.run.execute import check_options
    from nfsim.run.options import Options

    root, threads = whole_number("--seed", seed), whole_number("--jobs", jobs)
    assert root is not None
    check_options(root, threads)

    def watching(title: str, unit: str) -> AbstractContextManager[Watch]:
        return watch_run(title, quiet=quiet, unit=unit)

    return Options(root, threads, cluster, watching, note)


def help_text(command: Callable[..., None]) -> str:
    """Return a docstring as a help text; a backspace keeps the lines of examples as they are."""
    return re.sub(r"^(?=For example:$)", "\b\n", inspect.getdoc(command) or "", flags=re.MULTILINE)


def path(option: str, text: str) -> Path:
    """Read the name of a file or folder given to an option or argument; `BadInput` names it."""
    from nfsim.log.addresses import local

    if not text:
        raise BadInput(option, "", "must name a file or folder")
    try:
        valid = "\0" not in text and text.encode() != b""
    except UnicodeEncodeError:
        valid = False
    if not valid:
        raise BadInput(option, "", f'must be a name in UTF-8, not "{text}"')
    named = local(text)
    try:
        named.exists()
    except OSError as error:
        raise BadInput(option, "", f"cannot be used ({error.strerror})") from None
    return named
