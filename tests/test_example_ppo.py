"""The example that trains a player: its gradients are right, and what it has learnt plays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nfsim
from examples.ppo import player, train
from examples.ppo.network import HIDDEN, Network, chances


def test_gradients_agree_with_differences() -> None:
    rng = np.random.default_rng(1)
    counts = np.array([2, 3, 1])
    rows, codes = rng.standard_normal((6, 4)), np.array([0, 1, 1, 2, 3, 0])
    scales = [np.zeros(5), np.ones(5), np.zeros(4), np.ones(4)]
    network = Network.new(5, 4, 4, scales, rng)
    network.weights = {name: rng.standard_normal(each.shape) * 0.3 for name, each in network.weights.items()}
    positions = rng.standard_normal((3, 5))
    by_logit, by_value = rng.standard_normal(6), rng.standard_normal(3)

    def loss() -> float:
        logits, values, _ = network.forward(positions, rows, codes, counts)
        return float(by_logit @ logits + by_value @ values)

    found = network.backward(codes, network.forward(positions, rows, codes, counts)[2], by_logit, by_value)
    for name, each in network.weights.items():
        place = tuple(int(rng.integers(size)) for size in each.shape)
        kept, step = each[place], 1e-5
        each[place] = kept + step
        more = loss()
        each[place] = kept - step
        assert found[name][place] == pytest.approx((more - loss()) / (2 * step), abs=1e-6), name
        each[place] = kept
    assert network.weights["hidden"].shape[0] == HIDDEN


def test_chances_of_a_decision_add_up_to_one() -> None:
    share, logs = chances(np.array([1.0, 2.0, 900.0, -3.0]), np.array([3, 1]))
    assert share[:3].sum() == pytest.approx(1)
    assert share[3] == 1
    np.testing.assert_allclose(np.exp(logs), share)


def test_what_was_trained_plays_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "STEPS", 2)
    monkeypatch.setattr(player, "FILE", tmp_path / "weights.npz")
    _, network = train.train("solo_campaign1_short", 0.0001, 1)
    network.save(player.FILE)
    game = nfsim.Game.from_scenario("solo_campaign1_short", seed=1)
    for _ in range(5):
        game.choose(player.choose(game))
    assert len(game.choices) == 5
