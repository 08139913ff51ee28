"""Scores and their parts, goals, ranks, and the win conditions of solo campaigns.

Score = VP chips (stockpiled ones included) + colonies (home included) + developments + scoring of the
9-cost developments + goals - Xeno penalties; explored but unsettled worlds count 0 (001, 000 p. 1, P).
"""

from dataclasses import dataclass

from twin.seat import Seat
from twin.tiles import Condition, Goal, Tile


@dataclass
class Score:
    vp_chips: int
    vp_worlds: int  # printed VPs and scoring lines of colonies
    vp_developments: int  # printed VPs
    vp_nine_cost: int  # scoring lines of developments
    vp_goals: int
    vp_penalty: int  # <= 0

    @property
    def vp(self) -> int:
        return sum(vars(self).values())


def lines(seat: Seat, tile: Tile) -> int:
    """VPs of a tile's scoring lines."""
    total = 0
    for line in tile.scoring:
        vp = line.each * seat.measure(line.measure)
        total += vp if line.highest is None else min(vp, line.highest)
    return total


def goal_vp(seat: Seat, goal: Goal) -> int:
    """VPs a goal gives a seat: every player who meets it scores (001).

    The highest step reached counts (R14 minimum), or only the very number where the step is printed
    without + and is not the last one (R14 exact; 000 p. 4 prints + at last steps, and at Military 6+).
    """
    value, vp = seat.measure(goal.measure), 0
    for place, (number, plus, worth) in enumerate(goal.steps):
        at_least = seat.rulings["goal_steps"] == "minimum" or plus or place == len(goal.steps) - 1
        if value == number or (at_least and value > number):
            vp = worth
    return vp


def score(seat: Seat, goals: list[Goal]) -> Score:
    """Score of a seat with these goals in play, face up or face down (001: at the end all are face up)."""
    worlds = [colony.tile for colony in seat.colonies]
    developments = [development.tile for development in seat.developments]
    return Score(
        vp_chips=seat.chips + seat.stored["chips"],
        vp_worlds=sum(tile.vp + lines(seat, tile) for tile in worlds),
        vp_developments=sum(tile.vp for tile in developments),
        vp_nine_cost=sum(lines(seat, tile) for tile in developments),
        vp_goals=sum(goal_vp(seat, goal) for goal in goals),
        vp_penalty=sum(world.tile.penalty for world in seat.explored),
    )


def tie_break(seat: Seat) -> int:
    """Credits and goods (001); R31: stockpiled credits too?"""
    stored = seat.stored["credits"] if seat.rulings["tie_break"] == "stockpiled_too" else 0
    return seat.credits + stored + len(seat.goods())


def ranks(seats: list[Seat], goals: list[Goal]) -> list[int]:
    """Rank of each seat, 1 = first; an unbroken tie shares the better rank."""
    keys = [(score(seat, goals).vp, tie_break(seat)) for seat in seats]
    return [1 + sum(other > key for other in keys) for key in keys]


def requirement_met(seat: Seat, goals: list[Goal], text: str) -> bool:
    """One listed requirement (000 p. 3): `7 colony`, `2 goals_scored at_least=8`, `owns "…"` …"""
    if text.startswith("owns "):
        return text[5:].strip().strip('"') in [tile.name for tile in seat.tiles]
    if text == "no_military":  # R17
        if seat.rulings["no_military"] == "total_zero":
            return seat.military() == 0
        return seat.count("military") == 0
    number, measure, *options = text.split()
    least = int(options[0].removeprefix("at_least=")) if options else 1
    if measure == "goals_scored":
        value = sum(goal_vp(seat, goal) >= least for goal in goals)
    elif measure == "total_vp":
        value = score(seat, goals).vp
    else:
        value = seat.measure(measure)
    return value >= int(number)


def condition_met(seat: Seat, goals: list[Goal], condition: Condition) -> bool:
    """000 p. 3: reach the VP threshold and every listed requirement."""
    return score(seat, goals).vp >= condition.vp and all(
        requirement_met(seat, goals, text) for text in condition.requires
    )
