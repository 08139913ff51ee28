"""Games and campaigns that a person has not finished, in files: small JSON with everything that plays them again."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import filelock
from pydantic import BaseModel, ConfigDict, Field

from nfsim.errors import BadInput
from nfsim.files import is_there, parse_json, read_text, real, write_atomic
from nfsim.run.campaign import Campaign, Claim
from nfsim.run.provenance import run_identity
from nfsim.run.scenario import LARGEST_SEED, Scenario, scenario_from
from nfsim.run.session import NotTheGame, Session, get_ready
from nfsim.validation import checked, quoted

FOLDER = Path("plays")  # where games are kept that were given no name
Format = Literal["nfsim saved game 1"]
FORMAT: Format = "nfsim saved game 1"
GLANCE = 0.3  # seconds to wait for a lock
LARGEST = 1_000_000  # bytes; a long game of five players needs some 20,000
IGNORED = ("games", "log")  # keys of a run's identity that say nothing about one game
HARMLESS = ("parameters.", "source")  # may differ: the choices made so far are in the file
SECTIONS = ("game", "setup", "rules", "patch", "tiles", "policy")  # of a scenario: what game it is


Choices = Annotated[list[Annotated[int, Field(ge=0, le=10_000)]], Field(max_length=100_000)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _SavedWin(_Part):
    choices: Choices
    fingerprint: str
    objective: str
    side: str


class _SavedCampaign(_Part):
    number: Annotated[int, Field(ge=0, le=LARGEST_SEED)]
    chip: bool
    won: Annotated[list[_SavedWin], Field(max_length=100)]


class _Saved(_Part):
    format: Format
    name: Annotated[str, Field(max_length=300)]
    scenario: dict[str, Any]
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)]
    game: Annotated[int, Field(ge=0, le=LARGEST_SEED)]
    identity: dict[str, Any]
    choices: Choices
    fingerprint: str
    campaign: _SavedCampaign | None = None


@contextlib.contextmanager
def held(file: Path) -> Iterator[None]:
    """Let no other process keep a game in a file; where no lock can be written, no game can be either.

    Raises
    ------
    BadInput
        If another process holds it.
    """
    place = real(file)
    lock = filelock.FileLock(place.parent / f".{place.name}.lock", timeout=GLANCE)
    try:
        if place.parent.is_dir():  # else nobody plays there
            lock.acquire()
    except filelock.Timeout:
        raise BadInput(file, "", "is being played in another terminal", "leave the game there first") from None
    except (OSError, ValueError):  # a disk that is read-only; a name that no file can have
        pass
    try:
        yield
    finally:
        if lock.is_locked:
            with contextlib.suppress(OSError):  # Windows removes no file that is open
                Path(lock.lock_file).unlink()
            lock.release()


@contextlib.contextmanager
def free_place(scenario: Scenario, seed: int, number: int) -> Iterator[Path]:
    """Hold a name in `FOLDER` that no file has, and that no other process is about to write."""
    stem = f"{scenario.name[:50]}_seed{seed}_game{number}"
    names = [FOLDER / f"{stem}{f'_{n}' if n > 1 else ''}.json" for n in range(1, 10_000)]
    with contextlib.suppress(OSError):  # said when the game cannot be kept
        FOLDER.mkdir(exist_ok=True)
    with contextlib.ExitStack() as holding:
        for name in names:
            with contextlib.suppress(BadInput):
                if not is_there(name):
                    holding.enter_context(held(name))
                    break
        yield name


def save(session: Session, file: Path, campaign: Campaign | None = None) -> None:
    """Write a game, with the campaign that it is part of, whole or not at all; its folder is made if there is none.

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
        campaign=None if campaign is None else _saved_campaign(campaign),
    )
    try:
        if file.exists() and not _is_save(file):
            raise BadInput(file, "", "is there and is no saved game", "choose another name")
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, (json.dumps(saved.model_dump(exclude_none=True), indent=1) + "\n").encode(), lasting=True)
    except (OSError, ValueError) as error:
        raise BadInput(file, "", f"cannot be written ({getattr(error, 'strerror', None) or error})") from None


def resume(
    file: Path, compiling: Callable[[int], None], allowed: Sequence[str] = ()
) -> tuple[Session | Campaign, list[str]]:
    """Read a game or a campaign and play it on to where it was saved.

    Parameters
    ----------
    file : Path
    compiling : callable
        Told beforehand when the rules have to be compiled, with the seconds that takes.
    allowed : sequence of str
        Policies that are functions in Python and may be imported.

    Returns
    -------
    found : Session or Campaign
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
    warnings = [f"{_warning(key)} has changed since the game was saved" for key in differs]
    try:
        if saved.campaign is None:
            return _played(scenario, saved.seed, saved.game, saved.choices, saved.fingerprint), warnings
        return _gone_on(scenario, saved, saved.campaign), warnings
    except NotTheGame:
        changed = "; the source of the rules has changed since" if differs else ""
        raise BadInput(file, "choices", f"do not lead to the game that was saved{changed}") from None


def _played(scenario: Scenario, seed: int, number: int, choices: Sequence[int], fingerprint: str) -> Session:
    """Play a game as far as it was saved."""
    session = Session(scenario, seed, number, choices)
    if (session.choices, session.fingerprint) != (list(choices), fingerprint):
        raise NotTheGame
    return session


def _saved_campaign(campaign: Campaign) -> _SavedCampaign:
    won = [
        _SavedWin(
            choices=list(each.choices), fingerprint=each.fingerprint,
            objective=each.claim.objective, side=each.claim.side,
        )
        for each in campaign.won
    ]  # fmt: skip
    return _SavedCampaign(number=campaign.number, chip=campaign.chip, won=won)


def _gone_on(scenario: Scenario, saved: _Saved, kept: _SavedCampaign) -> Campaign:
    """Play a campaign as far as it was saved: a claim that its game does not allow is refused as a wrong choice is."""
    if scenario.rule_set.series is None:
        raise NotTheGame
    found = Campaign.begin(scenario, saved.seed, kept.number, chip=kept.chip)
    for win in kept.won:
        session = _played(scenario, saved.seed, found.session.number, win.choices, win.fingerprint)
        claim = Claim(win.objective, win.side)
        found = replace(found, session=session)
        if claim not in found.claims:
            raise NotTheGame
        found = found.claim(claim)
    if found.is_won:
        if saved.choices != kept.won[-1].choices:
            raise NotTheGame
        return found
    if saved.game != found.session.number:
        raise NotTheGame
    session = _played(scenario, saved.seed, saved.game, saved.choices, saved.fingerprint)
    return replace(found, session=session)


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
