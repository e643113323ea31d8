"""Worker end of the page without a server: answer its requests in the Python of the browser."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from flowvision.errors import GaveUpError
from flowvision.web.queries import JSON, failure_object, reply_of, task_named

MISSING = 0
"""Status of a request that must be repeated with the modules that its answer names."""
SLOWER = "A phone is slower than a computer: crop the picture to its board, or read it on a computer."


class Wanted:
    """The last finder of modules: it notes names that a package of Pyodide would provide."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = frozenset(names)
        self.noted: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find nothing; a caller may hide the ``ImportError``, not the note."""
        if name in self.names:
            self.noted.add(name)
        return None


def watch_imports(names: Sequence[str]) -> Wanted:
    """Note from now on which of these modules are imported without being there."""
    finder = Wanted(names)
    sys.meta_path.append(finder)
    return finder


def answer(name: str, body: memoryview, query: str, seconds: float, finder: Wanted) -> tuple[int, str, bytes]:
    """Return the status, media type and body of the answer to a request, as the server would give it.

    ``name``: of a task. ``query``: an object as JSON. With the status ``MISSING`` the body lists modules, as
    JSON.
    """
    finder.noted.clear()
    status, kind, data = _answer(name, bytes(body), json.loads(query), seconds)
    if finder.noted:
        return MISSING, JSON, json.dumps(sorted(finder.noted)).encode()
    return status, kind, data


def _answer(name: str, body: bytes, query: dict[str, str], seconds: float) -> tuple[int, str, bytes]:
    """Return status, media type and body of the answer of a task, or of its error."""
    try:
        return reply_of(name, task_named(name)(body, query, seconds))
    except Exception as error:
        result, status = failure_object(error)
        if isinstance(error, GaveUpError):
            described = result["error"]
            described["hint"] = f"{described['hint']} {SLOWER}".strip()
        return status, JSON, json.dumps(result).encode()
