"""Attempts as vector drawings over the one picture of a page: next to nothing to make, and to send."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flowvision.debug.attempts import Attempt
from flowvision.debug.canvas import Floats, box_round
from flowvision.vision.kinds.fit import Fit

MOST_LINES = 1_500
"""Cells that are drawn one by one; a board has fewer, a photograph more."""


def svg_of(attempt: Attempt, title: str) -> str:
    """The part of the picture that a fit explains with its cells and the dots found on it.

    The page holds the picture itself once, by the id ``shot``.
    """
    assert attempt.fit is not None
    path, points = _path_of(attempt.fit)
    (x0, y0), (x1, y1) = box_round(points)[:2], box_round(points)[2:]
    dots = attempt.trail.dots.dots if attempt.trail.dots else ()
    circles = "".join(
        f"<circle cx='{dot.centre_px[0]:.0f}' cy='{dot.centre_px[1]:.0f}' r='{dot.radius_px:.0f}'/>"
        for dot in dots
    )
    return (
        f"<svg class='fit' viewBox='{x0:.0f} {y0:.0f} {x1 - x0:.0f} {y1 - y0:.0f}' role='img' "
        f"aria-label='{title}'><use href='#shot'/><path d='{path}'/>{circles}</svg>"
    )


def _path_of(fit: Fit) -> tuple[str, Floats]:
    """The lines of the cells as an SVG path in picture pixels, and points on their rim."""
    lines = fit.debug_shape().seen
    if not lines:
        corners = fit.view.to_picture @ [[0, fit.view.size[0]], [0, fit.view.size[1]], [1, 1]]
        return "", corners[:2].T
    return _path(lines[:MOST_LINES]), np.concatenate(lines)


def _path(lines: Iterable[Floats]) -> str:
    return "".join("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in line.tolist()) for line in lines)
