"""Measurements of a board's cells: the colours of their dots, the disc in each, and what covers them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.corrections import SAME_COLOUR, frame_of_unit_cells
from flowvision.image.picture import Frame, Rgb
from flowvision.palette import colour_name
from flowvision.puzzle.layout import Place
from flowvision.reading.doubt import corners_of
from flowvision.reading.doubts import cell_places
from flowvision.vision.dots.detection import Dots, cell_widths
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, lab_of, ring, sample
from flowvision.vision.settings import DOTS

BLUISH = 15
"""Excess of blue over red and green from which a grey looks blue."""
RADII = (*np.arange(0.05, 0.36, 0.025), 0.46)
"""Radii at which cells are sampled, in cell widths: over letters and digits, and on the rim."""
POINTS = 16
"""Points on each of these rings."""
SAMPLES = 9
"""Points sampled along either side of a cell."""
REACH = 0.4
"""Sampled extent from the centre of a cell, inside its lines, in cell widths."""
BLOT = 15.0
"""Lab: glow behind a board differs by up to 12 from its ground; a notification in the dark by 16 and more."""
FULL = 0.9
"""Share of a cell's points: notifications cover more, pipes, letters and symbols less."""
PIPE = 0.08
"""Share of a tinted cell's points in the colour of a dot that a pipe or a touch makes."""
FOREIGN_SHARE = 0.1
"""Share of the points under one thing that text, buttons or its colour make; holes have less."""
MOST = 0.6
"""Share of the hidden places in one part, at least."""
HALF = 0.5
"""Share of the cells in rows and columns, at least."""


class ColourGroup(Struct, frozen=True):
    """Dots of one colour, by number, and its name."""

    name: str
    dots: tuple[int, ...]

    def __len__(self) -> int:
        """Their number."""
        return len(self.dots)


def colour_groups(dots: Dots) -> tuple[ColourGroup, ...]:
    """Group all dots by colour, in the order of their first dots."""
    lab = np.array([dot.lab for dot in dots.dots]).reshape(-1, 3)
    near = np.linalg.norm(lab[:, None] - lab, axis=2) < SAME_COLOUR
    alike = np.linalg.matrix_power(near, max(1, len(near)))
    members = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in alike)
    return tuple(ColourGroup(_colour_word(dots.dots[group[0]].rgb), group) for group in members)


def _colour_word(rgb: Rgb) -> str:
    name, (red, green, blue) = colour_name(rgb), map(int, rgb)
    return "blue-grey" if name == "grey" and blue - max(red, green) >= BLUISH else name


def counts_in_words(groups: Sequence[ColourGroup]) -> str:
    """Count the dots of each colour, such as ``3 yellow, 1 green``."""
    ranked = sorted(groups, key=len, reverse=True)
    return ", ".join(f"{len(group)} {group.name}" for group in ranked)


def ink_of(geometry: BoardGeometry) -> Floats:
    """Return the share of the middle of each cell that differs from the colour of its rim."""
    seen = _lab_in_cells(geometry, np.concatenate([ring(radius, POINTS) for radius in RADII]))
    ground = np.median(seen[:, -POINTS:], axis=1)
    return np.asarray((np.linalg.norm(seen - ground[:, None], axis=2) >= DOTS.contrast).mean(axis=1))


def _lab_in_cells(geometry: BoardGeometry, offsets: Floats) -> Floats:
    centres = np.array(geometry.board.layout.centres)
    offsets = cell_widths(geometry.shapes) * offsets
    lab = lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, offsets))
    return np.asarray(lab.reshape(len(centres), -1, 3))


class Covered(Struct, frozen=True, eq=False):
    """Covered cells by number, and the outlines of all covered places, also where no cell was found.

    ``block``: the first and the last covered (row, column), if the board has rows and columns.
    """

    cells: tuple[int, ...] = ()
    outlines_px: tuple[Floats, ...] = ()
    block: tuple[Place, ...] = ()


def covered_cells(geometry: BoardGeometry, dots: Dots) -> Covered:
    """Return the cells that one thing covers: full of another colour than the ground, or no cells at all."""
    cells, held = geometry.board.layout.cells, [dot.cell for dot in dots.dots]
    if len(held) == len(cells):
        return Covered()
    steps = np.linspace(-REACH, REACH, SAMPLES)
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    lab = _lab_in_cells(geometry, offsets)
    ground = np.median(np.delete(lab, held, axis=0).reshape(-1, 3), axis=0)
    of_dots = np.array([dot.lab for dot in dots.dots]).reshape(-1, 3)
    nearest = np.linalg.norm(lab[:, :, None] - of_dots, axis=3).min(axis=2, initial=np.inf)
    is_played = (nearest < SAME_COLOUR).mean(axis=1) >= PIPE
    is_full = (_share_beyond(lab, ground) >= FULL) & ~is_played
    is_full[held] = False
    placed = _placed(geometry)
    if placed is None:
        full = tuple(np.flatnonzero(is_full).tolist()) if is_full.sum() == 1 else ()
        return Covered(full, tuple(geometry.fit.frame.to_px(cells[n].outline) for n in full))
    place_of, frame = placed
    is_hidden = np.ones(geometry.fit.size or 1 + np.array([*place_of.values()]).max(axis=0), bool)
    for n, place in place_of.items():
        is_hidden[place] = is_full[n]
    places = _one_thing(is_hidden)
    if not places:
        return Covered()
    centres = np.array(places)[:, ::-1] + 0.5
    seen = lab_of(sample(geometry.fit.view, frame, centres, offsets)).reshape(-1, 3)
    if _share_beyond(seen[None], ground)[0] < FOREIGN_SHARE:  # a hole
        return Covered()
    outlines = tuple(frame.to_px(corners_of((c, r), (c + 1, r + 1))) for r, c in places)
    found = tuple(n for n, place in place_of.items() if place in places)
    low, high = np.min(places, axis=0).tolist(), np.max(places, axis=0).tolist()
    return Covered(found, outlines, ((low[0], low[1]), (high[0], high[1])))


def _share_beyond(lab: Floats, ground: Floats) -> Floats:
    return np.asarray((np.linalg.norm(lab - ground, axis=2) >= BLOT).mean(axis=1))


def _one_thing(is_hidden: NDArray[np.bool_]) -> list[Place]:
    _, labels, stats, _ = cv2.connectedComponentsWithStats(is_hidden.astype(np.uint8), connectivity=4)
    areas = stats[1:, cv2.CC_STAT_AREA]
    if not len(areas) or areas.max() < MOST * areas.sum():
        return []
    return [(int(r), int(c)) for r, c in np.argwhere(labels == 1 + int(areas.argmax())).tolist()]


def _placed(geometry: BoardGeometry) -> tuple[dict[int, Place], Frame] | None:
    """Return the row and column of cells, and the frame of columns and rows; ``None`` for other boards."""
    board, fit = geometry.board, geometry.fit
    if board.squares is not None and board.lattice is not None:
        return dict(enumerate(board.lattice.places)), frame_of_unit_cells(board, fit.frame)
    seen = None if fit.is_regular else cell_places(board, fit.frame)
    if seen is None or seen.is_placed.mean() < HALF:
        return None
    at = np.round(seen.at).astype(int)
    return {n: (int(at[n, 1]), int(at[n, 0])) for n in np.flatnonzero(seen.is_placed).tolist()}, seen.frame
