"""Jobs and outcomes: data that cross process boundaries."""

from __future__ import annotations

import os
from typing import Any, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from flowvision.errors import FlowvisionError, crash_of
from flowvision.files import PRIVATE
from flowvision.reading.options import Options
from flowvision.render.look import PLAIN, Look

SOLVED, HINTED = ".solved", ".hint"
"""Ends of the names of solved pictures and hints, before their suffix; they are not solved again."""
THUMBS = "thumbs"
"""The folder of small pictures inside the output folder."""
PARTS = f"{PRIVATE}/parts"
"""The folder of unfinished files inside the output folder."""

Debug = Literal["", "failed", "all"]
Kind = Literal["solved", "hint", "page", "before", "after", "stage"]
"""Solution, hint, debug page; small pictures: the screenshot, its solution, the stage that failed."""


def file_of(name: str, kind: Kind) -> str:
    """Return the name of a job's file in the output folder."""
    if kind == "page":
        return f"debug/{name}.page.html"
    return f"{name}.{kind}.png" if kind in ("solved", "hint") else f"{THUMBS}/{name}.{kind}.jpg"


def files_of(name: str) -> set[str]:
    """Return all files of the output folder that are ever written for the job of this name."""
    return {file_of(name, kind) for kind in get_args(Kind)}


class Request(Struct, frozen=True):
    """The options of a run, for each of its screenshots.

    ``debug``: write a debug page never, if it ``failed``, or for ``all``. ``hint``: the kind of a hint that
    replaces the solution. ``animate``: the picture moves.
    """

    options: Options = field(default_factory=Options)
    debug: Debug = ""
    look: Look = PLAIN
    hint: str | None = None
    animate: bool = False

    @property
    def settings(self) -> str:
        """All options that shape an outcome, as text."""
        return repr(replace(self, debug=""))


USUAL = Request()
"""The whole solution, within half a minute."""


class Job(Struct, frozen=True):
    """One screenshot to solve.

    ``source``: its file, as reported. ``name``: its place in the folder ``output``, without suffix, with
    ``/`` between folders. ``base``: where relative paths start.
    """

    number: int
    source: str
    name: str
    output: str
    base: str = ""
    request: Request = USUAL

    @property
    def solved(self) -> str:
        """Place of the solved picture or the hint, as it is reported."""
        return self.place(self.solution)

    @property
    def solution(self) -> str:
        """Name of the solved picture or the hint in the output folder."""
        return file_of(self.name, "hint" if self.request.hint else "solved")

    def place(self, name: str) -> str:
        """Return the path of a file of the output folder."""
        return os.path.join(self.output, *name.split("/"))

    def path(self, reported: str) -> str:
        """Return a path as any process can open it."""
        return os.path.join(self.base, reported)


class Outcome(Struct, frozen=True):
    """Outcome of a screenshot.

    ``content``: hash of the file's bytes. ``answer``: its object of the contract. ``files``: names in the
    output folder that were written, and their sizes in bytes.
    """

    number: int
    source: str
    content: str
    answer: dict[str, Any]
    files: dict[str, int] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """Code of the cause of a failure; empty for a solved screenshot."""
        return "" if self.answer["ok"] else reason_of(self.answer["error"])

    @property
    def message(self) -> str:
        """Sentence about a failure."""
        return "" if self.answer["ok"] else str(self.answer["error"]["message"])


def failed(job: Job, error: Exception, content: str = "") -> Outcome:
    """Return the outcome of a job that ended with an error."""
    from flowvision.contract import error_object

    error = error if isinstance(error, FlowvisionError) else crash_of(error)
    return Outcome(job.number, job.source, content, error_object(job.source, error))


def reason_of(error: dict[str, Any]) -> str:
    """Return the code of the cause of an error in JSON, or the error's own where no cause is known."""
    cause = error.get("cause", {}).get("code", "unknown")
    return str(error["code"] if cause == "unknown" else cause)
