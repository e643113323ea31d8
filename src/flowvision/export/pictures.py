"""Files of an answer: still, moving, vectors, text, paper; the whole solution, or a hint.

A part of a solution is a set of edges, numbers of the board's graph. A hint has its edges in steps, in order.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flowvision.colours import ink_on, labels_for, palette_for
from flowvision.contract import Object, hint_object
from flowvision.errors import OutputError
from flowvision.export.board import picture_on_paper, pillow_of, place_of
from flowvision.files import Form, suffix_words
from flowvision.image.codec import encode, pdf_of
from flowvision.image.picture import Bgr, Rgb, pixels_at
from flowvision.palette import names_for, undimmed
from flowvision.puzzle.formats import written
from flowvision.puzzle.layout import NamedPuzzle, Place
from flowvision.render.clip import Clip, clip_of
from flowvision.render.curves import Piece, frames_of, pieces_of, turns_of
from flowvision.render.look import PlacedBoard
from flowvision.render.paint import text
from flowvision.render.ruling import PAPER
from flowvision.render.svg import SvgBoard, svg_of
from flowvision.render.text import Depth
from flowvision.solvers.hints import FlowNames, Hint, hint_of, play_order, strands_named, words_of
from flowvision.vision.assembly import Reading

if TYPE_CHECKING:
    from PIL.Image import Image

    from flowvision.export.answer import Answer

ORDER_SECONDS = 0.5
"""Time to order the flows of an animation; the others follow, shortest first."""
CELL_MM, MAX_MM = 14.0, 180.0
"""Width of a cell, and of the largest board, as in ``PAPER``."""
NUMBER, NUMBER_MIN_PX = 0.3, 14
"""Height of a cell's number, in cell widths and at least in pixels."""
PX_AN_INCH = 300.0
"""Resolution at which the pixels of ``PAPER`` have these sizes."""


def encoded(answer: Answer, form: Form, hint: Hint | None = None) -> bytes:
    """Return a file in this form: the solved picture, or with a ``hint`` only its steps.

    Raises ``MissingExtraError`` for an MP4 where nothing can encode one.
    """
    answer = answer._pictured
    if form.content == "vectors":
        return _vectors(answer, hint, moves=form.is_moving)
    if form.content == "motion":
        from flowvision.render.clip import apng_of, gif_of, mp4_of

        return {"mp4": mp4_of, "gif": gif_of}.get(form.name, apng_of)(_clip(answer, hint))
    if form.content == "text":
        result = HintSteps(answer, hint, answer._known) if hint else answer
        return f"{result}\n".encode()
    return encode(picture_of(answer, hint), form.suffixes[0])


def picture_of(answer: Answer, hint: Hint | None = None, before: frozenset[int] = frozenset()) -> Bgr:
    """Return the picture with the solution on it, or with the steps of a hint; several flows are numbered.

    ``before``: edges of earlier hints, which are drawn as well.
    """
    if hint is None:
        return answer.picture
    answer, numbers = answer._pictured, numbers_of(hint)  # a puzzle is drawn on a plain board
    # ``drawn=()``: no pipe of the board is compared with the solution, so none is erased.
    changes: dict[str, Any] = {"edges": before.union(hint.edges), "drawn": ()}
    if numbers:
        letters = tuple(numbers.get(flow, "") for flow in range(len(answer.palette)))
        # Numbers in place of letters. ``lettered``: the picture's dots show their letters already, so that
        # none are written on them; of numbers that is never so.
        changes |= {"letters": letters, "lettered": False}
    canvas = answer.draw(**changes)
    if answer.reading.lattice is None:
        draw_cell_numbers(canvas, answer.reading, hint)
    return canvas


def pieces_to_grow(answer: Answer, hint: Hint | None = None) -> tuple[Piece, ...]:
    """Return the unfinished flows, or the steps of a hint, in the order in which a person would play."""
    solution = answer.outcome.solution
    if hint is not None:
        return pieces_of(solution, list(dict.fromkeys(hint.flows)), set(hint.edges))
    order = play_order(answer._named.puzzle, solution, answer._known, ORDER_SECONDS)
    return pieces_of(solution, order, solution.edges - answer._finished)


def _clip(answer: Answer, hint: Hint | None) -> Clip:
    """Return the frames in which the solution or a hint grows."""
    reading, shot = answer.reading, answer.shot
    assert shot is not None

    def drawn_with(flows: Collection[int]) -> Bgr:
        """Draw the paths of these flows alone."""
        if hint is None:
            return answer.draw(flows=frozenset(flows))
        steps = zip(hint.edges, hint.flows, strict=True)
        return answer.draw(edges=frozenset(edge for edge, flow in steps if flow in flows), drawn=())

    base = drawn_with(()) if hint is None else shot.bgr
    placed, frames = PlacedBoard(reading.board, reading.frame), frames_of(pieces_to_grow(answer, hint))
    return clip_of(base, picture_of(answer, hint), placed, answer.outcome.solution, frames, drawn_with)


def _vectors(answer: Answer, hint: Hint | None, moves: bool) -> bytes:
    """Return an SVG of the solution, or of the steps of a hint."""
    reading, solution, look = answer.reading, answer.outcome.solution, answer._look_on_board
    still_edges = answer._known | set(hint.edges) if hint else solution.edges
    if moves:
        still_edges = answer._known if hint else answer._finished
    letters = look.named(reading.letters)
    labels = numbers_of(hint) if hint else {}
    if look.letters and not labels:
        labels = dict(enumerate(letters))
    drawn = SvgBoard(
        reading.board,
        reading.puzzle,
        reading.colours,
        names_for(reading.colours),
        letters,
        solution,
        still=pieces_of(solution, range(len(letters)), still_edges),
        turns=turns_of(pieces_to_grow(answer, hint)) if moves else (),
        labels=labels,
        letters_along=bool(look.letters) and hint is None,
        arrows=look.arrows and hint is None,
    )
    return svg_of(drawn).encode()


def draw_cell_numbers(canvas: Bgr, reading: Reading, hint: Hint) -> None:
    """Draw the number of every cell that a hint names, from 1, in place."""
    layout = reading.board.layout
    for strand in sorted(strands_named(hint, reading.puzzle)):
        number = layout.cell_of[strand]
        middle = layout.cells[number].centre
        (middle_px,) = reading.frame.to_px(middle)
        ground, _ = pixels_at(canvas, middle_px)
        ink = ink_on(Rgb.of_bgr(ground.tolist()))
        size_px = max(NUMBER_MIN_PX, NUMBER * reading.frame.cell_width_px(middle))
        text(canvas, middle_px, str(number + 1), size_px, ink, anchor="mm")


def numbers_of(hint: Hint) -> dict[int, str]:
    """Return the number, from 1, of each flow of a hint in the order of play, by flow.

    Empty if the order does not matter.
    """
    flows = dict.fromkeys(hint.flows)
    if hint.code != "several-flows" or len(flows) == 1:
        return {}
    return {flow: str(number) for number, flow in enumerate(flows, 1)}


def on_paper(item: NamedPuzzle, form: Form) -> bytes:
    """Return a file of an unsolved puzzle, with letters in its dots.

    Raises ``OutputError`` if the form cannot hold a puzzle.
    """
    if form.is_moving:
        raise OutputError(
            f"An unsolved puzzle is not written as {form.words}.",
            f"Choose {suffix_words(unsolved=True)}, not animated.",
        )
    if form.content == "text":
        return f"{written(item, 'text')}\n".encode()
    if form.content == "vectors":
        palette = palette_for(item.letters)
        cells_wide = np.ptp(item.board.layout.corners, axis=0).max()
        drawn = SvgBoard(
            item.board,
            item.puzzle,
            palette,
            names_for(palette),
            item.letters,
            labels=dict(enumerate(labels_for(item.letters))),
            style=PAPER,
            cell_mm=min(CELL_MM, MAX_MM / cells_wide),
        )
        return svg_of(drawn).encode()
    picture = picture_on_paper(item)
    return pdf_of(picture, PX_AN_INCH) if form.name == "pdf" else encode(picture, form.suffixes[0])


@dataclass(frozen=True, eq=False, repr=False)
class HintSteps:
    """A part of a solution with its reasons; text and picture also show earlier hints.

    ``found``: the steps as the solver has them. ``before``: edges that were known already, and are shown too.
    """

    answer: Answer
    found: Hint
    before: frozenset[int]

    @classmethod
    def of(cls, answer: Answer, kind: str, drawn: frozenset[int]) -> HintSteps:
        """Return the hint of a kind, which may be the colour of a flow. Raises ``PuzzleInvalidError``."""
        named, colours = answer._named, names_for(undimmed(answer.palette))
        solution = answer.outcome.solution
        found = hint_of(named.puzzle, solution, named.letters, kind, drawn, colours=colours)
        return cls(answer, found, drawn)

    @property
    def steps(self) -> tuple[tuple[str, Place, Place], ...]:
        """Letters of flows, each with the cell that its pipe comes from, and the next one."""
        named, found, steps = self.answer._named, self.found, []
        for edge, flow, start in zip(found.edges, found.flows, found.starts, strict=True):
            end = named.puzzle.graph.other_end(edge, start)
            steps.append((named.letters[flow], place_of(named.board, start), place_of(named.board, end)))
        return tuple(steps)

    @property
    def why(self) -> tuple[str, ...]:
        """A sentence for each reason."""
        named = self.answer._named
        names = FlowNames(named.letters, names_for(undimmed(self.answer.palette)))
        return tuple(words_of(self.found, named.puzzle, named.board, names))

    @property
    def edges(self) -> frozenset[int]:
        """Numbers of the graph's edges."""
        return frozenset(self.found.edges)

    @property
    def picture(self) -> Bgr:
        """The picture with these steps, (H, W, 3) uint8 in BGR."""
        return picture_of(self.answer, self.found, self.before - self.answer._known)

    @property
    def image(self) -> Image:
        """The picture as a Pillow image in RGB."""
        return pillow_of(self.picture)

    def _encoded(self, form: Form) -> bytes:
        """Return the content of a file in this form."""
        return encoded(self.answer, form, self.found)

    def to_dict(self) -> Object:
        """Return the fields of ``--hint``."""
        return hint_object(self.answer._named.board, self.found, self.why)

    def _in_colours(self, depth: Depth) -> str:
        """Return the board with these steps, then the reasons; ``depth``: bits of its colours."""
        board = self.answer._in_colours(depth, self.before | self.edges)
        return "\n".join([board, *self.why])

    def __str__(self) -> str:
        return self._in_colours(0)

    def __repr__(self) -> str:
        return f"<HintSteps: {' '.join(self.why)}>"
