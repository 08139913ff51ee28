"""The numbered rulings: every point that the seeds leave open, with its choices and its default.

`RULINGS.md` beside this file says the same in prose with the sources; a test compares the two.
A scenario picks a profile (`seed`: what the seeds say or suggest; `table`: the reading that other
public sources give, or the other plausible one where they are silent) and may set each ruling alone under `[rules]`.
"""

from dataclasses import dataclass
from enum import IntEnum


class Ruling(IntEnum):
    """Places in `tables.ruling`; the value stored there is the place of the choice in `choices`."""

    COLONIST_SUPPLY = 0
    COLONIST_END = 1
    DEVELOPMENT_END = 2
    TWO_PLAYER_SELECTIONS = 3
    RESOLVE_ORDER = 4
    ENVOYS_SHIFT = 5
    CHART_PRIORITY = 6
    PRIORITY_GAPS = 7
    XENO_OVER_LIMIT = 8
    PENALTY_COUNTS = 9
    TRENDSETTERS = 10
    PAY_HOMES = 11
    FIFTH_KEYWORD = 12
    GOAL_STEPS = 13
    STOCKPILE_BEYOND = 14
    STOCKPILE_ACCESS = 15
    NO_MILITARY = 16
    SATISFIED_POPULACE = 17
    TABLE_KEYWORDS = 18
    RARE_GOOD_WORLD = 19
    DEVELOP_SELF_TRIGGER = 20
    ANY_GOOD_COUNTS = 21
    SUPPLY_SHORT = 22
    SETTLE_CHOICE = 23
    RIFT_STACKS = 24
    SO_CLOSE_MILITARY = 25
    STOCKPILE_GAINS = 26
    SETTLE_SELF_TRIGGER = 27
    SETTLE_COUNTS = 28
    CHART_EMPTY = 29
    TIE_BREAK = 30
    SO_CLOSE_WHEN = 31


@dataclass(frozen=True)
class RulingInfo:
    """One open point.

    Attributes
    ----------
    number : Ruling
        Its code; it is cited as R1, R2, … (`code + 1`).
    switch : str
        The key under `[rules]` in a scenario.
    question : str
        What is open.
    choices : tuple of str
        Names of the readings, in the order of their codes.
    seed, table : str
        The default reading under each profile.
    sources : str
        Where the readings come from (000, 001 = seeds; P = public sources; D = decided here).
    """

    number: Ruling
    switch: str
    question: str
    choices: tuple[str, ...]
    seed: str
    table: str
    sources: str

    @property
    def cite(self) -> str:
        """The number as cited in code, data and tests."""
        return f"R{int(self.number) + 1}"


RULINGS: tuple[RulingInfo, ...] = (
    RulingInfo(
        Ruling.COLONIST_SUPPLY, "colonist_supply", "How many colonists are in the supply?",
        ("ten_plus_four", "twelve_per_player"), "ten_plus_four", "twelve_per_player",
        "001: 10 a player + 4; P: 12 a player; both 24 with two and in solo (000)",
    ),
    RulingInfo(
        Ruling.COLONIST_END, "colonist_end", "Which supply of colonists ends the game?",
        ("four_left", "empty"), "four_left", "empty", "001: at most 4 left; P: none left",
    ),
    RulingInfo(
        Ruling.DEVELOPMENT_END, "development_end", "Which development ends the game?",
        ("tenth_tile", "eleventh_space"), "tenth_tile", "eleventh_space",
        "001: the 10th tile; P: one on the 11th space, a 9-cost tile takes two",
    ),
    RulingInfo(
        Ruling.TWO_PLAYER_SELECTIONS, "two_player_selections",
        "How many actions does each of two players select in a round?",
        ("one", "two"), "one", "one", "D: no source names two; P: two disks per player",
    ),
    RulingInfo(
        Ruling.RESOLVE_ORDER, "resolve_order", "In which order do the others carry out an action?",
        ("wrap", "top"), "wrap", "top", "001 (Explore): from the selector on; P: selector, then by priority",
    ),
    RulingInfo(
        Ruling.ENVOYS_SHIFT, "envoys_shift", "Envoys: what happens to the others on the track?",
        ("shift", "swap"), "shift", "shift", "D: they keep their relative order; or the first changes places",
    ),
    RulingInfo(
        Ruling.CHART_PRIORITY, "chart_priority", "Chart Goals: when does the disk move up?",
        ("immediate", "round_end"), "immediate", "round_end",
        "D: at once on the track; or after the round's other moves",
    ),
    RulingInfo(
        Ruling.PRIORITY_GAPS, "priority_gaps", "Are empty spaces of the track closed?",
        ("closed", "kept"), "kept", "closed",
        "000 p. 2 starts solo on spaces 2 to 4, space 1 empty; D: only the order counts",
    ),
    RulingInfo(
        Ruling.XENO_OVER_LIMIT, "xeno_over_limit", "A ninth world when all explored ones are placed Xeno worlds?",
        ("new_goes_back", "may_exceed"), "new_goes_back", "new_goes_back", "000 p. 1 and P; D",
    ),
    RulingInfo(
        Ruling.PENALTY_COUNTS, "penalty_counts", "How many Xeno worlds show -8, -6, -3?",
        ("printed", "one_one_six"), "printed", "printed",
        "000 p. 1: 2 and 2 and 6 chips, 8 in all; the tile set prints 2, 2, 4",
    ),
    RulingInfo(
        Ruling.TRENDSETTERS, "trendsetters", "What is Galactic Trendsetters?",
        ("world", "development"), "world", "world", "000 p. 1 names a tile; the sister game has a world",
    ),
    RulingInfo(
        Ruling.PAY_HOMES, "pay_homes", "What are Uplift Researchers and Rebel Cantina?",
        ("homes", "developments"), "homes", "homes", "000 p. 1 names the power; the sister game has start worlds",
    ),
    RulingInfo(
        Ruling.FIFTH_KEYWORD, "fifth_keyword", "Which is the base game's fifth keyword?",
        ("terraforming", "none"), "terraforming", "terraforming",
        "000 p. 1: six with XENO; the sister game has TERRAFORMING",
    ),
    RulingInfo(
        Ruling.GOAL_STEPS, "goal_steps", "How is a goal's step met?",
        ("minimum", "exact"), "minimum", "minimum", "000 p. 4 prints + behind some numbers only",
    ),
    RulingInfo(
        Ruling.STOCKPILE_BEYOND, "stockpile_beyond", "May more be stockpiled than the last step needs?",
        ("unlimited", "last_step"), "unlimited", "last_step", "000 p. 4: some or all; D",
    ),
    RulingInfo(
        Ruling.STOCKPILE_ACCESS, "stockpile_access", "Who may stockpile?",
        ("face_up_or_own", "face_up"), "face_up_or_own", "face_up",
        "001: face-up goals count for all; D for an own face-down one",
    ),
    RulingInfo(
        Ruling.NO_MILITARY, "no_military", "What is the condition No Military?",
        ("total_zero", "no_military_colony"), "total_zero", "no_military_colony", "000 p. 3; D",
    ),
    RulingInfo(
        Ruling.SATISFIED_POPULACE, "satisfied_populace", "What does Satisfied Populace require?",
        ("vp_chips", "colonies"), "colonies", "vp_chips",
        "000 p. 2 prints 7+ colonies; p. 3 knows VP-chip requirements",
    ),
    RulingInfo(
        Ruling.TABLE_KEYWORDS, "table_keywords",
        "Do the manual's keyword counts include the Xeno worlds' second keywords?",
        ("included", "excluded"), "included", "included", "000 p. 3",
    ),
    RulingInfo(
        Ruling.RARE_GOOD_WORLD, "rare_good_world",
        "Where does the manual's table count the Rare production world that gains a good when settled?",
        ("production", "windfall"), "production", "production",
        "000 p. 3: called a production world, marked at the windfall count",
    ),
    RulingInfo(
        Ruling.DEVELOP_SELF_TRIGGER, "develop_self_trigger", "Does a power after developing work for its own tile?",
        ("yes", "no"), "yes", "no", "001: works from the moment it is placed; family rule: not for itself",
    ),
    RulingInfo(
        Ruling.ANY_GOOD_COUNTS, "any_good_counts", "As which kind does the colony with the good of any kind count?",
        ("every", "none"), "every", "every", "000 p. 3; D",
    ),
    RulingInfo(
        Ruling.SUPPLY_SHORT, "supply_short", "What is gained from a supply that is too short?",
        ("granted", "what_is_left"), "granted", "what_is_left",
        "001: always granted; D: colonists only as far as they go",
    ),
    RulingInfo(
        Ruling.SETTLE_CHOICE, "settle_choice", "May the Settle action be declined?",
        ("must", "may"), "must", "may", "001: settle or gain 2 colonists; D: settling is optional",
    ),
    RulingInfo(
        Ruling.RIFT_STACKS, "rift_stacks", "Are the Rift's developments two-sided?",
        ("two_sided", "one_sided", "large_one_sided"), "two_sided", "large_one_sided",
        "000 counts tiles only; the base game's are; P: a preview counts 10 developments",
    ),
    RulingInfo(
        Ruling.SO_CLOSE_MILITARY, "so_close_military", "May So Close lower a listed Military by 1?",
        ("yes", "no"), "yes", "no", "000 p. 3: a listed number of a required item",
    ),
    RulingInfo(
        Ruling.STOCKPILE_GAINS, "stockpile_gains", "Which colonists of the Settle action may be stockpiled?",
        ("choice", "bonus_too"), "choice", "choice",
        "001: under certain conditions, which no source gives; D",
    ),
    RulingInfo(
        Ruling.SETTLE_SELF_TRIGGER, "settle_self_trigger", "Does a power after settling work for its own world?",
        ("no", "yes"), "no", "no", "001: a world's powers do not help the same action, triggers work for each world; D",
    ),
    RulingInfo(
        Ruling.SETTLE_COUNTS, "settle_counts", "When does a world just settled count for powers that count tiles?",
        ("at_once", "at_end"), "at_once", "at_once", "001 bars only the world's own powers; D",
    ),
    RulingInfo(
        Ruling.CHART_EMPTY, "chart_empty", "Chart Goals with an empty stack: is the earlier goal turned up?",
        ("turned_up", "stays"), "turned_up", "stays",
        "000 p. 2 lists it beside the draw; 001 ties it to laying down the new goal",
    ),
    RulingInfo(
        Ruling.TIE_BREAK, "tie_break", "Do stockpiled credits count in the tie-break?",
        ("held", "stockpiled_too"), "held", "held", "001: credits and goods; D",
    ),
    RulingInfo(
        Ruling.SO_CLOSE_WHEN, "so_close_when", "When may the So Close chip be spent?",
        ("campaign_lost", "any_game"), "campaign_lost", "any_game",
        "000 p. 3: instead of losing the campaign; D",
    ),
)  # fmt: skip
BY_SWITCH = {info.switch: info for info in RULINGS}


def in_force(profile: str, settings: dict[str, str]) -> dict[str, str]:
    """Return the reading in force for each switch, in the order of the numbers.

    Parameters
    ----------
    profile : {"seed", "table"}
        Which defaults hold.
    settings : dict
        Switches set by the scenario; they must exist, with one of their choices.
    """
    return {info.switch: settings.get(info.switch, info.table if profile == "table" else info.seed) for info in RULINGS}


def encode(readings: dict[str, str]) -> list[int]:
    """Return the number of each reading in force, for `tables.ruling`."""
    return [info.choices.index(readings[info.switch]) for info in RULINGS]
