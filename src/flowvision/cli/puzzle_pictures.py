"""Where pictures of puzzles are written, and in what form."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flowvision.errors import OutputError
from flowvision.files import STANDARD, make_folder, refuse_replacing, write_bytes
from flowvision.image.mark import is_marked, marked

if TYPE_CHECKING:
    from flowvision.puzzle.forms import NamedPuzzle
    from flowvision.puzzle_tools.report import PuzzleReport


class PuzzlePictures:
    """The pictures of a run: one in a file, or any number in a folder."""

    def __init__(self, output: str, animate: bool, several: bool, force: bool) -> None:
        self.output, self.animate, self.force = output, animate, force
        self.in_folder = output != STANDARD and (output.endswith(("/", "\\")) or os.path.isdir(output))
        self.taken: dict[str, str] = {}
        if several and not self.in_folder:
            raise click.UsageError(
                "Several puzzles cannot all be drawn in one file: give -o a folder, such as out/."
            )

    def draw(self, item: NamedPuzzle, made: PuzzleReport, file: str) -> str:
        """Draw a solved puzzle, or the hint about it; where the picture is now.

        Raises ``OutputError`` when it cannot be written there, or another puzzle was.
        """
        from flowvision.export.drawing import drawing_of_puzzle
        from flowvision.export.pictures import encoded
        from flowvision.forms import form_of

        assert made.solution is not None
        name = made.name or ("stdin" if file == STANDARD else Path(file).name)
        place = str(make_folder(self.output) / f"{_plain_name(name)}.png") if self.in_folder else self.output
        if place in self.taken:
            raise OutputError(
                f"{place} already shows the puzzle {self.taken[place]}.",
                "Give `-o` a folder, and every puzzle a name of its own.",
            )
        if not self.force:
            refuse_replacing(place, is_marked)
        form = form_of(place, self.animate)
        drawing = drawing_of_puzzle(item.board, item.puzzle, made.solution, item.letters)
        write_bytes(place, marked(encoded(drawing, form, made.hint)))
        self.taken[place] = name
        return place


def _plain_name(name: str) -> str:
    """A puzzle's name as that of a file: letters, digits, dots and dashes; a suffix of text files goes."""
    plain = re.sub(r"[^\w.-]+", "-", re.sub(r"\.(txt|jsonl?)$", "", name))
    return plain.strip(".-") or "puzzle"
