"""The catalogue and the shelf of presets know no game: a game of a few cards gets all of it from a declaration."""

import importlib
import pickle
import sys
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest
from pydantic import Field

from nfsim.catalogue import compare, levers, patches, sampling
from nfsim.catalogue.record_set import RecordSet
from nfsim.catalogue.records import Record
from nfsim.catalogue.share import Share
from nfsim.errors import BadInput
from nfsim.policies.presets import Section, Shelf

CARDS = """
[[card]]
name = "Knight"
strength = 3
copies = 2
status = "sourced"
source = "rulebook, p. 2"

[[card]]
name = "Squire"
strength = 1
status = "reconstructed"
reconstructed = ["strength"]
"""
WEIGHTS = 'kind = "weights"\nplan = "likes knights"\n[likes]\nknight = 2.0\n'


class Card(Record):
    kind, plural = "card", "cards"
    columns = ("name", "strength", "copies", "status", "source", "reconstructed", "when", "note")
    readings: ClassVar = {"bows": ("short", "long")}

    strength: Annotated[int, Field(ge=0, le=9)]
    copies: Annotated[int, Field(ge=0, le=4)] = 1


class Deck(RecordSet):
    kinds = (Card,)
    package, built_in_name = "castle", "printed"
    thing, things = "card", "cards"


class Patch(patches.Patch):
    sets = Deck
    kind: Literal["card"]


SHELF = Shelf(
    "castle.policies.shelf", "SHELF", {"weights": 3}, {"likes": Section("weights", {"knight": 0, "squire": 1})}
)


@pytest.fixture(autouse=True)
def castle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a package of the game, with its cards and one preset."""
    files = {
        "castle/__init__.py": "",
        "castle/data/cards.toml": CARDS,
        "castle/policies/__init__.py": "",
        "castle/policies/shelf.py": f"from {__name__} import SHELF",
        "castle/policies/presets/balanced.toml": WEIGHTS,
    }
    for name, text in files.items():
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path / "package"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "castle"]:
        monkeypatch.delitem(sys.modules, name)


def test_a_set_is_read_exported_and_read_again(tmp_path: Path) -> None:
    deck = Deck.built_in()
    deck.export(tmp_path / "deck")
    again = Deck.load("deck", tmp_path)
    assert (again.hash, again.records) == (deck.hash, deck.records)
    assert [record.name for record in deck.named("knight")] == ["Knight"]


def test_records_are_patched_compared_and_counted() -> None:
    deck = Deck.built_in()
    change = Patch(do="change", kind="card", name="Squire", set={"strength": 2})
    more = Patch(do="duplicate", kind="card", name="Knight")
    changed = patches.apply(deck, [change, more], "test")
    found = [str(each) for each in compare.compare(changed, deck)]
    assert found == ['card "Knight": copies 2 -> 3', 'card "Squire": strength 1 -> 2']
    assert Share.of(deck).describe().startswith("Reconstructed, not sourced: 1 of 2 cards (50 % of 2 records")
    assert [record.status for record in changed] == ["patched", "patched"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"strength": 10}, "strength: must be at most 9"),
        ({"when": "bows=mid"}, 'unknown reading of bows "mid"'),
        ({"reconstructed": ["streng"]}, 'did you mean "strength"?'),
        ({"name": "=1"}, "spreadsheets"),
    ],
)
def test_a_mistake_in_a_record_is_named(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as caught:
        Deck.record("card", {"name": "Page", "strength": 1, "status": "sourced", **fields}, "cards.toml")
    assert words in str(caught.value)
    assert "cards.toml" in str(caught.value)


def test_a_name_is_used_once() -> None:
    page = {"name": "knight", "strength": 1}
    with pytest.raises(BadInput, match="its name is used twice"):
        patches.apply(Deck.built_in(), [Patch(do="add", kind="card", set=page)], "test")


def test_a_lever_leads_from_one_deck_to_another() -> None:
    knight, squire = Deck.built_in()
    deck = [knight, knight, squire]
    new, moved = levers.exchanged(deck, [knight, knight], [squire], 1)
    assert (moved, [record.name for record in new]) == (1, ["Knight", "Squire", "Squire"])
    found = levers.patches_between(deck, new)
    changed = patches.apply(Deck.built_in(), [Patch(**patch) for patch in found], "test")
    assert [(record.name, record.copies) for record in changed.of_kind("card")] == [("Knight", 1), ("Squire", 2)]


def test_a_set_is_drawn_again_from_its_seed_and_number(tmp_path: Path) -> None:
    class Mood:
        pass

    def once(base: Deck, rng: np.random.Generator) -> tuple[Deck, Any]:
        return sampling.with_values(base, {"card": [{}, {"strength": int(rng.integers(2, 10))}]}), Mood()

    deck = Deck.built_in()
    one, same = (sampling.draw(deck, once, ("card",), 1, 2) for _ in range(2))
    assert one.records.hash == same.records.hash != deck.hash
    assert (one.drawn, one.base) == ({"card": 1}, deck.hash)
    with pytest.raises(BadInput, match="every field of every record is sourced"):
        sampling.check_drawable(deck.replacing({"card": [next(iter(deck))]}), ("card",), 1, 1)


def test_a_preset_travels_as_what_it_says_and_finds_its_shelf_again() -> None:
    shelf = importlib.import_module("castle.policies.shelf").SHELF
    preset = shelf.get("balanced")
    assert preset.vectors["weights"].tolist() == [2.0, 0.0, 0.0]
    travelled = pickle.loads(pickle.dumps(preset))
    assert travelled.shelf is shelf
    assert travelled.digest == preset.digest == shelf.parse(preset.written(), "a", "a.toml").digest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('kind = "weights"\nplan = "x"\n[likes]\nking = 1.0', "likes.king: is not a parameter"),
        ('kind = "weights"\nplan = "x"\n[params]\nvp = 1.0', "params: unknown key"),
        ('kind = "search"\nplan = "x"\n[thinking.weights]\nalone = "balanced"', "is no form of the game"),
        ('kind = "uniform"\nplan = "x"\ninherit = "balance"', 'did you mean "balanced"?'),
    ],
)
def test_a_mistake_in_a_preset_is_named(text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        SHELF.parse(text, "mine", "mine.toml")
    assert words in str(caught.value)
