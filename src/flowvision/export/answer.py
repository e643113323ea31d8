"""The answer to a picture or a puzzle, solved or refused, and all that is made of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace as with_fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.advice import PYTHON
from flowvision.errors import FlowvisionError, GaveUpError
from flowvision.export.board import Flow, Puzzle, ShownBoard, place_of
from flowvision.files import read_bytes, refuse_overwriting
from flowvision.forms import Form
from flowvision.image.codec import encode
from flowvision.image.picture import Bgr, Frame, Rgb, Screenshot
from flowvision.log import Log, Observer, Step
from flowvision.palette import palette_for, undimmed
from flowvision.pipeline import Source, drawn_on, look_on, read
from flowvision.puzzle.layout import Board, NamedPuzzle, Place
from flowvision.reading.candidates import Candidate, CheckedReading
from flowvision.reading.options import Options
from flowvision.render.look import PLAIN, Look
from flowvision.solvers import Solved
from flowvision.words import count_of

if TYPE_CHECKING:  # not needed to solve a picture
    from flowvision.corrections.correction import Correction
    from flowvision.corrections.draft import Draft
    from flowvision.export.drawing import Drawing
    from flowvision.export.pictures import HintSteps
    from flowvision.render.text import Depth
    from flowvision.solvers.deductions import Difficulty
    from flowvision.vision.assembly import Reading

Changes: TypeAlias = "Mapping[Place, str] | Mapping[int, str] | Correction | Iterable[Correction]"
"""Marks by cell, such as ``{(2, 3): "R", (0, 1): "."}``, or corrections."""


def answer_to(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    look: Look = PLAIN,
    name: str = "",
    is_drawn: bool = True,
    in_place: bool = False,
) -> Answer:
    """Return the answer to a screenshot called ``name``; that to a refused one has its ``error``.

    ``observer``: called with every ``Step`` as it happens. ``look``: what is drawn and how. ``is_drawn``:
    draw the solution now, as the last step, not when the picture is needed; ``in_place``: keep no other
    picture, so that a large one is in memory once.
    """
    options, log = options or Options(), Log(observer)
    try:
        shot, checked, interpretation = read(source, options, log, name=name)
        look.named(checked.reading.letters)
        drawn = None
        if is_drawn:
            with log.step("draw", source=Candidate(interpretation, checked.outcome)) as step:
                step.result = drawn = drawn_on(shot, checked, look, in_place)
            if in_place:
                shot = Screenshot(drawn, shot.name)
            checked = replace(checked, seconds=log.seconds)
        return Answer(name or shot.name, options, look, checked, shot, tuple(log.steps), drawn)
    except FlowvisionError as error:
        opened = log.steps[0].result if log.steps else None
        shot_or_none = opened if isinstance(opened, Screenshot) else None
        known = name or (shot_or_none.name if shot_or_none else "")
        return Answer(known, options, look, shot=shot_or_none, steps=tuple(log.steps), error=error)


class Answer(ShownBoard, Struct, frozen=True, eq=False):
    """A board that was read from a picture, or a puzzle, with its solution; ``print`` shows the solution.

    A refused picture has its ``error``, which everything about the board raises then. ``shot``: the picture
    as it was read, turned as ``rotate`` says. ``steps``: those of the run. ``given``, ``solved``: the puzzle
    without a picture, and its solution.
    """

    name: str
    options: Options = Options()
    look: Look = PLAIN
    believed: CheckedReading | None = None
    shot: Screenshot | None = None
    steps: tuple[Step, ...] = ()
    drawn: Bgr | None = None
    error: FlowvisionError | None = None
    given: Puzzle | None = None
    solved: Solved | None = None

    @property
    def checked(self) -> CheckedReading:
        """All that the reader found in the picture. Raises the ``error`` of a refused one."""
        believed = self.raised().believed
        assert believed is not None, "a puzzle without a picture"
        return believed

    @property
    def reading(self) -> Reading:
        """The board, its dots, its place in the picture, the reader's confidence."""
        return self.checked.reading

    @property
    def outcome(self) -> Solved:
        """The solver's result."""
        return self.checked.outcome if self.solved is None else self.solved

    @property
    def named(self) -> NamedPuzzle:
        """The puzzle with its letters."""
        if self.given is not None:
            return self.given.named
        return NamedPuzzle(self.name, self.reading.board, self.reading.puzzle, self.reading.letters)

    @property
    def puzzle(self) -> Puzzle:
        """The board without its solution."""
        return self.given or Puzzle(self.named)

    @property
    def palette(self) -> tuple[Rgb, ...]:
        """The colours of the flows, as seen."""
        return palette_for(self.named.letters) if self.given else self.reading.palette

    @property
    def draft(self) -> Draft | None:
        """The board as far as it was seen, also of a refused picture, to be corrected; ``None``: no cells."""
        if self.error is None:
            from flowvision.corrections.draft import draft_of

            return draft_of(self.reading)
        from flowvision.diagnosis import draft_of_error

        return draft_of_error(self.error)

    @property
    def confidence(self) -> float:
        """Confidence of the answer, 0 to 1."""
        return 1.0 if self.given else self.checked.confidence

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about the answer, a sentence each."""
        return () if self.given else self.checked.warnings_for(PYTHON)

    @property
    def state(self) -> str:
        """State of the board in the picture: ``empty``, ``started`` or ``solved``."""
        return "empty" if self.given else self.checked.state

    @property
    def unique(self) -> bool | None:
        """True for the only solution, ``None`` if time ran out."""
        return self.outcome.unique

    @property
    def solution(self) -> tuple[str, ...]:
        """The rows, each cell with the letter of its flow. Empty for boards without rows."""
        return tuple(str(self).splitlines()) if self.named.board.lattice is not None else ()

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows with their paths, of a picture also in pixels."""
        from flowvision.render.curves import lines_of

        board, made = self.named.board, list[Flow]()
        for flow, path in zip(super().flows, self.outcome.solution.paths, strict=True):
            lines = () if self.given else map(self.reading.frame.to_px, lines_of(board, path))
            cells = tuple(place_of(board, strand) for strand in path.vertices)
            made.append(replace(flow, path=cells, path_px=tuple(lines)))
        return tuple(made)

    @property
    def difficulty(self) -> Difficulty:
        """Difficulty for a person: its ``grade``, ``score`` and ``steps``.

        Raises ``GaveUpError`` after 30 seconds.
        """
        from flowvision.solvers.base import TimeIsUpError
        from flowvision.solvers.deductions import difficulty

        try:
            return difficulty(self.named.puzzle, self.outcome.solution)
        except TimeIsUpError:
            raise GaveUpError("The difficulty was not found within 30 s.") from None

    @property
    def drawing(self) -> Drawing:
        """Board, solution and pictures together, for all drawings."""
        from flowvision.export.drawing import Drawing, drawing_of_puzzle

        solution = self.outcome.solution
        if self.given:
            return drawing_of_puzzle(self.named, solution, self.look)
        reading, shot = self.reading, self.shot
        assert shot is not None
        return Drawing(
            shot.bgr,
            self.picture,
            reading.board,
            reading.puzzle,
            solution,
            reading.frame,
            reading.palette,
            reading.letters,
            look_on(self.look, self.checked),
        )

    @property
    def picture(self) -> Bgr:
        """The picture with the solution on it, (H, W, 3) uint8 in BGR."""
        if self.drawn is not None:
            return self.drawn
        checked, shot = None if self.given else self.checked, self.shot
        return drawn_on(shot, checked, self.look) if shot and checked else self.drawing.solved

    def encoded(self, form: Form) -> bytes:
        """Return the content of a file in this form."""
        if form.content == "picture" and self.shot is not None:  # needs none of the modules for other forms
            return encode(self.picture, form.suffixes[0])
        from flowvision.export.pictures import encoded

        return encoded(self.drawing, form)

    def in_colours(self, depth: Depth, is_solved: bool = True) -> str:
        """Return the board as text, ``depth``: bits of its colours; not ``is_solved``: its dots alone."""
        from flowvision.render.text import solved_text

        named, shown = self.named, None if is_solved else ()
        palette, solution = undimmed(self.palette), self.outcome.solution
        return solved_text(named.board, named.puzzle, solution, named.letters, palette, depth, shown)

    def hint(self, kind: str | int = "next") -> HintSteps:
        """Return a part of the solution that continues the pipes drawn already.

        ``kind``: ``"next"`` the easiest next step, ``"forced"`` all forced steps, ``"flow"`` the easiest
        flow, the letter or colour of a flow, or a number of flows. Raises ``PuzzleInvalidError`` for others.
        """
        from flowvision.export.pictures import HintSteps

        drawing = self.drawing
        return HintSteps.of(drawing, str(kind), drawing.known)

    def hints(self) -> Iterator[HintSteps]:
        """Yield one hint after the other, each continuing those before, until the board is full."""
        from flowvision.export.pictures import HintSteps

        drawing = self.drawing
        known = drawing.known
        while True:
            steps = HintSteps.of(drawing, "next", known)
            if not steps.edges - known:
                return
            yield steps
            known |= steps.edges

    def corrected(self, changes: Changes) -> Answer:
        """Read the same picture again with changes: marks by cell, as in ``grid``, or corrections.

        Raises ``PuzzleInvalidError`` for impossible changes, ``UnsolvableError`` without a solution.
        """
        made: Iterable[Any]
        if isinstance(changes, Mapping):
            from flowvision.corrections.correction import SetCell

            made = (SetCell(cell, mark) for cell, mark in changes.items())
        elif isinstance(changes, Iterable) and not isinstance(changes, str):
            made = changes
        else:
            made = (changes,)
        return self.again(corrections=(*self.options.corrections, *made)).raised().kept()

    def again(self, **changes: Any) -> Answer:
        """Return the answer to the same picture, with all steps; ``changes``: of the options."""
        if self.shot is None:
            raise TypeError("There is no picture to read again.")
        options = with_fields(self.options, **changes)
        again = answer_to(self.shot, with_fields(options, rotate=0.0), look=self.look)
        return replace(again, options=options)

    def kept(self) -> Answer:
        """Return the answer as a program keeps it: with one picture alone, and none that was refused."""
        return replace(self, steps=(), drawn=None, shot=None if self.error else self.shot)

    def raised(self) -> Answer:
        """Return the answer of a picture that was not refused. Raises its ``error``."""
        if self.error is not None:
            raise self.error
        return self

    def to_dict(
        self,
        geometry: bool = False,
        output: str | None = None,
        hint: HintSteps | None = None,
        is_solved: bool = True,
    ) -> dict[str, Any]:
        """Return the object that ``--json`` prints, with ``geometry`` that of ``--geometry``.

        ``output``: where the picture is written. ``hint``: in place of the paths. Not ``is_solved``: the
        board alone.
        """
        from flowvision import contract

        if self.error is not None:
            return contract.error_object(self.name, self.error)
        if self.given is not None:
            return contract.puzzle_object(self.named, self.outcome)
        made = contract.answer_object(self.name, self.checked, is_solved)
        if is_solved:
            made["output"] = output
        if geometry:
            from flowvision.export.drawing import add_geometry

            add_geometry(made, self.reading, None if hint else self.outcome.solution)
        return contract.with_hint(made, hint.to_dict()) if hint else made

    def _refuse_source(self, path: str | os.PathLike[str]) -> None:
        data, source = self.shot and self.shot.encoded, self.name
        with suppress(OSError, ValueError):
            if data and os.path.getsize(path) == len(data) and read_bytes(path) == data:
                source = os.fspath(path)
        if self.shot is not None:
            refuse_overwriting(path, [source])

    @property
    def _part_in_notebook(self) -> tuple[slice, slice]:
        reading = self.reading if self.given is None else None
        return board_part(reading.board, reading.frame) if reading else super()._part_in_notebook

    def __str__(self) -> str:
        """Return the solved board as text."""
        return self.in_colours(0)

    def __repr__(self) -> str:
        """Return name, size, whether the solution is the only one, and confidence."""
        if self.error is not None:
            return f"<Answer {self.name!r}: refused, {self.error.code}>"
        if self.believed is not None:
            return repr(self.believed).replace("CheckedReading", "Answer", 1)
        unique = ", unique" if self.unique else ""
        return f"<Answer {self.name!r}: {count_of(len(self.named.letters), 'flow')}{unique}>"


def board_part(board: Board, frame: Frame) -> tuple[slice, slice]:
    """Return rows and columns of a board in its picture, with a little of what surrounds it."""
    corners = frame.to_px(board.layout.corners)
    margin = frame.cell_width_px(board.layout.cells[0].centre) / 12
    (x0, y0), (x1, y1) = np.array((corners.min(axis=0) - margin, corners.max(axis=0) + margin)).astype(int)
    return slice(max(0, y0), max(0, y1)), slice(max(0, x0), max(0, x1))
