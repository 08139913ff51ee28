"""Builds a report: a self-contained HTML page, the same in Markdown, and the numbers as CSV."""

import base64
import html
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from nfsim.errors import BadInput
from nfsim.files import write_atomic
from nfsim.report import svg, theme
from nfsim.report.figures import FIGURES
from nfsim.report.groups import group_title, prefixes, read_all
from nfsim.report.head import claims, facts, summary
from nfsim.report.naming import title
from nfsim.report.picture import Group, Picture
from nfsim.report.tables import TABLES, Table

HTML, MARKDOWN = "report.html", "report.md"
JOINTS = re.compile(r"([_/=]|[.,](?=[^\W\d]))(?=\w)")
MARKDOWN_MARKS = re.compile(r"([\\`*_{}\[\]|#~$!])")

Files = dict[str, bytes]


def build_report(run_dirs: Sequence[Path], out: Path) -> Path:
    """Write a report about one or more runs.

    Parameters
    ----------
    run_dirs : sequence of Path
        Folders of finished runs. Runs of the same campaign, or of the same number of players, are compared.
    out : Path
        Folder for `report.html` (needs no other file), `report.md`, `charts/` and `data/`. Made if it is
        not there; earlier files of the same names are replaced.

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
    files: Files = {}
    sections = [section(group, prefix, files) for group, prefix in zip(groups, prefixes(groups), strict=True)]
    sources = [source for group in groups for source in group]
    page = {
        "title": title(sources),
        "summary": summary(sources),
        "runs": [facts(source) for source in sources],
        "claims": claims(sources),
        "sections": sections,
        "light": theme.css_variables(dark=False),
        "dark": theme.css_variables(dark=True),
    }
    files[HTML] = render(HTML, page)
    files[MARKDOWN] = render(MARKDOWN, page)
    write(files, out)
    return out / HTML


def section(group: Group, prefix: str, files: Files) -> dict[str, Any]:
    """Make the tables and figures of a group, put their files into `files`, return what the templates need."""
    tables = [table for make in TABLES if (table := make(group)) is not None]
    pictures = [picture for draw in FIGURES if (picture := draw(group)) is not None]
    return {
        "title": group_title(group),
        "id": f"{prefix}section",
        "tables": [table_parts(table, prefix, files) for table in tables],
        "figures": [figure_parts(picture, prefix, files) for picture in pictures],
    }


def table_parts(table: Table, prefix: str, files: Files) -> dict[str, Any]:
    """Return a table for the templates."""
    return {"table": table, **csv_parts(f"{prefix}{table.name}", table.frame.write_csv().encode(), files)}


def figure_parts(picture: Picture, prefix: str, files: Files) -> dict[str, Any]:
    """Return a figure for the templates."""
    name = f"{prefix}{picture.name}"
    files[f"charts/{name}.png"] = svg.png(picture.figure)
    return {
        "picture": picture,
        "id": name,
        "png": f"charts/{name}.png",
        # made by svg.render, which writes every text as XML text
        "svg": Markup(svg.render(picture.figure, name, picture.title, picture.alt)),
        **csv_parts(name, picture.frame.write_csv().encode(), files),
    }


def csv_parts(name: str, content: bytes, files: Files) -> dict[str, str]:
    """Put a CSV file into `files`; return its path, and its content as an address for the page."""
    files[f"data/{name}.csv"] = content
    data = base64.b64encode(content).decode("ascii")
    return {
        "csv": f"data/{name}.csv",
        "csv_name": f"{name}.csv",
        "csv_data": f"data:text/csv;charset=utf-8;base64,{data}",
    }


def render(template: str, page: Mapping[str, Any]) -> bytes:
    """Fill in a template; HTML is escaped by itself, Markdown by its filter `md`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = markdown_text
    environment.filters["soft"] = soft
    return environment.get_template(template).render(page).encode("utf-8")


def markdown_text(text: object) -> str:
    """Write a text so that Markdown shows it as it is, on one line."""
    return MARKDOWN_MARKS.sub(r"\\\1", html.escape(" ".join(str(text).split()), quote=False))


def soft(text: object) -> Markup:
    """Escape a text for HTML and let long names in it break after the marks of file names and settings."""
    return Markup(JOINTS.sub(r"\1<wbr>", str(escape(text))))


def try_folder(out: Path) -> None:
    """Make a folder if it is not there and try it out, before long work is done for it.

    Raises
    ------
    BadInput
        If nothing can be written there.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise _cannot_write(out, error) from None


def write(files: Mapping[str, bytes], out: Path) -> None:
    """Write files under a folder, each whole or not at all."""
    try:
        for name, content in files.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, content)
    except OSError as error:
        raise _cannot_write(out, error) from None


def _cannot_write(out: Path, error: OSError) -> BadInput:
    reason = error.strerror or str(error)
    return BadInput(out, "", f"cannot be written ({reason})", "name a folder you may write to")
