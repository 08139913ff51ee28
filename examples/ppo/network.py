"""The network of the learning player, in numpy: what each option is worth, and what the position is worth.

An option's worth comes from the position, from what is said of the option, and from an embedding of what it is: its
kind, with the tile or the number that it is about. Rows of all options of all decisions stand below each other, so
nothing is spent on actions that are not legal.
"""

import numpy as np
from scipy import sparse

HIDDEN = 64
NUMBERS = 400  # tiles and numbers that an embedding tells apart


class Encoder:
    """Cuts observations into positions, rows of options, and codes for the embedding; scales the numbers.

    `entries` are those of an observation, `options` those of one option, `actions` the size of the action space.
    """

    def __init__(self, entries, options, actions):
        self.actions, self.width = actions, len(options)
        self.position = len(entries) - actions * self.width
        names = [entry.name for entry in options]
        self.kind, self.a = names.index("kind"), names.index("a")
        self.tile = names.index("tile") if "tile" in names else self.a
        self.codes = int(options[self.kind].high + 1) * NUMBERS

    def cut(self, observations, masks):
        """Return positions, rows of the legal options, their codes, and how many rows each decision has."""
        rows = observations[:, self.position :].reshape(-1, self.actions, self.width)[masks]
        about = np.where(rows[:, self.tile] >= 0, rows[:, self.tile], rows[:, self.a])
        codes = rows[:, self.kind] * NUMBERS + np.clip(about + 1, 0, NUMBERS - 1)
        return observations[:, : self.position].copy(), rows, codes.astype(np.int64), masks.sum(axis=1)


class Network:
    """Weights by name, and what they say; `scales` are mean and spread of positions and of rows."""

    def __init__(self, weights, scales):
        self.weights, self.scales = weights, scales

    @classmethod
    def new(cls, position, width, codes, scales, rng):
        """Return one that has learnt nothing."""

        def random(n, m, size=1.0):
            return (rng.standard_normal((n, m)) * size / np.sqrt(n)).astype(np.float32)

        weights = {
            "position": random(position, HIDDEN),
            "option": random(width, HIDDEN),
            "code": random(codes, HIDDEN, 0.0),
            "hidden": np.zeros(HIDDEN, np.float32),
            "worth": random(HIDDEN, 1, 0.1),
            "value_position": random(position, HIDDEN),
            "value_hidden": np.zeros(HIDDEN, np.float32),
            "value": random(HIDDEN, 1, 0.1),
            "value_level": np.zeros(1, np.float32),
        }
        return cls(weights, scales)

    def scaled(self, positions, rows):
        """Return positions and rows as the weights take them."""
        mean, spread, row_mean, row_spread = self.scales
        return np.clip((positions - mean) / spread, -5, 5), np.clip((rows - row_mean) / row_spread, -5, 5)

    def forward(self, positions, rows, codes, counts):
        """Return the logit of each row, the value of each position, and what `backward` needs."""
        w = self.weights
        x, r = self.scaled(positions, rows)
        of = np.repeat(np.arange(len(counts)), counts)  # the decision of each row
        z = np.tanh((x @ w["position"])[of] + r @ w["option"] + w["code"][codes] + w["hidden"])
        h = np.tanh(x @ w["value_position"] + w["value_hidden"])
        return (z @ w["worth"])[:, 0], (h @ w["value"])[:, 0] + w["value_level"], (x, r, of, z, h)

    def backward(self, codes, kept, by_logit, by_value):
        """Return the gradient of every weight from those of logits and values."""
        w = self.weights
        x, r, of, z, h = kept
        by_z = by_logit[:, None] * w["worth"][:, 0] * (1 - z * z)
        by_position = added(of, len(x)) @ by_z
        by_code = added(codes, len(w["code"])) @ by_z
        by_h = by_value[:, None] * w["value"][:, 0] * (1 - h * h)
        return {
            "position": x.T @ by_position,
            "option": r.T @ by_z,
            "code": by_code,
            "hidden": by_z.sum(axis=0),
            "worth": (z.T @ by_logit)[:, None],
            "value_position": x.T @ by_h,
            "value_hidden": by_h.sum(axis=0),
            "value": (h.T @ by_value)[:, None],
            "value_level": by_value.sum(keepdims=True),
        }

    def save(self, file):
        """Write weights and scales to a file."""
        np.savez_compressed(file, *self.scales, **self.weights)

    @classmethod
    def load(cls, file):
        """Read what `save` wrote."""
        with np.load(file) as stored:
            scales = [stored[f"arr_{number}"] for number in range(4)]
            return cls({name: stored[name] for name in stored.files if not name.startswith("arr_")}, scales)


def added(places, count):
    """Return the matrix that adds each row to its place among `count`."""
    ends = np.arange(len(places) + 1)
    return sparse.csr_array((np.ones(len(places), np.float32), places, ends), (len(places), count)).T


def chances(logits, counts):
    """Return the chance of each row among those of its decision, and their logarithms."""
    starts = np.cumsum(counts) - counts
    logits = logits - np.repeat(np.maximum.reduceat(logits, starts), counts)
    logs = logits - np.repeat(np.log(np.add.reduceat(np.exp(logits), starts)), counts)
    return np.exp(logs), logs
