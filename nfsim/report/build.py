"""Builds a report about logged runs: sorts them into groups that can be compared, and asks for the parts of each."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from nfsim.errors import BadInput
from nfsim.files import real
from nfsim.report import metrics
from nfsim.report.answers import report_answer
from nfsim.report.log_checks import blaming_tables
from nfsim.report.metrics import ORDER
from nfsim.report.naming import labelled, title
from nfsim.report.page import Answer, Part, Section, write_page
from nfsim.report.parts import by_round, lengths, misses, moved_thresholds, owned, results, seats, thresholds
from nfsim.report.picture import Group
from nfsim.report.source import Source, read

MOST_RUNS = 6  # compared in one chart: more cannot be told apart
PARTS: Mapping[str, Callable[[Group], Part]] = {
    metrics.RESULTS: results.results,
    metrics.START: seats.start_part,
    metrics.POLICIES: seats.policies_part,
    metrics.THRESHOLDS: thresholds.part,
    metrics.MOVED: moved_thresholds.part,
    metrics.MISSES: misses.part,
    metrics.SCORE: results.scores,
    metrics.BY_ROUND: by_round.part,
    metrics.OWNED: owned.part,
    metrics.LENGTHS: lengths.part,
}
"""The parts that every report has where its runs say something about them."""


def build_report(run_dirs: Sequence[Path], out: Path, answer: Answer | None = None) -> Path:
    """Write a report about one or more runs.

    Parameters
    ----------
    run_dirs : sequence of Path
        Folders of finished runs. Runs of the same campaign, or of the same number of players, are compared.
    out : Path
        Folder of the page, see `nfsim.report.page.write_page`.
    answer : Answer, optional
        What the page begins with; None: what the runs came to.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    BadInput
        If a folder is not a finished run, or the output cannot be written.
    """
    groups = read_all(run_dirs)
    sections = [
        Section(group_title(group), parts_of(group), prefix, group)
        for group, prefix in zip(groups, prefixes(groups), strict=True)
    ]
    sources = [source for group in groups for source in group]
    return write_page(out, title(sources), answer or report_answer(groups), sources, sections)


def parts_of(group: Group) -> list[Part]:
    """Return the parts of a report about runs of one game that can be compared, in the order in which they are read.

    Parameters
    ----------
    group : sequence of Source
        The runs, at least one.
    """
    own = group[0].metrics.parts
    found = []
    with blaming_tables(group):
        for name in ORDER:
            found.append(PARTS[name](group))
            found += [each.part(group) for each in own if each.after == name]
    return found


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
    players, campaign = group[0].players, group[0].campaign
    if players == 1:
        alone = group[0].words.alone
        return f"{alone}, {campaign[0].lower()}{campaign[1:]}" if campaign else alone
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
