"""Setting up a game (rules section 1; 000 p. 2 for solo)."""

from functools import cache
from typing import Any

import pytest
from lab_tiles import home, prepared

from nfsim.games.new_frontiers.codes import Action, Decision, WorldType
from nfsim.games.new_frontiers.game import Game

SEEDS = 60


@cache
def games(seeds: int = SEEDS, **setup: Any) -> list[Game]:
    """Games of these seeds at the first action selection; sides are chosen in turn, so that both occur."""
    found = []
    for seed in range(seeds):
        game = Game.new(prepared(**setup), seed, 0, ["uniform"])
        while game.decision[1] in (Decision.CHOOSE_SIDE, Decision.CHOOSE_STACK_SIDE):
            game.choose(seed % 2)
        found.append(game)
    return found


def in_order(game: Game, what: str) -> list[int]:
    """A number of each player, by place in priority order."""
    players = int(game.prepared.tables[0].players)
    return [int(game.state[what][game.state.turn_seat[place]]) for place in range(players)]


@pytest.mark.parametrize(("players", "chips"), [(2, 24), (3, 36), (4, 48), (5, 60), (1, 24)])
def test_the_supply_has_twelve_vp_chips_a_player(players: int, chips: int) -> None:
    """001; 24 in solo (000 p. 2)."""
    assert {int(game.state.supply_vp) for game in games(5, players=players)} == {chips}


@pytest.mark.parametrize(("players", "colonists"), [(2, 24), (3, 34), (4, 44), (5, 54), (1, 24)])
def test_the_supply_has_ten_colonists_a_player_and_four_less_those_on_the_homes(players: int, colonists: int) -> None:
    """001; solo 24, of which one is on the home (000 p. 2)."""
    assert {int(game.state.supply_colonists) for game in games(5, players=players)} == {colonists - players}


@pytest.mark.parametrize(
    ("players", "credits_"), [(2, [3, 4]), (3, [3, 3, 4]), (4, [3, 3, 4, 4]), (5, [3, 3, 3, 4, 4]), (1, [3])]
)
def test_the_last_in_order_have_a_credit_more(players: int, credits_: list[int]) -> None:
    """001: three credits each, the last four; with four and five players the last two."""
    assert all(in_order(game, "credits") == credits_ for game in games(5, players=players))


@pytest.mark.parametrize(("players", "copies"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_small_developments_lie_in_copies_and_large_ones_alone(players: int, copies: int) -> None:
    """P; solo as with two."""
    game = games(5, players=players)[0]
    tables = game.prepared.tables[0]
    for stack in range(int(tables.n_stacks)):
        large = tables.spaces[tables.stack_face[stack, 0]] == 2
        assert game.state.stack_left[stack] == (1 if large else copies)


@pytest.mark.parametrize(("expansion", "worlds"), [("base", 60), ("starry_rift", 73)])
def test_the_bag_has_sixty_worlds_and_seventy_three_with_the_rift(expansion: str, worlds: int) -> None:
    """000 p. 3."""
    assert {int(game.state.bag_n) for game in games(5, players=2, expansion=expansion)} == {worlds}


@pytest.mark.parametrize(("expansion", "mats"), [("base", 8), ("starry_rift", 16)])
def test_mats_are_dealt_at_random_from_eight_or_sixteen(expansion: str, mats: int) -> None:
    """P: mats 1 to 8; 000 p. 1: 9 to 16."""
    dealt = {int(game.state.mat[seat]) for game in games(players=2, expansion=expansion) for seat in (0, 1)}
    names = games(players=2, expansion=expansion)[0].prepared.names.mat
    assert {names[mat] for mat in dealt} == {str(number) for number in range(1, mats + 1)}


def test_no_two_players_have_the_same_mat() -> None:
    """P."""
    assert all(len({int(game.state.mat[seat]) for seat in range(5)}) == 5 for game in games(players=5))


def test_each_player_chooses_a_side_of_its_mat() -> None:
    """P: two-sided."""
    for game in games(players=3):
        tables = game.prepared.tables[0]
        for seat in range(3):
            assert game.state.home[seat] == tables.mat_side[game.state.mat[seat], game.number or game.state.side[seat]]
    assert {int(game.state.side[0]) for game in games(players=3)} == {0, 1}


def test_the_home_colony_has_a_colonist_and_is_a_colony() -> None:
    """001, 000 p. 2."""
    game = games(5, players=2)[0]
    assert (int(game.state.placed_colonists[0]), int(game.state.n_colonies[0])) == (1, 1)


def test_players_start_without_colonists_chips_worlds_and_developments() -> None:
    """001: three credits and one colonist, which goes on the home."""
    state = games(5, players=2)[0].state
    assert [int(state[what][0]) for what in ("colonists", "chips", "n_explored", "n_devs")] == [0, 0, 0, 0]


def test_a_windfall_home_starts_with_its_good_and_no_other() -> None:
    """P: the halo."""
    found = set()
    for game in games(players=5):
        for seat in range(5):
            type_ = WorldType(int(game.prepared.tables[0].type[game.state.home[seat]]))
            found.add((type_, int(game.state.colony_good[seat, 0])))
    assert found == {(WorldType.GRAY, 0), (WorldType.PRODUCTION, 0), (WorldType.WINDFALL, 1)}


def test_a_homes_powers_work_from_the_start() -> None:
    """001: the home is placed at the start."""
    tiles = [
        home(mat, side, name=f"{mat}{side}", powers=["settle.military 2"]) for mat in range(17, 33) for side in "AB"
    ]
    played = [Game.new(prepared(tiles=tiles, players=2), seed, 0, ["uniform"]) for seed in range(8)]
    for game in played:
        while game.decision[1] == Decision.CHOOSE_SIDE:
            game.choose(0)
    strong = [game for game in played if int(game.prepared.names.mat[game.state.mat[0]]) > 16]
    assert strong
    assert {int(game.state.military[0]) for game in strong} == {2}


def test_the_order_of_priority_is_random_at_the_start() -> None:
    """P."""
    orders = {tuple(int(seat) for seat in game.state.turn_seat[:3]) for game in games(players=3)}
    assert len(orders) == 6


def test_disks_lie_on_the_track_in_that_order() -> None:
    """P."""
    assert all(in_order(game, "space") == [1, 2, 3] for game in games(players=3))


def test_a_coin_decides_the_side_of_each_two_sided_stack() -> None:
    """P."""
    tables = games(players=2)[0].prepared.tables[0]
    for stack in range(int(tables.n_stacks)):
        sides = {int(game.state.stack_side[stack]) for game in games(players=2)}
        assert sides == ({0, 1} if tables.stack_face[stack, 1] >= 0 else {0})


@pytest.mark.parametrize(("expansion", "goals"), [("base", 8), ("starry_rift", 16)])
def test_the_goal_stack_has_eight_goals_and_sixteen_with_the_rift(expansion: str, goals: int) -> None:
    """P; 000 p. 1."""
    state = games(5, players=2, expansion=expansion)[0].state
    assert (int(state.goal_deck_n), sorted(state.goal_deck[:goals])) == (goals, list(range(goals)))


def test_the_goal_stack_is_shuffled() -> None:
    """P."""
    assert len({int(game.state.goal_deck[0]) for game in games(players=2)}) == 16


def test_without_goals_there_is_no_goal_stack() -> None:
    """001: an option."""
    assert int(games(5, players=2, goals=False)[0].state.goal_deck_n) == 0


@pytest.mark.parametrize(("goals", "missing"), [(True, Action.RETREAT), (False, Action.CHART)])
def test_seven_action_tiles_are_available(goals: bool, missing: Action) -> None:
    """001: the Isolation tile shows one of its sides."""
    game = games(5, players=2, goals=goals)[0]
    assert {Action(a) for _, a, _ in game.options} == set(Action) - {missing}


# --- solo (000 p. 2)


def test_the_solo_player_begins_before_the_two_dummies() -> None:
    """000 p. 2: begin the first round as first player."""
    for game in games(players=1):
        assert [int(seat) for seat in game.state.turn_seat[:3]] == [0, 1, 2]


def test_the_solo_players_mat_is_random_and_either_side_may_be_used() -> None:
    """000 p. 2."""
    assert len({int(game.state.mat[0]) for game in games(players=1)}) > 10
    assert {int(game.state.side[0]) for game in games(players=1)} == {0, 1}


@pytest.mark.parametrize("campaign", range(1, 7))
def test_only_campaign_five_starts_with_exploration_in_play(campaign: int) -> None:
    """000 p. 2: Prestige."""
    game = games(5, players=1, campaign=campaign)[0]
    names = game.prepared.names.goal
    face_up = [names[goal] for goal in range(len(names)) if game.state.goal_where[goal] == 2]
    assert face_up == (["Exploration"] if campaign == 5 else [])
    assert int(game.state.goal_deck_n) == 16 - len(face_up)


@pytest.mark.parametrize("campaign", range(1, 7))
def test_only_in_campaign_six_the_player_chooses_a_stacks_side(campaign: int) -> None:
    """000 p. 2: Mastery, after all other setup steps."""
    game = Game.new(prepared(players=1, campaign=campaign), 1, 0, ["uniform"])
    game.choose(0)
    words = {game.words(choice) for choice in range(len(game.options))}
    asked = {("face", "Improved Logistics"), ("face", "Terraforming Robots")}
    assert words == asked if campaign == 6 else game.decision[1] == Decision.SELECT_ACTION


@pytest.mark.parametrize("choice", [0, 1])
def test_in_campaign_six_the_side_chosen_lies_up(choice: int) -> None:
    """000 p. 2: Mastery."""
    game = Game.new(prepared(players=1, campaign=6), 1, 0, ["uniform"])
    game.choose(0)
    wanted = game.words(choice)[1]
    game.choose(choice)
    tables = game.prepared.tables[0]
    up = tables.stack_face[tables.mastery_stack, game.state.stack_side[tables.mastery_stack]]
    assert game.prepared.names.tile[int(up)] == wanted


@pytest.mark.parametrize("campaign", range(1, 7))
def test_a_campaign_has_four_conditions(campaign: int) -> None:
    """000 p. 2."""
    assert len(prepared(players=1, campaign=campaign).names.condition) == 4


@pytest.mark.parametrize(("rounds", "vps"), [(10, [55, 40, 40, 40]), (12, [70, 50, 50, 50])])
def test_short_and_long_games_differ_in_their_thresholds(rounds: int, vps: list[int]) -> None:
    """000 p. 2: the first campaign's mat."""
    tables = prepared(players=1, campaign=1, rounds=rounds).tables[0]
    assert list(tables.condition_vp[:4]) == vps
