"""One theme for all pages."""

import re
from importlib.resources import files

import pytest

from flowvision.files import theme_css

PAGES = {"debug page": "debug/page.css", "contact sheet": "batch/sheet.css", "web page": "web/page/page.css"}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_the_theme_and_no_other_colours_for_it(page: str) -> None:
    """Each name is given a value in light and in dark by the theme alone, and each that is used has one."""
    text = (files("flowvision") / PAGES[page]).read_text(encoding="utf-8")
    named = set(re.findall(r"(--[\w-]+):", theme_css()))
    assert not named & set(re.findall(r"(--[\w-]+):", text))
    known = named | set(re.findall(r"(--[\w-]+):", text)) | {"--at"}
    assert set(re.findall(r"var\((--[\w-]+)", text)) <= known


def test_dark_gives_every_colour_anew() -> None:
    light, dark = theme_css().split("@media")
    assert set(re.findall(r"(--[\w-]+):", light)) == set(re.findall(r"(--[\w-]+):", dark))
