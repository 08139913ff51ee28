"""Policies of users: their own weights in a file, or their own function in Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.errors import BadInput, PolicyFailed
from nfsim.policies import functions
from nfsim.policies.kinds import Kind
from nfsim.policies.presets import Preset, Shelf

LONGEST = 100  # characters of a function's docstring that are shown


@dataclass(frozen=True)
class UserPolicy(Preset):
    """A function that decides; it travels to other processes by its name and is imported there.

    Attributes
    ----------
    folder : str
        Where its module is looked for.
    source : str
        SHA-256 of the module's file.
    """

    folder: str = ""
    source: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of the module's file; what it imports is not in it."""
        return self.source

    def details(self) -> dict[str, Any]:
        """Return where the function stands."""
        return {"kind": Kind.OWN.name.lower(), "function": self.spec, "file": str(_function(self).file)}

    def ask(self, turn: Any) -> int:
        """Return the number of the option that the function chooses.

        Raises
        ------
        PolicyFailed
            If it fails, or returns something else; the sentence names function, game, seat and decision.
        """
        count, function = len(turn.options), _function(self)
        try:
            with functions.printing_aside():
                choice = function.call(turn)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit and the like are a mistake of the function too
            raise self._failed(turn, f"broke off with {functions.what_happened(error)}") from None
        if isinstance(choice, bool) or not isinstance(choice, int | np.integer):
            raise self._failed(turn, f"returned {_shown(choice)}, which is not the number of an option")
        if not 0 <= choice < count:
            raise self._failed(turn, f"returned {_shown(choice)}, but the options are 0 to {count - 1}")
        return int(choice)

    def _failed(self, turn: Any, what: str) -> PolicyFailed:
        where = f"in game {turn.number}, seat {turn.seat}, decision {turn.decision_label}"
        return PolicyFailed(f"policy {self.spec} {what} ({where})")


def find(shelf: Shelf, spec: str, origin: object, base: Path) -> Preset:
    """Return the policy that a text names: one of the game's, a file that ends in .toml, or ``module:function``.

    Parameters
    ----------
    shelf : Shelf
        Presets of the game.
    spec : str
    origin : object
        File or option that holds it, for errors.
    base : Path
        Folder from which a file is looked up. Functions are looked up from the current folder.

    Raises
    ------
    BadInput
        Naming what is wrong with it.
    """
    if spec.endswith(".toml"):
        try:
            file = base / Path(spec).expanduser()
        except RuntimeError:  # a home folder of nobody
            raise BadInput(origin, "policy", f'"{spec}" has no such home folder') from None
        return shelf.read(file)
    if ":" in spec:
        folder = Path().resolve()
        found = functions.load(spec, origin, folder)
        lines = (found.call.__doc__ or "").strip().splitlines() or ["a function in Python"]
        return UserPolicy(
            shelf,
            name=spec,
            kind=Kind.OWN,
            plan=lines[0][:LONGEST],
            vectors=shelf.zeros(),
            spec=spec,
            text=found.content.decode(errors="replace"),
            folder=str(folder),
            source=found.digest,
        )
    try:
        return shelf.get(spec)
    except BadInput as error:
        if error.key != "policy":  # not the name is wrong, but what stands in the game's own file
            raise
        raise BadInput(origin, "policy", error.problem, error.remedy) from None


def _function(policy: UserPolicy) -> functions.Function:
    return _loaded(policy.spec, policy.folder, policy.source)


@cache
def _loaded(spec: str, folder: str, source: str) -> functions.Function:
    """Import a function, once a process; a file that has changed since the run began is refused."""
    found = functions.load(spec, "--policy", Path(folder))
    if found.digest != source:
        raise PolicyFailed(f"policy {spec}: {found.file} has changed since the run began")
    return found


def _shown(value: object) -> str:
    try:
        text = f"{value}" if isinstance(value, int | np.integer) else repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a number of too many digits, or whatever a class of the user's does
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
