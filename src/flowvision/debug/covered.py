"""Cells that something lies over, and those that hold something which is no dot."""

from __future__ import annotations

import numpy as np

from flowvision.corrections.draft import SAME_COLOUR, draft_of_dots
from flowvision.debug.scene import Scene
from flowvision.reading.unpaired import covered_places
from flowvision.value import value_type
from flowvision.vision.pixels.sampling import lab_of, sample
from flowvision.vision.pixels.view import Floats

GRID = 9
"""Points along either side of a cell that are looked at."""
REACH = 0.4
"""Of a cell's width, from its middle: clear of the lines round it."""
BLOT = 15.0
"""Lab: glow behind a board differs by up to 12 from its ground; a notification in the dark by 16 and more."""
FULL = 0.9
"""Of a cell's points: a notification covers more; a pipe, a letter or a symbol less."""
PIPE = 0.08
"""Of a cell's points: as many have the colour of a dot where a pipe or a touch lies in a tinted cell."""
BESIDE = 1.5
"""Of a cell's width: to the middles of the cells all round, from which glow differs little."""
MOST = 0.25
"""Of the empty cells: where more are unlike the ground, they are played, tinted or of another game."""


@value_type(eq=False)
class Covered:
    """What lies under something.

    ``places``: (row, column) of covered cells on a lattice, whether there is a cell or not. ``cells``: the
    numbers of the cells among them and of others that are covered. ``outlines_px``: of all of them.
    """

    places: tuple[tuple[int, int], ...] = ()
    cells: frozenset[int] = frozenset()
    outlines_px: tuple[Floats, ...] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.outlines_px)


def covered_cells(scene: Scene) -> Covered:
    """What lies over the board: places of another colour without lines, and cells filled with a colour."""
    sides, marks = scene.trail.sides, scene.trail.dots
    if sides is None or marks is None:
        return Covered()
    board, lattice = sides.board, sides.board.lattice
    frame = draft_of_dots(sides, marks).frame
    places = {(r, c) for r, c in covered_places(sides, frame, scene.settings)}
    number = {place: n for n, place in enumerate(lattice.places)} if lattice else {}
    blots = _blotted(scene)
    cells = {number[place] for place in places if place in number} | blots
    places |= {lattice.places[n] for n in blots} if lattice else set()
    outlines = [sides.fit.frame.to_px(board.layout.cells[n].outline) for n in sorted(cells)]
    for r, c in sorted(places - set(number)):
        outlines.append(frame.to_px([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]))
    return Covered(tuple(sorted(places)), frozenset(cells), tuple(outlines))


def _blotted(scene: Scene) -> set[int]:
    """The cells without a dot that are filled with another colour than the ground."""
    sides, marks = scene.sides, scene.dots
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
