"""Send Diplomatic Envoys: 1 VP chip and the front of the priority order for the next round (001)."""

from lab import Table


def test_the_selector_gains_a_vp_chip() -> None:
    """001."""
    table = Table(2).select("envoys")
    assert (table.has("chips", 0), table.has("chips", 1)) == (1, 0)


def test_the_selector_is_first_in_the_next_round() -> None:
    """001."""
    table = Table(3).select("develop").finish_action().select("settle").finish_action().select("envoys")
    assert (table.state.round_no, table.seat) == (2, 2)


def test_this_rounds_order_does_not_change() -> None:
    """000 p. 2, the example: who is last stays last."""
    table = Table(3).select("develop").finish_action().select("envoys")
    assert [table.state.turn_seat[turn] for turn in range(3)] == [0, 1, 2]
    assert table.seat == 2


def test_the_others_keep_their_relative_order() -> None:
    """R6 shift; 000 p. 2."""
    table = Table(4)
    for action in ("develop", "settle", "produce"):
        table.select(action).finish_action()
    assert table.select("envoys").track() == [3, 0, 1, 2]


def test_who_is_first_already_stays_first() -> None:
    """001."""
    assert Table(3).select("envoys").track() == [0, 1, 2]


def test_priority_does_not_rotate_by_itself() -> None:
    """001: changes only by Envoys and by Chart Galactic Goals."""
    table = Table(3).select("develop").finish_action().select("settle").finish_action().select("produce")
    assert table.state.round_no == 2
    assert table.track() == [0, 1, 2]


def test_nobody_has_an_action() -> None:
    """001."""
    table = Table(2).select("envoys")
    assert (table.kind, table.seat) == ("select_action", 1)


def test_in_multiplayer_a_later_selector_gains_no_credit() -> None:
    """000 p. 2: only in solo."""
    table = Table(2).select("develop").finish_action()
    before = table.has("credits", 1)
    table.select("envoys")
    assert table.has("credits", 1) == before
