"""Finds what a game has to say about its runs: its package ``analysis``, by the name of the game."""

import importlib
from collections.abc import Sequence
from typing import Any

from nfsim.contract.rule_set import load_rule_set
from nfsim.report.page import Part
from nfsim.report.picture import Group
from nfsim.report.values import blaming_tables


def parts_of(group: Group) -> Sequence[Part]:
    """Return the parts of a report about runs of one game that can be compared.

    Parameters
    ----------
    group : sequence of Source
        The runs, at least one.

    Raises
    ------
    BadInput
        If this version does not know the game.
    """
    name = group[0].game
    load_rule_set(name, group[0].folder)
    analysis: Any = importlib.import_module(f"nfsim.games.{name}.analysis")
    with blaming_tables(group):
        parts: Sequence[Part] = analysis.parts(group)
    return parts
