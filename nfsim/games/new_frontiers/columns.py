"""The tables a game of New Frontiers writes, column by column, and the dtypes of their rows.

`nfsim schema` prints what stands here. Rows of a table are written in the order of the keys it starts
with; a seat is the number of a player, a dummy (solo: 1 and 2) appears in `selections` only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nfsim.compiled.status import STATUS_LABELS
from nfsim.contract.tables import Column, Table
from nfsim.games.new_frontiers.codes import Action, ChipUse, ChosenBy, EndReason, label

GAME = Column("game", "number of the game in the run, from 0", "int64", encoding="delta")
SEAT = Column("seat", "player, from 0; solo: the player is 0", "int8")
CHIP_USES = tuple(map(label, ChipUse))
ROUND = Column("round", "round, from 1", "int16")

GAMES = Table(
    "games",
    "one row per game",
    "games",
    (
        GAME,
        Column("rounds", "rounds played", unit="rounds"),
        Column(
            "end_reason",
            "why the game ended: the first trigger that holds",
            "label",
            labels=tuple(map(label, EndReason)),
            sentinel="null = stopped by an error",
        ),
        Column(
            "triggers",
            "all triggers that hold, as a bit mask: colonies 1, developments 2, vp_chips 4, colonists 8, "
            "round_limit 16",
            "int8",
            sentinel="0 = stopped by an error",
        ),
        Column(
            "worlds_drawn",
            "worlds drawn from the bag; one that was returned and drawn again counts again",
            unit="worlds",
        ),
        Column("xeno_drawn", "of those: Xeno worlds", unit="worlds"),
        Column(
            "status",
            "how the simulation of the game ended; count only `finished`",
            "label",
            labels=STATUS_LABELS,
        ),
    ),
)

SEATS = Table(
    "seats",
    "one row per game and player: the final score, its parts, and what conditions count",
    "games",
    (
        GAME,
        SEAT,
        Column("policy", "policy that decided for the player", "label", labels="policy"),
        Column("empire", "home colony on the side of the empire mat that was chosen", "label", labels="home"),
        Column("side", "side of the empire mat", "label", labels=("A", "B")),
        Column("start_order", "place in the first round's priority order, from 0", "int8"),
        Column("score", "final score: the sum of the next six columns", unit="VPs"),
        Column("vp_chips", "VP chips, stockpiled ones included", unit="VPs"),
        Column("vp_worlds", "colonies, home included: printed and scored by the worlds themselves", unit="VPs"),
        Column("vp_developments", "printed on developments, 9-cost ones included", unit="VPs"),
        Column("vp_nine_cost", "scored by 9-cost developments", unit="VPs"),
        Column("vp_goals", "goals in play at the end", unit="VPs"),
        Column("vp_penalty", "unconquered Xeno worlds, never above 0", unit="VPs"),
        Column("rank", "place in the final ranking, from 1; equal when the tie-break does not decide", "int8"),
        Column(
            "won",
            "first place, shared on an unbroken tie; solo: at least one condition of the campaign met",
            "bool",
        ),
        Column("credits", "credits left", "int32", "credits"),
        Column("goods", "goods lying on colonies", "int8", "goods"),
        Column("colonies", "colonies, home included", "int8", "worlds"),
        Column("developments", "developments, 9-cost ones included", "int8", "tiles"),
        Column("nine_cost", "9-cost developments", "int8", "tiles"),
        Column("military", "permanent Military, neither temporary nor specialised", unit="Military"),
        Column("tiles_alien", "tiles with keyword ALIEN: home, colonies, developments", "int8", "tiles"),
        Column("tiles_imperium", "tiles with keyword IMPERIUM", "int8", "tiles"),
        Column("tiles_rebel", "tiles with keyword REBEL", "int8", "tiles"),
        Column("tiles_uplift", "tiles with keyword UPLIFT", "int8", "tiles"),
        Column("colonies_uplift", "colonies with keyword UPLIFT, home included", "int8", "worlds"),
        Column("colonies_novelty", "Novelty colonies, production and windfall, home included", "int8", "worlds"),
        Column("colonies_rare", "Rare Elements colonies", "int8", "worlds"),
        Column("colonies_genes", "Genes colonies", "int8", "worlds"),
        Column("colonies_alien", "colonies with Alien goods", "int8", "worlds"),
        Column("xeno_taken", "Xeno worlds taken or drawn by the player, kept or not", "int16", "worlds"),
        Column("xeno_conquered", "Xeno worlds conquered", "int8", "worlds"),
        Column("xeno_unconquered", "Xeno worlds placed and not conquered", "int8", "worlds"),
        Column("penalty_3", "penalties of -3 taken", "int8", "chips"),
        Column("penalty_6", "penalties of -6 taken", "int8", "chips"),
        Column("penalty_8", "penalties of -8 taken", "int8", "chips"),
        Column("goals_scored", "goals in play that gave the player at least 1 VP", "int8", "goals"),
        Column("goals_8", "goals in play that gave the player at least 8 VPs", "int8", "goals"),
        Column("stockpiled_chips", "stockpiled VP chips (they still score)", unit="VPs"),
        Column("stockpiled_worlds", "stockpiled worlds", "int8", "worlds"),
        Column("stockpiled_colonists", "stockpiled colonists", unit="colonists"),
        Column("stockpiled_credits", "stockpiled credits", "int32", "credits"),
    ),
)

ROUNDS = Table(
    "rounds",
    "one row per game, round and player: the position after the round",
    "rounds",
    (
        GAME,
        ROUND,
        SEAT,
        Column("credits", "credits held", "int32", "credits"),
        Column("colonists", "colonists held, not on worlds", unit="colonists"),
        Column("vp_chips", "VP chips, stockpiled ones included", unit="VPs"),
        Column("score", "score if the game ended now: the sum of `vp_chips` and the next five columns", unit="VPs"),
        Column("vp_worlds", "of those: colonies, home included", unit="VPs"),
        Column("vp_developments", "of those: printed on developments, 9-cost ones included", unit="VPs"),
        Column("vp_nine_cost", "of those: scored by 9-cost developments", unit="VPs"),
        Column("vp_goals", "of those: goals in play", unit="VPs"),
        Column("vp_penalty", "of those: unconquered Xeno worlds, never above 0", unit="VPs"),
        Column("military", "permanent Military", unit="Military"),
        Column("colonies", "colonies, home included", "int8", "worlds"),
        Column("developments", "developments, 9-cost ones included", "int8", "tiles"),
        Column("goods", "goods lying on colonies", "int8", "goods"),
        Column("explored", "explored worlds not yet settled", "int8", "worlds"),
        Column("xeno_explored", "of those: placed Xeno worlds", "int8", "worlds"),
        Column("priority", "space of the disk on the priority track for the next round, 1 = front", "int8"),
        Column("supply_vp", "VP chips in the supply (the same for all players)", "int8", "VPs"),
        Column("supply_colonists", "colonists in the supply", "int8", "colonists"),
        Column("produce_credits", "credits lying on the Produce tile", "int16", "credits"),
    ),
)

SELECTIONS = Table(
    "selections",
    "one row per action tile selected, in the order of the round",
    "rounds",
    (
        GAME,
        ROUND,
        Column("order", "place of the selection in its round, from 0", "int8"),
        Column("seat", "who selected it; solo: 1 and 2 are the dummies", "int8"),
        Column("action", "action tile", "label", labels=tuple(map(label, Action))),
        Column("chosen_by", "who decided it", "label", labels=tuple(map(label, ChosenBy))),
    ),
)

GOALS = Table(
    "goals",
    "one row per game, player and goal in play at the end",
    "games",
    (
        GAME,
        SEAT,
        Column("goal", "goal, face up or face down", "label", labels="goal"),
        Column("drawn_by", "seat that drew it", "int8", sentinel="-1 = in play from the start"),
        Column("score", "VPs the player scores for it", "int8", "VPs"),
    ),
)

OBJECTIVES = Table(
    "objectives",
    "solo: one row per game and condition of the campaign",
    "games",
    (
        GAME,
        Column("campaign", "campaign, 1 to 6", "int8"),
        Column("objective", "win condition", "label", labels="objective"),
        Column("met", "threshold reached and every requirement fulfilled", "bool"),
        Column("margin", "final score minus the condition's VP threshold", unit="VPs"),
        Column("requires_met", "every requirement besides the threshold fulfilled", "bool"),
        Column(
            "so_close",
            "how it could be claimed: none = met, vp, count = with that side of the chip",
            "label",
            labels=CHIP_USES,
        ),
        Column("aimed", "the policy aimed at this condition at the end", "bool"),
    ),
)

TILES = Table(
    "tiles",
    "one row per game, player and tile owned or explored at the end",
    "tiles",
    (
        GAME,
        SEAT,
        Column("tile", "world or development", "label", labels="tile"),
        Column("round_explored", "round in which the world was taken", sentinel="0 = home, -1 = a development"),
        Column(
            "round_settled",
            "round in which the world was settled or the development built",
            sentinel="0 = home, -1 = explored or stockpiled only",
        ),
    ),
)

CAMPAIGNS = Table(
    "campaigns",
    "solo: one row per game of a campaign that was played out; the game that allows no claim is its last",
    "games",
    (
        Column("campaign_run", "number of the run through the campaign, or through all of the Gauntlet, from 0",
               "int64", encoding="delta"),
        Column("campaign", "campaign, 1 to 6", "int8"),
        Column("game_in_run", "place of the game in its run, from 0", "int8"),
        Column("game", "number of the game under the seed: run times the games of a whole run, plus game_in_run",
               "int64", encoding="delta"),
        Column("target", "condition that the policy aimed at when the game ended", "label", labels="campaign_condition",
               sentinel="null = the policy does not aim"),
        Column("claimed", "condition claimed", "label", labels="campaign_condition",
               sentinel="null = none could be claimed, and the campaign was lost"),
        Column("chip_used", "side of the So Close chip spent on the claim", "label", labels=CHIP_USES[:3]),
        Column("won", "the campaign was won: the same in all rows of the run and campaign", "bool"),
    ),
)  # fmt: skip

TABLES: tuple[Table, ...] = (GAMES, SEATS, ROUNDS, SELECTIONS, GOALS, OBJECTIVES, TILES)
TABLE_NAMES = ("games", "seats", "rounds", "selections", "goals", "objectives", "tiles")
ROW_DTYPES: dict[str, np.dtype[Any]] = {table.name: table.dtype for table in TABLES}

assert tuple(table.name for table in TABLES) == TABLE_NAMES
