"""The dots, what they look like, and which belong together: frozen results with their numeric evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from flowvision.image.picture import Rgb
from flowvision.value import value_type
from flowvision.vision.pixels.view import Floats


@value_type
class DotModel:
    """What the dots of a board look like, and which cells may hold one.

    ``ring``: the radius of the annulus that a dot fills with one colour, in widths of a narrow cell: inside
    every dot, and clear of letters and pipes. ``background``: where the colour round a dot is sampled: on a
    wider ``ring``, outside any dot of the game, or in the ``corners`` of the cell, where dots may reach its
    sides. ``known``: cells that were seen to hold a dot by other means. ``known_only``: no other cell holds
    one.
    """

    name: str
    ring: float
    background: Literal["ring", "corners"] = "ring"
    known: frozenset[int] = frozenset()
    known_only: bool = False


@value_type
class Dot:
    """A dot: its cell, where it is, and its colour, also in CIE Lab (L 0–100)."""

    cell: int
    centre_px: tuple[float, float]
    radius_px: float
    lab: tuple[float, float, float]
    rgb: Rgb


@value_type(eq=False)
class DotEvidence:
    """What was seen in every cell, with a dot or without.

    ``contrast`` (cells,): Lab distance of the annulus from the background. ``cover`` (cells,): the share of
    the annulus that has its colour, 0 to 1. ``faces()`` (dots, n, n): how much brighter or darker than its
    dot each pixel in the middle of a dot is; sampled when called, for only close colours need it.
    """

    contrast: Floats
    cover: Floats
    faces: Callable[[], Floats]


@value_type(eq=False)
class Dots:
    """The dots seen."""

    dots: tuple[Dot, ...]
    evidence: DotEvidence


@value_type
class Pairing:
    """Which dots belong together: pairs of dot numbers, and a colour per pair."""

    pairs: tuple[tuple[int, int], ...]
    palette: tuple[Rgb, ...]
    margin: float
    """The smallest of ``margins``, in Lab units."""
    certified: bool
    """The pairing is provably the k-means optimum: no clustering was needed."""
    margins: tuple[float, ...] = ()
    """Per dot, how much further the nearest dot of another pair is than its partner, in Lab units."""
    lettered: bool = False
    """Letters in the dots had a say, as colours alone were too close."""
    told: tuple[int, ...] = ()
    """Dots whose partners the solution told, as their colours did not; their margins are to other dots."""
