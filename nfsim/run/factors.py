"""Factors of a sweep: what ``--vary FACTOR=LEVELS`` means, before any scenario is read."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath

from nfsim.errors import BadInput

MOST_FACTORS = 3
MOST_ARMS = 500
POLICY, AIM, TILES, PATCH = "policy", "aim", "tiles", "patch"
UNPATCHED = "none"
COST = "cost."
FIXED = ("games", "title", "game", "inherit")  # keys of a scenario that no arm may differ in

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
    """What differs between arms.

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
        If a text cannot be understood, there are too many factors or arms, or only one arm.
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
    _check_arms(math.prod(sizes), "--vary", " × ".join(map(str, sizes)))
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
        raise BadInput(option, "", f"{name} is the same in all arms", "use --games" if name == "games" else EXAMPLES)
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
        raise BadInput(option, "", "mixes drawn bags with other tiles", "sweep the drawn bags alone")
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
        _check_arms(int(sample[1]), option)
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
    _check_arms(count, option)
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


def _check_arms(count: int, option: str, made: str = "") -> None:
    if count > MOST_ARMS:
        product = f" ({made})" if "×" in made else ""
        raise BadInput(option, "", f"asks for {count:,} arms{product}", f"a sweep plays at most {MOST_ARMS}")
