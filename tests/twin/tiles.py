"""What is printed on tiles: the words of the tile files, read without any of the engine's code.

A power is `phase.effect(filter) amount key=value …`, a scoring line `2 per imperium max 8`, a
goal's steps `3:2 5:5 6+:8`, a requirement of a solo condition `2 goals_scored at_least=8`.
"""

import csv
import io
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "nfsim" / "games" / "new_frontiers" / "data"
KINDS_OF_GOODS = ("novelty", "rare", "genes", "alien")
Record = dict[str, Any]
Rulings = dict[str, str]


@dataclass(frozen=True)
class Power:
    """One power: `amount` of an effect, for tiles or goods in the class `filter`."""

    effect: str  # "settle.military"
    filter: str  # a class of tiles; "any": no filter
    amount: int
    vp: int = 0  # VP chips, credits and colonists gained (a temporary power: credits paid)
    credits: int = 0
    colonists: int = 0
    times: int = 1  # uses in one action

    @property
    def phase(self) -> str:
        return self.effect.split(".")[0]


@dataclass(frozen=True)
class Scoring:
    """`each` VPs for every one of `measure`, at most `highest`."""

    each: int
    measure: str
    highest: int | None


@dataclass(frozen=True, eq=False)  # two copies of a world are two tiles
class Tile:
    """A world, a home (one side of an empire mat) or a development."""

    kind: str  # "world", "home", "development"
    name: str
    military: bool = False
    cost: int = 0
    defense: int = 0
    colonists: int = 0
    type: str = ""  # production, windfall, gray; "" for developments
    good: str = "none"  # novelty, rare, genes, alien, any, none
    keywords: frozenset[str] = frozenset()
    vp: int = 0
    penalty: int = 0  # VPs <= 0 of an unconquered Xeno world (000 p. 1)
    powers: tuple[Power, ...] = ()
    scoring: tuple[Scoring, ...] = ()

    @property
    def xeno(self) -> bool:
        return "xeno" in self.keywords

    @property
    def spaces(self) -> int:
        """Spaces on the development mat: two for 9-cost tiles (P)."""
        return 2 if self.cost == 9 else 1

    def own(self, effect: str) -> int:
        """Amount of an effect about this tile itself."""
        return sum(power.amount for power in self.powers if power.effect == effect)


@dataclass(frozen=True)
class Goal:
    name: str
    measure: str
    stockpile: str  # none, worlds, colonists, credits, chips
    steps: tuple[tuple[int, bool, int], ...]  # (number, printed with a +, VPs)


@dataclass(frozen=True)
class Condition:
    """A win condition of a solo campaign at one length."""

    campaign: int
    name: str
    vp: int
    requires: tuple[str, ...]


@dataclass
class Stack:
    """A stack of equal developments; a two-sided one shows face A or B."""

    name: str
    faces: list[Tile]
    large: bool
    rift: bool


@dataclass
class TileSet:
    worlds: list[Tile]  # a world with several copies stands in it several times
    stacks: list[Stack]
    mats: dict[int, dict[str, Tile]]
    goals: list[Goal]
    conditions: dict[str, list[Condition]]  # by length: short, long


def listed(value: Any) -> list[str]:
    """A list, or a text with `;` between its parts."""
    parts = value.split(";") if isinstance(value, str) else list(value or [])
    return [part.strip() for part in parts if part.strip()]


def power(text: str) -> Power:
    match = re.fullmatch(r"([a-z_]+\.[a-z_]+)(?:\(([a-z_]+)\))?((?: .*)?)", text.strip())
    assert match, text
    amount, extra = 1, {}
    for word in match[3].split():
        if "=" in word:
            key, value = word.split("=")
            extra[key] = int(value)
        else:
            amount = int(word)
    return Power(match[1], match[2] or "any", amount, **extra)


def scoring(text: str) -> Scoring:
    match = re.fullmatch(r"(-?\d+) per ([a-z_]+)(?: max (\d+))?", text.strip())
    assert match, text
    return Scoring(int(match[1]), match[2], int(match[3]) if match[3] else None)


def tile(kind: str, record: Record, rulings: Rulings) -> Tile:
    keywords = {word.strip() for word in " ".join(listed(record.get("keywords"))).split()}
    if rulings["fifth_keyword"] == "none":  # R13: then no tile has that keyword
        keywords.discard("terraforming")
    numbers = {key: record.get(key) or 0 for key in ("cost", "defense", "colonists", "vp", "penalty")}
    return Tile(
        kind,
        record["name"],
        bool(record.get("military")),
        type=record.get("type", ""),
        good=record.get("good", "none"),
        keywords=frozenset(keywords),
        powers=tuple(power(text) for text in listed(record.get("powers"))),
        scoring=tuple(scoring(text) for text in listed(record.get("scoring"))),
        **numbers,
    )


def goal(record: Record) -> Goal:
    steps = []
    for word in record["steps"].split():
        number, vp = word.split(":")
        steps.append((int(number.rstrip("+")), number.endswith("+"), int(vp)))
    return Goal(record["name"], record["measure"], record.get("stockpile", "none"), tuple(steps))


@cache
def records(data: Path, name: str) -> list[Record]:
    """All records of a kind: from the built-in TOML files or from a folder of CSV files."""
    if (data / f"{name}.csv").exists():
        text = (data / f"{name}.csv").read_text(encoding="utf-8-sig")
        return [plain(row) for row in csv.DictReader(io.StringIO(text, newline=""))]
    file = "campaigns" if name == "conditions" else name
    content = tomllib.loads((data / f"{file}.toml").read_text(encoding="utf-8"))
    (found,) = [value for value in content.values() if isinstance(value, list)]
    return found


def plain(row: dict[str, str]) -> Record:
    """A line of a CSV file: yes and no, whole numbers, texts; empty cells are left out."""
    flags = {"yes": True, "no": False}
    whole = {key: int(cell) for key, cell in row.items() if re.fullmatch(r"-?\d+", cell)}
    return {key: flags.get(cell, cell) for key, cell in row.items() if cell} | whole


def load(expansion: str, rulings: Rulings, data: Path = DATA) -> TileSet:
    """Read the tiles in play: the Rift's only with it, a reading of a ruling only when in force."""

    def of(name: str) -> list[Record]:
        def in_force(record: Record) -> bool:
            switch, _, reading = (record.get("when") or "").partition("=")
            return not switch or rulings[switch.strip()] == reading.strip()

        rift = expansion == "starry_rift"
        return [r for r in records(data, name) if in_force(r) and (rift or not r.get("rift"))]

    stacks: dict[str, Stack] = {}
    for record in of("developments"):
        rift = bool(record.get("rift"))
        one_sided = {"two_sided": (), "one_sided": ("small", "large"), "large_one_sided": ("large",)}
        if rift and record.get("face") == "B" and record["group"] in one_sided[rulings["rift_stacks"]]:  # R25
            continue
        name = record.get("stack") or record["name"]  # a tile that is always in play has a stack of its own
        stack = stacks.setdefault(name, Stack(name, [], record["group"] == "large", rift))
        stack.faces.append(tile("development", record, rulings))
    mats: dict[int, dict[str, Tile]] = {}
    for record in of("empires"):
        mats.setdefault(record["mat"], {})[record["side"]] = tile("home", record, rulings)
    conditions: dict[str, list[Condition]] = {"short": [], "long": []}
    for record in of("conditions"):
        for length, found in conditions.items():
            found.append(
                Condition(
                    record["campaign"],
                    record["name"],
                    record[f"{length}_vp"],
                    tuple(listed(record.get(f"{length}_requires"))),
                )
            )
    worlds = [dict(record) for record in of("worlds")]
    if rulings["penalty_counts"] == "one_one_six":  # R10: the strongest Xeno world -8, the next -6, the rest -3
        xeno = [world for world in worlds if world.get("penalty")]
        for rank, world in enumerate(sorted(xeno, key=lambda world: -world["defense"])):
            world["penalty"] = (-8, -6)[rank] if rank < 2 else -3
    return TileSet(
        [tile("world", record, rulings) for record in worlds for _ in range(record.get("copies", 1))],
        list(stacks.values()),
        mats,
        [goal(record) for record in of("goals")],
        conditions,
    )
