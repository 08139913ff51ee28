"""A sweep: one scenario in all combinations of the levels of a few factors, on the same seed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nfsim.core.levers import Levers, Turned
from nfsim.errors import BadInput
from nfsim.files import parse_toml, read_text
from nfsim.ruleset import RuleSet
from nfsim.run.arms import Arm
from nfsim.run.factors import AIM, COST, PATCH, POLICY, TILES, UNPATCHED, Factor, Level, read_factors
from nfsim.run.scenario import Scenario, read_scenario
from nfsim.run.toml_files import MOST_BYTES
from nfsim.validation import unknown

BAGS = "tiles"  # folder of drawn bags in a sweep's folder


@dataclass(frozen=True)
class Sweep:
    """A sweep ready to be played.

    Attributes
    ----------
    base : Scenario
        The scenario as it is.
    factors : tuple of Factor
        What differs.
    usual : tuple of int
        For each factor the level that the scenario has as it is, or the first: what others are compared with.
    seed : int
        Of the games, the bags and the levers.
    arms : tuple of Arm
        All combinations, the last factor changing fastest.
    levels : tuple of tuple of Level
        Of each arm, by factor.
    turned : mapping
        What levers did: (factor, level's label) to how they were turned, where all other factors are as usual.
    """

    base: Scenario
    factors: tuple[Factor, ...]
    usual: tuple[int, ...]
    seed: int
    arms: tuple[Arm, ...]
    levels: tuple[tuple[Level, ...], ...]
    turned: Mapping[tuple[str, str], Turned] = field(default_factory=dict)


def make_sweep(
    path: Path, vary: Sequence[str], out: Path, *, seed: int, settings: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
) -> Sweep:  # fmt: skip
    """Read a scenario and put its arms together; bags are drawn into ``out/tiles``.

    Parameters
    ----------
    path : Path
        The scenario.
    vary : sequence of str
        ``FACTOR=LEVELS``, up to three.
    out : Path
        Folder of the sweep.
    seed : int
        Of the games; bags and levers take theirs from it.
    settings, overrides : sequence of str, mapping
        As for `nfsim.run.scenario.read_scenario`; they hold in all arms.

    Raises
    ------
    BadInput
        If a factor or level is not known or cannot be played.
    """
    factors = read_factors(vary)
    base = read_scenario(path, settings, overrides)
    levers = base.rule_set.levers() if base.rule_set.levers is not None else None
    for factor in factors:
        _check_known(factor, base.rule_set, levers)
    maker = _Maker(path, settings, dict(overrides or {}), out / BAGS, seed, levers)
    alone = {f.name: [maker.scenario([(f, level)])[0] for level in f.levels] for f in factors if not f.sampled}
    for factor in factors:  # all that can be wrong without them is known before the first bag is written
        if factor.sampled:
            _draw(factor, base, levers, seed, out / BAGS)
    usual = tuple(_usual(base, alone.get(factor.name, ())) for factor in factors)
    arms, levels, turned = [], [], {}
    for choice in itertools.product(*(factor.levels for factor in factors)):
        pairs = list(zip(factors, choice, strict=True))
        scenario, done = maker.scenario(pairs)
        arms.append(Arm(scenario, {factor.name: level.label for factor, level in pairs}))
        levels.append(choice)
        for name, how in done.items():
            others = [f.levels[u] is level for (f, level), u in zip(pairs, usual, strict=True) if f.name != name]
            if all(others):
                turned[name, next(level.label for f, level in pairs if f.name == name)] = how
    return Sweep(base, factors, usual, seed, tuple(arms), tuple(levels), turned)


def bag_name(seed: int, number: int) -> str:
    """Return the name of the folder of a bag: those of several seeds have room beside each other."""
    return f"{seed}-{number}"


def _check_known(factor: Factor, rule_set: RuleSet, levers: Levers | None) -> None:
    """Refuse a factor that is neither a key of the scenario nor anything the game can turn."""
    name, tables = factor.name, [key for key in rule_set.section if key not in (TILES, PATCH)]
    if name in (POLICY, AIM, TILES, PATCH) or ("." in name and name.partition(".")[0] in tables):
        return
    names = list(levers.names) if levers is not None else []
    if name not in names and not (name.startswith(COST) and any(known.startswith(COST) for known in names)):
        known = [POLICY, AIM, TILES, PATCH, *names]
        problem, _, remedy = unknown("factor", name, known).partition("; ")
        keys = " or ".join(f"{table}.KEY" for table in tables)
        every = remedy if remedy.startswith("known") else f"{remedy} known: {', '.join(known)}"
        raise BadInput(factor.option, "", problem, f"{every}, {keys}")
    for level in factor.levels:
        if level.value is None:
            raise BadInput(
                factor.option, "", f'has the level "{level.text}"', "its levels are numbers: 0..8 or 20..60/10"
            )


def _draw(factor: Factor, base: Scenario, levers: Levers | None, seed: int, folder: Path) -> None:
    """Draw the bags of a factor; one that is there already is left as it is."""
    if levers is None:
        raise BadInput(factor.option, "", f"{base.rule_set.title} draws no tiles", "name tile sets instead")
    for level in factor.levels:
        assert level.bag is not None
        levers.draw(base.prepared, seed, level.bag, folder / bag_name(seed, level.bag))


def _usual(base: Scenario, found: Sequence[Scenario]) -> int:
    """Return the place of the level that changes nothing, or 0."""
    return next((place for place, scenario in enumerate(found) if _same(scenario, base)), 0)


def _same(one: Scenario, other: Scenario) -> bool:
    """Tell whether two scenarios are the same game played by the same policies, whatever their keys say."""

    def played(scenario: Scenario) -> Any:
        loose = ("title", "games", "patch", "tiles", "rules")  # the hash and the rulings say what they come to
        kept = {key: value for key, value in scenario.resolved.items() if key not in loose}
        return kept, scenario.prepared.tile_hash, dict(scenario.prepared.rulings)

    return bool(played(one) == played(other))


@dataclass(frozen=True)
class _Maker:
    """Makes the scenario of an arm."""

    path: Path
    settings: Sequence[str]
    overrides: Mapping[str, Any]
    bags: Path
    seed: int
    levers: Levers | None

    def scenario(self, choice: Sequence[tuple[Factor, Level]]) -> tuple[Scenario, dict[str, Turned]]:
        """Return the scenario with some levels chosen, and what levers did by factor."""
        settings, overrides = list(self.settings), dict(self.overrides)
        patches: list[Mapping[str, Any]] = []
        sources: dict[str, str] = {}  # what errors of the scenario name: what the user wrote instead
        turns = []
        for factor, level in choice:
            written = f"--vary {factor.name}={level.text}"
            if factor.name == POLICY:
                overrides[POLICY] = level.text.replace("|", ",")
                sources[f"--{POLICY}"] = written
            elif factor.name == TILES:
                overrides[TILES] = (
                    str(self.bags / bag_name(self.seed, level.bag)) if level.bag is not None else level.text
                )
                sources[f"--{TILES}"] = written
            elif factor.name == PATCH:
                patches += [] if level.text == UNPATCHED else read_patches(level.text, written)
                sources[f"--{PATCH}"] = written
            elif level.value is not None and self._is_lever(factor.name):
                turns.append((factor, level, written))
                sources.setdefault(f"--{PATCH}", written)
            else:
                settings.append(f"{factor.name}={level.text}")
                sources[f"--set {settings[-1]}"] = written
        label = ", ".join(level.label for _, level in choice)
        try:
            scenario = self._read(settings, overrides, patches)
            done = {}
            for factor, level, written in turns:  # each on the tiles that the ones before it left
                assert self.levers is not None
                assert level.value is not None
                turned = self.levers.turn(scenario.prepared, factor.name, level.value, self.seed, written)
                patches = [*patches, *turned.patches]
                done[factor.name] = turned
                scenario = self._read(settings, overrides, patches)
        except BadInput as error:
            raise _blame(error, sources, label) from None
        changes = [text for text in scenario.changes if not _swept(text, choice)]
        named = [f"{f.name}={level.text}" for f, level in choice if f.name not in (TILES, PATCH)]  # reports name those
        return replace(scenario, changes=(*changes, *named)), done

    def _is_lever(self, name: str) -> bool:
        return self.levers is not None and (name in self.levers.names or name.startswith(COST))

    def _read(self, settings: list[str], overrides: dict[str, Any], patches: list[Mapping[str, Any]]) -> Scenario:
        return read_scenario(self.path, settings, overrides | ({PATCH: patches} if patches else {}))


def _swept(change: str, choice: Sequence[tuple[Factor, Level]]) -> bool:
    """Tell whether a change named in a title comes from a factor, which says it better."""
    key = change.partition("=")[0]
    names = {factor.name for factor, _ in choice}
    return key in names or (key == PATCH and not names <= {POLICY, TILES})


def _blame(error: BadInput, sources: Mapping[str, str], label: str) -> BadInput:
    """Name the level that is at fault as the user wrote it."""
    if error.file in sources:
        return BadInput(sources[error.file], error.key, error.problem, error.remedy)
    if error.file.startswith("--vary"):
        return error
    where = ": ".join(part for part in (error.file, error.key) if part)
    return BadInput(f"--vary, {label}", "", f"{where}: {error.problem}", error.remedy)


def read_patches(name: str, option: str) -> list[dict[str, Any]]:
    """Read a file of ``[[patch]]`` tables.

    Raises
    ------
    BadInput
        If it holds anything else.
    """
    file = Path(name)
    try:
        data = parse_toml(read_text(file, MOST_BYTES, "a file of patches", f'"{UNPATCHED}" is the level without'), file)
    except BadInput as error:
        raise BadInput(option, "", f"{error.file}: {error.problem}", error.remedy) from None
    patches = data.get(PATCH)
    if list(data) != [PATCH] or not isinstance(patches, list):
        raise BadInput(option, "", f"{file} must hold [[patch]] tables and nothing else", "see nfsim run --help")
    return patches
