"""How Sphinx builds the documentation: `make docs`."""

import sys
from pathlib import Path
from types import GenericAlias
from typing import Any

from sphinx.domains.python import PyObject
from sphinx.util.docfields import TypedField

import nfsim

sys.path[:0] = [str(Path(__file__).parent / "extensions")]

project = "nfsim"
author = "nfsim contributors"
project_copyright = "nfsim contributors"
version = release = nfsim.__version__
language = "en"
smartquotes = False  # docstrings quote texts as Python does

extensions = [
    "myst_parser",  # pages in Markdown
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",  # a page for each module
    "sphinx.ext.napoleon",  # the sections of docstrings; numpydoc takes twice as long
    "from_code",  # pages made from the rule sets and the command line
]
exclude_patterns = ["extensions", "generated/parts"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3  # links to headings, as on a page of a repository
myst_links_external_new_tab = False

autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes are described once, by their class
napoleon_use_rtype = False
default_role = "code"  # single backticks in docstrings, as in Markdown

# Strict about names of nfsim. Other projects' pages would have to be fetched while building.
nitpicky = True
nitpick_ignore_regex = [
    (r"py:.*", r"(?!nfsim\b).*"),
    (r"py:class", r"nfsim\.run\.worker_pool\.(Item|Done)"),  # type variables
]

html_theme = "pydata_sphinx_theme"
html_title = f"nfsim {version}"
html_theme_options = {
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "collapse_navigation": True,  # many modules: a page takes less time to make
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
}
html_show_sourcelink = False
html_copy_source = False


def setup(app: Any) -> None:
    """Register with Sphinx."""
    for field in PyObject.doc_field_types:
        if isinstance(field, TypedField):
            field.typerolename = ""  # types in docstrings are words: "games" is no link to something of that name
    app.connect("autodoc-skip-member", lambda *found: isinstance(found[3], GenericAlias) or None)  # taken for classes
