"""How Sphinx builds the documentation: `make docs`."""

import sys
from pathlib import Path
from types import FunctionType, GenericAlias
from typing import Any, TypeVar

from jinja2 import PackageLoader
from numpydoc import docscrape_sphinx

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
    "numpydoc",  # the sections of docstrings
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
numpydoc_show_class_members = False  # autodoc lists them
numpydoc_xref_param_type = False
# numpydoc makes an environment for every docstring, and reads its template again: a third of the time of a build
_TEMPLATES = docscrape_sphinx.SandboxedEnvironment(loader=PackageLoader("numpydoc"))
docscrape_sphinx.SandboxedEnvironment = lambda **_: _TEMPLATES
default_role = "code"  # single backticks in docstrings, as in Markdown

# Strict about names of nfsim. Other projects' pages would have to be fetched while building.
nitpicky = True
suppress_warnings = ["ref.python"]  # a short name in an annotation that two modules have: the first is taken
nitpick_ignore_regex = [(r"py:.*", r"(?!nfsim\b).*")]

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


def _without_page(_app: Any, _env: Any, node: Any, content: Any) -> Any:
    """Leave type variables and functions that stand in annotations without a link."""
    module, _, name = node.get("reftarget", "").rpartition(".")
    found = getattr(sys.modules.get(module), name, None)
    return content if isinstance(found, TypeVar | FunctionType) else None


def setup(app: Any) -> None:
    """Register with Sphinx."""
    app.connect("autodoc-skip-member", lambda *found: isinstance(found[3], GenericAlias) or None)  # taken for classes
    app.connect("missing-reference", _without_page)
