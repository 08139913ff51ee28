"""Drawings as SVG for the inside of a page: accessible, themed, free of outside addresses."""

import io
import re
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from nfsim.report import theme

REFERENCE = re.compile(r"url\(#([^)]+)\)")
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
FONT_FAMILY = re.compile(r"font-family:[^;]*;?\s*")
VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
HEIGHT = re.compile(r' height="[\d.]+pt"')
POINTS = 72  # an inch
DPI = 150  # of PNG files
MARGIN = 0.05  # inches left of the line below a file
IMPRINT = 7.0  # type size of the line below a file
IMPRINT_CHARACTERS = 17  # of that line, an inch
FONT = re.compile(r"font:\s*(?:(\w+)\s+)??(?:(\d+|bold)\s+)?([\d.]+px)\s[^;]*;?\s*")


def raw(figure: Figure) -> str:
    """Return a drawing as matplotlib writes SVG, on no ground: what `render` and `file` are made of."""
    buffer = io.BytesIO()
    with theme.style():
        settle(figure)
        figure.savefig(buffer, format="svg", facecolor="none", metadata={"Date": None, "Creator": None})
    return buffer.getvalue().decode("utf-8")


def settle(figure: Figure) -> None:
    """Lay a drawing out once and for all: every saving would do it again, which takes longer than the saving."""
    if figure.get_layout_engine() is not None:
        figure.set_dpi(DPI)  # text is as wide as in PNG files, where it is hinted
        figure.draw_without_rendering()
        figure.set_layout_engine(None)


def render(drawn: str, name: str, title: str, description: str) -> str:
    """Return a drawing as an `svg` element for an HTML page.

    Parameters
    ----------
    drawn : str
        From `raw`.
    name : str
        Unique on the page: put before every id of the drawing.
    title, description : str
        Read out instead of the drawing.

    Returns
    -------
    str
        No XML header, no name spaces, no metadata; colours as CSS variables of the theme; the width
        left to the page.
    """
    root = ET.fromstring(drawn)
    clean(root, name, theme.roles_by_colour())
    width, height = (float(size) for size in root.attrib["viewBox"].split()[2:])
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.attrib |= {
        "class": "chart", "role": "img", "aria-labelledby": f"{name}-title {name}-desc",
        "style": f"max-width: {width * 1.6:.0f}px; aspect-ratio: {width:.2f} / {height:.2f}",
    }  # fmt: skip
    for i, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(tag, {"id": f"{name}-{tag}"})
        element.text = text
        root.insert(i, element)
    return ET.tostring(root, encoding="unicode")


def file(drawn: str, title: str, description: str, below: str = "") -> bytes:
    """Return a drawing (from `raw`) as an SVG file that stands alone, with a line below that says where it comes from.

    Every program shows it in the colours of the light page; where style sheets are understood, a reader's dark theme
    puts those of the dark page in their place.
    """
    head, opening, rest = drawn.partition("<svg ")
    attributes, rest = rest.split(">", 1)
    width, height = (float(size) for size in VIEW.findall(attributes)[0])
    lines = imprint_lines(below, width / POINTS)
    whole = height + imprint_room(lines) * POINTS
    attributes = VIEW.sub(f'viewBox="0 0 {width:g} {whole:g}"', HEIGHT.sub(f' height="{whole:g}pt"', attributes))
    dark = "".join(
        f'[style*="{what}: {light}"] {{ {what}: {dark} !important; }}'
        for light, dark in theme.COLOURS.values()
        for what in ("fill", "stroke")
    )
    words = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
    style = f"<style>@media (prefers-color-scheme: dark) {{ {dark} }}</style>"
    ground = f'<rect width="{width:g}" height="{whole:g}" style="fill: {theme.colour("paper")}"/>'
    font = f"font: {IMPRINT}px 'DejaVu Sans', Verdana, sans-serif; fill: {theme.colour('muted')}"
    step = IMPRINT * 1.3
    imprint = "".join(
        f'<text x="{MARGIN * POINTS:g}" y="{height + place * step:g}" style="{font}">{escape(line)}</text>'
        for place, line in enumerate(lines, 1)
    )
    body = rest.rpartition("</svg>")[0]
    return f'{head}{opening}role="img" {attributes}>{words}{style}{ground}{body}{imprint}</svg>\n'.encode()


def clean(element: ET.Element, name: str, roles: Mapping[str, str]) -> None:
    """Strip name spaces, metadata and style sheets, make ids unique and colours themed, in place."""
    element.tag = bare(element.tag)
    for child in list(element):
        if bare(str(child.tag)) in ("metadata", "style"):
            element.remove(child)
        else:
            clean(child, name, roles)
    # matplotlib indents with blanks; inside text they would be read
    if element.tag != "text" and not (element.text or "").strip():
        element.text = None
    element.tail = None
    attributes = {bare(key): value for key, value in element.attrib.items()}
    # every artist gets an id; only those that something refers to are needed
    if element.tag == "g":
        attributes.pop("id", None)
    for key, value in attributes.items():
        if key == "id":
            value = f"{name}-{value}"
        elif key == "href":
            value = f"#{name}-{value.removeprefix('#')}"
        value = REFERENCE.sub(rf"url(#{name}-\1)", value)
        if key == "style":
            value = COLOUR.sub(lambda found: roles.get(found.group(), found.group()), text_style(value))
        attributes[key] = value
    element.attrib.clear()
    element.attrib.update(attributes)


def bare(name: str) -> str:
    """Return a name without its XML name space."""
    return name.rpartition("}")[2]


def text_style(style: str) -> str:
    """Leave the choice of font to the page, keep its size and weight."""

    def size(found: re.Match[str]) -> str:
        weight = "font-weight: bold; " if "bold" in found.group() or "700" in found.group() else ""
        return f"font-size: {found.group(3)}; {weight}"

    return FONT_FAMILY.sub("", FONT.sub(size, style))


def png(figure: Figure, below: str = "") -> bytes:
    """Return a drawing as PNG on the light page's ground, with a line below that says where it comes from."""
    buffer = io.BytesIO()
    width, height = figure.get_size_inches()
    lines = imprint_lines(below, width)
    with theme.style():
        settle(figure)
        text = figure.text(
            MARGIN / width, -2 / POINTS / height, "\n".join(lines), va="top", fontsize=IMPRINT,
            color=theme.colour("muted"),
        )  # fmt: skip
        box = Bbox.from_bounds(0, -imprint_room(lines), width, height + imprint_room(lines))
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None}, bbox_inches=box)
        text.remove()
    return buffer.getvalue()


def imprint_lines(below: str, inches: float) -> list[str]:
    """Break the line below a file over as many lines as it needs in a width."""
    return textwrap.wrap(below, int(inches * IMPRINT_CHARACTERS))


def imprint_room(lines: Sequence[str]) -> float:
    """Return the inches that such lines need."""
    return (len(lines) * IMPRINT * 1.3 + 6) / POINTS if lines else 0.0
