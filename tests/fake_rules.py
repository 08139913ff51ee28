"""A tiny rule set, to test running and logging without compiling a game: dice, rolled once per round."""

import hashlib
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np

from nfsim.compiled.status import STATUS_LABELS, Status
from nfsim.contract.objectives import Words
from nfsim.contract.rule_set import RuleSet
from nfsim.contract.tables import Column, Table
from nfsim.errors import BadInput, nearest

GAME = Column("game", "number", "int64", encoding="delta")
TABLES = (
    Table("games", "games", "games", (GAME, Column("status", "status", "label", labels=STATUS_LABELS))),
    Table("seats", "seats", "games", (
        GAME, Column("seat", "seat", "int8"), Column("policy", "policy", "label", labels="policy"),
        Column("score", "pips", "int16"), Column("won", "most pips", "bool"),
        Column("die", "die", "label", labels="die"),
    )),
    Table("rounds", "rolls", "rounds", (GAME, Column("round", "round", "int16"), Column("pips", "pips", "int8"))),
    Table("tiles", "nothing ever", "tiles", (GAME, Column("tile", "tile", "label", labels="die"))),
)  # fmt: skip
DICE = ["red die", "", "blue die", "red die"]  # code 1 is not used, codes 0 and 3 have one name


@dataclass(frozen=True)
class Prepared:
    rounds: int
    seats: int
    tile_hash: str
    rulings: dict[str, str]


def read_settings(data, file):
    setup = data.get("setup", {})
    if not isinstance(setup, dict):
        raise BadInput(file, "setup", "is no table")
    for key, value in setup.items():
        if key not in ("rounds", "seats", "fail") or not isinstance(value, int):
            raise BadInput(file, f"setup.{key}", "is wrong")
    return {"setup": {"rounds": 3, "seats": 1, **setup}}


def prepare(settings, origin):
    setup = settings["setup"]
    digest = hashlib.sha256(repr(setup).encode()).hexdigest()
    return Prepared(setup["rounds"], setup["seats"], digest, {"six_again": "no"})


def rolled(root, numbers, seats, rounds):
    """Return the pips by game, seat and round: a hash of all of these, for hundreds of thousands of games a test."""
    places = np.arange(seats * rounds, dtype=np.uint64).reshape(seats, rounds)
    bits = numbers.astype(np.uint64)[:, None, None] << np.uint64(12) | places
    bits += np.uint64((root + 1) * 0x9E3779B97F4A7C15 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
    return ((bits >> np.uint64(31)) % np.uint64(6)).astype(np.int64) + 1


class Engine:
    """Games of `rounds` rolls a seat; three at a time, so that chunks need several calls."""

    def __init__(self, prepared, policies, level):
        self.prepared, self.policies = prepared, policies
        self.asked, self.options_seen = np.zeros(2, np.int64), np.zeros(2, np.int64)

    def play(self, root, first, count):
        count = min(count, 300)
        dtypes = {table.name: table.dtype for table in TABLES}
        seats, rounds = self.prepared.seats, self.prepared.rounds
        games = np.zeros(count, dtypes["games"])
        games["game"] = np.arange(first, first + count)
        games["status"] = int(Status.FINISHED)
        pips = rolled(root, games["game"], seats, rounds)
        rows = np.zeros(count * seats, dtypes["seats"])
        rows["game"], rows["seat"] = np.repeat(games["game"], seats), np.tile(np.arange(seats), count)
        rows["score"] = pips.sum(axis=2).reshape(-1)
        rows["won"] = (pips.sum(axis=2) == pips.sum(axis=2).max(axis=1, keepdims=True)).reshape(-1)
        rows["policy"] = [list(dict.fromkeys(self.policies)).index(p) for p in self.policies] * count
        rows["die"] = np.array([-1, 0, 2, 3])[rows["score"] % 4]
        rolls = np.zeros(count * rounds, dtypes["rounds"])
        rolls["game"], rolls["round"] = np.repeat(games["game"], rounds), np.tile(np.arange(1, rounds + 1), count)
        rolls["pips"] = pips[:, 0].reshape(-1)
        self.asked += [count, 0]
        self.options_seen += [6 * count, 0]
        found = {"games": games, "seats": rows, "rounds": rolls, "tiles": np.zeros(0, dtypes["tiles"])}
        self._rows = {name: table.view(np.recarray) for name, table in found.items()}
        return count

    def rows(self):
        return self._rows

    def reset(self):
        self.asked[:] = self.options_seen[:] = 0


def players(prepared):
    return prepared.seats


def labels(prepared, name):
    return {"die": DICE}[name]


def provenance(prepared):
    return {"total": 2, "text": "All dice are made up."}


def objectives(prepared):
    return []


def facts(prepared):
    return {}


@dataclass(frozen=True)
class Policy:
    name: str
    summary: str
    digest: str
    spec: str
    text: str = ""
    compiled: bool = True
    slow: bool = False

    def called(self, name):
        return replace(self, name=name)

    def aiming(self, condition, conditions):
        return None

    def details(self):
        return {"kind": "dice"}


def policies():
    return (Policy("roll", "rolls", "a1", "roll"), Policy("throw", "throws", "b2", "throw"))


def policy(spec, origin, base):
    known = {each.name: each for each in policies()}
    if spec not in known:
        raise BadInput(origin, "policy", f'unknown policy "{spec}"', nearest(spec, known))
    return known[spec]


def game(prepared, names, root, number):
    return SimpleNamespace(transcript=lambda: iter([f"game {number} of seed {root}", "rolls a six"]))


def dump(settings):
    return settings


RULE_SET = RuleSet(
    name="fake", title="Dice", version="3", section=("setup", "tiles"), tables=TABLES, decisions=("roll", "stop"),
    rulings=(), read_settings=read_settings, dump=dump, prepare=prepare, players=players,
    labels=labels, provenance=provenance, objectives=objectives, facts=facts, policies=policies,
    policy=policy, engine=Engine, game=game,
    levels=("games", "rounds", "tiles"), words=Words(record="tile", records="tiles"),
    catalogue=lambda: SimpleNamespace(key="tiles", sets=("dice",), levers=()),
)  # fmt: skip
