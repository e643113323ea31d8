"""Where solved pictures are written."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from flowvision.errors import OutputError
from flowvision.files import STANDARD, make_folder, refuse_overwriting, refuse_replacing, stem_of
from flowvision.image.mark import is_marked


class Places:
    """The place of every solved picture of a run: never an input, never the same twice.

    Nor a file that Flowvision did not write, unless told to with ``force``. ``ending``: of the usual name.
    """

    def __init__(
        self, shots: Sequence[str], output: str | None, force: bool = False, ending: str = ".solved.png"
    ) -> None:
        self.shots = shots
        self.force = force
        self.output = output
        self.ending = ending
        self.taken: dict[str, str] = {}
        several = len(shots) > 1
        is_folder = output is not None and (os.path.isdir(output) or output.endswith(("/", "\\")))
        if several and output == STANDARD:
            raise click.UsageError("Several pictures cannot all be written to stdout: give -o a folder.")
        if several and output and not is_folder and os.path.splitext(output)[1]:
            raise click.UsageError(f"Several pictures cannot all be written to {output}: give -o a folder.")
        self.folder = output if output and output != STANDARD and (several or is_folder) else None

    def place_of(self, shot: str) -> str:
        """Where the solved picture of ``shot`` goes. Raises ``OutputError`` when it must not go there."""
        name = f"{stem_of(shot)}{self.ending}"
        if self.output == STANDARD:
            return STANDARD
        if self.folder is not None:
            place = str(make_folder(self.folder) / name)
        elif self.output is not None:
            place = self.output
        else:
            place = name if shot == STANDARD else os.path.join(os.path.dirname(shot), name)
        refuse_overwriting(place, self.shots)
        if place in self.taken:
            raise OutputError(
                f"{place} already holds the solution of {self.taken[place]}.",
                "Rename one of the two, or solve them one at a time with `-o`.",
            )
        if not self.force:
            refuse_replacing(place, is_marked)
        self.taken[place] = shot
        return place
