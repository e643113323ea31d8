"""Readings of boards of every kind, made without looking at a picture."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from flowvision.corrections import Correction, Draft, Key, SetBoard, SetCell, changed, draft_of, reading_of
from flowvision.image.picture import Frame
from flowvision.palette import palette_for
from flowvision.puzzle.layout import Board, Place
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import format_drawn
from flowvision.vision.assembly import Reading

FRAME = Frame((58.0, 3.0, 20.0, -2.0, 61.0, 140.0, 0.001, 0.0005, 1.0))
"""A board photographed at a slant."""


def reading_on(board: Board, seed: int = 1, frame: Frame = FRAME) -> Reading:
    puzzle, _ = random_puzzle(board, seed)
    palette = palette_for("RGBYOCMP"[: len(puzzle.terminals)])
    cells, cell_of = board.layout.cells, board.layout.cell_of
    ends = []
    for pair in puzzle.terminals:
        (a, b), (c, d) = frame.to_px([cells[cell_of[dot]].centre for dot in pair]).tolist()
        ends.append(((a, b), (c, d)))
    return Reading(board, puzzle, frame, palette, 0.9, tuple(ends))


def with_mark(draft: Draft, cell: Key, mark: str) -> Draft:
    return changed(draft, [SetCell(cell, mark)])


def with_sides(draft: Draft, **sides: Sequence[tuple[Place, Place]]) -> Draft:
    """A board of the same rows with these ``walls`` and ``warps``."""
    return changed(draft, [SetBoard(format_drawn(replace(draft.drawn(), **sides)))])


def corrected(reading: Reading, corrections: Iterable[Correction]) -> Reading:
    return reading_of(changed(draft_of(reading), corrections))
