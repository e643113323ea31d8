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
            found[path] = PageFile(SLIM.get(suffix, bytes)(entry.read_bytes()), KINDS[suffix])
    found["/theme.css"] = PageFile(_slim_style(theme_css().encode()), KINDS[".css"])
    return found


def _slim_script(script: bytes) -> bytes:
    """A script without comments on lines of their own, indentation, and line breaks in lists and calls."""
    text = re.sub(
        r"^[ \t]*(//[^\n]*|/\*(?:(?!\*/).)*\*/)\n", "", script.decode(), flags=re.MULTILINE | re.DOTALL
    )
    text = re.sub(r"^[ \t]+", "", text, flags=re.MULTILINE)
    lines = (line if "//" in line else re.sub(r"(?<=[,({\[;])\n", "", line) for line in text.splitlines(True))
    return "".join(lines).encode()


def _slim_style(style: bytes) -> bytes:
    """A style sheet without white space that means nothing."""
    return re.sub(r"\s*([{};])\s*|(?<=[:,])\s+", r"\1", style.decode()).encode()


SLIM = {".js": _slim_script, ".css": _slim_style}
"""What is sent needs no indentation: a tenth less."""
