"""The runs of a report sorted into groups that can be compared."""

import re
from collections.abc import Sequence
from pathlib import Path

from nfsim.errors import BadInput
from nfsim.files import real
from nfsim.report.naming import labelled
from nfsim.report.picture import Group
from nfsim.report.source import Source, read

MOST_RUNS = 6  # compared in one chart: more cannot be told apart


def read_all(folders: Sequence[Path]) -> list[list[Source]]:
    """Open runs and sort them into groups that can be compared, each run with its label.

    Parameters
    ----------
    folders : sequence of Path
        Run folders; one named twice counts once.

    Returns
    -------
    list of list of Source
        Groups in the order of their first run, at most `MOST_RUNS` runs in each.
    """
    if not folders:
        raise BadInput("report", "RUNS", "no run folder given", "name at least one folder written by nfsim run")
    groups: dict[tuple[str, int, str], list[Source]] = {}
    for folder in {real(folder): folder for folder in folders}.values():
        source = read(folder)
        groups.setdefault(source.group, []).append(source)
    chunks = [g[i : i + MOST_RUNS] for g in groups.values() for i in range(0, len(g), MOST_RUNS)]
    return [labelled(chunk) for chunk in chunks]


def group_title(group: Group) -> str:
    """Return the heading of a group of runs."""
    _, players, campaign = group[0].group
    if players == 1:
        return f"Solo, campaign {campaign}" if campaign else "Solo"
    return f"{players} players" if players else "No games"


def prefixes(groups: Sequence[Group]) -> list[str]:
    """Return what the file names of each group begin with: nothing if there is only one."""
    if len(groups) == 1:
        return [""]
    slugs = [re.sub(r"\W+", "_", group_title(group).lower()).strip("_") for group in groups]
    numbered = [
        f"{slug}_{slugs[:i].count(slug) + 1}" if slugs.count(slug) > 1 else slug for i, slug in enumerate(slugs)
    ]
    return [f"{slug}_" for slug in numbered]
