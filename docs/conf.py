"""How the documentation becomes a site: `just docs` writes it to build/docs, without a network."""

from __future__ import annotations

import flowvision

project = "Flowvision"
author = "the Flowvision developers"
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
