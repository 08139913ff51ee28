"""The trained player: `nfsim ladder solo_campaign1_short --policies uniform,balanced,examples.ppo.player:choose`.

It plays by `weights.npz` beside this file, which `python -m examples.ppo.train` writes.
"""

import functools
from pathlib import Path

from examples.ppo.network import Encoder, Network

FILE = Path(__file__).with_name("weights.npz")


def choose(game):
    """Plays as it has learnt to by PPO."""
    observer = game.observer
    encoder, network = learnt(observer.entries, observer.option_entries, observer.actions)
    logits, _, _ = network.forward(*encoder.cut(game.observe()[None], game.action_mask()[None]))
    return int(logits.argmax())


@functools.cache
def learnt(entries, options, actions):
    """Read the network once."""
    return Encoder(entries, options, actions), Network.load(FILE)
