"""The one list of names and numbers of New Frontiers.

Everything the rules, the tile files, the log and the policies call by name has its number here,
and nowhere else. A name is the member's name in lower case (`label`). The compiled code reads the
numbers as module constants; changing one changes the rules version and the compile cache.
"""

from enum import IntEnum, StrEnum


def label(member: IntEnum) -> str:
    """Return the name used in files and tables for a code."""
    return member.name.lower()


class Action(IntEnum):
    """Action tiles. RETREAT and CHART are the two sides of the Isolation tile (seed 000, 001)."""

    EXPLORE = 0
    DEVELOP = 1
    SETTLE = 2
    PRODUCE = 3
    TRADE_CONSUME = 4
    ENVOYS = 5
    RETREAT = 6
    CHART = 7


class TileKind(IntEnum):
    """What sort of tile a record is."""

    WORLD = 0
    HOME = 1
    DEVELOPMENT = 2


class WorldType(IntEnum):
    """How a colony holds goods: gray never does."""

    GRAY = 0
    PRODUCTION = 1
    WINDFALL = 2


class Good(IntEnum):
    """Kinds of goods; ANY is the one world whose good is of any kind (seed 000 p. 3), NONE a gray world's."""

    NONE = -1
    NOVELTY = 0
    RARE = 1
    GENES = 2
    ALIEN = 3
    ANY = 4


class Keyword(IntEnum):
    """Keywords on tiles. TERRAFORMING is the fifth one that no seed names (ruling R13)."""

    ALIEN = 0
    IMPERIUM = 1
    REBEL = 2
    UPLIFT = 3
    TERRAFORMING = 4
    XENO = 5


class Class(IntEnum):
    """Classes a tile may belong to: filters of powers, and what counts count.

    A tile's classes are one bit mask; a seat's `counts[class]` says how many of its tiles (home,
    settled colonies, developments) are in each. Words like `alien` mean the keyword, `alien_good`
    the kind of good.
    """

    ANY = 0
    NOVELTY = 1
    RARE = 2
    GENES = 3
    ALIEN_GOOD = 4
    ALIEN = 5
    IMPERIUM = 6
    REBEL = 7
    UPLIFT = 8
    TERRAFORMING = 9
    XENO = 10
    COLONY = 11
    DEVELOPMENT = 12
    NINE_COST = 13
    SMALL = 14
    MILITARY = 15
    NON_MILITARY = 16
    WINDFALL = 17
    PRODUCTION = 18
    GRAY = 19
    REBEL_MILITARY = 20
    UPLIFT_COLONY = 21
    ALIEN_COLONY = 22
    IMPERIUM_COLONY = 23
    REBEL_COLONY = 24
    NOVELTY_OR_RARE = 25
    HAS_GOOD = 26
    NOVELTY_PRODUCTION = 27
    RARE_PRODUCTION = 28
    GENES_PRODUCTION = 29
    ALIEN_PRODUCTION = 30
    NOVELTY_WINDFALL = 31
    RARE_WINDFALL = 32
    GENES_WINDFALL = 33
    ALIEN_WINDFALL = 34
    EXPLORE_POWER = 35
    DEVELOP_POWER = 36
    SETTLE_POWER = 37
    PRODUCE_POWER = 38
    TRADE_POWER = 39
    CONSUME_POWER = 40
    MILITARY_POWER = 41
    HOME = 42
    XENO_MILITARY = 43


class Measure(IntEnum):
    """What scoring lines, goals and conditions measure beyond the counts of classes.

    Numbers 0..47 are the counts of `Class`; these follow.
    """

    MILITARY_STRENGTH = 48  # permanent Military, neither temporary nor specialised
    CHIPS_HELD = 49  # VPs of VP chips that are not stockpiled
    CHIPS_ALL = 50  # VPs of all VP chips
    KEYWORDS = 51  # different keywords on the seat's tiles (home, colonies, developments)
    GOOD_KINDS = 52  # different kinds of goods among the colonies
    GOODS = 53  # goods lying on colonies
    STOCKPILED_WORLDS = 54
    STOCKPILED_COLONISTS = 55
    STOCKPILED_CREDITS = 56
    STOCKPILED_CHIPS = 57
    CREDITS = 58
    COLONISTS = 59
    GOALS_SCORED = 60  # goals in play that give this seat at least 1 VP (or `at_least` VPs)
    TOTAL_VP = 61
    DIFFERENT_POWERS = 62  # phases (explore … consume) in which a tile of the seat has a power


class Phase(IntEnum):
    """Phases in which powers work, in the order of the classes EXPLORE_POWER to CONSUME_POWER."""

    EXPLORE = 0
    DEVELOP = 1
    SETTLE = 2
    PRODUCE = 3
    TRADE = 4
    CONSUME = 5


class Effect(IntEnum):
    """Every effect a power can have; the name in a tile file is `phase.effect`.

    The first block is additive: a seat keeps `sums[effect, class]` and never rescans its tiles.
    """

    # additive: amount is added up per filter class
    EXPLORE_COLONISTS = 0  # gain n colonists at the start of each Explore action
    EXPLORE_CREDITS = 1  # gain n credits at the start of each Explore action
    EXPLORE_DRAW = 2  # after your Explore picks, draw n worlds blind from the bag
    EXPLORE_PICK = 3  # after the selector's bonus, take n more of the worlds shown
    DEVELOP_DISCOUNT = 4  # developments in the filter cost n credits less
    DEVELOP_CREDITS = 5  # gain n credits after you develop a tile in the filter
    DEVELOP_COLONISTS = 6  # gain n colonists after you develop a tile in the filter
    SETTLE_COLONISTS = 7  # gain n colonists at the start of each Settle action
    SETTLE_DISCOUNT = 8  # non-military worlds in the filter cost n credits less
    SETTLE_MILITARY = 9  # permanent Military +n; with a filter: specialised
    SETTLE_MILITARY_PER = 10  # permanent Military +n for each own tile in the filter class
    SETTLE_PAY_MILITARY = 11  # settle military worlds in the filter by paying (defense - n)
    SETTLE_SECOND = 12  # settle up to n further worlds in the same action
    SETTLE_AFTER_CREDITS = 13  # gain n credits after you settle a world in the filter
    SETTLE_AFTER_COLONISTS = 14  # gain n colonists after you settle a world in the filter
    SETTLE_AFTER_CHIPS = 15  # gain n VP chips after you settle a world in the filter
    SETTLE_AFTER_DRAW = 16  # draw n worlds blind after you settle a world in the filter
    PRODUCE_CREDITS = 17  # gain n credits in each Produce action
    PRODUCE_CREDITS_PER = 18  # gain n credits for each own tile in the filter class
    PRODUCE_CREDITS_PER_KIND = 19  # gain n credits per kind of good produced in this action
    PRODUCE_WINDFALL = 20  # n goods on own windfall colonies of the filter that have none
    PRODUCE_COLONISTS = 21  # gain n colonists in each Produce action
    TRADE_BONUS = 22  # goods in the filter sell for n credits more
    CONSUME_CREDITS = 23  # gain n credits at the start of consumption, without a good
    CONSUME_CHIPS = 24  # gain n VP chips at the start of consumption, without a good
    # about the tile itself
    SETTLE_PLACE_GOOD = 25  # this production world gets a good when it is settled
    PRODUCE_CREDITS_THIS = 26  # gain n credits when this world produced in this action
    TRADE_BONUS_THIS = 27  # this world's good sells for n credits more
    TRADE_NO_SALE = 28  # this world's good cannot be sold
    # used one by one, by choice or as far as possible
    SETTLE_TEMP_MILITARY = 29  # once an action: spend a good of the filter (or `credits`) for Military +n
    CONSUME_GOODS = 30  # consume n goods of the filter for vp/credits/colonists, up to `times` times
    CONSUME_DIFFERENT = 31  # consume n goods of n different kinds for vp/credits/colonists
    CONSUME_KINDS = 32  # consume goods of different kinds, vp/credits/colonists for each, up to n


ADDITIVE_EFFECTS = 25  # effects below this number are additive: summed over a seat's tiles


class StockpileKind(IntEnum):
    """What a stockpile goal collects."""

    NONE = -1
    WORLDS = 0
    COLONISTS = 1
    CREDITS = 2
    CHIPS = 3


class RequirementKind(IntEnum):
    """Kinds of requirement a solo condition can list besides its VP threshold."""

    AT_LEAST = 0  # a measure reaches a number
    OWNS = 1  # the seat owns a named tile
    NO_MILITARY = 2  # total Military 0, or no military colony (ruling R17)


class ChipUse(IntEnum):
    """How a condition can be claimed at a game's end, as regards the So Close chip (000 p. 3)."""

    NONE = 0  # it is met
    VP = 1  # with the chip's -3VPs side
    COUNT = 2  # with its -1# side
    MISSED = 3  # not at all


class Decision(IntEnum):
    """Kinds of decision. An option of each is (kind, a, b); `options.kind` is an `Option`."""

    SELECT_ACTION = 0  # own action tile
    SELECT_FOR_DUMMY = 1  # action tile for a dummy (solo)
    CHOOSE_SIDE = 2  # side of the empire mat
    CHOOSE_STACK_SIDE = 3  # campaign 6: Improved Logistics or Terraforming Robots
    EXPLORE_PICK = 4  # which world shown to take
    KEEP_XENO = 5  # keep a Xeno world drawn in this action, or return it
    STOCKPILE_WORLD = 6  # stockpile a world just taken, or place it
    DISCARD_WORLD = 7  # over the world limit: which explored world goes back
    DEVELOP = 8  # which development to buy
    SETTLE = 9  # use temporary Military, settle a world, or take colonists
    SETTLE_AGAIN = 10  # a further world (Improved Logistics), or stop
    WINDFALL_GOOD = 11  # which windfall colony gets the good
    SELL = 12  # which good to sell, or none
    CONSUME = 13  # which power consumes which good
    CONSUME_MORE = 14  # the next good for a power that takes several
    KEEP_GOAL = 15  # which goal drawn to keep
    RETURN_GOAL = 16  # which goal goes to the bottom next
    STOCKPILE = 17  # how much of a gain to stockpile


class Option(IntEnum):
    """What an option does; `a` and `b` as given here, -1 where unused."""

    ACTION = 0  # a = Action
    SIDE = 1  # a = side (0 = A, 1 = B), b = home tile
    STACK_SIDE = 2  # a = face (0, 1), b = development tile
    TAKE = 3  # a = place in `shown`, b = world tile
    KEEP = 4  # a = world tile
    GIVE_BACK = 5  # a = world tile
    STOCKPILE_IT = 6  # a = world tile
    PLACE_IT = 7  # a = world tile
    DISCARD = 8  # a = place among the explored worlds, b = world tile
    BUY = 9  # a = development tile, b = cost in credits
    PASS = 10
    CONQUER = 11  # a = place among the explored worlds, b = world tile
    PAY = 12  # a = place among the explored worlds, b = cost in credits
    COLONISTS = 13  # take the colonists of the Settle action
    USE_GOOD = 14  # a = temporary power (index in the seat's list), b = colony slot of the good spent
    USE_CREDITS = 15  # a = temporary power (index in the seat's list), b = credits spent
    GOOD_ON = 16  # a = colony slot
    SELL_GOOD = 17  # a = colony slot, b = credits received
    FEED = 18  # a = consume power (index in the seat's list), b = colony slot of the good
    GOAL = 19  # a = goal
    AMOUNT = 20  # a = number stockpiled, b = number gained


class Verb(StrEnum):
    """First words of options, as `Game.words` returns them; what follows is what the option is about.

    A member equals its text, ``Verb.BUY == "buy"``, and a text that is no verb is refused: ``Verb("bye")``.
    """

    ACTION = "action"  # select an action: its name
    SIDE = "side"  # choose a side of the mat: A or B
    FACE = "face"  # choose the side of a stack: the development
    TAKE = "take"  # take a world shown
    KEEP = "keep"  # keep a Xeno world drawn
    RETURN = "return"  # return a world to the bag
    STOCKPILE = "stockpile"  # stockpile a world just taken
    PLACE = "place"  # keep a world just taken as explored
    DISCARD = "discard"  # discard an explored world
    BUY = "buy"  # buy a development
    PASS = "pass"  # do nothing more
    CONQUER = "conquer"  # settle a world with Military
    PAY = "pay"  # settle a world for credits
    COLONISTS = "colonists"  # take colonists instead of settling
    SPEND_GOOD = "spend_good"  # spend a good for temporary Military: owner of the power, power, colony
    SPEND_CREDITS = "spend_credits"  # spend credits for temporary Military: owner of the power, power
    GOOD_ON = "good_on"  # put a good on a colony
    SELL = "sell"  # sell the good of a colony
    FEED = "feed"  # consume a good: owner of the power, power, colony
    GOAL = "goal"  # choose a goal
    AMOUNT = "amount"  # stockpile a number of what was gained


VERBS = {
    Option.ACTION: Verb.ACTION,
    Option.SIDE: Verb.SIDE,
    Option.STACK_SIDE: Verb.FACE,
    Option.TAKE: Verb.TAKE,
    Option.KEEP: Verb.KEEP,
    Option.GIVE_BACK: Verb.RETURN,
    Option.STOCKPILE_IT: Verb.STOCKPILE,
    Option.PLACE_IT: Verb.PLACE,
    Option.DISCARD: Verb.DISCARD,
    Option.BUY: Verb.BUY,
    Option.PASS: Verb.PASS,
    Option.CONQUER: Verb.CONQUER,
    Option.PAY: Verb.PAY,
    Option.COLONISTS: Verb.COLONISTS,
    Option.USE_GOOD: Verb.SPEND_GOOD,
    Option.USE_CREDITS: Verb.SPEND_CREDITS,
    Option.GOOD_ON: Verb.GOOD_ON,
    Option.SELL_GOOD: Verb.SELL,
    Option.FEED: Verb.FEED,
    Option.GOAL: Verb.GOAL,
    Option.AMOUNT: Verb.AMOUNT,
}
"""First word of each kind of option."""


class ChosenBy(IntEnum):
    """Who chose an action tile."""

    PLAYER = 0  # the seat itself
    PLAYER_FOR_DUMMY = 1  # solo: the player for a dummy
    RULE = 2  # solo: the dummy's own rule, or the only tile left


class EndReason(IntEnum):
    """Why a game ended, in the order in which they are named; the trigger mask has bit `1 << code`."""

    COLONIES = 0
    DEVELOPMENTS = 1
    VP_CHIPS = 2
    COLONISTS = 3
    ROUND_LIMIT = 4
