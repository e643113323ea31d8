"""What the library answers: boards in letters, flows with their paths, pictures in every form.

Letters are those of the command. Cells are ``(row, column)`` from 0, as indexes of ``grid``; on boards
without rows they are numbers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision import contract, pipeline
from flowvision.api.names import named_arguments
from flowvision.corrections.correction import Correction, SetCell
from flowvision.errors import GaveUpError
from flowvision.export.drawing import (
    Drawing,
    drawing_of,
    drawing_of_puzzle,
    hint_in,
    hint_text,
    hint_words,
    with_geometry,
)
from flowvision.export.pictures import encoded, picture_of
from flowvision.files import read_bytes, refuse_overwriting, refuse_replacing, write_bytes
from flowvision.forms import form_of
from flowvision.image.codec import encode
from flowvision.image.mark import is_marked, marked
from flowvision.image.picture import Bgr, Rgb
from flowvision.library_words import in_python
from flowvision.palette import names_for, undimmed
from flowvision.puzzle import text as text_form
from flowvision.puzzle.formats import NamedPuzzle, written
from flowvision.puzzle.layout import Board, Key
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.options import Options
from flowvision.render.curves import lines_of
from flowvision.render.look import PLAIN, Look
from flowvision.render.text import solved_text
from flowvision.solvers import Solved
from flowvision.solvers.base import TimeIsUpError
from flowvision.solvers.deductions import Difficulty, difficulty
from flowvision.value import value_type
from flowvision.vision.assembly import Reading
from flowvision.words import count_of, no_attribute

if TYPE_CHECKING:
    from PIL.Image import Image

Changes: TypeAlias = "Mapping[Key, str] | Correction | Iterable[Correction]"
"""Marks by cell, such as ``{(2, 3): "R", (0, 1): "."}``, or corrections."""

INSTEAD = {
    "paths": "flows, each with its .path",
    "path": "flows, each with its .path",
    "flow": "flows, and .hint('R') of one",
    "colours": "palette, and .flows, each with its .colour",
    "colors": "palette, and .flows, each with its .colour",
    "cells": "flows, each with its .cells",
    "dots": "flows, each with its .ends",
    "to_json": "to_dict(), for json.dumps",
    "json": "to_dict(), for json.dumps",
    "show": "image, with .show()",
    "solve": "grid as read; solve_image(…) answers with the solution",
    **dict.fromkeys(("rows", "cols", "columns", "size", "shape"), "board.lattice, with .rows and .cols"),
    "ok": "unique, and .confidence; a picture that is not read raises an error",
}
"""What there is, by names that people try."""

OF_FLOWS = {
    "color": "colour, its name, and .rgb",
    "name": "letter, and .colour",
    "bgr": "rgb",
    "dots": "ends",
    "start": "ends, a pair",
    "end": "ends, a pair",
    "pixels": "path_px",
    "points": "path_px",
    "length": "path, its cells in order",
}
"""The same of flows."""
OF_HINTS = {
    "save": "image, with .save(path)",
    "show": "image, with .show()",
    "flow": "steps: a letter and two cells each",
    "flows": "steps: a letter and two cells each",
    "cells": "steps: a letter and two cells each",
    "moves": "steps: a letter and two cells each",
    **dict.fromkeys(("reason", "reasons", "message", "explanation"), "why, and .text with the board"),
    "svg": "image; the answer has .svg() of all of it",
}
"""The same of hints."""

NOTEBOOK_PX = 600
"""The width of a board in a notebook, in pixels; narrower ones stay as they are."""


@value_type
class Flow:
    """Two dots of a colour, and the path between them.

    ``colour``: the name of the game's colour, no two the same; ``rgb``: as seen. ``ends``: the cells of the
    dots. ``path``: the cells from the first dot to the second; empty where nothing was solved. ``path_px``:
    the line through the middles of these cells and of the sides between them, (N, 2) points x, y in pixels;
    a further line after every warp, none for puzzles without a picture.
    """

    letter: str
    colour: str
    rgb: Rgb
    ends: tuple[Key, Key]
    path: tuple[Key, ...] = ()
    path_px: tuple[NDArray[np.float64], ...] = ()

    @property
    def cells(self) -> frozenset[Key]:
        """The cells that the path covers."""
        return frozenset(self.path)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Say what there is in place of what people ask for."""
            raise no_attribute(self, name, OF_FLOWS)


@value_type(eq=False, repr=False)
class HintSteps:
    """A part of a solution, and why it follows; text and picture show it with the hints before it.

    ``steps``: letters of flows, each with two neighbouring cells to join. ``why``: a sentence a reason.
    ``edges``: numbers of the graph's edges.
    """

    steps: tuple[tuple[str, Key, Key], ...]
    why: tuple[str, ...]
    text: str
    picture: Bgr
    edges: frozenset[int]

    def __str__(self) -> str:
        """The board with these steps, then the reasons."""
        return self.text

    def __repr__(self) -> str:
        """The reasons."""
        return f"<HintSteps: {' '.join(self.why)}>"

    @property
    def image(self) -> Image:
        """The picture with these steps, as a Pillow image in RGB."""
        return pillow_of(self.picture)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Say what there is in place of what people ask for."""
            raise no_attribute(self, name, OF_HINTS)


@value_type(eq=False, repr=False)
class ShownBoard:
    """What every board says of itself: one that was read, one that was solved.

    ``letters``, ``palette``: a letter and a colour for each flow, in the order of their numbers.
    """

    board: Board
    puzzle: Puzzle
    letters: tuple[str, ...]
    palette: tuple[Rgb, ...]
    outcome: Solved

    @property
    def grid(self) -> tuple[str, ...]:
        """The rows in letters: ``.`` empty, ``#`` a hole, ``+`` a bridge. Empty for boards without rows."""
        if self.board.lattice is None:
            return ()
        return tuple(text_form.draw(self.board, self.puzzle, self.letters).grid)

    @property
    def text(self) -> str:
        """The puzzle in the text form, which ``parse_puzzle`` takes."""
        return written(NamedPuzzle("", self.board, self.puzzle, self.letters), "text") + "\n"

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows, in the order of their numbers."""
        return _flows(self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Say what there is in place of what people ask for."""
            is_of_answers = hasattr(SolvedBoard, name) and not hasattr(type(self), name)
            said = f"the answer of solve_image(…) has .{name}" if is_of_answers else ""
            raise no_attribute(self, name, INSTEAD, said)

    @property
    def _colour_names(self) -> tuple[str, ...]:
        """Per flow, the name of the colour that its dots have on a board that is not dimmed."""
        return names_for(undimmed(self.palette))

    @property
    def unique(self) -> bool | None:
        """Whether there is no other solution; ``None`` where that was not settled in time."""
        return self.outcome.unique


class SolvedBoard(ShownBoard):
    """What every answer says of itself; ``print`` shows the solution."""

    __slots__ = ()

    @property
    def drawing(self) -> Drawing:
        """Board, solution and pictures together, as all drawings take them."""
        raise NotImplementedError

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows with their paths."""
        return _flows(self, self.outcome.solution)

    @property
    def difficulty(self) -> Difficulty:
        """How hard it is for a person to find the solution: its ``grade``, ``score`` and ``steps``.

        Raises ``GaveUpError`` after 30 seconds.
        """
        try:
            return difficulty(self.puzzle, self.outcome.solution)
        except TimeIsUpError:
            raise GaveUpError("The difficulty was not found within 30 s.") from None

    @property
    def solution(self) -> tuple[str, ...]:
        """The rows, each cell with the letter of its flow. Empty for boards without rows."""
        return tuple(str(self).splitlines()) if self.board.lattice is not None else ()

    @property
    def picture(self) -> Bgr:
        """The picture with the solution on it, (H, W, 3) uint8 in BGR."""
        return self.drawing.solved

    @property
    def image(self) -> Image:
        """The same as a Pillow image in RGB."""
        return pillow_of(self.picture)

    def __str__(self) -> str:
        """The solved board as text."""
        return solved_text(self.board, self.puzzle, self.outcome.solution, self.letters)

    @named_arguments
    def svg(self, animate: bool = False) -> str:
        """The board alone as SVG, still or drawing itself."""
        return encoded(self.drawing, form_of("board.svg", animate)).decode()

    @named_arguments
    def save(self, path: str | os.PathLike[str], animate: bool = False, force: bool = False) -> None:
        """Write the answer in the form that the suffix says; whole or not at all.

        ``animate``: in motion, where the form can move. ``force``: also in place of a file that Flowvision
        did not write. Raises ``OutputError`` for such a file, for the screenshot itself, for an unknown
        suffix and for a place that cannot be written, ``MissingExtraError`` where a form needs a library that
        is missing.
        """
        form = form_of(path, animate)
        self._refuse_source(path)
        if not force:
            refuse_replacing(path, is_marked, "Save elsewhere, or replace it with force=True.")
        if form.content == "picture":
            data = self.encoded_picture(form.suffixes[0])
        else:
            data = encoded(self.drawing, form)
        write_bytes(path, marked(data))

    def _refuse_source(self, path: str | os.PathLike[str]) -> None:
        """Raise ``OutputError`` where this was read from that file."""

    def encoded_picture(self, suffix: str) -> bytes:
        """The picture as PNG or JPEG."""
        return encode(self.picture, suffix)

    @named_arguments
    def hint(self, kind: str | int = "next") -> HintSteps:
        """A part of the solution, going on from the pipes that are drawn already.

        ``kind``: ``"next"`` the easiest next step, ``"forced"`` all forced steps, ``"flow"`` the easiest
        flow, the letter or colour of a flow, or a number of flows. Raises ``PuzzleInvalidError`` for others.
        """
        drawing = self.drawing
        return _hint(drawing, kind, drawing.known)

    def hints(self) -> Iterator[HintSteps]:
        """One hint after the other, each going on from those before, until the board is full."""
        drawing = self.drawing
        known = drawing.known
        while True:
            steps = _hint(drawing, "next", known)
            if not steps.edges - known:
                return
            yield steps
            known |= steps.edges


class _FromPicture:
    """What is said of a picture that was read, and how surely."""

    __slots__ = ()
    checked: CheckedReading

    @property
    def name(self) -> str:
        """The path of the picture, where it has one."""
        return self.checked.name

    @property
    def reading(self) -> Reading:
        """The board, its dots, where it lies and how well it was seen."""
        return self.checked.reading

    @property
    def _colour_names(self) -> tuple[str, ...]:
        return self.reading.colour_names

    @property
    def confidence(self) -> float:
        """How sure the answer is, 0 to 1."""
        return self.checked.confidence

    @property
    def warnings(self) -> tuple[str, ...]:
        """What there is to doubt, a sentence each."""
        return tuple(map(in_python, self.checked.warnings))

    @property
    def state(self) -> str:
        """How far the board is played: ``empty``, ``started`` or ``solved``."""
        return self.checked.state

    @property
    def seconds(self) -> dict[str, float]:
        """What each stage took, in seconds."""
        return self.checked.seconds

    def __repr__(self) -> str:
        """Name, size, whether the solution is the only one, and confidence."""
        return repr(self.checked).replace(type(self.checked).__name__, type(self).__name__, 1)


@value_type(eq=False, repr=False)
class ReadBoard(_FromPicture, ShownBoard):
    """A board that was read from a picture and checked by the solver; ``print`` shows it as text.

    ``checked``: all that the reader and the solver said. ``source``, ``options``: what it was read with.
    """

    checked: CheckedReading
    source: Any
    options: Options

    def __str__(self) -> str:
        """The board in the text form."""
        return self.text.rstrip("\n")

    def to_dict(self) -> dict[str, Any]:
        """The object that ``flowvision read --json`` prints."""
        return contract.reading_object(self.name, self.checked)

    def corrected(self, changes: Changes) -> ReadBoard:
        """The same picture with what was misread put right, checked again.

        ``changes``: marks by cell, as in ``grid``; or corrections. Raises ``PuzzleInvalidError`` for what
        cannot be, ``UnsolvableError`` where that board has no solution.
        """
        options = _with_changes(self.options, changes)
        return read_board_of(pipeline.read_image(self.source, options), self.source, options)


@value_type(eq=False, repr=False)
class Answer(_FromPicture, SolvedBoard):
    """A board that was read from a picture, and its solution; ``print`` shows the solution.

    ``solved``: all that the reader and the solver said, and the picture. ``source``, ``options``, ``look``:
    what it was read and drawn with.
    """

    solved: pipeline.SolvedPicture
    source: Any
    options: Options
    look: Look = PLAIN

    @property
    def checked(self) -> CheckedReading:  # type: ignore[override]
        """All that the reader and the solver said."""
        return self.solved.checked

    @property
    def picture(self) -> Bgr:
        """The picture with the solution on it, (H, W, 3) uint8 in BGR."""
        return self.solved.picture

    def _refuse_source(self, path: str | os.PathLike[str]) -> None:
        given = self.source
        with suppress(OSError, ValueError):
            if isinstance(given, bytes) and os.path.getsize(path) == len(given) and read_bytes(path) == given:
                given = path  # the file that was opened
        if isinstance(given, str | os.PathLike):
            refuse_overwriting(path, [given])

    def encoded_picture(self, suffix: str) -> bytes:
        """The picture as PNG or JPEG; a PNG is as transparent as the screenshot was."""
        return self.solved.encoded(suffix)

    @property
    def drawing(self) -> Drawing:
        """Board, solution and pictures together. The source is opened again: it must still be there."""
        shot = pipeline.open_image(self.source, self.options.rotate)
        return drawing_of(self.solved, shot, self.look)

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows with their paths, also in pixels."""
        lines = (lines_of(self.board, path) for path in self.outcome.solution.paths)
        to_px = self.reading.frame.to_px
        return tuple(
            replace(flow, path_px=tuple(np.asarray(to_px(line)) for line in each))
            for flow, each in zip(_flows(self, self.outcome.solution), lines, strict=True)
        )

    def to_dict(self, geometry: bool = False) -> dict[str, Any]:
        """The object that ``--json`` prints, with ``geometry`` that of ``--geometry``."""
        made = contract.answer_object(self.name, self.solved, None)
        return with_geometry(made, self.reading, self.outcome.solution) if geometry else made

    def corrected(self, changes: Changes) -> Answer:
        """The same picture with what was misread put right, solved again: see ``ReadBoard.corrected``."""
        options = _with_changes(self.options, changes)
        solved = pipeline.solve_image(self.source, options, look=self.look)
        return answer_of(solved, self.source, options, self.look)

    def _repr_png_(self) -> bytes:
        """What a notebook shows: the part of the picture with the board."""
        return _notebook(pipeline.board_part(self.solved))


@value_type(eq=False, repr=False)
class SolvedPuzzle(SolvedBoard):
    """A puzzle without a picture, and its solution; ``print`` shows the solution."""

    name: str = ""
    look: Look = PLAIN

    @property
    def drawing(self) -> Drawing:
        """The board drawn plainly, and the solution on it."""
        return drawing_of_puzzle(self.board, self.puzzle, self.outcome.solution, self.letters, self.look)

    def __repr__(self) -> str:
        """Name, number of flows, and whether the solution is the only one."""
        unique = ", unique" if self.unique else ""
        return f"<SolvedPuzzle {self.name!r}: {count_of(len(self.letters), 'flow')}{unique}>"

    def to_dict(self) -> dict[str, Any]:
        """The object that ``flowvision puzzle --json`` prints."""
        return contract.puzzle_object(self.name, self.board, self.outcome)

    def _repr_png_(self) -> bytes:
        """What a notebook shows."""
        return _notebook(self.picture)


def read_board_of(checked: CheckedReading, source: Any, options: Options) -> ReadBoard:
    """A checked reading as the library answers it."""
    return ReadBoard(*_parts(checked), checked, source, options)


def answer_of(solved: pipeline.SolvedPicture, source: Any, options: Options, look: Look) -> Answer:
    """A solved picture as the library answers it."""
    return Answer(*_parts(solved.checked), solved, source, options, look)


def _parts(checked: CheckedReading) -> tuple[Board, Puzzle, tuple[str, ...], tuple[Rgb, ...], Solved]:
    reading = checked.reading
    return reading.board, reading.puzzle, reading.letters, reading.palette, checked.outcome


def _flows(shown: ShownBoard, solution: Solution | None = None) -> tuple[Flow, ...]:
    """The flows, with their paths where there is a solution."""
    board, made = shown.board, []
    named = zip(shown.letters, shown._colour_names, shown.palette, strict=True)
    for flow, (letter, colour, rgb) in enumerate(named):
        a, b = map(board.key_of, shown.puzzle.terminals[flow])
        path = solution.paths[flow].vertices if solution else ()
        made.append(Flow(letter, colour, rgb, (a, b), tuple(map(board.key_of, path))))
    return tuple(made)


def _with_changes(options: Options, changes: Changes) -> Options:
    """The options with these corrections after those that they have."""
    made: Iterable[Correction]
    if isinstance(changes, Mapping):
        made = (SetCell(cell, mark) for cell, mark in changes.items())
    elif isinstance(changes, Iterable) and not isinstance(changes, str):
        made = changes
    else:
        made = (changes,)
    return replace(options, corrections=(*options.corrections, *made))


def _hint(drawing: Drawing, kind: str | int, known: frozenset[int]) -> HintSteps:
    board, puzzle, letters = drawing.board, drawing.puzzle, drawing.letters
    hint = hint_in(drawing, str(kind), known)
    steps = [
        (letters[flow], *puzzle.graph.edges[edge]) for edge, flow in zip(hint.edges, hint.flows, strict=True)
    ]
    why, text = tuple(hint_words(hint, drawing)), hint_text(hint, drawing, known)
    places = tuple((letter, board.key_of(a), board.key_of(b)) for letter, a, b in steps)
    return HintSteps(
        places, why, text, picture_of(drawing, hint, known - drawing.known), frozenset(hint.edges)
    )


def pillow_of(bgr: Bgr) -> Image:
    """A picture as a Pillow image in RGB."""
    from PIL import Image

    return Image.fromarray(np.ascontiguousarray(bgr[..., ::-1]))


def _notebook(bgr: Bgr) -> bytes:
    """PNG of at most ``NOTEBOOK_PX`` in width."""
    scale = NOTEBOOK_PX / bgr.shape[1]
    if scale < 1:
        size = NOTEBOOK_PX, max(1, round(bgr.shape[0] * scale))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return encode(bgr)
