"""Builds a report about logged runs."""

from collections.abc import Sequence
from pathlib import Path

from nfsim.report.analysis import parts_of
from nfsim.report.groups import group_title, prefixes, read_all
from nfsim.report.naming import title
from nfsim.report.page import Section, write_page


def build_report(run_dirs: Sequence[Path], out: Path) -> Path:
    """Write a report about one or more runs.

    Parameters
    ----------
    run_dirs : sequence of Path
        Folders of finished runs. Runs of the same campaign, or of the same number of players, are compared.
    out : Path
        Folder of the page, see `nfsim.report.page.write_page`.

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
    return write_page(out, title(sources), sources, sections)
