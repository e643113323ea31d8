"""Places of written pictures, which never replace a file of the user."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from flowvision.errors import OutputError
from flowvision.files import STANDARD, make_folder, refuse_overwriting, refuse_replacing, stem_of, write_bytes
from flowvision.image.mark import is_marked, marked
from flowvision.image.opening import READABLE

if TYPE_CHECKING:
    from flowvision.forms import Form
    from flowvision.puzzle.formats import NamedPuzzle
    from flowvision.puzzle_tools.report import PuzzleReport
    from flowvision.render.look import Look


class Places:
    """Places of the solved pictures of a run: never an input, never the same twice.

    A file that Flowvision did not write is replaced only with ``force``. ``ending``: end of usual names.
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
        is_folder = output is not None and _is_folder(output)
        if several and output == STANDARD:
            raise click.UsageError("Several pictures cannot all be written to stdout: give -o a folder.")
        if several and output and not is_folder and os.path.splitext(output)[1]:
            raise click.UsageError(f"Several pictures cannot all be written to {output}: give -o a folder.")
        self.folder = output if output and output != STANDARD and (several or is_folder) else None

    def place_of(self, shot: str) -> str | None:
        """Return the place of the solved picture; ``None`` if ``shot`` itself is that picture.

        Raises ``OutputError`` if it must not be written there.
        """
        name = f"{_usual_name(shot)}{self.ending}"
        if self.output == STANDARD:
            return STANDARD
        if self.folder is not None:
            place = str(make_folder(self.folder) / name)
        elif self.output is not None:
            place = self.output
        else:
            place = name if shot == STANDARD else os.path.join(os.path.dirname(shot), name)
            if place == shot:
                return None
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


def _usual_name(shot: str) -> str:
    """Return the name of a screenshot without its suffix, unless another picture has that name too."""
    stem = stem_of(shot)
    if shot == STANDARD:
        return stem
    if is_marked(shot):
        return re.sub(r"\.(solved|hint)$", "", stem)
    same = (os.path.splitext(shot)[0] + suffix for suffix in READABLE)
    others = (other for other in same if other != shot and os.path.isfile(other) and not is_marked(other))
    return os.path.basename(shot) if any(others) else stem


class PuzzlePictures:
    """Pictures of a run: one in a file, or any number in a folder."""

    def __init__(
        self, output: str, look: Look, animate: bool, force: bool, unsolved: bool, several: bool
    ) -> None:
        self.output, self.look, self.animate = output, look, animate
        self.force, self.unsolved = force, unsolved
        self.in_folder = _is_folder(output)
        self.taken: dict[str, str] = {}
        if several and not self.in_folder:
            raise click.UsageError(
                "Several puzzles cannot all be drawn in one file: give -o a folder, such as out/."
            )

    def draw(self, item: NamedPuzzle, made: PuzzleReport, file: str) -> str:
        """Draw a puzzle solved, with a hint, or unsolved; return the place of the picture.

        Raises ``OutputError`` if it cannot be written there, or another puzzle was.
        """
        from flowvision.forms import form_of

        name = made.name or ("stdin" if file == STANDARD else os.path.basename(file))
        place = self._free_place(_plain_name(name)) if self.in_folder else self.output
        if place in self.taken:
            raise OutputError(
                f"{place} already shows the puzzle {self.taken[place]}.",
                "Give `-o` a folder, such as `out/`: each has a picture there.",
            )
        if not self.force:
            refuse_replacing(place, is_marked)
        write_bytes(place, marked(self._data(item, made, form_of(place, self.animate))))
        self.taken[place] = name
        return place

    def _free_place(self, name: str) -> str:
        """Return a file in the folder, numbered if several puzzles of the run have one name."""
        folder, number = make_folder(self.output), 1
        while (place := str(folder / f"{name}{f'-{number}' if number > 1 else ''}.png")) in self.taken:
            number += 1
        return place

    def _data(self, item: NamedPuzzle, made: PuzzleReport, form: Form) -> bytes:
        """Return the bytes of the picture."""
        if self.unsolved:
            from flowvision.export.pictures import on_paper

            return on_paper(item, form)
        from flowvision.export.drawing import drawing_of_puzzle
        from flowvision.export.pictures import encoded

        assert made.solution is not None
        drawing = drawing_of_puzzle(item.board, item.puzzle, made.solution, item.letters, self.look)
        return encoded(drawing, form, made.hint)


def _is_folder(output: str) -> bool:
    """Tell whether a name is that of a folder: an existing one, or a name that ends in a slash."""
    return os.path.isdir(output) or output.endswith(("/", "\\"))


def _plain_name(name: str) -> str:
    """Return a puzzle's name as that of a file: letters, digits, dots and dashes, no text suffix."""
    plain = re.sub(r"[^\w.-]+", "-", re.sub(r"\.(txt|jsonl?)$", "", name))
    return plain.strip(".-") or "puzzle"
