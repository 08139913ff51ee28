"""Islets, a tiny game: every layer of the program plays, logs and studies it, as proof that none knows another game.

Eighteen cards: values 1 to 6 in three suits. Each of one or two seats begins with a card that only it sees; one card
lies open. In its turn a seat takes the open card, and another is turned up, or the hidden top of the deck; then it
plays one of its two cards before it. In the last round nothing is taken: the last card is played. Cards count their
values, and whoever has three cards of a suit has a bonus. Alone one plays for two objectives: many points, and cards
of one suit. `nfsim run` finds it once this package is imported.
"""

from nfsim.contract.rule_set import register
from tiny_game.rule_set import RULE_SET

register(RULE_SET)

__all__ = ["RULE_SET"]
