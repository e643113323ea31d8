"""Measurements of dots: the groups of their colours, and the size of the disc in every cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flowvision.corrections.draft import SAME_COLOUR
from flowvision.image.picture import Rgb
from flowvision.palette import colour_name
from flowvision.value import value_type
from flowvision.vision.dots.detection import Dots, radial_profile
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, lab_of
from flowvision.vision.settings import DotSettings


@value_type
class ColourGroup:
    """The dots (by their numbers) of one colour, and what that is called."""

    name: str
    dots: tuple[int, ...]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.dots)


def colour_groups(marks: Dots) -> tuple[ColourGroup, ...]:
    """All dots by colour, in the order of their first dots; shades of one name are told apart by number."""
    if not marks.dots:
        return ()
    lab = np.array([dot.lab for dot in marks.dots])
    near = np.linalg.norm(lab[:, None] - lab, axis=2) < SAME_COLOUR
    label = np.arange(len(lab))
    for n in range(len(lab)):
        for other in np.flatnonzero(near[n]).tolist():
            label[label == label[other]] = label[n]
    found = [
        ColourGroup(_said(marks.dots[members[0]].rgb), tuple(members))
        for members in (np.flatnonzero(label == one).tolist() for one in dict.fromkeys(label.tolist()))
    ]
    count, seen, named = Counter(group.name for group in found), Counter[str](), []
    for group in found:
        seen[group.name] += 1
        is_shade = count[group.name] > 1 and seen[group.name] > 1
        named.append(replace(group, name=f"another {group.name}") if is_shade else group)
    return tuple(named)


def _said(rgb: Rgb) -> str:
    """The name of a colour; the game's grey is bluish, and called blue by many."""
    name, (red, green, blue) = colour_name(rgb), map(int, rgb)
    return "blue-grey" if name == "grey" and blue - max(red, green) >= BLUISH else name


def counts_in_words(groups: Sequence[ColourGroup]) -> str:
    """How many dots there are of each colour, such as ``3 yellow, 1 green``."""
    ranked = sorted(groups, key=len, reverse=True)
    return ", ".join(f"{len(group)} {group.name}" for group in ranked)


BLUISH = 15
"""Brightness: blue above red and green, from which a grey looks blue."""
RADII = np.arange(0.05, 0.5, 0.025)
"""Radii at which cells are looked at, in widths of a narrow cell."""
CORE = (0.1, 0.2)
"""Radii between which a disc has its colour, clear of a letter in its middle, in the same unit."""
EDGE = 0.44
"""Radius from which on it is no disc any more, but the cell itself, in the same unit."""
INK_REACH = 0.36
"""How far letters and digits reach from the middle, in the same unit."""
EVEN = 0.75
"""Share of a ring that has the colour of the disc."""


@value_type(eq=False)
class CellDiscs:
    """The disc in the middle of every cell.

    ``radius``: of the disc there, in widths of a narrow cell; 0 where there is none. ``contrast``: how far
    its colour is from that of the rest of the cell (Lab). ``ink``: the share of the middle that is not of
    the colour of the cell.
    """

    radius: Floats
    contrast: Floats
    ink: Floats

    def cells(self, settings: DotSettings) -> NDArray[np.intp]:
        """The cells with a disc that stands out and ends inside the cell."""
        is_disc = (self.radius >= CORE[1]) & (self.radius < EDGE) & (self.contrast >= settings.contrast)
        return np.flatnonzero(is_disc)


def cell_discs(sides: BoardGeometry, settings: DotSettings) -> CellDiscs:
    """The discs in the middles of the cells of a board."""
    seen = lab_of(radial_profile(sides, RADII))
    count = len(seen)
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
