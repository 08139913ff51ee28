"""Games that a person has not finished, kept in a file: small JSON with everything that plays them again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nfsim.errors import BadInput
from nfsim.files import parse_json, read_text, write_atomic
from nfsim.run.provenance import run_identity
from nfsim.run.scenario import LARGEST_SEED, Scenario, scenario_from
from nfsim.run.session import NotTheGame, Session, get_ready
from nfsim.validation import checked, quoted

FOLDER = Path("plays")  # where games are kept that were given no name
Format = Literal["nfsim saved game 1"]
FORMAT: Format = "nfsim saved game 1"
LARGEST = 1_000_000  # bytes; a long game of five players needs some 20,000
IGNORED = ("games", "log")  # keys of a run's identity that say nothing about one game
HARMLESS = ("parameters.", "source")  # may differ: the choices made so far are in the file
SECTIONS = ("game", "setup", "rules", "patch", "tiles", "policy")  # of a scenario: what game it is


class _Saved(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    format: Format
    name: Annotated[str, Field(max_length=300)]
    scenario: dict[str, Any]
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)]
    game: Annotated[int, Field(ge=0, le=LARGEST_SEED)]
    identity: dict[str, Any]
    choices: Annotated[list[Annotated[int, Field(ge=0, le=10_000)]], Field(max_length=100_000)]
    fingerprint: str


def free_name(scenario: Scenario, seed: int, number: int) -> Path:
    """Return a name in `FOLDER` that no file has."""
    stem = f"{scenario.name[:50]}_seed{seed}_game{number}"
    names = [FOLDER / f"{stem}{f'_{n}' if n > 1 else ''}.json" for n in range(1, 10_000)]
    return next((name for name in names if not name.exists()), names[-1])


def save(session: Session, file: Path) -> None:
    """Write a game, whole or not at all; its folder is made if there is none.

    Raises
    ------
    BadInput
        If the file is there and is no saved game, or cannot be written.
    """
    scenario = session.scenario
    saved = _Saved(
        format=FORMAT,
        name=scenario.name,
        scenario=scenario.resolved,
        seed=session.seed,
        game=session.number,
        identity=_identity(scenario, session.seed),
        choices=session.choices,
        fingerprint=session.fingerprint,
    )
    try:
        if file.exists() and not _is_save(file):
            raise BadInput(file, "", "is there and is no saved game", "choose another name")
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, (json.dumps(saved.model_dump(), indent=1) + "\n").encode(), lasting=True)
    except (OSError, ValueError) as error:
        raise BadInput(file, "", f"cannot be written ({getattr(error, 'strerror', None) or error})") from None


def resume(file: Path, compiling: Callable[[int], None], allowed: Sequence[str] = ()) -> tuple[Session, list[str]]:
    """Read a game and play it on to where it was saved.

    Parameters
    ----------
    file : Path
    compiling : callable
        Told beforehand when the rules have to be compiled, with the seconds that takes.
    allowed : sequence of str
        Policies that are functions in Python and may be imported.

    Returns
    -------
    session : Session
    warnings : list of str
        What has changed since, if it cannot change what has been played.

    Raises
    ------
    BadInput
        If the file is damaged, or naming what differs: another version of the rules, other tiles, another ruling.
    """
    saved = _read(file)
    scenario = scenario_from(saved.scenario, file, saved.name, allowed)
    now = _identity(scenario, saved.seed)
    differs = [key for key in {**saved.identity, **now} if saved.identity.get(key) != now.get(key)]
    refused = [key for key in differs if not key.startswith(HARMLESS)]
    if refused:
        key = refused[0]
        then, here = (quoted(_short(found.get(key, "nothing"))) for found in (saved.identity, now))
        named = f"the {scenario.rule_set.words.record} set"
        words = {"tiles": named, "version": "the version of the rules"}.get(key, key)
        more = f" (and {', '.join(refused[1:])})" if refused[1:] else ""
        raise BadInput(file, "", f"cannot be gone on with: {words} was {then} and is {here} now{more}")
    get_ready(scenario, saved.seed, compiling)
    try:
        session = Session(scenario, saved.seed, saved.game, saved.choices)
        if (session.choices, session.fingerprint) != (saved.choices, saved.fingerprint):
            raise NotTheGame
    except NotTheGame:
        changed = "; the source of the rules has changed since" if differs else ""
        raise BadInput(file, "choices", f"do not lead to the game that was saved{changed}") from None
    return session, [f"{_warning(key)} has changed since the game was saved" for key in differs]


def differences(session: Session, other: Mapping[str, Any]) -> list[str]:
    """Return the keys of a resolved scenario in which the game at hand differs from another one."""
    mine = session.scenario.resolved
    found = []
    for key in SECTIONS:
        here, there = mine.get(key), other.get(key)
        if isinstance(here, dict) and isinstance(there, dict):
            found += [f"{key}.{k}" for k in {**here, **there} if here.get(k) != there.get(k)]
        elif here != there:
            found.append(key)
    return found


def _read(file: Path) -> _Saved:
    text = read_text(file, LARGEST, "a saved game")
    try:
        data = parse_json(text)
    except ValueError:
        raise BadInput(file, "", "is not JSON: damaged, or no saved game") from None
    if data.get("format") != FORMAT:
        raise BadInput(file, "format", f"is missing or not {quoted(FORMAT)}", "name a file that nfsim play has saved")
    return checked(_Saved, data, file)


def _is_save(file: Path) -> bool:
    try:
        _read(file)
    except BadInput:
        return False
    return True


def _identity(scenario: Scenario, seed: int) -> dict[str, Any]:
    return {key: value for key, value in run_identity(scenario, seed, "").items() if key not in IGNORED}


def _short(value: object) -> object:
    """Return a value, a hash by its beginning."""
    return value[:12] if isinstance(value, str) and len(value) == 64 else value


def _warning(key: str) -> str:
    return f"policy {key.partition('.')[2]}" if key.startswith("parameters.") else "the source of the rules"
