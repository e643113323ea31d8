"""Readings of boards of every kind, made without looking at a picture."""

from __future__ import annotations

from flowvision.corrections.correction import SetCell, SetWall, SetWarp, changed
from flowvision.corrections.draft import Draft, Key
from flowvision.image.picture import Frame
from flowvision.palette import palette_for
from flowvision.puzzle.layout import Board
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.vision.assembly import Reading

FRAME = Frame((58.0, 3.0, 20.0, -2.0, 61.0, 140.0, 0.001, 0.0005, 1.0))
"""A board photographed at a slant."""


def reading_on(board: Board, seed: int = 1, frame: Frame = FRAME) -> Reading:
    """A reading of a random puzzle on a board."""
    puzzle, _ = random_puzzle(board, seed)
    palette = palette_for("RGBYOCMP"[: len(puzzle.terminals)])
    cells, cell_of = board.layout.cells, board.layout.cell_of
    ends = []
    for pair in puzzle.terminals:
        (a, b), (c, d) = frame.to_px([cells[cell_of[dot]].centre for dot in pair]).tolist()
        ends.append(((a, b), (c, d)))
    return Reading(board, puzzle, frame, palette, 0.9, tuple(ends))


def with_mark(draft: Draft, cell: Key, mark: str) -> Draft:
    """A cell shows another mark."""
    return changed(draft, [SetCell(cell, mark)])


def with_wall(draft: Draft, pair: frozenset[Key], closed: bool) -> Draft:
    """The side between two cells is closed or open; with one cell alone, it is given twice."""
    return changed(draft, [SetWall(*ends_of(pair), closed)])


def with_warp(draft: Draft, pair: frozenset[Key], joined: bool) -> Draft:
    """The ends of a row or column are joined or not."""
    return changed(draft, [SetWarp(*ends_of(pair), joined)])


def ends_of(pair: frozenset[Key]) -> tuple[Key, Key]:
    """The two cells of a pair; the only one twice."""
    cells = list(pair)
    return cells[0], cells[-1]
