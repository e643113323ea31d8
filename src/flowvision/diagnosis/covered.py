"""Cells that something lies over, and those that hold something which is no dot."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.corrections.draft import SAME_COLOUR, draft_of_dots
from flowvision.image.picture import Frame
from flowvision.puzzle.layout import Place
from flowvision.value import value_type
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.tints import CORNERS
from flowvision.vision.pixels.view import Floats, colour_distance, lab_of, sample
from flowvision.vision.settings import Settings

GRID = 9
"""Points along either side of a cell that are looked at."""
REACH = 0.4
"""Cell widths from the middle of a cell: clear of the lines round it."""
BLOT = 15.0
"""Lab: glow behind a board differs by up to 12 from its ground; a notification in the dark by 16 and more."""
FULL = 0.9
"""Share of a cell's points: a notification covers more; a pipe, a letter or a symbol less."""
PIPE = 0.08
"""Share of a cell's points that have the colour of a dot where a pipe or a touch lies in a tinted cell."""
BESIDE = 1.5
"""Cell widths to the middles of the cells all round, from which glow differs little."""
MOST = 0.25
"""Share of the empty cells: where more are unlike the ground, they are played, tinted or of another game."""


@value_type(eq=False)
class Covered:
    """The cells that something lies over.

    ``places``: (row, column) of covered cells on a lattice, whether there is a cell or not. ``cells``: the
    numbers of the cells among them and of others that are covered. ``outlines_px``: of all of them.
    """

    places: tuple[tuple[int, int], ...] = ()
    cells: frozenset[int] = frozenset()
    outlines_px: tuple[Floats, ...] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.outlines_px)


def covered_cells(sides: BoardGeometry, dots: Dots, settings: Settings) -> Covered:
    """The covered cells of a board: places of another colour without lines, and cells full of a colour."""
    board, lattice = sides.board, sides.board.lattice
    frame = draft_of_dots(sides, dots).frame
    places = set(covered_places(sides, frame, settings))
    number = lattice.numbers if lattice else {}
    blots = _blotted(sides, dots)
    cells = {number[place] for place in places if place in number} | blots
    places |= {lattice.places[n] for n in blots} if lattice else set()
    outlines = [sides.fit.frame.to_px(board.layout.cells[n].outline) for n in sorted(cells)]
    for r, c in sorted(places - set(number)):
        outlines.append(frame.to_px([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]))
    return Covered(tuple(sorted(places)), frozenset(cells), tuple(outlines))


def covered_places(sides: BoardGeometry, frame: Frame, settings: Settings) -> list[Place]:
    """The places of a lattice of squares that something lies over: no lines, and not the ground's colour.

    ``frame``: of cells that are 1.0 apart.
    """
    lattice = sides.board.squares
    if lattice is None:
        return []
    places = np.argwhere(np.ones((lattice.rows, lattice.cols), bool))
    seen = sample(sides.fit.view, frame, (places[:, ::-1] + 0.5).astype(np.float64), CORNERS)
    colour = lab_of(np.median(seen.astype(np.float64), axis=1).astype(np.uint8))
    away = colour_distance(colour, np.median(colour, axis=0))
    is_hidden = _lacks_lines(sides, settings) & (away >= settings.reading.covered).reshape(
        lattice.rows, lattice.cols
    )
    return [(int(row), int(col)) for row, col in np.argwhere(is_hidden).tolist()]


def _lacks_lines(sides: BoardGeometry, settings: Settings) -> NDArray[np.bool_]:
    """(rows, cols): which places hold no cell, or show two lines at most."""
    assert sides.board.lattice is not None
    lacks = np.ones((sides.board.lattice.rows, sides.board.lattice.cols), bool)
    lacks[tuple(np.transpose(sides.board.lattice.places))] = False
    if isinstance(sides.fit, GridFit):  # how much of each side is seen is known of these alone
        cover = sides.fit.cover
        vertical, horizontal = (
            ~(one < settings.grid.side_cover) for one in (cover.vertical, cover.horizontal)
        )
        lines = vertical[:, :-1].astype(int) + vertical[:, 1:] + horizontal[:-1] + horizontal[1:]
        lacks |= lines <= 2
    return lacks


def _blotted(sides: BoardGeometry, marks: Dots) -> set[int]:
    """The cells without a dot that are filled with another colour than the ground."""
    held = {dot.cell for dot in marks.dots}
    empty = np.array([n for n in range(len(sides.board.layout.cells)) if n not in held])
    if len(empty) < 4:
        return set()
    centres = np.array([sides.board.layout.cells[n].centre for n in empty])
    narrow = np.linalg.svd(sides.shapes[empty], compute_uv=False)[:, -1, None, None]
    steps = np.linspace(-REACH, REACH, GRID)
    offsets = narrow * np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    lab = lab_of(sample(sides.fit.view, sides.fit.frame, centres, offsets))
    ground = np.median(lab.reshape(-1, 3), axis=0)
    share = (np.linalg.norm(lab - ground, axis=2) >= BLOT).mean(axis=1)
    if np.count_nonzero(share >= 1 / GRID) > max(1, MOST * len(empty)):
        return set()
    away = np.linalg.norm(centres[:, None] - centres, axis=2)
    dots = np.array([dot.lab for dot in marks.dots]).reshape(-1, 3)
    nearest = np.linalg.norm(lab[:, :, None] - dots, axis=3).min(axis=2, initial=np.inf)
    is_played = (nearest < SAME_COLOUR).mean(axis=1) >= PIPE
    is_full, colour = (share >= FULL) & ~is_played, np.median(lab, axis=1)
    is_beside = (away <= BESIDE * np.median(narrow)) & ~is_full
    found = set[int]()
    for n in np.flatnonzero(is_full).tolist():
        steps_away = np.linalg.norm(colour[is_beside[n]] - colour[n], axis=1)
        if len(steps_away) and float(np.median(steps_away)) >= BLOT:
            found.add(int(empty[n]))
    return found
