"""Names of the parameters of the kind WEIGHTS, in the order of its vector; `presets/` gives the values.

The first places are weights of effects, by `Effect`: VPs' worth of one point of the effect for each
round still to play (one-off effects: outright).
"""

from enum import IntEnum

from nfsim.games.new_frontiers.codes import Effect

N_EFFECTS = len(Effect)


class Param(IntEnum):
    """Parameters after the weights of effects."""

    VP = 33  # a printed VP
    CREDIT = 34  # a credit while it can still be spent
    CREDIT_ROUNDS = 35  # rounds before the end from which credits lose their worth
    COLONIST = 36  # a colonist a world still needs
    COLONIST_SPARE = 37  # a further colonist
    GOOD_PRODUCTION = 38  # a production colony, per credit of its good's price and round left
    GOOD_WINDFALL = 39  # a windfall colony's first good, per credit of its price
    GOOD_AGAIN = 40  # a windfall colony later, per credit of its price and round left
    GROWTH = 41  # further tiles expected in a scoring line, per round left
    SYNERGY = 42  # a tile that an own scoring line counts, per VP of the line
    GOAL_PROGRESS = 43  # a tile that a known goal counts, per VP that it brings on the way to the next step
    EXPLORE = 44  # taking a world when few are in store
    EXPLORE_STORE = 45  # less for each world in store that could be settled
    EXPLORE_BONUS = 46  # the selector's second world, as a part of the first
    REACH = 47  # loss for each point of Military missing
    REACH_MOST = 48  # points of Military beyond which a world is out of reach
    XENO_RISK = 49  # weight of a Xeno world's penalty while it is out of reach
    GOOD_MADE = 50  # a good that can be sold or fed soon, per credit of its price
    GOOD_SPARE = 51  # a good beyond that
    FEED = 52  # a good that a consume power will take
    CHIP = 53  # a VP chip
    PRIORITY = 54  # a place on the priority track
    CHART = 55  # a goal of one's own, per round left
    CHART_ENOUGH = 56  # goals in play beyond which charting is worth nothing
    SHARED = 57  # part of an action's plain gain that comes anyway when others select it
    DEVELOP_BAR = 58  # net worth a development must reach
    SETTLE_BAR = 59  # net worth a world must reach, against taking colonists
    ROUNDS_GUESS = 60  # rounds a multiplayer game lasts
    KEEP_PRICE = 61  # a dear good kept back from consumption, per credit of its price
    ENVOYS = 62  # selecting Envoys, besides its chip and place on the track
    PROSPECT = 63  # a tile that the most promising development with scoring lines would count, per VP of the line
    PROSPECT_SECOND = 64  # the same for the second one, as a part of that
    # --- only while it aims at a condition, for what the condition still lacks
    AIM_TILE = 65  # a tile of a class it counts
    AIM_CHIP = 66  # a VP chip
    AIM_MILITARY = 67  # a point of Military; as a loss where the condition forbids Military
    AIM_OWN = 68  # the tile it names
    AIM_GOAL = 69  # a tile that helps a goal to the VPs it must give
    AIM_CHART = 70  # charting a goal, per round left


assert max(Effect) + 1 == min(Param) == N_EFFECTS
