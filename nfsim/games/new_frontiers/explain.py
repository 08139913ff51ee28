"""Tiles, goals and conditions explained to people: powers as sentences instead of the grammar of the files."""

from __future__ import annotations

from nfsim.catalogue.records import Record
from nfsim.contract.view import Row
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.codes import Action, Class, Effect, label
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.games.new_frontiers.tiles import grammar
from nfsim.games.new_frontiers.tiles.grammar import MEASURE_BY_NAME, Power, Scoring
from nfsim.games.new_frontiers.tiles.records import Colony, Condition, Development, Empire, Goal, World

ADJECTIVES = {
    Class.ANY: "", Class.COLONY: "", Class.DEVELOPMENT: "", Class.ALIEN_GOOD: "alien", Class.NINE_COST: "9-cost",
    Class.NON_MILITARY: "non-military", Class.NOVELTY_OR_RARE: "novelty or rare", Class.HAS_GOOD: "goods",
}  # fmt: skip
"""Classes whose adjective is not simply their name."""
UPPER = ("alien", "imperium", "rebel", "uplift", "terraforming", "xeno")  # keywords are printed in capitals

SENTENCES = {
    Effect.EXPLORE_COLONISTS: "Explore: first gain {colonists}",
    Effect.EXPLORE_CREDITS: "Explore: first gain {credits}",
    Effect.EXPLORE_DRAW: "Explore: after your picks draw {n} more from the bag, unseen",
    Effect.EXPLORE_PICK: "Explore: after the selector's bonus take {n} more of the worlds shown",
    Effect.DEVELOP_DISCOUNT: "Develop: {kind}developments cost you {credits} less",
    Effect.DEVELOP_CREDITS: "Develop: gain {credits} after you buy a {kind}development",
    Effect.DEVELOP_COLONISTS: "Develop: gain {colonists} after you buy a {kind}development",
    Effect.SETTLE_COLONISTS: "Settle: first gain {colonists}",
    Effect.SETTLE_DISCOUNT: "Settle: {kind}worlds cost you {credits} less",
    Effect.SETTLE_MILITARY: "Settle: Military +{n}{against}",
    Effect.SETTLE_MILITARY_PER: "Settle: Military +{n} for each of your {counted}",
    Effect.SETTLE_PAY_MILITARY: "Settle: {kind}military worlds except XENO may be paid for: defense{less} in credits",
    Effect.SETTLE_SECOND: "Settle: settle up to {n} more in the same action",
    Effect.SETTLE_AFTER_CREDITS: "Settle: gain {credits} after you settle a {kind}world",
    Effect.SETTLE_AFTER_COLONISTS: "Settle: gain {colonists} after you settle a {kind}world",
    Effect.SETTLE_AFTER_CHIPS: "Settle: gain {n} VP in chips after you settle a {kind}world",
    Effect.SETTLE_AFTER_DRAW: "Settle: draw {n} from the bag, unseen, after you settle a {kind}world",
    Effect.PRODUCE_CREDITS: "Produce: gain {credits}",
    Effect.PRODUCE_CREDITS_PER: "Produce: gain {credits} for each of your {counted}",
    Effect.PRODUCE_CREDITS_PER_KIND: "Produce: gain {credits} for each kind of good you produce",
    Effect.PRODUCE_WINDFALL: "Produce: put a good on {n} of your {kind}windfall colonies without one",
    Effect.PRODUCE_COLONISTS: "Produce: gain {colonists}",
    Effect.TRADE_BONUS: "Trade: your {kind}goods sell for {credits} more",
    Effect.CONSUME_CREDITS: "Consume: gain {credits}, without a good",
    Effect.CONSUME_CHIPS: "Consume: gain {n} VP in chips, without a good",
    Effect.SETTLE_PLACE_GOOD: "Settle: comes with a good",
    Effect.PRODUCE_CREDITS_THIS: "Produce: gain {credits} when this world produces",
    Effect.TRADE_BONUS_THIS: "Trade: this world's good sells for {credits} more",
    Effect.TRADE_NO_SALE: "Trade: this world's good cannot be sold",
    Effect.SETTLE_TEMP_MILITARY: "Settle: once an action spend {price} for Military +{n} in it",
    Effect.CONSUME_GOODS: "Consume: {n} {kind}good{s} for {gain}{times}",
    Effect.CONSUME_DIFFERENT: "Consume: {n} goods of different kinds for {gain}",
    Effect.CONSUME_KINDS: "Consume: up to {n} goods of different kinds, each for {gain}",
}

TITLES = {
    Action.TRADE_CONSUME: "Trade/Consume",
    Action.ENVOYS: "Envoys",
    Action.RETREAT: "Retreat into Isolation",
    Action.CHART: "Chart Galactic Goals",
}
"""Action tiles whose title is not simply their name."""
ACTIONS = {
    Action.EXPLORE: "worlds are shown, each player takes one; the selector takes one more",
    Action.DEVELOP: "each player may buy a development; the selector pays 1 credit less",
    Action.SETTLE: "each player settles an explored world or gains 2 colonists; the selector first gains 1 colonist",
    Action.PRODUCE: "a good on each empty production colony; the selector takes the credits on the tile and puts a "
    "good on one windfall colony",
    Action.TRADE_CONSUME: "each player may sell a good, then consumes; the selector gains 1 VP chip",
    Action.ENVOYS: "the selector gains 1 VP chip and goes to the top of the priority track; in solo you also gain 1 "
    "credit if you select it second or third",
    Action.RETREAT: "the selector gains 2 credits",
    Action.CHART: "the selector gains 1 credit, moves up one space, draws goals and keeps one face down; the one it "
    "had before is turned up",
}
"""What each action tile does, in short."""


def title(action: int) -> str:
    """Return the title of an action tile."""
    return TITLES.get(Action(action), label(Action(action)).capitalize())


def amount(number: int, thing: str) -> str:
    """Return a number with what it counts, for example ``1 colonist`` or ``2 colonists``."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def adjective(class_: Class) -> str:
    """Return what a class says before a noun, with a space behind it; '' where every tile belongs to it."""
    words = ADJECTIVES.get(class_)
    if words is None:
        name = label(class_).removesuffix("_colony").replace("_", " ")
        words = " ".join(word.upper() if word in UPPER and "alien " not in name else word for word in name.split())
    return f"{words} " if words else ""


def power(found: Power) -> str:
    """Return a power as a sentence without its full stop."""
    kind = adjective(found.filter)
    gains = [(found.vp, "VP"), (found.credits, "credit"), (found.colonists, "colonist")]
    gain = " and ".join(f"{n} VP" if thing == "VP" else amount(n, thing) for n, thing in gains if n)
    return SENTENCES[found.effect].format(
        n=found.amount,
        s="" if found.amount == 1 else "s",
        kind=kind,
        credits=amount(found.amount, "credit"),
        colonists=amount(found.amount, "colonist"),
        counted=grammar.counted(found.filter),
        against=f" against {kind}worlds" if kind else "",
        less=f" - {found.amount}" if found.amount else "",
        price=amount(found.credits, "credit") if found.credits else f"a {kind}good",
        gain=gain,
        times=f", up to {found.times} times" if found.times > 1 else "",
    )


def scoring(line: Scoring) -> str:
    """Return a scoring line in words."""
    most = f", at most {amount(line.most, 'VP')}" if line.most >= 0 else ""
    return f"{amount(line.each, 'VP')} for each, counting {grammar.counted(line.measure)}{most}"


def find(prepared: Prepared, name: str) -> list[Record]:
    """Return the records of a name that are in force; a part of a name will do if only one has it.

    Raises
    ------
    BadInput
        With the nearest name, if there is none, or with the names that have the part.
    """
    records = [record for record in prepared.tile_set if record.holds(prepared.rulings)]
    wanted = name.strip().casefold()
    exact = [record for record in records if record.name.casefold() == wanted]
    if exact:
        return exact
    parts = [record for record in records if wanted and wanted in record.name.casefold()]
    names = list(dict.fromkeys(record.name for record in parts))
    if len(names) == 1:
        return parts
    if names:
        more = ", …" if len(names) > 6 else ""
        raise BadInput("", "", f'"{name}" may be {", ".join(names[:6])}{more}', "write more of the name")
    return prepared.tile_set.named(name)


def explain(prepared: Prepared, name: str) -> list[Row]:
    """Explain everything of a name: what it is, its powers, how it scores, and what that rests on."""
    rows: list[Row] = []
    for record in find(prepared, name):
        rows.append(Row(record.name, (_kind(record),), strong=True))
        rows += _facts(prepared, record)
        rows += [Row("  power", (power(found),)) for found in getattr(record, "powers", ())]
        rows += [Row("  scores", (scoring(line),)) for line in getattr(record, "scoring", ())]
        rows.append(Row("  status", (_status(record),)))
        rows += [Row("  note", (record.note,))] if record.note else []
    return rows


def _kind(record: Record) -> str:
    if isinstance(record, Empire):
        return f"home colony, mat {record.mat} side {record.side}"
    if isinstance(record, Development):
        words = {"always": "development, in every game", "small": "development", "large": "9-cost development"}
        return words[record.group]
    if isinstance(record, Condition):
        return f"condition of solo {record.campaign_name or f'campaign {record.campaign}'}"
    if isinstance(record, World):
        return "military world" if record.military else "world"
    return record.kind


def _facts(prepared: Prepared, record: Record) -> list[Row]:
    facts: list[str] = []
    if isinstance(record, Goal):
        steps = [f"{step.need}{'+' if step.plus else ''}: {amount(step.vp, 'VP')}" for step in record.steps]
        return [Row("  counts", (grammar.counted(MEASURE_BY_NAME[record.measure]), *steps))]
    if isinstance(record, Condition):
        length = prepared.settings.setup.thresholds
        needs = getattr(record, f"{length}_requires")
        return [
            Row("  needs", (amount(getattr(record, f"{length}_vp"), "VP"), *map(grammar.requirement_phrase, needs)))
        ]
    if isinstance(record, World):
        facts += [f"defense {record.defense}" if record.military else f"costs {amount(record.cost, 'credit')}"]
        facts += [amount(record.colonists, "colonist")]
    if isinstance(record, Development):
        facts += [f"costs {amount(record.cost, 'credit')}"]
    if isinstance(record, Colony):
        facts += ["no goods" if record.type == "gray" else f"{record.type}, {record.good} goods"]
    if isinstance(record, Colony | Development):
        facts += [f"keyword {word.upper()}" for word in record.keywords] + [amount(record.vp, "VP")]
    if isinstance(record, World) and record.penalty:
        facts += [f"{record.penalty} VPs while explored and not conquered"]
    return [Row("  tile", tuple(facts))]


def _status(record: Record) -> str:
    words = {
        "sourced": "sourced: every value is printed in a source",
        "partly": "partly sourced",
        "reconstructed": "reconstructed: no source prints it",
        "patched": "changed by the scenario",
    }
    found = words[record.status]
    if record.status != "reconstructed" and record.reconstructed:
        found += f", reconstructed: {', '.join(record.reconstructed)}"
    return found + (f" ({record.source})" if record.source else "")
