"""A screenshot to solve and what came of it: strings and numbers that cross process boundaries."""

from __future__ import annotations

import os
from typing import Any, Literal, get_args

from flowvision.errors import FlowvisionError
from flowvision.files import PRIVATE
from flowvision.render.look import PLAIN, Look
from flowvision.value import value_type

SOLVED, HINTED = ".solved", ".hint"
"""Ends of the names of solved pictures and hints, before their suffix; they are not solved again."""
Debug = Literal["", "failed", "all"]
PAGES = "debug"
"""The folder of debug pages inside the output folder."""
THUMBS = "thumbs"
"""The folder of small pictures inside the output folder."""


PARTS = f"{PRIVATE}/parts"
"""The folder inside an output folder of files that are not whole yet."""


ThumbKind = Literal["before", "after", "stage"]
"""The content of a small picture: the screenshot, its solution, or the stage that failed."""


def thumb_of(name: str, kind: ThumbKind) -> str:
    """The name of a small picture of a job in the output folder."""
    return f"{THUMBS}/{name}.{kind}.jpg"


def solution_of(name: str, hint: str | None = None) -> str:
    """The name of a job's solved picture, or of its hint, in the output folder."""
    return f"{name}{HINTED if hint else SOLVED}.png"


def page_of(name: str) -> str:
    """The name of a job's debug page in the output folder."""
    return f"{PAGES}/{name}.page.html"


def files_of(name: str) -> frozenset[str]:
    """All files of the output folder that are ever written for the job of this name."""
    thumbs = (thumb_of(name, kind) for kind in get_args(ThumbKind))
    return frozenset((solution_of(name), solution_of(name, "next"), page_of(name), *thumbs))


@value_type
class Request:
    """The options of a run, for each of its screenshots.

    ``seconds``: how long one may take. ``debug``: whether a debug page is written: never, if it ``failed``,
    or for ``all``. ``look``: how the solution is drawn. ``hint``: the kind of a hint that is drawn in its
    place. ``animate``: the picture moves. ``grid``, ``colours``, ``rotate``, ``crop``: as in ``Options``.
    """

    seconds: float = 30.0
    debug: Debug = ""
    look: Look = PLAIN
    hint: str | None = None
    animate: bool = False
    grid: str | None = None
    colours: int | None = None
    rotate: float = 0.0
    crop: tuple[int, int, int, int] | None = None

    @property
    def settings(self) -> str:
        """The options that shape an outcome, in words: other words mean another outcome."""
        drawn = {"letters": self.look.letters, "arrows": self.look.arrows, "animate": self.animate}
        given = {"grid": self.grid, "colours": self.colours, "rotate": self.rotate, "crop": self.crop}
        words = [f"limit {self.seconds:g} s", *(name for name, wanted in drawn.items() if wanted)]
        words += [f"{name} {value}" for name, value in {**given, "hint": self.hint}.items() if value]
        return ", ".join(words)


USUAL = Request()
"""The whole solution of whatever is found, in half a minute."""


@value_type
class Job:
    """One screenshot to solve, as the ``request`` of its run says.

    ``source``: its file, as it is reported. ``name``: its place in the folder ``output``, without suffix and
    with ``/`` between folders. ``base``: where relative paths start.
    """

    number: int
    source: str
    name: str
    output: str
    base: str = ""
    request: Request = USUAL

    @property
    def solved(self) -> str:
        """Where the solved picture or the hint goes, as it is reported."""
        return self.place(solution_of(self.name, self.request.hint))

    def place(self, name: str) -> str:
        """The path of a file of the output folder."""
        return os.path.join(self.output, *name.split("/"))

    def path(self, reported: str) -> str:
        """A path as any process can open it."""
        return os.path.join(self.base, reported)


@value_type
class Done:
    """A solved screenshot.

    ``content``: the hash of the file's bytes. ``described``: its object of the contract as JSON.
    ``files``: the names in the output folder that were written, and how many bytes each has.
    """

    number: int
    source: str
    content: str
    described: str
    files: tuple[tuple[str, int], ...] = ()
    warnings: int = 0


@value_type
class Failed:
    """A screenshot that was not solved: as ``Done``, and the error's words; ``code``: its ``reason_of``."""

    number: int
    source: str
    content: str
    described: str
    files: tuple[tuple[str, int], ...] = ()
    code: str = ""
    message: str = ""
    hint: str = ""


Outcome = Done | Failed


def failed(job: Job, error: FlowvisionError, content: str = "") -> Failed:
    """The outcome of a job that ended with an error."""
    from flowvision.contract import error_object

    described = error_object(job.source, error)
    return failure_of(job, content, described)


def failure_of(
    job: Job, content: str, described: dict[str, Any], files: tuple[tuple[str, int], ...] = ()
) -> Failed:
    """A failure as its object of the contract has it."""
    from flowvision.contract import json_line

    error = described["error"]
    words = reason_of(error), error["message"], error["hint"]
    return Failed(job.number, job.source, content, json_line(described), files, *words)


def reason_of(error: dict[str, Any]) -> str:
    """The code of the cause of an error in JSON, or its own where no cause is known."""
    cause = error.get("cause", {}).get("code", "unknown")
    return str(error["code"] if cause == "unknown" else cause)
