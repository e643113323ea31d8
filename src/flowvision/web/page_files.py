"""The files of the page, in memory: nothing that is asked for is ever a path."""

from __future__ import annotations

import re
from importlib.resources import files

from flowvision.theme import theme_css
from flowvision.value import value_type

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


@value_type
class PageFile:
    """The bytes of a file and what the browser is told they are."""

    data: bytes
    kind: str


def page_files() -> dict[str, PageFile]:
    """Every file of the page by the path it is asked for; the page itself is ``/``."""
    found = {}
    for entry in files("flowvision.web").joinpath("page").iterdir():
        suffix = "." + entry.name.rpartition(".")[2]
        if suffix in KINDS:
            path = "/" if entry.name == "index.html" else f"/{entry.name}"
            data = entry.read_bytes()
            found[path] = PageFile(_slim(data) if suffix == ".js" else data, KINDS[suffix])
    found["/theme.css"] = PageFile(theme_css().encode(), KINDS[".css"])
    return found


def _slim(script: bytes) -> bytes:
    """A script without its comments that stand on lines of their own, and without indentation."""
    text = re.sub(
        r"^[ \t]*(//[^\n]*|/\*(?:(?!\*/).)*\*/)\n", "", script.decode(), flags=re.MULTILINE | re.DOTALL
    )
    return re.sub(r"^[ \t]+", "", text, flags=re.MULTILINE).encode()
