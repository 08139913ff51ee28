"""Whole tile sets invented at random: every effect, with every sort of filter, occurs in some of them."""

import random
from pathlib import Path

from twin.lab import Row, write
from twin.tiles import KINDS_OF_GOODS

WORDS = ("alien", "imperium", "rebel", "uplift", "terraforming")
COLONIES = (
    *("novelty", "rare", "genes", "alien_good", *WORDS, "military", "non_military", "windfall", "production"),
    *("gray", "rebel_military", "uplift_colony", "novelty_or_rare", "has_good", "genes_windfall"),
)
WORLDS = (*COLONIES, "xeno", "xeno_military")
COUNTED = (
    *(*WORLDS, "colony", "development", "nine_cost", "small", "rare_production", "alien_windfall", "home"),
    *("explore_power", "settle_power", "trade_power", "consume_power", "military_power"),
)
BUILT = (*WORDS, "development", "nine_cost", "small", "settle_power", "consume_power")
MEASURES = (
    *(*COUNTED, "military_strength", "chips_held", "chips_all", "keywords", "good_kinds", "goods"),
    *("stockpiled_worlds", "stockpiled_credits", "credits", "colonists", "different_powers"),
)
FILTERS = {  # effect: what its filter may be; "": none
    "explore.colonists": ("",), "explore.credits": ("",), "explore.draw": ("",), "explore.pick": ("",),
    "develop.discount": ("", *BUILT), "develop.credits": ("", *BUILT), "develop.colonists": ("", *BUILT),
    "settle.colonists": ("",), "settle.discount": ("", *WORLDS), "settle.military": ("", "", *WORLDS),
    "settle.military_per": COUNTED, "settle.pay_military": ("", *WORLDS),
    "settle.after_credits": ("", *WORLDS), "settle.after_colonists": ("", *WORLDS),
    "settle.after_chips": ("", *WORLDS), "settle.after_draw": ("", *WORLDS),
    "produce.credits": ("",), "produce.credits_per": COUNTED, "produce.credits_per_kind": ("",),
    "produce.windfall": ("", *COLONIES), "produce.colonists": ("",), "trade.bonus": ("", *COLONIES),
    "consume.credits": ("",), "consume.chips": ("",), "settle.temp_military": ("", *COLONIES),
    "consume.goods": ("", *COLONIES), "consume.different": ("",), "consume.kinds": ("",),
}  # fmt: skip
OF_ITSELF = ("produce.credits_this", "trade.bonus_this", "trade.no_sale", "settle.place_good")


def some_power(dice: random.Random, row: Row) -> str:
    """Any power that may stand on a tile."""
    if row.get("good", "none") != "none" and dice.random() < 0.3:
        own = OF_ITSELF if row["type"] == "production" and "colonists" in row else OF_ITSELF[:3]
        return dice.choice(own)
    effect = dice.choice(list(FILTERS))
    chosen = dice.choice(FILTERS[effect])
    most = 1 if effect in ("explore.draw", "explore.pick", "settle.after_draw") else 2
    amount, extra = dice.randint(1, most), ""
    if effect == "settle.temp_military" and not chosen and dice.random() < 0.5:
        extra = f" credits={dice.randint(1, 2)}"
    if effect.startswith("consume.") and effect not in ("consume.credits", "consume.chips"):
        amount = dice.randint(2, 4) if effect == "consume.different" else dice.randint(1, 3)
        extra = " " + dice.choice(("vp=1", "vp=2", "credits=1", "colonists=1", "vp=1 credits=1 colonists=1"))
        if effect == "consume.goods" and dice.random() < 0.4:
            extra += " times=2"
    return effect + (f"({chosen})" if chosen else "") + f" {amount}" * (effect != "trade.no_sale") + extra


def some_colony(dice: random.Random, row: Row) -> Row:
    """Type, good, keywords, VPs and powers for a world or a home."""
    kind = dice.choice(("gray", "production", "windfall"))
    row |= {"type": kind, "good": "none" if kind == "gray" else dice.choice(KINDS_OF_GOODS)}
    if row["name"] == "World 0":  # one world of the box has goods of any kind (000 p. 3)
        row |= {"type": "production", "good": "any"}
    row["keywords"] = "; ".join(dice.sample(WORDS, dice.choice((0, 0, 1, 2))))
    return some_text(dice, row)


def some_text(dice: random.Random, row: Row) -> Row:
    """VPs, powers and scoring lines."""
    row["vp"] = dice.randint(0, 4)
    row["powers"] = "; ".join(some_power(dice, row) for _ in range(dice.choice((0, 1, 1, 2))))
    if dice.random() < 0.2:
        row["scoring"] = f"{dice.randint(1, 2)} per {dice.choice(MEASURES)}" + dice.choice(("", " max 5"))
    return row


def invent(folder: Path, seed: int) -> Path:
    """Write a whole tile set of random tiles."""
    dice = random.Random(seed)
    worlds = []
    for number in range(60):
        row = some_colony(dice, {"name": f"World {number}", "colonists": dice.randint(1, 2)})
        row |= (
            {"military": "yes", "defense": dice.randint(1, 6)} if dice.random() < 0.5 else {"cost": dice.randint(0, 4)}
        )
        if "defense" in row and dice.random() < 0.3:
            row["keywords"] = "; ".join(filter(None, (row["keywords"], "xeno")))
            row["penalty"] = -dice.choice((3, 6, 8))
        worlds.append(row)
    empires = [
        some_colony(
            dice,
            {"mat": mat, "side": side, "name": f"Home {mat}{side}", "military": dice.choice(("yes", "no"))},
        )
        for mat in range(1, 8)
        for side in "AB"
    ]
    developments = []
    for number in range(20):
        group = dice.choice(("always", "small", "large")) if number else "small"
        for face in "A" if group == "always" else "AB":
            row = {
                "name": f"Development {number}{face}",
                "group": group,
                "face": face,
                "stack": "" if group == "always" else f"S{number}",
                "cost": 9 if group == "large" else dice.randint(0, 5),
                "keywords": "; ".join(dice.sample(WORDS, dice.choice((0, 0, 1)))),
            }
            some_text(dice, row)
            if number == 0:  # campaign 6 knows this stack by its names
                row["name"] = {"A": "Improved Logistics", "B": "Terraforming Robots"}[face]
                row["powers"] = "settle.second 1" if face == "A" else "settle.second 2"
            developments.append(row)
    goals: list[Row] = [
        {
            "name": "Exploration",
            "measure": "stockpiled_worlds",
            "stockpile": "worlds",
            "steps": "1:2 2:5 3+:8",
        }
    ]
    goals += [
        {"name": f"Store {k}", "measure": f"stockpiled_{k}", "stockpile": k, "steps": "1:1 2:3 4:6"}
        for k in ("colonists", "credits", "chips")
    ]
    for number in range(6):
        steps = dice.choice(("1:2 2:5 3+:8", "2:3 4+:8", "1+:1 2:3 3+:5", "3:2 5:5 7:8"))
        goals.append(
            {
                "name": f"Goal {number}",
                "measure": dice.choice([name for name in MEASURES if "stockpiled" not in name]),
                "steps": steps,
            }
        )
    needs = (
        "2 goals_scored; 3 colony",
        "1 goals_scored at_least=5",
        "no_military",
        'owns "World 1"; 2 keywords',
        "9 total_vp",
    )
    conditions = [
        {
            "campaign": campaign,
            "name": f"Condition {number}",
            "short_vp": 5 * number,
            "long_vp": 6 * number,
            "short_requires": dice.choice(needs),
            "long_requires": dice.choice(needs),
        }
        for campaign in range(1, 7)
        for number in range(4)
    ]
    return write(folder, worlds=worlds, empires=empires, developments=developments, goals=goals, conditions=conditions)
