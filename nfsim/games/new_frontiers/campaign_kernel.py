"""Playing campaigns out: game after game, each with a claim, until one allows none; no Python per game."""

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.status import Status
from nfsim.games.new_frontiers import setup
from nfsim.games.new_frontiers.codes import ChipUse
from nfsim.games.new_frontiers.kernel import go_on
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.playing import NO_CHOICE
from nfsim.games.new_frontiers.policies.choose import get_ready
from nfsim.games.new_frontiers.solo import claim

MET, MISSED = int(ChipUse.NONE), int(ChipUse.MISSED)
FINISHED = int(Status.FINISHED)


@njit
def play_campaigns(
    tables: Record,
    policies: Record,
    worth: Record,
    root: int,
    runs: Record,
    games: int,
    first_game: int,
    first_label: int,
    chips: Record,
    alive: Record,
    statuses: Record,
    states: Record,
    memory: Record,
    options: Record,
    rounds_rows: Record,
    selections_rows: Record,
    used: Record,
    rows: Record,
) -> int:
    """Play one campaign of each run that is still in it, and write its rows.

    Parameters
    ----------
    tables : record of TABLES
        Of the campaign.
    policies : recarray of POLICY, shape (policy,)
        As `kernel.play_games` takes them; `worth` of the first one is set before each game.
    worth : float64 array, shape (mask, chip, condition, 2)
        Of claiming a condition without and with the chip; 0: cannot be claimed so.
    root : int
        Seed.
    runs : int64 array, shape (run,)
        Numbers of the runs; game i of this campaign in run r has number ``r * games + first_game + i``.
    games, first_game : int
        Games of a whole run, and those of the campaigns before this one.
    first_label : int
        Added to a condition's number in the rows: its place among the conditions of all campaigns.
    chips, alive : int64 arrays, shape (run,)
        1 with the chip, 1 while nothing is lost; changed.
    statuses : int64 array, shape (run,)
        Set to the status of a game that was not finished by the rules; such a game loses the campaign.
    states … used
        As in `kernel.play_games`; nothing of rounds and selections is written.
    rows : recarray, shape (capacity,)
        Rows of the table `campaigns`, from the first place on.

    Returns
    -------
    int
        Rows written.
    """
    get_ready(tables, policies)
    policy = policies[0]
    state = states[0]
    at = int64(0)
    for i in range(len(runs)):
        if alive[i] == 0:
            continue
        begun = at
        mask = (int64(1) << tables.n_conditions) - 1
        place = int64(0)
        while mask > 0 and alive[i] > 0:
            game = runs[i] * games + first_game + place
            for condition in range(tables.n_conditions):
                policy.worth[condition, 0] = worth[mask, chips[i], condition, 0]
                policy.worth[condition, 1] = worth[mask, chips[i], condition, 1]
            setup.begin(tables, state, memory[0], root, game)
            go_on(
                tables, policies, int64(0), game, states, memory, options, rounds_rows, selections_rows, used,
                int64(NO_CHOICE),
            )  # fmt: skip
            condition = int64(-1)
            if state.status == FINISHED:
                condition = best_claim(tables, state, worth[mask, chips[i]])
            else:
                statuses[i] = state.status
            row = rows[at]
            at += 1
            row.campaign_run = runs[i]
            row.campaign = tables.campaign
            row.game_in_run = first_game + place
            row.game = game
            target = policy.use - policy.first_mind if policy.plans else policy.target
            row.target = first_label + target if target >= 0 else int64(-1)
            row.claimed = int64(-1)
            row.chip_used = MET
            place += 1
            if condition < 0:
                alive[i] = 0
            else:
                row.claimed = first_label + condition
                row.chip_used = claim(tables, state, int64(0), condition)
                if row.chip_used != MET:
                    chips[i] = 0
                mask ^= int64(1) << condition
        for written in range(begun, at):
            rows[written].won = alive[i]
    return at


@njit
def best_claim(tables: Record, state: Record, worth: Record) -> int:
    """Return the condition to claim: of most worth, of equal ones the first; -1 if none can be claimed."""
    best = int64(-1)
    most = 0.0
    for condition in range(tables.n_conditions):
        if worth[condition, 0] > most or worth[condition, 1] > most:
            use = claim(tables, state, int64(0), int64(condition))
            gain = 0.0
            if use == MET:
                gain = worth[condition, 0]
            elif use != MISSED:
                gain = worth[condition, 1]
            if gain > most:
                most = gain
                best = int64(condition)
    return best
