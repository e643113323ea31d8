"""A drawing as the bytes of a file: still, moving, vectors, text, paper; the whole solution, or a hint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from flowvision.contract import hint_object
from flowvision.errors import OutputError
from flowvision.export.board import Puzzle, pillow_of, place_of
from flowvision.export.drawing import Drawing, draw_numbers, numbers_of
from flowvision.forms import Form, suffix_words
from flowvision.image.clip import Clip
from flowvision.image.codec import encode, pdf_of
from flowvision.image.picture import Bgr
from flowvision.palette import labels_for, names_for, palette_for
from flowvision.puzzle.formats import written
from flowvision.puzzle.layout import NamedPuzzle, Place
from flowvision.render.board_look import PAPER
from flowvision.render.growth import MovingPicture, Piece, clip_of, frames_of, pieces_of, turns_of
from flowvision.render.svg import SvgBoard, svg_of
from flowvision.render.text import Depth
from flowvision.solvers.base import Limits
from flowvision.solvers.hints import FlowNames, Hint, hint_of, play_order, words_of

if TYPE_CHECKING:
    from PIL.Image import Image

ORDER_SECONDS = 0.5
"""For the order of an animation; what is not ordered by then follows, the shortest first."""
CELL_MM, MAX_MM = 14.0, 180.0
"""Width of a cell, and of the largest board, as in ``PAPER``."""
PX_AN_INCH = 300.0
"""At which the pixels of ``PAPER`` are so large."""


def encoded(drawing: Drawing, form: Form, hint: Hint | None = None) -> bytes:
    """Return a file in this form: the solved picture, or with a ``hint`` only its steps.

    Raises ``MissingExtraError`` for an MP4 where nothing can encode one.
    """
    if form.content == "vectors":
        return _vectors(drawing, hint, moves=form.animated == form.name)
    if form.content == "motion":
        from flowvision.image.clip import apng_of, gif_of, mp4_of

        return {"mp4": mp4_of, "gif": gif_of}.get(form.name, apng_of)(_clip(drawing, hint))
    if form.content == "text":
        text = HintSteps(drawing, hint, drawing.known).in_colours(0) if hint else drawing.in_colours(0)
        return f"{text}\n".encode()
    return encode(picture_of(drawing, hint), form.suffixes[0])


def picture_of(drawing: Drawing, hint: Hint | None = None, before: frozenset[int] = frozenset()) -> Bgr:
    """Return the picture with the solution on it, or with the steps of a hint; several flows are numbered.

    ``before``: edges of earlier hints, which are drawn as well.
    """
    if hint is None:
        return drawing.solved
    canvas = drawing.with_edges(before.union(hint.edges))
    draw_numbers(canvas, drawing, hint)
    return canvas


def pieces_to_grow(drawing: Drawing, hint: Hint | None = None) -> tuple[Piece, ...]:
    """Return the unfinished flows, or the steps of a hint, in the order in which a person would play."""
    if hint is not None:
        return pieces_of(drawing.solution, list(dict.fromkeys(hint.flows)), set(hint.edges))
    order = play_order(drawing.puzzle, drawing.solution, drawing.known, Limits(ORDER_SECONDS))
    return pieces_of(drawing.solution, order, drawing.solution.edges - drawing.finished)


def _clip(drawing: Drawing, hint: Hint | None) -> Clip:
    final = picture_of(drawing, hint)
    if hint is None:
        base, drawn_with = drawing.with_flows(()), drawing.with_flows
    else:
        base, drawn_with = drawing.base, partial(_with_steps, drawing, hint)
    moving = MovingPicture(base, final, drawing.board, drawing.solution, drawing.frame, drawn_with)
    return clip_of(moving, frames_of(pieces_to_grow(drawing, hint)))


def _with_steps(drawing: Drawing, hint: Hint, flows: Sequence[int]) -> Bgr:
    return drawing.with_edges([e for e, flow in zip(hint.edges, hint.flows, strict=True) if flow in flows])


def _vectors(drawing: Drawing, hint: Hint | None, moves: bool) -> bytes:
    shown = drawing.known | set(hint.edges) if hint else drawing.solution.edges
    if moves:
        shown = drawing.known if hint else drawing.finished
    look, letters = drawing.look, drawing.look.named(drawing.letters)
    labels = numbers_of(hint) if hint else {}
    return svg_of(
        SvgBoard(
            drawing.board,
            drawing.puzzle,
            drawing.colours,
            letters,
            drawing.solution,
            pieces_of(drawing.solution, range(len(letters)), shown),
            turns_of(pieces_to_grow(drawing, hint)) if moves else (),
            labels or (dict(enumerate(letters)) if look.letters else {}),
            letters_along=bool(look.letters) and hint is None,
            arrows=look.arrows and hint is None,
        )
    ).encode()


def on_paper(item: NamedPuzzle, form: Form) -> bytes:
    """Return a file of a puzzle without its answer, its letters in its dots.

    Raises ``OutputError`` for forms that hold none.
    """
    if not form.unsolved:
        raise OutputError(
            f"An unsolved puzzle is not written as {form.words}.",
            f"Choose {suffix_words(unsolved=True)}, not animated.",
        )
    if form.content == "text":
        return f"{written(item, 'text')}\n".encode()
    if form.content == "vectors":
        xs, ys = zip(*item.board.layout.corners, strict=True)
        return svg_of(
            SvgBoard(
                item.board,
                item.puzzle,
                palette_for(item.letters),
                item.letters,
                labels=dict(enumerate(labels_for(item.letters))),
                style=PAPER,
                cell_mm=min(CELL_MM, MAX_MM / max(max(xs) - min(xs), max(ys) - min(ys))),
            )
        ).encode()
    picture = Puzzle(item).picture
    return pdf_of(picture, PX_AN_INCH) if form.name == "pdf" else encode(picture, form.suffixes[0])


class HintSteps(Struct, frozen=True, eq=False):
    """A part of a solution, and why it follows; text and picture show it with the hints before it.

    ``found``: the steps as the solver has them. ``before``: edges that are known already.
    """

    drawing: Drawing
    found: Hint
    before: frozenset[int]

    @classmethod
    def of(cls, drawing: Drawing, kind: str, known: frozenset[int]) -> HintSteps:
        """Return the hint of a kind, which may be the colour of a flow. Raises ``PuzzleInvalidError``."""
        puzzle, solution, letters = drawing.puzzle, drawing.solution, drawing.letters
        found = hint_of(puzzle, solution, letters, kind, known, colours=names_for(drawing.colours))
        return cls(drawing, found, known)

    @property
    def steps(self) -> tuple[tuple[str, Place, Place], ...]:
        """Letters of flows, each with two neighbouring cells to join."""
        board, letters, edges = self.drawing.board, self.drawing.letters, self.drawing.puzzle.graph.edges
        return tuple(
            (letters[flow], place_of(board, edges[edge][0]), place_of(board, edges[edge][1]))
            for edge, flow in zip(self.found.edges, self.found.flows, strict=True)
        )

    @property
    def why(self) -> tuple[str, ...]:
        """A sentence for each reason."""
        drawing = self.drawing
        names = FlowNames(drawing.letters, names_for(drawing.colours))
        return tuple(words_of(self.found, drawing.puzzle, drawing.board, names))

    @property
    def edges(self) -> frozenset[int]:
        """Numbers of the graph's edges."""
        return frozenset(self.found.edges)

    @property
    def picture(self) -> Bgr:
        """The picture with these steps, (H, W, 3) uint8 in BGR."""
        return picture_of(self.drawing, self.found, self.before - self.drawing.known)

    @property
    def wrong_pipes(self) -> tuple[str, ...]:
        """Letters of the flows that are drawn in another way than in the solution."""
        return self.drawing.wrong

    @property
    def image(self) -> Image:
        """The picture as a Pillow image in RGB."""
        return pillow_of(self.picture)

    def encoded(self, form: Form) -> bytes:
        """Return the content of a file in this form."""
        return encoded(self.drawing, form, self.found)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of ``--hint``."""
        return hint_object(self.drawing.board, self.found, self.why)

    def in_colours(self, depth: Depth) -> str:
        """Return the board with these steps, then the reasons; ``depth``: bits of its colours."""
        return "\n".join([self.drawing.in_colours(depth, self.before | self.edges), *self.why])

    def __str__(self) -> str:
        """Return the board with these steps, then the reasons."""
        return self.in_colours(0)

    def __repr__(self) -> str:
        """Return the reasons."""
        return f"<HintSteps: {' '.join(self.why)}>"
