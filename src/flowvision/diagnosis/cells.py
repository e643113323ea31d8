"""Measurements of a board's cells: the colours of their dots, the disc in each, and what covers them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.corrections.draft import SAME_COLOUR, draft_of_dots
from flowvision.image.picture import Frame, Rgb
from flowvision.palette import colour_name
from flowvision.puzzle.layout import Place
from flowvision.vision.dots.detection import Dots, cell_widths
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.lattice import TINT_CORNERS
from flowvision.vision.pixels.view import Floats, colour_distance, lab_of, ring, sample
from flowvision.vision.settings import DotSettings, Settings

BLUISH = 15
"""Excess of blue over red and green from which a grey looks blue."""
RADII = np.arange(0.05, 0.5, 0.025)
"""Radii at which cells are sampled, in cell widths."""
POINTS = 16
"""Points on each of these rings."""
CORE = (0.1, 0.2)
"""Radii between which a disc has its colour, outside a letter, in the same unit."""
EDGE = 0.44
"""Radius from which on it is the cell itself, in the same unit."""
INK_REACH = 0.36
"""Extent of letters and digits from the centre, in the same unit."""
EVEN = 0.75
"""Share of a ring that has the colour of the disc."""


class ColourGroup(Struct, frozen=True):
    """Dots of one colour, by number, and its name."""

    name: str
    dots: tuple[int, ...]

    def __len__(self) -> int:
        """Their number."""
        return len(self.dots)


def colour_groups(dots: Dots) -> tuple[ColourGroup, ...]:
    """Group all dots by colour, in the order of their first dots; shades of one name get numbers."""
    if not dots.dots:
        return ()
    lab = np.array([dot.lab for dot in dots.dots])
    near = np.linalg.norm(lab[:, None] - lab, axis=2) < SAME_COLOUR
    label = np.arange(len(lab))
    for n in range(len(lab)):
        for other in np.flatnonzero(near[n]).tolist():
            label[label == label[other]] = label[n]
    found = [
        ColourGroup(_said(dots.dots[members[0]].rgb), tuple(members))
        for members in (np.flatnonzero(label == one).tolist() for one in dict.fromkeys(label.tolist()))
    ]
    count, seen, named = Counter(group.name for group in found), Counter[str](), []
    for group in found:
        seen[group.name] += 1
        is_shade = count[group.name] > 1 and seen[group.name] > 1
        named.append(replace(group, name=f"another {group.name}") if is_shade else group)
    return tuple(named)


def _said(rgb: Rgb) -> str:
    name, (red, green, blue) = colour_name(rgb), map(int, rgb)
    return "blue-grey" if name == "grey" and blue - max(red, green) >= BLUISH else name


def counts_in_words(groups: Sequence[ColourGroup]) -> str:
    """Count the dots of each colour, such as ``3 yellow, 1 green``."""
    ranked = sorted(groups, key=len, reverse=True)
    return ", ".join(f"{len(group)} {group.name}" for group in ranked)


class CellDiscs(Struct, frozen=True, eq=False):
    """The disc in the middle of every cell.

    ``radius``: of the disc there, in cell widths, or 0. ``contrast``: how far
    its colour is from the rest of the cell (Lab). ``ink``: the share of the centre that is not of
    the colour of the cell.
    """

    radius: Floats
    contrast: Floats
    ink: Floats

    def cells(self, settings: DotSettings) -> NDArray[np.intp]:
        """Return the cells with a disc that stands out and ends inside the cell."""
        is_disc = (self.radius >= CORE[1]) & (self.radius < EDGE) & (self.contrast >= settings.contrast)
        return np.flatnonzero(is_disc)


def cell_discs(geometry: BoardGeometry, settings: DotSettings) -> CellDiscs:
    """Return the discs in the middles of the cells of a board."""
    centres = np.array(geometry.board.layout.centres)
    widths, count = cell_widths(geometry.shapes), len(centres)
    offsets = widths * np.concatenate([ring(radius, POINTS) for radius in RADII])
    seen = lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, offsets))
    seen = seen.reshape(count, len(RADII), POINTS, 3)
    core, edge = (CORE[0] <= RADII) & (CORE[1] >= RADII), RADII >= EDGE
    colour, ground = (np.median(seen[:, part].reshape(count, -1, 3), axis=1) for part in (core, edge))
    contrast = np.linalg.norm(colour - ground, axis=1)
    away = np.linalg.norm(seen - colour[:, None, None], axis=3)
    even = (away < 0.5 * contrast[:, None, None]).mean(axis=2) >= EVEN
    even[:, CORE[0] > RADII] = True
    reach = np.where(even.all(axis=1), len(RADII), even.argmin(axis=1))
    radius = np.concatenate(([0.0], RADII))[reach]
    middle = seen[:, RADII <= INK_REACH].reshape(count, -1, 3)
    ink = (np.linalg.norm(middle - ground[:, None], axis=2) >= settings.contrast).mean(axis=1)
    return CellDiscs(np.where(radius >= CORE[0], radius, 0.0), contrast, ink)


GRID = 9
"""Points sampled along either side of a cell."""
REACH = 0.4
"""Sampled extent from the centre of a cell, inside its lines, in cell widths."""
BLOT = 15.0
"""Lab: glow behind a board differs by up to 12 from its ground; a notification in the dark by 16 and more."""
FULL = 0.9
"""Share of a cell's points: notifications cover more, pipes, letters and symbols less."""
PIPE = 0.08
"""Share of a cell's points that have the colour of a dot where a pipe or a touch lies in a tinted cell."""
BESIDE = 1.5
"""Cell widths to the centres of neighbouring cells, whose glow differs little."""
MOST = 0.25
"""Share of empty cells: if more differ from the ground, they are played, tinted or of another game."""


class Covered(Struct, frozen=True, eq=False):
    """Covered cells.

    ``places``: (row, column) of covered places on a lattice, with or without a cell. ``cells``: the
    numbers of the cells among them and of others that are covered. ``outlines_px``: of all of them.
    """

    places: tuple[tuple[int, int], ...] = ()
    cells: frozenset[int] = frozenset()
    outlines_px: tuple[Floats, ...] = ()

    def __len__(self) -> int:
        """Their number."""
        return len(self.outlines_px)


def covered_cells(geometry: BoardGeometry, dots: Dots, settings: Settings) -> Covered:
    """Return the covered cells of a board: another colour without lines, or full of one colour."""
    board, lattice = geometry.board, geometry.board.lattice
    frame = draft_of_dots(geometry, dots).frame
    places = set(covered_places(geometry, frame, settings))
    number = lattice.numbers if lattice else {}
    blots = _blotted(geometry, dots)
    cells = {number[place] for place in places if place in number} | blots
    places |= {lattice.places[n] for n in blots} if lattice else set()
    outlines = [geometry.fit.frame.to_px(board.layout.cells[n].outline) for n in sorted(cells)]
    for r, c in sorted(places - set(number)):
        outlines.append(frame.to_px([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)]))
    return Covered(tuple(sorted(places)), frozenset(cells), tuple(outlines))


def covered_places(geometry: BoardGeometry, frame: Frame, settings: Settings) -> list[Place]:
    """Return the covered places of a lattice of squares: no lines, and not the ground's colour."""
    lattice = geometry.board.squares
    if lattice is None:
        return []
    places = np.argwhere(np.ones((lattice.rows, lattice.cols), bool))
    seen = sample(geometry.fit.view, frame, (places[:, ::-1] + 0.5).astype(np.float64), TINT_CORNERS)
    colour = lab_of(np.median(seen.astype(np.float64), axis=1).astype(np.uint8))
    away = colour_distance(colour, np.median(colour, axis=0))
    is_hidden = _lacks_lines(geometry, settings) & (away >= settings.reading.covered).reshape(
        lattice.rows, lattice.cols
    )
    return [(int(row), int(col)) for row, col in np.argwhere(is_hidden).tolist()]


def _lacks_lines(geometry: BoardGeometry, settings: Settings) -> NDArray[np.bool_]:
    assert geometry.board.lattice is not None
    lacks = np.ones((geometry.board.lattice.rows, geometry.board.lattice.cols), bool)
    lacks[tuple(np.transpose(geometry.board.lattice.places))] = False
    if isinstance(geometry.fit, GridFit):  # only these measure how much of each side is seen
        cover = geometry.fit.cover
        vertical, horizontal = (
            ~(one < settings.grid.side_cover) for one in (cover.vertical, cover.horizontal)
        )
        lines = vertical[:, :-1].astype(int) + vertical[:, 1:] + horizontal[:-1] + horizontal[1:]
        lacks |= lines <= 2
    return lacks


def _blotted(geometry: BoardGeometry, dots: Dots) -> set[int]:
    held = {dot.cell for dot in dots.dots}
    empty = np.array([n for n in range(len(geometry.board.layout.cells)) if n not in held])
    if len(empty) < 4:
        return set()
    centres = np.array([geometry.board.layout.cells[n].centre for n in empty])
    widths = cell_widths(geometry.shapes[empty])
    steps = np.linspace(-REACH, REACH, GRID)
    offsets = widths * np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    lab = lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, offsets))
    ground = np.median(lab.reshape(-1, 3), axis=0)
    share = (np.linalg.norm(lab - ground, axis=2) >= BLOT).mean(axis=1)
    if np.count_nonzero(share >= 1 / GRID) > max(1, MOST * len(empty)):
        return set()
    away = np.linalg.norm(centres[:, None] - centres, axis=2)
    of_dots = np.array([dot.lab for dot in dots.dots]).reshape(-1, 3)
    nearest = np.linalg.norm(lab[:, :, None] - of_dots, axis=3).min(axis=2, initial=np.inf)
    is_played = (nearest < SAME_COLOUR).mean(axis=1) >= PIPE
    is_full, colour = (share >= FULL) & ~is_played, np.median(lab, axis=1)
    is_beside = (away <= BESIDE * np.median(widths)) & ~is_full
    found = set[int]()
    for n in np.flatnonzero(is_full).tolist():
        steps_away = np.linalg.norm(colour[is_beside[n]] - colour[n], axis=1)
        if len(steps_away) and float(np.median(steps_away)) >= BLOT:
            found.add(int(empty[n]))
    return found
