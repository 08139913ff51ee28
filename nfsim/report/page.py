"""A page: what every report and study puts together, and how it is written as HTML, Markdown, pictures and CSV.

A page has sections (one for runs that can be compared), a section has parts (one for a question), and a part has
sentences, tables and pictures that answer it.
"""

import base64
import html
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from nfsim.errors import BadInput
from nfsim.files import write_atomic
from nfsim.report import svg, theme
from nfsim.report.head import claims, facts, summary
from nfsim.report.picture import Picture
from nfsim.report.source import Source
from nfsim.report.tables import Table

HTML, MARKDOWN = "report.html", "report.md"
JOINTS = re.compile(r"([_/=]|[.,](?=[^\W\d]))(?=\w)")
MARKDOWN_MARKS = re.compile(r"([\\`*_{}\[\]|#~$!])")

Files = dict[str, bytes]


@dataclass(frozen=True)
class Part:
    """A question and what answers it.

    Attributes
    ----------
    title : str
        The question in a few words.
    text : sequence of str
        The answer in plain sentences, a paragraph each; every number with n or an interval.
    tables, pictures : sequence
        In the order in which they are read. Names of files are unique in a section.
    """

    title: str
    text: Sequence[str] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.text or self.tables or self.pictures)


@dataclass(frozen=True)
class Section:
    """What is said about runs that can be compared.

    Attributes
    ----------
    title : str
        Heading.
    parts : sequence of Part
        Empty ones are left out.
    prefix : str
        What the names of its files begin with, where a page has several sections.
    """

    title: str
    parts: Sequence[Part] = field(repr=False)
    prefix: str = ""


def write_page(out: Path, title: str, sources: Sequence[Source], sections: Sequence[Section]) -> Path:
    """Write a page.

    Parameters
    ----------
    out : Path
        Folder for `report.html` (needs no other file), `report.md`, `charts/` and `data/`. Made if it is not there;
        earlier files of the same names are replaced.
    title : str
        What the page is called.
    sources : sequence of Source
        The runs its numbers come from: the head names each of them.
    sections : sequence of Section
        What it says.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    BadInput
        If the output cannot be written.
    """
    files: Files = {}
    page = {
        "title": title,
        "summary": summary(sources),
        "runs": [facts(source) for source in sources],
        "claims": claims(sources),
        "sections": [section_parts(section, files) for section in sections],
        "light": theme.css_variables(dark=False),
        "dark": theme.css_variables(dark=True),
    }
    files[HTML] = render(HTML, page)
    files[MARKDOWN] = render(MARKDOWN, page)
    write(files, out)
    return out / HTML


def section_parts(section: Section, files: Files) -> dict[str, Any]:
    """Put a section's files into `files`; return what the templates need."""
    return {
        "title": section.title,
        "id": f"{section.prefix}section",
        "parts": [
            {
                "title": part.title,
                "id": f"{section.prefix}part-{place}",
                "text": part.text,
                "tables": [table_parts(table, section.prefix, files) for table in part.tables],
                "figures": [figure_parts(picture, section.prefix, files) for picture in part.pictures],
            }
            for place, part in enumerate(part for part in section.parts if not part.empty)
        ],
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
