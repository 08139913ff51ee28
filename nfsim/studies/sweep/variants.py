"""A sweep: one scenario in all combinations of the levels of a few factors, on the same seed."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any

from nfsim.contract.catalogue import Catalogue, Turned
from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput
from nfsim.run.scenario import Scenario, read_scenario
from nfsim.run.scenario_files import PATCH, read_patches
from nfsim.studies.study import Variant
from nfsim.validation import unknown

MOST_FACTORS = 3
MOST_VARIANTS = 500
POLICY, AIM, TILES = "policy", "aim", "tiles"
UNPATCHED = "none"
COST = "cost."
FIXED = ("games", "title", "game", "inherit")  # keys of a scenario that no variant may differ in

NUMBER = r"[+-]?\d{1,9}(?:\.\d{1,6})?"
RANGE = re.compile(rf"({NUMBER})\.\.({NUMBER})(?:/({NUMBER}))?", re.ASCII)
SAMPLE = re.compile(r"sample:(\d{1,9})", re.ASCII)
EXAMPLES = "for example --vary setup.rounds=8..14, --vary policy=uniform,balanced or --vary tiles=sample:20"


@dataclass(frozen=True)
class Level:
    """One level of a factor.

    Attributes
    ----------
    text : str
        As it is set: a number, a name, a file.
    label : str
        As a reader sees it: ``rounds=10``, ``balanced``.
    value : float or None
        Its place on an axis, if it is a number.
    bag : int or None
        Number of the bag, from 1, where tiles are drawn; the seed of the sweep is that of all its bags.
    """

    text: str
    label: str
    value: float | None = None
    bag: int | None = None


@dataclass(frozen=True)
class Factor:
    """What differs between variants.

    Attributes
    ----------
    name : str
        A key of the scenario, ``policy``, ``aim``, ``tiles``, ``patch``, or a lever of the game.
    levels : tuple of Level
        As given.
    """

    name: str
    levels: tuple[Level, ...]

    @property
    def numeric(self) -> bool:
        """Whether its levels are numbers."""
        return all(level.value is not None for level in self.levels)

    @property
    def sampled(self) -> bool:
        """Whether its levels are bags drawn at random: of interest for how much they differ, not one by one."""
        return all(level.bag is not None for level in self.levels)

    @property
    def option(self) -> str:
        """What errors about the whole factor name."""
        return f"--vary {self.name}"


def read_factors(texts: Sequence[str]) -> tuple[Factor, ...]:
    """Read all ``--vary`` of a command line.

    Parameters
    ----------
    texts : sequence of str
        ``FACTOR=LEVELS`` each.

    Raises
    ------
    BadInput
        If a text cannot be understood, there are too many factors or variants, or only one variant.
    """
    if not texts:
        raise BadInput("--vary", "", "is missing", EXAMPLES)
    if len(texts) > MOST_FACTORS:
        raise BadInput("--vary", "", f"is given {len(texts)} times", f"a sweep has at most {MOST_FACTORS} factors")
    factors = tuple(read_factor(text) for text in texts)
    for place, factor in enumerate(factors):
        if factor.name in (other.name for other in factors[:place]):
            raise BadInput(factor.option, "", "is given twice", "name all its levels at once")
    sizes = [len(factor.levels) for factor in factors]
    _check_variants(math.prod(sizes), "--vary", " × ".join(map(str, sizes)))
    if math.prod(sizes) < 2:
        raise BadInput("--vary", "", "names a single level", f"a sweep compares at least two; {EXAMPLES}")
    return factors


def read_factor(text: str) -> Factor:
    """Read one ``FACTOR=LEVELS``."""
    name, sign, given = (part.strip() for part in text.partition("="))
    option = f"--vary {text}"
    if not sign or not name or not given:
        raise BadInput(option, "", "must be FACTOR=LEVELS", EXAMPLES)
    if name in FIXED:
        raise BadInput(
            option, "", f"{name} is the same in all variants", "use --games" if name == "games" else EXAMPLES
        )
    levels: list[Level] = []
    for part in _split(given):
        if not part:
            raise BadInput(option, "", "has an empty level", "separate levels by single commas")
        levels += _levels(name, part, option)
    seen: set[str] = set()
    for level in levels:
        if level.label in seen:
            raise BadInput(option, "", f'has the level "{level.text}" twice')
        seen.add(level.label)
    if len({level.bag is None for level in levels}) > 1:
        raise BadInput(option, "", "mixes drawn bags with other sets", "sweep the drawn bags alone")
    return Factor(name, tuple(levels))


def _split(text: str) -> list[str]:
    """Split at commas that are not inside brackets or quotes."""
    parts, depth, quote = [""], 0, ""
    for c in text:
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        else:
            depth += (c in "[{") - (c in "]}")
        if c == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def _levels(name: str, text: str, option: str) -> list[Level]:
    """Return the levels that one part stands for: itself, a range, or bags to be drawn."""
    sample, span = SAMPLE.fullmatch(text), RANGE.fullmatch(text)
    if name == TILES and text.startswith("sample"):
        if sample is None or int(sample[1]) < 1:
            raise BadInput(option, "", f'"{text}" is no number of bags', "write tiles=sample:20")
        _check_variants(int(sample[1]), option)
        return [Level(f"sample:{bag}", f"bag {bag}", bag=bag) for bag in range(1, int(sample[1]) + 1)]
    if span is not None:
        return [number_level(name, number) for number in _numbers(span[1], span[2], span[3], option)]
    if re.fullmatch(NUMBER, text, re.ASCII) and name not in (POLICY, TILES, PATCH):
        return [number_level(name, Decimal(text))]
    return [Level(text, _label(name, text))]


def _numbers(first: str, last: str, step: str | None, option: str) -> list[Decimal]:
    low, high, by = Decimal(first), Decimal(last), Decimal(step or 1)
    if by <= 0 or high < low:
        raise BadInput(
            option, "", f'"{first}..{last}" goes nowhere', "write the smaller number first: 8..14 or 20..60/10"
        )
    count = int((high - low) / by) + 1
    _check_variants(count, option)
    return [low + by * i for i in range(count)]


def number_level(name: str, number: Decimal) -> Level:
    """Return the level that is a number."""
    text = f"{number.normalize():f}" if number else "0"
    shown = f"+{text}" if name.startswith(COST) and number > 0 else text
    return Level(text, _label(name, shown), float(number))


def _label(name: str, text: str) -> str:
    if name == PATCH:
        return "no patch" if text == UNPATCHED else PurePath(text).stem
    if name in (POLICY, TILES):
        return text
    if name.startswith(COST):  # it is moved by so much
        return f"{name.removeprefix(COST)} cost {'as it is' if text == '0' else text}"
    return f"{name.rpartition('.')[2]}={text}"


def _check_variants(count: int, option: str, made: str = "") -> None:
    if count > MOST_VARIANTS:
        product = f" ({made})" if "×" in made else ""
        raise BadInput(option, "", f"asks for {count:,} variants{product}", f"a sweep plays at most {MOST_VARIANTS}")


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
    variants : tuple of Variant
        All combinations, the last factor changing fastest.
    levels : tuple of tuple of Level
        Of each variant, by factor.
    turned : mapping
        What levers did: (factor, level's label) to how they were turned, where all other factors are as usual.
    """

    base: Scenario
    factors: tuple[Factor, ...]
    usual: tuple[int, ...]
    seed: int
    variants: tuple[Variant, ...]
    levels: tuple[tuple[Level, ...], ...]
    turned: Mapping[tuple[str, str], Turned] = field(default_factory=dict)


def make_sweep(
    path: Path, vary: Sequence[str], out: Path, *, seed: int, settings: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
) -> Sweep:  # fmt: skip
    """Read a scenario and put its variants together; bags are drawn into ``out/tiles``.

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
        As for `nfsim.run.scenario.read_scenario`; they hold in all variants.

    Raises
    ------
    BadInput
        If a factor or level is not known or cannot be played.
    """
    factors = read_factors(vary)
    base = read_scenario(path, settings, overrides)
    catalogue = base.rule_set.catalogue() if base.rule_set.catalogue is not None else None
    for factor in factors:
        _check_known(factor, base.rule_set, catalogue)
    maker = _Maker(path, settings, dict(overrides or {}), out / BAGS, seed, catalogue)
    alone = {f.name: [maker.scenario([(f, level)])[0] for level in f.levels] for f in factors if not f.sampled}
    for factor in factors:  # all that can be wrong without them is known before the first bag is written
        if factor.sampled:
            _draw(factor, base, catalogue, seed, out / BAGS)
    usual = tuple(_usual(base, alone.get(factor.name, ())) for factor in factors)
    variants, levels, turned = [], [], {}
    for choice in itertools.product(*(factor.levels for factor in factors)):
        pairs = list(zip(factors, choice, strict=True))
        scenario, done = maker.scenario(pairs)
        variants.append(Variant(scenario, {factor.name: level.label for factor, level in pairs}))
        levels.append(choice)
        for name, how in done.items():
            others = [f.levels[u] is level for (f, level), u in zip(pairs, usual, strict=True) if f.name != name]
            if all(others):
                turned[name, next(level.label for f, level in pairs if f.name == name)] = how
    return Sweep(base, factors, usual, seed, tuple(variants), tuple(levels), turned)


def bag_name(seed: int, number: int) -> str:
    """Return the name of the folder of a bag: those of several seeds have room beside each other."""
    return f"{seed}-{number}"


def _check_known(factor: Factor, rule_set: RuleSet, catalogue: Catalogue | None) -> None:
    """Refuse a factor that is neither a key of the scenario nor anything the game can turn."""
    name, tables = factor.name, [key for key in rule_set.section if key not in (TILES, PATCH)]
    if name in (POLICY, AIM, TILES, PATCH) or ("." in name and name.partition(".")[0] in tables):
        return
    names = list(catalogue.levers) if catalogue is not None else []
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


def _draw(factor: Factor, base: Scenario, catalogue: Catalogue | None, seed: int, folder: Path) -> None:
    """Draw the bags of a factor; one that is there already is left as it is."""
    if catalogue is None:
        raise BadInput(factor.option, "", f"{base.rule_set.title} draws no bags", "name sets instead")
    for level in factor.levels:
        assert level.bag is not None
        catalogue.draw(base.prepared, seed, level.bag, folder / bag_name(seed, level.bag))


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
    """Makes the scenario of a variant."""

    path: Path
    settings: Sequence[str]
    overrides: Mapping[str, Any]
    bags: Path
    seed: int
    catalogue: Catalogue | None

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
                patches += [] if level.text == UNPATCHED else _patches(level.text, written)
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
                assert self.catalogue is not None
                assert level.value is not None
                turned = self.catalogue.turn(scenario.prepared, factor.name, level.value, self.seed, written)
                patches = [*patches, *turned.patches]
                done[factor.name] = turned
                scenario = self._read(settings, overrides, patches)
        except BadInput as error:
            raise _blame(error, sources, label) from None
        changes = [text for text in scenario.changes if not _swept(text, choice)]
        named = [f"{f.name}={level.text}" for f, level in choice if f.name not in (TILES, PATCH)]  # reports name those
        return replace(scenario, changes=(*changes, *named)), done

    def _is_lever(self, name: str) -> bool:
        return self.catalogue is not None and (name in self.catalogue.levers or name.startswith(COST))

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


def _patches(name: str, option: str) -> list[dict[str, Any]]:
    """Read a file of patches that is a level; errors name the option."""
    try:
        return read_patches(Path(name))
    except BadInput as error:
        where = ": ".join(part for part in (error.file, error.key) if part)
        remedy = error.remedy or f'"{UNPATCHED}" is the level without'
        raise BadInput(option, "", f"{where}: {error.problem}", remedy) from None
