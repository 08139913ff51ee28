"""A scenario: which game is played how often by which policies, read from TOML and the command line."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from nfsim.contract.catalogue import Catalogue
from nfsim.contract.rule_set import Policy, RuleSet, load_rule_set
from nfsim.errors import BadInput, visible
from nfsim.files import find_folder
from nfsim.run.scenario_files import APPENDED, Layered, find, read_layers, read_setting
from nfsim.run.seating import aimed, check_policies
from nfsim.run.titles import filled, titled
from nfsim.validation import checked, one_printable_line, quoted, unknown

DEFAULT_GAMES = 20_000
DEFAULT_SEED = 1
DEFAULT_POLICY = "balanced"
MOST_GAMES = 10**9  # weeks, and more files than a folder should hold
LARGEST_SEED = 2**63 - 1
IN_TITLE = ("title", "games")  # what a title line says anyway


def _names(value: object) -> object:
    """Take one name, a list, or names joined by commas."""
    if isinstance(value, str):
        return [name.strip() for name in value.split(",")]
    if not isinstance(value, list):
        raise ValueError(f"must be a name or a list of names, not {quoted(value)}")
    return value


Name = Annotated[str, StringConstraints(min_length=1, max_length=4096, strict=True)]  # or the path of a file


class _Head(BaseModel):
    """Keys of a scenario that are the same for every game."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str
    title: Annotated[str, StringConstraints(max_length=200), AfterValidator(one_printable_line)] = ""
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] = DEFAULT_GAMES
    policy: Annotated[list[Name], BeforeValidator(_names), Field(min_length=1, max_length=20)] = [DEFAULT_POLICY]
    aim: Annotated[str, StringConstraints(max_length=200)] = ""


@dataclass(frozen=True)
class Scenario:
    """A checked scenario.

    Attributes
    ----------
    name : str
        File name without its end: the name of the run folder.
    title : str
        What reports call it: as its file has it, with the settings that it names as they are played.
    games : int
        Games to play.
    seated : tuple of Policy
        Who decides, one per seat.
    rule_set : RuleSet
        Of the game it names.
    prepared : Any
        The game ready to play, see `nfsim.contract.rule_set.Prepared`.
    resolved : dict
        All keys after inheritance and ``--set``, defaults included, as a manifest keeps them.
    changes : tuple of str
        ``key=value`` of the command line, the last one of each key: what the title does not know of.
    """

    name: str
    title: str
    games: int
    seated: tuple[Policy, ...]
    rule_set: RuleSet = field(repr=False)
    prepared: Any = field(repr=False)
    resolved: dict[str, Any] = field(repr=False)
    changes: tuple[str, ...] = ()

    @property
    def policies(self) -> tuple[str, ...]:
        """Labels of the policies in the log, one per seat."""
        return tuple(policy.name for policy in self.seated)

    @property
    def shown_title(self) -> str:
        """The title, and what the command line changed that it does not say."""
        return titled(self.title, self.changes, self.rule_set.setting)


def read_scenario(
    path: Path | str, settings: Sequence[str] = (), overrides: Mapping[str, Any] | None = None
) -> Scenario:
    """Read, merge and check a scenario.

    Parameters
    ----------
    path : path
        TOML file, or the bare name of one that is built in.
    settings : sequence of str
        ``key=value`` of the command line, in order; a later one wins.
    overrides : mapping, optional
        Top-level keys with options of their own (``games``, ``policy``); named ``--games`` in errors.

    Returns
    -------
    Scenario

    Raises
    ------
    BadInput
        Naming the file (or option) and key that is wrong.
    """
    file = find(Path(path))
    layers = read_layers(file)
    changed = _change(layers, settings, overrides or {})
    return replace(_check(layers, file, file.stem), changes=changed)


def built_scenario(
    data: Mapping[str, Any], origin: str, name: str, settings: Sequence[str], overrides: Mapping[str, Any]
) -> Scenario:
    """Make a scenario of tables that no file holds, changed as `read_scenario` changes a file.

    Parameters
    ----------
    data : mapping
        Keys as in a file, without ``inherit``.
    origin : str
        What errors about these keys name.
    name : str
        Its name.
    settings, overrides : sequence of str, mapping
        As for `read_scenario`.
    """
    layers = Layered()
    layers.merge(copy.deepcopy(dict(data)), origin)
    changed = _change(layers, settings, overrides)
    return replace(_check(layers, origin, name), changes=changed)


def _change(layers: Layered, settings: Sequence[str], overrides: Mapping[str, Any]) -> tuple[str, ...]:
    """Lay what the command line says over a scenario; return it as ``key=value``, the last one of each key."""
    changes: dict[str, str] = {}  # by key, the last one at the end
    for text in settings:
        new, source = read_setting(text)
        layers.merge(new, source)
        key, _, value = (part.strip() for part in text.partition("="))
        if key in APPENDED:  # files of patches go by their names, and add up
            name = Path(value).name if value.endswith(".toml") else value
            value = f"{changes[key]}, {name}" if key in changes else name
        changes.pop(key, None)
        changes[key] = value
    for key, value in overrides.items():
        layers.merge({key: value}, f"--{key}")
        changes[key] = str(value)
    return tuple(f"{key}={value}" for key, value in changes.items() if key not in IN_TITLE)


def scenario_from(data: Mapping[str, Any], file: object, name: str, allowed: Sequence[str] = ()) -> Scenario:
    """Check a scenario that is there as tables: in a manifest, or built in.

    Parameters
    ----------
    data : mapping
        Keys as in a file, without ``inherit``.
    file : object
        What errors name.
    name : str
        Its name.
    allowed : sequence of str
        Functions in Python that the user has named: others are not imported because a file names them.
    """
    layers = Layered()
    layers.merge(copy.deepcopy(dict(data)), file)
    return _check(layers, file, name, allowed)


def _check(layers: Layered, file: object, name: str, allowed: Sequence[str] = ()) -> Scenario:
    game = layers.data.get("game")
    if not isinstance(game, str):
        if game is None:
            raise BadInput(file, "game", "is missing", 'write game = "new_frontiers", or inherit a scenario')
        raise BadInput(layers.source("game"), "game", "must be text", 'write game = "new_frontiers"')
    rule_set = load_rule_set(game, layers.source("game"))
    known = [*_Head.model_fields, *rule_set.section]
    for key in layers.data:
        if key not in known:
            problem, _, remedy = unknown("key", key, [*known, "inherit"]).partition("; ")
            raise BadInput(layers.source(key), key, problem, remedy)
    if rule_set.catalogue is not None:
        _resolve_set(layers, rule_set.catalogue(), rule_set.words.record)
    head_data = {key: value for key, value in layers.data.items() if key in _Head.model_fields}
    section = {key: value for key, value in layers.data.items() if key in rule_set.section}
    try:
        head = checked(_Head, head_data, file)
        settings = rule_set.read_settings(section, file)
        prepared = rule_set.prepare(settings, file)
    except BadInput as error:
        raise _blame(error, layers, file) from None
    origin = layers.source("policy") or file
    seated = check_policies(rule_set, head.policy, rule_set.players(prepared), origin, allowed)
    if head.aim:
        seated = aimed(rule_set, prepared, seated, head.aim, layers.source("aim") or file)
    dumped = rule_set.dump(settings)
    title = filled(head.title, dumped, rule_set.setting, layers.source("title") or file) or visible(name)
    resolved = {
        **dumped,
        "game": game,
        "title": title,
        "games": head.games,
        "policy": [policy.spec for policy in seated],
        **({"aim": head.aim} if head.aim else {}),
    }
    return Scenario(name, title, head.games, seated, rule_set, prepared, resolved)


def _blame(error: BadInput, layers: Layered, file: object) -> BadInput:
    """Name the file or option that set the key, which need not be the scenario itself."""
    if error.file != str(file):
        return error
    return BadInput(layers.source(error.key) or file, error.key, error.problem, error.remedy)


def _resolve_set(layers: Layered, catalogue: Catalogue, thing: str) -> None:
    """Make the folder of a set of records absolute: relative to the scenario, or to where the command runs."""
    key, known = catalogue.key, catalogue.sets
    name = layers.data.get(key)
    if not isinstance(name, str) or name in known:
        return
    source = layers.source(key)
    base = (source.parent if isinstance(source, Path) else Path()).resolve()
    folder = find_folder(name, base)
    if folder is None:
        problem, _, remedy = unknown(f"{thing} set", name, known).partition("; ")
        raise BadInput(source, key, f"{problem}, and no folder of that name in {base}", remedy)
    layers.data[key] = str(folder.resolve())
