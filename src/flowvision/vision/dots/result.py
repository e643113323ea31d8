"""What each stage of seeing finds, frozen, with the numeric evidence for it. No drawings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from flowvision.image.picture import Rgb
from flowvision.vision.pixels.view import Floats

ON_LATTICE = 0.2
"""Of the pitch: how far from the middles of cells the dots of one board lie at most."""
ALIKE_SIZE = 0.12
"""Of the radius: dots of one board differ by less."""


@dataclass(frozen=True, slots=True)
class DotModel:
    """What the dots of a board look like, and which cells may hold one.

    ``ring``: the radius of the annulus whose colour a dot fills evenly, in widths of a narrow cell: inside
    every dot, and clear of letters and pipes. ``background``: where the colour round a dot is sampled: on a
    wider ``ring``, outside any dot of the game, or in the ``corners`` of the cell, where dots may reach to
    its sides. ``known``: cells that were seen to hold a dot by other means. ``known_only``: no other cell
    does.
    """

    name: str
    ring: float
    background: Literal["ring", "corners"] = "ring"
    known: frozenset[int] = frozenset()
    known_only: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot: its cell, where it is, and its colour in CIE Lab (L 0–100)."""

    cell: int
    centre_px: tuple[float, float]
    radius_px: float
    lab: tuple[float, float, float]
    rgb: Rgb


@dataclass(frozen=True, slots=True, eq=False)
class DotEvidence:
    """Per cell: how far the dot ring's colour is from the corners' (Lab units), and how even it is.

    ``faces()`` (dots, n, n): how much brighter or darker than its dot each pixel in a dot's middle is; looked
    at only where colours are close.
    """

    contrast: Floats
    cover: Floats
    faces: Callable[[], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Dots:
    """The dots seen."""

    dots: tuple[Dot, ...]
    evidence: DotEvidence


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which dots belong together: pairs of dot numbers, and a colour per pair."""

    pairs: tuple[tuple[int, int], ...]
    palette: tuple[Rgb, ...]
    margin: float
    """Closest wrong match minus furthest right match, in Lab units."""
    certified: bool
    """The pairing is provably the k-means optimum: no clustering was needed."""
    margins: tuple[float, ...] = ()
    """The same for every dot by itself."""
    lettered: bool = False
    """Letters in the dots had a say, as colours alone were too close."""
