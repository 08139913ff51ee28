"""A page: what every report and study puts together, and how it is written as HTML, Markdown, pictures and CSV.

A page begins with the answer to what was asked: a few sentences and a picture. Below it stands what can be opened:
sections (one for runs that can be compared), which have parts (one for a question), and a part has sentences, tables
and pictures.
"""

import base64
import hashlib
import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from nfsim.errors import BadInput
from nfsim.files import try_writing, write_atomic
from nfsim.log.check import MANIFEST, RUN
from nfsim.report import sliders, svg, theme
from nfsim.report.formatting import csv_of
from nfsim.report.head import cards, claims, imprint, summary
from nfsim.report.picture import Picture
from nfsim.report.sliders import Slider
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable

HTML, MARKDOWN = "report.html", "report.md"

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
    sliders : sequence of Slider
        Thresholds that can be moved; the part's tables then stand for them in print and where scripts do not run.
    chances : bool
        Whether its text says if chances are equal.
    opened : bool
        Whether it is open from the start: what a page was asked for, and too long for the answer.
    """

    title: str
    text: Sequence[str] = ()
    tables: Sequence[ReportTable] = ()
    pictures: Sequence[Picture] = ()
    sliders: Sequence[Slider] = ()
    chances: bool = False
    opened: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.text or self.tables or self.pictures or self.sliders)


@dataclass(frozen=True)
class Answer:
    """What a page was asked for, and what it begins with: for someone who has never seen the program.

    Attributes
    ----------
    text : sequence of str
        Two to five plain sentences with numbers, a paragraph each; the first is the answer.
    picture : Picture or None
        What carries it; None if nothing can be drawn.
    """

    text: Sequence[str]
    picture: Picture | None = None


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
    sources : sequence of Source
        The runs it is about, named under its pictures' files; all of the page if empty.
    """

    title: str
    parts: Sequence[Part] = field(repr=False)
    prefix: str = ""
    sources: Sequence[Source] = field(default=(), repr=False)


def write_page(out: Path, title: str, answer: Answer, sources: Sequence[Source], sections: Sequence[Section]) -> Path:
    """Write a page.

    Parameters
    ----------
    out : Path
        Folder for `report.html` (needs no other file), `report.md`, `charts/` and `data/`. Made if it is not there;
        earlier files of the same names are replaced.
    title : str
        What the page is called.
    answer : Answer
        What it begins with. All else is closed until it is opened.
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
        If the output cannot be written, or the folder is that of a run.
    """
    _no_run(out)
    files: Files = {}
    page = {
        "title": title,
        "summary": summary(sources),
        "answer": answer.text,
        "shown": [figure_parts(answer.picture, "", imprint(sources), files)] if answer.picture is not None else [],
        "runs": cards(sources),
        "claims": claims(sources),
        "sections": [section_parts(section, imprint(section.sources or sources), files) for section in sections],
        "moved": any(part.sliders for section in sections for part in section.parts),
        "light": theme.css_variables(dark=False),
        "dark": theme.css_variables(dark=True),
    }
    files[HTML] = render(HTML, page)
    files[MARKDOWN] = render(MARKDOWN, page)
    write(files, out)
    return out / HTML


def section_parts(section: Section, below: str, files: Files) -> dict[str, Any]:
    """Put a section's files into `files`; return what the templates need."""
    shown = [part for part in section.parts if not part.empty]
    return {
        "title": section.title,
        "id": f"{section.prefix}section",
        "parts": [
            part_parts(part, f"{section.prefix}part-{place}", section.prefix, below, files)
            for place, part in enumerate(shown)
        ],
    }


def part_parts(part: Part, identity: str, prefix: str, below: str, files: Files) -> dict[str, Any]:
    """Put a part's files into `files`; return what the templates need."""
    items = [
        *(table_parts(table, prefix, files) for table in part.tables),
        *(figure_parts(picture, prefix, below, files) for picture in part.pictures),
    ]
    last, heading = part.title, identity
    for item in items:
        item["headed"] = item["title"] != last  # a heading is not said twice, as for a table and its chart
        if item["headed"]:
            last, heading = item["title"], f"{item['id']}-heading"
        item["heading"] = heading
    return {
        "title": part.title,
        "id": identity,
        "opened": part.opened,
        "text": part.text,
        "tables": [item for item in items if "table" in item],
        "figures": [item for item in items if "picture" in item],
        "sliders": sliders.parts(part.sliders, f"{identity}-slider"),
        "counts": sliders.embedded(part.sliders),
    }


def table_parts(table: ReportTable, prefix: str, files: Files) -> dict[str, Any]:
    """Return a table for the templates."""
    name = f"{prefix}{table.name}"
    return {
        "table": table,
        "title": table.title,
        "id": f"table-{name}",
        **csv_parts(name, csv_of(table.frame), files),
    }


def figure_parts(picture: Picture, prefix: str, below: str, files: Files) -> dict[str, Any]:
    """Return a figure for the templates."""
    name = f"{prefix}{picture.name}"
    drawn = svg.raw(picture.figure)
    files[f"charts/{name}.png"] = svg.png(picture.figure, below)
    files[f"charts/{name}.svg"] = svg.file(drawn, picture.title, picture.alt, below)
    return {
        "picture": picture,
        "title": picture.title,
        "id": name,
        "png": f"charts/{name}.png",
        "drawing": f"charts/{name}.svg",
        # made by svg.render, which writes every text as XML text
        "svg": Markup(svg.render(drawn, name, picture.title, picture.alt)),
        **csv_parts(name, csv_of(picture.frame), files),
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


def try_folder(out: Path) -> None:
    """Make a folder if it is not there and try it out, before long work is done for it.

    Raises
    ------
    BadInput
        If nothing can be written there, or it is the folder of a run, which holds nothing else.
    """
    _no_run(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
        try_writing(out)
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


def _no_run(out: Path) -> None:
    """Refuse the folder of a run: with a page in it, it would be one of mixed files."""
    if any((out / name).is_file() for name in (MANIFEST, RUN)):
        raise BadInput(out, "", "is the folder of a run", "name another folder for the page")


def _cannot_write(out: Path, error: OSError) -> BadInput:
    reason = error.strerror or str(error)
    return BadInput(out, "", f"cannot be written ({reason})", "name a folder you may write to")


FOLDER = Path(__file__).parent / "templates"
SCRIPT = "page.js"
JOINTS = re.compile(r"([_/=]|[.,](?=[^\W\d]))(?=\w)")
PERCENT = re.compile(r"(?<=\d) %")
MARKDOWN_MARKS = re.compile(r"([\\`*_{}\[\]|#~$!])")


def render(template: str, page: Mapping[str, Any]) -> bytes:
    """Fill in a template; HTML is escaped by itself, Markdown by its filter `md`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = markdown_text
    environment.filters["soft"] = soft
    environment.filters["whole"] = whole
    script = (FOLDER / SCRIPT).read_text("utf-8")
    own = {"script": Markup(script), "policy": content_policy(script)}
    return environment.get_template(template).render({**own, **page}).encode("utf-8")


def content_policy(script: str) -> str:
    """Return what a browser may do on the page: run this script, use styles inside the page, load nothing."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def markdown_text(text: object) -> str:
    """Write a text so that Markdown shows it as it is, on one line."""
    return MARKDOWN_MARKS.sub(r"\\\1", html.escape(" ".join(str(text).split()), quote=False))


def whole(text: Markup) -> Markup:
    """Keep a number and its percent sign on one line."""
    return Markup(PERCENT.sub("\N{NO-BREAK SPACE}%", text))


def soft(text: object) -> Markup:
    """Escape a text for HTML and let long names in it break after the marks of file names and settings."""
    return Markup(JOINTS.sub(r"\1<wbr>", str(escape(text))))
