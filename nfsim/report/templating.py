"""Fills in a page's templates: HTML that escapes every text and runs no script but its own, and Markdown."""

import base64
import hashlib
import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

FOLDER = Path(__file__).parent / "templates"
SCRIPT = "page.js"
JOINTS = re.compile(r"([_/=]|[.,](?=[^\W\d]))(?=\w)")
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


def soft(text: object) -> Markup:
    """Escape a text for HTML and let long names in it break after the marks of file names and settings."""
    return Markup(JOINTS.sub(r"\1<wbr>", str(escape(text))))
