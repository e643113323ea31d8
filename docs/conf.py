"""The documentation as a site: `just docs` writes it to build/docs, without a network."""

from __future__ import annotations

from typing import Any

import flowvision

project = "Flowvision"
author = "Flowvision contributors"
copyright = author
release = version = flowvision.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "Flowvision"
exclude_patterns = ["*.py"]
html_extra_path = ["answers.schema.json"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"


def setup(app: Any) -> None:
    """Leave out the docstrings of modules: the page has its own first screen."""
    app.connect("autodoc-process-docstring", _without_module_docstring)


def _without_module_docstring(
    app: Any, what: str, name: str, item: Any, options: Any, lines: list[str]
) -> None:
    if what == "module":
        lines.clear()
