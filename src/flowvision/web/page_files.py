"""The files of the page, in memory, small, one of each kind: nothing that is asked for is ever a path."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files

from flowvision.files import theme_css

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
FIRST = "main.js"
"""The module that the page begins with: the others are imported by it, or by these."""


class PageFile:
    """The bytes of a file and what the browser is told they are."""

    def __init__(self, text: str, kind: str) -> None:
        self.data = text.encode()
        self.kind = kind

    @cached_property
    def brotli(self) -> bytes:
        """The bytes as browsers take them from this machine, or by HTTPS."""
        import brotli

        return bytes(brotli.compress(self.data))

    @cached_property
    def gzip(self) -> bytes:
        """The bytes as browsers take them by plain HTTP in a network."""
        return gzip.compress(self.data)

    def coded(self, accepted: str) -> tuple[bytes, str]:
        """The bytes as ``Accept-Encoding`` allows them, and the name of that encoding ("" for none)."""
        names = {word.partition(";")[0].strip() for word in accepted.split(",")}
        if "br" in names:
            return self.brotli, "br"
        return (self.gzip, "gzip") if "gzip" in names else (self.data, "")


def page_files() -> dict[str, PageFile]:
    """Every file of the page by the path it is asked for; the page itself is ``/``.

    All scripts are one, and all styles: they compress a fifth better than one by one. The minifier shortens
    names within functions, so that the whole script is one.
    """
    import minify

    texts = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in files("flowvision.web").joinpath("page").iterdir()
    }
    made = {"/": "index.html", f"/{FIRST}": FIRST, "/page.css": "page.css", "/icon.svg": "icon.svg"}
    whole = texts | {
        FIRST: minify.string("text/javascript", f"(()=>{{{joined(texts)}}})()"),
        "page.css": minify.string("text/css", theme_css() + texts["page.css"]),
    }
    return {path: PageFile(whole[name], KINDS["." + name.rpartition(".")[2]]) for path, name in made.items()}


def joined(scripts: dict[str, str]) -> str:
    """The modules that the first one leads to as one module, each after those that it imports.

    Names outside of functions are those of all modules: a name that two of them give is a syntax error.
    """
    bare = (re.sub(r"^export (?=\w)", "", _IMPORT.sub("", scripts[name]), flags=re.MULTILINE)
            for name in _in_order(FIRST, scripts, set()))  # fmt: skip
    return "".join(bare)


_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)


def _in_order(name: str, scripts: dict[str, str], seen: set[str]) -> Iterator[str]:
    if name in seen:
        return
    seen.add(name)
    for other in _IMPORT.findall(scripts[name]):
        yield from _in_order(other, scripts, seen)
    yield name
