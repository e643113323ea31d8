"""What may be wrong with the colours of the dots, and the pairs that they make."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.debug.finding import Finding, Seen
from flowvision.puzzle.check import position_name
from flowvision.vision.dots.result import Dots
from flowvision.vision.pixels.view import Floats

ALIKE = 10.0
"""Lab: dots of one colour are nearer to one another, also in compressed pictures."""
ALONE = 20.0
"""Lab: a dot without any other this near has no partner."""
SOME_CELLS = 4


def are_too_many(seen: Seen) -> Finding | None:
    """A colour has more than two dots."""
    marks = seen.scene.trail.dots
    if marks is None or len(marks.dots) < SOME_CELLS or seen.scene.trail.reading is not None:
        return None
    _, crowd = nearest_colours(marks)
    most = int(crowd.max())
    if most <= 2:
        return None
    return Finding(
        "04-marks.png" if len(marks.dots) % 2 else "05-clusters.png",
        f"{most} of {len(marks.dots)} dots have the same colour; on a board every colour has exactly two.",
        "Another game with pieces of a few colours, a board played so far that pipes look like dots, or a "
        "picture "
        "without colours.",
        "",
        "pairing.margin",
    )


def is_odd_couple(seen: Seen) -> Finding | None:
    """Two dots were paired for lack of others: the partners of both are missing."""
    trail = seen.scene.trail
    if trail.dots is None or trail.pairing is None or len(trail.pairing.pairs) < 2:
        return None
    lab = np.array([dot.lab for dot in trail.dots.dots])
    first, second = np.transpose(trail.pairing.pairs)
    apart = np.linalg.norm(lab[first] - lab[second], axis=1)
    worst = int(apart.argmax())
    if apart[worst] < ALONE or apart[worst] < 3 * float(np.delete(apart, worst).max()) + 5:
        return None
    a, b = (position_of(seen, trail.dots.dots[n].cell) for n in trail.pairing.pairs[worst])
    return Finding(
        "05-clusters.png",
        f"The dots in {a} and {b} were paired only because no others were left: their colours differ by "
        f"{apart[worst]:.0f} (Lab), those of any other pair by {np.delete(apart, worst).max():.0f} at most.",
        "The partner of each is hidden, cut off, or was missed.",
        "",
        "pairing.margin",
        float(trail.pairing.margin),
    )


def are_alike(seen: Seen) -> Finding | None:
    """Two pairs are nearly of one colour."""
    pairing, settings = seen.scene.trail.pairing or seen.error.evidence, seen.scene.settings
    margin = getattr(pairing, "margin", None)
    if margin is None or margin >= settings.pairing.margin:
        return None
    return Finding(
        "05-clusters.png",
        f"The colours do not say which dots belong together: the closest call has a margin of {margin:.1f} "
        "(Lab), "
        f"{settings.pairing.margin:g} wanted.",
        "Night shift, a filter, strong compression, or dots that are none.",
        "",
        "pairing.margin",
        margin,
    )


def nearest_colours(marks: Dots) -> tuple[Floats, NDArray[np.intp]]:
    """Per dot: how far the nearest other colour is (Lab), and how many dots have its colour."""
    lab = np.array([dot.lab for dot in marks.dots])
    apart = np.linalg.norm(lab[:, None] - lab, axis=2)
    crowd = (apart < ALIKE).sum(axis=1)
    return np.asarray((apart + np.diag(np.full(len(apart), np.inf))).min(axis=1)), crowd


def position_of(seen: Seen, cell: int) -> str:
    """Where a cell of the board is, for people."""
    return position_name(cell, seen.scene.sides.board)
