"""Trains a player by masked PPO: `python -m examples.ppo.train --minutes 4`.

It plays many games at the same time (`nfsim.env.vector`), and writes `examples/ppo/weights.npz`, by which
`examples.ppo.player:choose` plays. It needs nothing but numpy.
"""

import argparse
import time
from pathlib import Path

import numpy as np

import nfsim.env
from examples.ppo.network import Encoder, Network, chances

FILE = Path(__file__).with_name("weights.npz")
GAMES, STEPS = 128, 128  # games at the same time, and decisions of each between two updates
EPOCHS, PART = 3, 4096  # times that decisions are learnt from, and decisions of an update's part
CLIP, ENTROPY, VALUE, LAMBDA = 0.2, 0.01, 0.5, 0.95
REWARD = 0.1  # of a point
RATE = 2e-3


def train(scenario, minutes, seed):
    """Return the encoder and the trained network; prints how it goes."""
    rng, games = np.random.default_rng(seed), nfsim.env.vector(GAMES, scenario)
    encoder = Encoder(games.observation_entries(), games.option_entries(), games.actions)
    network = Network.new(encoder.position, encoder.width, encoder.codes, scales(games, encoder), rng)
    adam = Adam(network.weights)
    observations, masks = games.reset(seed)
    begun, decisions, shown, finals = time.monotonic(), 0, 0.0, []
    while (past := time.monotonic() - begun) < minutes * 60:
        steps = []
        for _ in range(STEPS):
            cut = encoder.cut(observations, masks)
            logits, values, _ = network.forward(*cut)
            share, logs = chances(logits, cut[3])
            chosen = draw(share, cut[3], rng)
            starts = np.cumsum(cut[3]) - cut[3]
            observations, masks, rewards, done = games.step(chosen)
            steps.append((*cut, starts + chosen, logs[starts + chosen], values, rewards * REWARD, done.copy()))
            finals += games.scores[done].tolist()
        last = network.forward(*encoder.cut(observations, masks))[1]
        learn(network, adam, steps, last, rng, RATE * max(0.1, 1 - past / (minutes * 60)))
        decisions += GAMES * STEPS
        if past - shown > 15:
            shown = past
            mean = np.mean(finals[-2000:])
            print(f"{past:4.0f} s  {decisions:>9,} decisions  {len(finals):>7,} games  score {mean:.1f}", flush=True)
    return encoder, network


def scales(games, encoder):
    """Return mean and spread of positions and of rows of options in random play."""
    observations, masks = games.reset(0)
    positions, rows = [], []
    for step in range(200):
        position, row, _, _ = encoder.cut(observations, masks)
        positions.append(position)
        rows.append(row)
        observations, masks, _, _ = games.step(games.any_actions(step))
    found = []
    for numbers in (np.concatenate(positions), np.concatenate(rows)):
        found += [numbers.mean(axis=0), np.maximum(numbers.std(axis=0), 0.1)]
    return found


def draw(share, counts, rng):
    """Return a place among the options of each decision, drawn by the chances of its rows."""
    ends = np.cumsum(counts)
    upto = np.cumsum(share, dtype=np.float64)
    before = np.concatenate([[0.0], upto])[ends - counts]
    place = np.searchsorted(upto, before + rng.random(len(counts)) * (upto[ends - 1] - before), side="right")
    return np.clip(place - (ends - counts), 0, counts - 1)


def advantages(values, rewards, done, last):
    """Return how much better each decision went than expected (GAE), step by step."""
    found, ahead = np.zeros_like(values), np.zeros_like(last)
    following = last
    for step in reversed(range(len(values))):
        goes_on = ~done[step]
        surprise = rewards[step] + following * goes_on - values[step]
        ahead = surprise + LAMBDA * ahead * goes_on
        found[step], following = ahead, values[step]
    return found


def learn(network, adam, steps, last, rng, rate):
    """Learn from the decisions of some steps."""
    positions, rows, codes, counts, taken, before, values, rewards, done = zip(*steps, strict=True)
    sizes = [0, *np.cumsum([len(each) for each in rows])[:-1]]
    taken = np.concatenate([each + size for each, size in zip(taken, sizes, strict=True)])
    better = advantages(np.array(values), np.array(rewards), np.array(done), last)
    wanted = (better + np.array(values)).ravel()
    better = ((better - better.mean()) / (better.std() + 1e-8)).ravel()
    positions, rows, codes, counts, before = map(np.concatenate, (positions, rows, codes, counts, before))
    ends = np.cumsum(counts)
    for _ in range(EPOCHS):
        for part in np.array_split(rng.permutation(len(counts)), max(1, len(counts) // PART)):
            n = counts[part]
            starts = np.cumsum(n) - n
            mine = np.repeat(ends[part] - n - starts, n) + np.arange(n.sum())  # the rows of these decisions
            logits, value, kept = network.forward(positions[part], rows[mine], codes[mine], n)
            share, logs = chances(logits, n)
            choice = starts + taken[part] - (ends[part] - n)
            ratio = np.exp(logs[choice] - before[part])
            good = better[part]
            moves = np.where(good > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            by_choice = -(good * ratio * moves) / len(part)
            by_logit = -share * np.repeat(by_choice, n)
            by_logit[choice] += by_choice
            entropy = np.add.reduceat(-share * logs, starts)
            by_logit += ENTROPY * share * (logs + np.repeat(entropy, n)) / len(part)
            by_value = VALUE * (value - wanted[part]) / len(part)
            grown = network.backward(codes[mine], kept, by_logit.astype(np.float32), by_value.astype(np.float32))
            adam.step(network.weights, grown, rate)


class Adam:
    """The usual way to follow gradients, with their length bounded."""

    def __init__(self, weights):
        self.mean = {name: np.zeros_like(each) for name, each in weights.items()}
        self.square = {name: np.zeros_like(each) for name, each in weights.items()}
        self.steps = 0

    def step(self, weights, gradients, rate):
        """Move the weights."""
        self.steps += 1
        length = np.sqrt(sum(float((each * each).sum()) for each in gradients.values()))
        short = min(1.0, 0.5 / (length + 1e-8))
        rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, gradient in gradients.items():
            gradient *= short
            self.mean[name] += 0.1 * (gradient - self.mean[name])
            self.square[name] += 0.001 * (gradient * gradient - self.square[name])
            weights[name] -= rate * self.mean[name] / (np.sqrt(self.square[name]) + 1e-8)


def mean_score(scenario, choose, wanted, seed=10_000):
    """Return the mean score of so many games, its standard error, and the rate of games won."""
    games = nfsim.env.vector(GAMES, scenario)
    observations, masks = games.reset(seed)
    scores, won = [], []
    for step in range(10**6):
        observations, masks, _, done = games.step(choose(games, observations, masks, step))
        scores += games.scores[done].tolist()
        won += games.won[done].tolist()
        if len(scores) >= wanted:
            break
    return np.mean(scores), np.std(scores) / np.sqrt(len(scores)), np.mean(won)


def main():
    """Train, save, and compare with random play."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--scenario", default="solo_campaign1_short")
    options.add_argument("--minutes", type=float, default=4)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=FILE)
    chosen = options.parse_args()
    encoder, network = train(chosen.scenario, chosen.minutes, chosen.seed)
    network.save(chosen.out)

    def best(games, observations, masks, step):
        cut = encoder.cut(observations, masks)
        logits = network.forward(*cut)[0]
        table = np.full(masks.shape, -np.inf)
        table[masks] = logits
        return table.argmax(axis=1)

    for name, player in (("random", lambda games, _o, _m, step: games.any_actions(step)), ("trained", best)):
        score, error, won = mean_score(chosen.scenario, player, 2000)
        print(f"{name}: score {score:.1f} ± {1.96 * error:.1f}, {won:.1%} of games won")


if __name__ == "__main__":
    main()
