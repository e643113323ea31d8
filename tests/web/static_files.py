"""The page as files, on a plain file server below a path, and a copy of Pyodide where there is one."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import pytest

from flowvision.web.static import QuietHandler
from tests.web.chromium import Tab

PYODIDE = Path(os.environ.get("FLOWVISION_PYODIDE", Path.home() / ".cache" / "flowvision" / "pyodide"))
"""Pyodide's npm package, and wheels from PyPI: enough for puzzles; those that read pictures are not there."""
needs_pyodide = pytest.mark.skipif(
    not (PYODIDE / "pyodide.mjs").exists(), reason=f"no Pyodide in {PYODIDE}: .ci/run fetches it"
)


class FileServer:
    """A file server that can stop and start again at its port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.start()

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        handler = partial(QuietHandler, directory=str(self.folder))
        self._server = ThreadingHTTPServer(("localhost", self.port), handler)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class StaticTab(Tab):
    """The page as files, opened in a browser."""

    path = "/below/flow/"

    def open(self, end: str = "") -> Self:
        self.page.goto(f"{self.server.origin}{self.path}{end}")
        self.page.wait_for_selector("body[data-ready]")
        return self

    def is_installed(self) -> Self:
        """Wait until the page works without network, but for Python."""
        return self.holds("navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)")


@contextmanager
def file_server(folder: Path) -> Iterator[FileServer]:
    server = FileServer(folder)
    try:
        yield server
    finally:
        server.stop()


def static_tab(browser: Any, server: FileServer, **context: Any) -> StaticTab:
    return StaticTab(browser, server, **context)  # type: ignore[arg-type]
