"""Results of the library: boards in letters, flows with their paths, pictures in every form.

Letters are those of the command. Cells are ``(row, column)`` from 0, as indexes of ``grid``; cell ``n`` of a
board without rows is ``(0, n)``.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision import contract, pipeline
from flowvision.advice import PYTHON
from flowvision.corrections.correction import Correction, SetCell
from flowvision.errors import GaveUpError, UnsolvableError
from flowvision.export.drawing import (
    Drawing,
    drawing_of,
    drawing_of_puzzle,
    hint_in,
    hint_text,
    hint_words,
    with_geometry,
)
from flowvision.export.pictures import encoded, on_paper, picture_of, picture_on_paper
from flowvision.files import read_bytes, refuse_overwriting, refuse_replacing, write_bytes
from flowvision.forms import Form, form_of
from flowvision.image.codec import decode, encode
from flowvision.image.mark import is_marked, marked
from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.palette import names_for, palette_for, undimmed
from flowvision.puzzle import text as text_form
from flowvision.puzzle.formats import NamedPuzzle
from flowvision.puzzle.layout import Key, Place
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.options import Options
from flowvision.render.curves import lines_of
from flowvision.render.look import PLAIN, Look
from flowvision.render.text import solved_text
from flowvision.solvers import Limits, Solved, Unsolvable, solve
from flowvision.solvers.base import TimeIsUpError
from flowvision.solvers.deductions import Difficulty, difficulty
from flowvision.vision.assembly import Reading
from flowvision.words import count_of

if TYPE_CHECKING:
    from PIL.Image import Image

Changes: TypeAlias = "Mapping[Place, str] | Mapping[int, str] | Correction | Iterable[Correction]"
"""Marks by cell, such as ``{(2, 3): "R", (0, 1): "."}``, or corrections."""

NOTEBOOK_PX = 600
"""Upper width of a board in a notebook, in pixels."""


class Flow(Struct, frozen=True):
    """Two dots of a colour, and the path between them.

    ``colour``: the name of the game's colour, no two the same; ``rgb``: as seen. ``ends``: the cells of the
    dots. ``path``: the cells from the first dot to the second; empty where nothing was solved. ``path_px``:
    the line through the middles of these cells and of the sides between them, (N, 2) points x, y in pixels;
    a further line after every warp, none for puzzles without a picture.
    """

    letter: str
    colour: str
    rgb: Rgb
    ends: tuple[Place, Place]
    path: tuple[Place, ...] = ()
    path_px: tuple[NDArray[np.float64], ...] = ()


class HintSteps(Struct, frozen=True, eq=False):
    """A part of a solution, and why it follows; text and picture show it with the hints before it.

    ``steps``: letters of flows, each with two neighbouring cells to join. ``why``: a sentence a reason.
    ``text``: the board with these steps, then the reasons. ``edges``: numbers of the graph's edges.
    """

    steps: tuple[tuple[str, Place, Place], ...]
    why: tuple[str, ...]
    text: str
    picture: Bgr
    edges: frozenset[int]

    def __str__(self) -> str:
        """Return the board with these steps, then the reasons."""
        return self.text

    def __repr__(self) -> str:
        """Return the reasons."""
        return f"<HintSteps: {' '.join(self.why)}>"

    @property
    def image(self) -> Image:
        """The picture with these steps, as a Pillow image in RGB."""
        return _pillow_of(self.picture)


class ShownBoard:
    """A board in letters, with its flows; ``print`` shows it as text, files show it on white."""

    __slots__ = ()

    @property
    def named(self) -> NamedPuzzle:
        """The puzzle with its letters."""
        raise NotImplementedError

    @property
    def size(self) -> tuple[int, int] | None:
        """Columns and rows, as in ``grid="6x8"``; ``None`` for boards without them."""
        lattice = self.named.board.lattice
        return (lattice.cols, lattice.rows) if lattice else None

    @property
    def _palette(self) -> tuple[Rgb, ...]:
        return palette_for(self.named.letters)

    @property
    def grid(self) -> tuple[str, ...]:
        """The rows in letters: ``.`` empty, ``#`` a hole, ``+`` a bridge. Empty for boards without rows."""
        if self.named.board.lattice is None:
            return ()
        return tuple(text_form.draw(self.named.board, self.named.puzzle, self.named.letters).grid)

    @property
    def text(self) -> str:
        """The puzzle in the text form, with walls and warps, for ``parse_puzzle`` and ``SetBoard``."""
        return f"{self.named}\n"

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows, in order."""
        return self._flows([()] * len(self.named.letters))

    def _flows(self, paths: Sequence[Sequence[int]]) -> tuple[Flow, ...]:
        ends, names = self.named.puzzle.terminals, names_for(undimmed(self._palette))
        flows = zip(self.named.letters, names, self._palette, ends, paths, strict=True)
        return tuple(
            Flow(letter, name, rgb, (self._place(a), self._place(b)), tuple(map(self._place, path)))
            for letter, name, rgb, (a, b), path in flows
        )

    def _place(self, strand: int) -> Place:
        return _place_of(self.named.board.key_of(strand))

    def __str__(self) -> str:
        """Return the board in the text form."""
        return str(self.named)

    def _encoded(self, form: Form) -> bytes:
        return on_paper(self.named, form)

    @property
    def picture(self) -> Bgr:
        """The board on white, as it is printed, (H, W, 3) uint8 in BGR."""
        return picture_on_paper(self.named)

    @property
    def image(self) -> Image:
        """The picture as a Pillow image in RGB."""
        return _pillow_of(self.picture)

    def to_bytes(self, format: str = "png", animate: bool = False) -> bytes:
        """Return the content of a file: ``format`` is a suffix, such as ``"gif"``.

        ``animate``: in motion, where the form can move. Raises ``OutputError`` for an unknown form,
        ``MissingExtraError`` where it needs a library that is missing.
        """
        return marked(self._encoded(form_of(f"board.{format}", animate)))

    def save(
        self,
        path: str | os.PathLike[str] | IO[bytes],
        format: str | None = None,
        animate: bool = False,
        force: bool = False,
    ) -> None:
        """Write a file, whole or not at all, in the form that its suffix or ``format`` says.

        ``path``: also an open binary file. ``force``: replaces a file that Flowvision did not write. Raises
        as ``to_bytes`` does, and ``OutputError`` for a file that must not or cannot be written.
        """
        if not isinstance(path, str | os.PathLike):
            path.write(self.to_bytes(format or "png", animate))
            return
        form = form_of(f"board.{format}" if format else path, animate)
        self._refuse_source(path)
        if not force:
            refuse_replacing(path, is_marked, "Save elsewhere, or replace it with force=True.")
        write_bytes(path, marked(self._encoded(form)))

    def svg(self, animate: bool = False) -> str:
        """Return the board alone as SVG, still or drawing itself."""
        return self._encoded(form_of("board.svg", animate)).decode()

    def _refuse_source(self, path: str | os.PathLike[str]) -> None:
        """Raise ``OutputError`` where the board was read from that file."""

    def _repr_png_(self) -> bytes:
        """Return what a notebook shows."""
        return _notebook(self.picture)


class SolvedBoard(ShownBoard):
    """A board with its solution; ``print`` shows the solution."""

    __slots__ = ()

    @property
    def outcome(self) -> Solved:
        """The solver's result."""
        raise NotImplementedError

    @property
    def drawing(self) -> Drawing:
        """Board, solution and pictures together, for all drawings."""
        raise NotImplementedError

    def _encoded(self, form: Form) -> bytes:
        return encoded(self.drawing, form)

    @property
    def picture(self) -> Bgr:
        """The picture with the solution on it, (H, W, 3) uint8 in BGR."""
        return self.drawing.solved

    @property
    def unique(self) -> bool | None:
        """True for the only solution, ``None`` where the time did not suffice to tell."""
        return self.outcome.unique

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows with their paths."""
        return self._flows([path.vertices for path in self.outcome.solution.paths])

    @property
    def difficulty(self) -> Difficulty:
        """Difficulty for a person: its ``grade``, ``score`` and ``steps``.

        Raises ``GaveUpError`` after 30 seconds.
        """
        try:
            return difficulty(self.named.puzzle, self.outcome.solution)
        except TimeIsUpError:
            raise GaveUpError("The difficulty was not found within 30 s.") from None

    @property
    def solution(self) -> tuple[str, ...]:
        """The rows, each cell with the letter of its flow. Empty for boards without rows."""
        return tuple(str(self).splitlines()) if self.named.board.lattice is not None else ()

    def __str__(self) -> str:
        """Return the solved board as text."""
        return solved_text(self.named.board, self.named.puzzle, self.outcome.solution, self.named.letters)

    def hint(self, kind: str | int = "next") -> HintSteps:
        """Return a part of the solution that continues the pipes drawn already.

        ``kind``: ``"next"`` the easiest next step, ``"forced"`` all forced steps, ``"flow"`` the easiest
        flow, the letter or colour of a flow, or a number of flows. Raises ``PuzzleInvalidError`` for others.
        """
        drawing = self.drawing
        return _hint(drawing, kind, drawing.known)

    def hints(self) -> Iterator[HintSteps]:
        """Yield one hint after the other, each continuing those before, until the board is full."""
        drawing = self.drawing
        known = drawing.known
        while True:
            steps = _hint(drawing, "next", known)
            if not steps.edges - known:
                return
            yield steps
            known |= steps.edges


class _FromPicture(ShownBoard):
    """A board that was read from a picture, with how surely it was.

    ``checked``: all that the reader and the solver found. ``original``: the picture as it was read, encoded
    or as pixels. ``options``: those it was read with.
    """

    __slots__ = ()
    checked: CheckedReading
    original: bytes | Screenshot
    options: Options

    @property
    def named(self) -> NamedPuzzle:
        """The puzzle with its letters."""
        reading = self.reading
        return NamedPuzzle(self.name, reading.board, reading.puzzle, reading.letters)

    @property
    def name(self) -> str:
        """The path of the picture, where it has one."""
        return self.checked.name

    @property
    def reading(self) -> Reading:
        """The board, its dots, its place in the picture, the reader's confidence."""
        return self.checked.reading

    @property
    def outcome(self) -> Solved:
        """The solver's result."""
        return self.checked.outcome

    @property
    def shot(self) -> Screenshot:
        """The picture as it was read, turned as ``rotate`` says."""
        original = self.original
        return original if isinstance(original, Screenshot) else decode(original, self.name)

    @property
    def _palette(self) -> tuple[Rgb, ...]:
        return self.reading.palette

    @property
    def confidence(self) -> float:
        """Confidence of the answer, 0 to 1."""
        return self.checked.confidence

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about the answer, a sentence each."""
        return self.checked.warnings_for(PYTHON)

    @property
    def state(self) -> str:
        """State of the board in the picture: ``empty``, ``started`` or ``solved``."""
        return self.checked.state

    def _refuse_source(self, path: str | os.PathLike[str]) -> None:
        data, source = self.original, self.name
        with suppress(OSError, ValueError):
            if isinstance(data, bytes) and os.path.getsize(path) == len(data) and read_bytes(path) == data:
                source = os.fspath(path)
        refuse_overwriting(path, [source])

    def _corrected(self, changes: Changes) -> tuple[CheckedReading, bytes | Screenshot, Options]:
        made: Iterable[Any]
        if isinstance(changes, Mapping):
            made = (SetCell(cell, mark) for cell, mark in changes.items())
        elif isinstance(changes, Iterable) and not isinstance(changes, str):
            made = changes
        else:
            made = (changes,)
        options = dataclasses.replace(self.options, corrections=(*self.options.corrections, *made))
        return pipeline.read_image(self.shot, options), self.original, options

    def __repr__(self) -> str:
        """Return name, size, whether the solution is the only one, and confidence."""
        return repr(self.checked).replace(type(self.checked).__name__, type(self).__name__, 1)


class ReadBoard(_FromPicture, Struct, frozen=True, eq=False):
    """A board that was read from a picture and checked by the solver; ``print`` shows it as text."""

    checked: CheckedReading
    original: bytes | Screenshot
    options: Options

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``flowvision read --json`` prints."""
        return contract.reading_object(self.name, self.checked)

    def corrected(self, changes: Changes) -> ReadBoard:
        """Read the same picture again with changes: marks by cell, as in ``grid``, or corrections.

        Raises ``PuzzleInvalidError`` for what cannot be, ``UnsolvableError`` where there is no solution.
        """
        return ReadBoard(*self._corrected(changes))


class Answer(_FromPicture, SolvedBoard, Struct, frozen=True, eq=False):
    """A board that was read from a picture, and its solution; ``print`` shows the solution."""

    checked: CheckedReading
    original: bytes | Screenshot
    options: Options
    look: Look = PLAIN
    drawn: Bgr | None = None
    """The solved picture, beside an encoded ``original``; over pixels it is drawn on demand."""

    @property
    def drawing(self) -> Drawing:
        """Board, solution and pictures together."""
        return drawing_of(self.checked, self.shot, self.look, self.drawn)

    @property
    def picture(self) -> Bgr:
        """The picture with the solution on it, (H, W, 3) uint8 in BGR."""
        return self.drawing.solved if self.drawn is None else self.drawn

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows with their paths, also in pixels."""
        paths, frame = self.outcome.solution.paths, self.reading.frame
        lines = (lines_of(self.named.board, path) for path in paths)
        return tuple(
            replace(flow, path_px=tuple(map(frame.to_px, each)))
            for flow, each in zip(self._flows([path.vertices for path in paths]), lines, strict=True)
        )

    def to_dict(self, geometry: bool = False) -> dict[str, Any]:
        """Return the object that ``--json`` prints, with ``geometry`` that of ``--geometry``."""
        made = contract.answer_object(self.name, self.checked, None)
        return with_geometry(made, self.reading, self.outcome.solution) if geometry else made

    def corrected(self, changes: Changes) -> Answer:
        """Solve the same picture again with changes, as ``ReadBoard.corrected`` takes them."""
        return Answer(*self._corrected(changes), self.look)

    def _repr_png_(self) -> bytes:
        """Return what a notebook shows: the part of the picture with the board."""
        return _notebook(pipeline.board_part(self.reading, self.picture))


class SolvedPuzzle(SolvedBoard, Struct, frozen=True, eq=False):
    """A puzzle without a picture, and its solution; ``print`` shows the solution."""

    named: NamedPuzzle
    outcome: Solved
    look: Look = PLAIN

    @property
    def drawing(self) -> Drawing:
        """The board drawn plainly, and the solution on it."""
        named = self.named
        return drawing_of_puzzle(named.board, named.puzzle, self.outcome.solution, named.letters, self.look)

    def __repr__(self) -> str:
        """Return name, number of flows, and whether the solution is the only one."""
        unique = ", unique" if self.unique else ""
        return f"<SolvedPuzzle {self.named.name!r}: {count_of(len(self.named.letters), 'flow')}{unique}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``flowvision puzzle --json`` prints."""
        return contract.puzzle_object(self.named.name, self.named.board, self.outcome)


class Puzzle(ShownBoard, Struct, frozen=True, eq=False):
    """A puzzle without its answer; ``print`` shows it as text, files show it on white."""

    named: NamedPuzzle

    @property
    def solution(self) -> tuple[str, ...]:
        """The rows of the solution, solved now. Raises as ``solve_puzzle`` does."""
        return solved_puzzle(self.named).solution

    def __repr__(self) -> str:
        """Return name and number of flows."""
        return f"<Puzzle {self.named.name!r}: {count_of(len(self.named.letters), 'flow')}>"


def solved_puzzle(named: NamedPuzzle, seconds: float = 30.0, look: Look = PLAIN) -> SolvedPuzzle:
    """Solve a puzzle. Raises ``UnsolvableError``, and ``GaveUpError`` after ``seconds``."""
    outcome = solve(named.puzzle, limits=Limits(seconds), board=named.board)
    if isinstance(outcome, Unsolvable):
        raise UnsolvableError(f"The puzzle has no solution{f': {outcome.reason}' if outcome.reason else ''}.")
    if not isinstance(outcome, Solved):
        raise GaveUpError(f"No solution was found: {outcome.reason}.")
    return SolvedPuzzle(named, outcome, look)


def _place_of(key: Key) -> Place:
    return key if isinstance(key, tuple) else (0, key)


def _hint(drawing: Drawing, kind: str | int, known: frozenset[int]) -> HintSteps:
    board, puzzle, letters = drawing.board, drawing.puzzle, drawing.letters
    hint = hint_in(drawing, str(kind), known)
    steps = []
    for edge, flow in zip(hint.edges, hint.flows, strict=True):
        a, b = (_place_of(board.key_of(strand)) for strand in puzzle.graph.edges[edge])
        steps.append((letters[flow], a, b))
    why, text = tuple(hint_words(hint, drawing)), hint_text(hint, drawing, known)
    picture = picture_of(drawing, hint, known - drawing.known)
    return HintSteps(tuple(steps), why, text, picture, frozenset(hint.edges))


def _pillow_of(bgr: Bgr) -> Image:
    from PIL import Image

    return Image.fromarray(np.ascontiguousarray(bgr[..., ::-1]))


def _notebook(bgr: Bgr) -> bytes:
    """PNG of at most ``NOTEBOOK_PX`` in width."""
    scale = NOTEBOOK_PX / bgr.shape[1]
    if scale < 1:
        size = NOTEBOOK_PX, max(1, round(bgr.shape[0] * scale))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return encode(bgr)
