"""The colours and letters that all pages share: the web page, the debug page and the contact sheet.

A module of its own, below all three: none of them may import another.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def theme_css() -> str:
    """The style sheet: variables for light and dark, the body's type; each page goes on from there."""
    return files("flowvision").joinpath("theme.css").read_text(encoding="utf-8")
