"""A screenshot to solve and what came of it: strings and numbers that cross process boundaries."""

from __future__ import annotations

import os
from typing import Literal, get_args

from flowvision.errors import FlowvisionError
from flowvision.render.look import PLAIN, Look
from flowvision.value import value_type

SOLVED, HINTED = ".solved", ".hint"
"""What solved pictures and hints have before their suffix; they are not solved again."""
Debug = Literal["", "failed", "all"]
PAGES = "debug"
"""The folder of debug pages inside the output folder."""
THUMBS = "thumbs"
"""The folder of small pictures inside the output folder."""


PRIVATE = ".flowvision"
"""The folder inside an output folder by which it is known, and never searched for screenshots."""
PARTS = f"{PRIVATE}/parts"
"""The folder inside an output folder of files that are not whole yet."""


Stage = Literal["before", "after", "stage"]
"""What a small picture shows: the screenshot, its solution, or the stage that failed."""


def thumb_of(name: str, stage: Stage) -> str:
    """The name of a small picture of a job in the output folder."""
    return f"{THUMBS}/{name}.{stage}.jpg"


def solution_of(name: str) -> str:
    """The name of a job's solved picture in the output folder."""
    return f"{name}{SOLVED}.png"


def page_of(name: str) -> str:
    """The name of a job's debug page in the output folder."""
    return f"{PAGES}/{name}.page.html"


def files_of(name: str) -> frozenset[str]:
    """All files of the output folder that are ever written for the job of this name."""
    return frozenset(
        (solution_of(name), page_of(name), *(thumb_of(name, stage) for stage in get_args(Stage)))
    )


@value_type
class Job:
    """One screenshot to solve.

    ``source``: its file, as it is reported. ``name``: its place in the folder ``output``, without suffix and
    with ``/`` between folders. ``seconds``: how long it may take. ``base``: where relative paths start.
    ``debug``: whether a debug page is written: never, if it ``failed``, or for ``all``. ``look``: how the
    solution is drawn.
    """

    number: int
    source: str
    name: str
    output: str
    seconds: float = 30.0
    base: str = ""
    debug: Debug = ""
    look: Look = PLAIN

    @property
    def solved(self) -> str:
        """Where the solved picture goes, as it is reported."""
        return self.place(solution_of(self.name))

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
    """A screenshot that was not solved: as ``Done``, and the error's words."""

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
    """The outcome of a job that ended with an error before anything was seen."""
    from flowvision.contract import error_object, json_line

    described = json_line(error_object(job.source, error))
    return Failed(job.number, job.source, content, described, (), error.code, error.message, error.hint)
