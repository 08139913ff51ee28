"""Other sets of cards or tiles, drawn at random into folders; an interrupted draw goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nfsim.catalogue.sampling import write_several
from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput
from nfsim.run.progress import keeping

MOST = 1000  # folders that one command writes


def draw_sets(rule_set: RuleSet, name: str, folder: Path, seed: int, count: int | None) -> dict[str, Any]:
    """Draw sets and write each as a folder.

    Parameters
    ----------
    rule_set : RuleSet
    name : str
        Set whose unknown fields are drawn anew.
    folder : Path
        Of the set, or with `count` of the folders ``1``, ``2`` …: new, empty, or with what an earlier try has left.
    seed : int
        The same seed gives the same sets.
    count : int, optional
        How many.

    Returns
    -------
    dict of str to Sample
        By folder.

    Raises
    ------
    BadInput
        Naming the option.
    Stopped
        On Ctrl-C, or if the disk is full; complete sets are kept.
    """
    if count is not None and not 1 <= count <= MOST:
        raise BadInput("--count", "", f"must be 1 to {MOST}, not {count}")
    if seed < 0:
        raise BadInput("--seed", "", f"must not be below 0, not {seed}")
    catalogue = rule_set.need_catalogue("--game")
    base = catalogue.load(name)
    places = {f"{folder}/{number}": (number, folder / str(number)) for number in range(1, (count or 0) + 1)}
    places = places or {str(folder): (1, folder)}
    plan = {"seed": seed, "sets": len(places), "drawn_from": base.hash}
    samples: dict[str, Any] = {}
    with keeping(folder, lambda: len(samples), len(places), f"{rule_set.words.record} sets"):
        for place, sample in write_several(folder, places, plan, lambda n: catalogue.sample(seed, n, base)):
            samples[place] = sample  # noqa: PERF403 - what is kept is counted while it goes on
    return samples
