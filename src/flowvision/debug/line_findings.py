"""What may be wrong with the picture, the crop and the lattice."""

from __future__ import annotations

import numpy as np

from flowvision.debug.attempts import attempts_of
from flowvision.debug.choice import FEWEST_DOTS
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.panels import grid_corners
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.grid.lattice import upright_grids
from flowvision.vision.pixels.view import Floats
from flowvision.vision.special.fits import CellFit, CircleFit

PLAIN = 8.0
"""Brightness: a picture that varies by less shows next to nothing."""
CUT_GAP, CUT_EXCESS = 0.95, 0.5
"""Of the pitch: a board this near to one edge of the picture, and further by that from the edge opposite."""
SHARDS = 0.5
"""Sides of the cells of one board are more alike than this."""
SIDES = ("left", "top", "right", "bottom")


def shows_nothing(seen: Seen) -> Finding | None:
    """The picture is of one colour."""
    spread = float(seen.scene.shot.bgr[::4, ::4].std())
    if spread >= PLAIN:
        return None
    return Finding(
        "00-input.png", f"The picture shows next to nothing: its brightness varies by {spread:.0f} of 255."
    )


def has_no_contour(seen: Seen) -> Finding | None:
    """No group of lines is large enough."""
    evidence, settings = seen.error.evidence, seen.scene.settings
    if seen.scene.trail.region is not None:
        return None
    lines = getattr(evidence, "lines", None)
    share = (
        ""
        if lines is None
        else f", {np.count_nonzero(lines) / lines.size:.1%} of its pixels lie on thin lines"
    )
    return Finding(
        "01-board.png",
        f"No board here: no group of thin lines is {settings.board.size:.0%} of the picture's width or "
        f"more{share}.",
        "Mostly a menu, another game, a photograph, or a board drawn without lines.",
        "--crop X,Y,WIDTH,HEIGHT",
        "board.size",
    )


def has_no_lattice(seen: Seen) -> Finding | None:
    """There are lines, but nothing explains them."""
    if seen.scene.trail.fit is not None or seen.scene.trail.region is None:
        return None
    if seen.options.grid:
        rows, cols = seen.options.grid
        seen_sizes = _sizes_seen(seen)
        return Finding(
            "03-grid.png",
            f"No board of {rows} rows and {cols} columns here{seen_sizes[0]}.",
            "The size that was given is not that of the board.",
            seen_sizes[1],
            "grid.score",
        )
    return Finding(
        "03-grid.png",
        "No board here: there are lines, but no lattice of rows and columns that frames cells, and no "
        "cells of "
        "another shape.",
        "Mostly a menu, a photograph, text, or another game.",
        "--grid COLSxROWS",
        "grid.score",
    )


def _sizes_seen(seen: Seen) -> tuple[str, str]:
    region = seen.scene.trail.region
    best = next(upright_grids(region, seen.scene.settings), None) if region else None
    if best is None or (best.rows, best.cols) == seen.options.grid:
        return "", ""
    return f"; the lines show {best.rows} rows and {best.cols} columns", f"--grid {best.cols}x{best.rows}"


def is_of_another_size(seen: Seen) -> Finding | None:
    """The size that was given is not the one that is seen."""
    fit = seen.scene.trail.fit
    if seen.options.grid is None or not isinstance(fit, GridFit) or not fit.given:
        return None
    words, option = _sizes_seen(seen)
    if not option:
        return None
    says = f"The size given does not fit: {fit.rows} rows and {fit.cols} columns were asked for{words}."
    return Finding(
        "03-grid.png",
        says,
        "With a wrong size cells lie across the lines of the board: compare green with yellow and blue.",
        option,
    )


def are_shards(seen: Seen) -> Finding | None:
    """Cells of any shape, but no board's."""
    fit = seen.scene.trail.fit
    if not isinstance(fit, CellFit) or fit.quality >= SHARDS:
        return None
    return Finding(
        "03-grid.png",
        f"No board here: {fit.cells} shapes between lines, too unlike one another to be the cells of a board "
        f"({fit.quality:.2f}, where boards have {SHARDS:g} and more).",
        "Mostly a photograph, a wallpaper, a menu or another game.",
        "--grid COLSxROWS",
    )


def is_cut(seen: Seen) -> Finding | None:
    """The board ends where the picture ends, on one side only."""
    fit = seen.scene.trail.fit
    if not isinstance(fit, GridFit | CircleFit) or seen.options.crop is not None:
        return None
    height, width = seen.scene.shot.bgr.shape[:2]
    corners: Floats = grid_corners(fit)
    low, high = corners.min(axis=0), corners.max(axis=0)
    gaps = np.concatenate((low, (width, height) - high)) / fit.pitch_px
    for n, other in ((0, 2), (2, 0), (1, 3), (3, 1)):
        unequal = fit.rows != fit.cols
        if (
            gaps[n] < (CUT_GAP if unequal else 0.1)
            and gaps[other] > gaps[n] + CUT_EXCESS
            and (unequal or n % 2)
        ):
            return Finding(
                "01-board.png",
                f"The board runs into the {SIDES[n]} edge of the picture: {fit.rows} rows and {fit.cols} "
                "columns "
                f"are left of it, and {max(0.0, gaps[n]):.1f} of a cell to the edge.",
                "The picture seems to be cut: cells and dots beyond its edge are missing.",
            )
    return None


def runs_on(seen: Seen) -> Finding | None:
    """Lines go on beyond the lattice."""
    fit = seen.scene.trail.fit
    if not isinstance(fit, GridFit) or fit.closed:
        return None
    return Finding(
        "03-grid.png",
        f"The lattice of {fit.rows} rows and {fit.cols} columns does not end where its lines end: they go "
        "on.",
        "Part of the board is hidden, or something covers its rim.",
        "--grid COLSxROWS",
    )


def are_two_boards(seen: Seen) -> Finding | None:
    """Two lattices with dots lie apart."""
    boxes: list[tuple[Floats, Floats, str]] = []
    for one in attempts_of(seen.regions):
        if not isinstance(one.fit, GridFit | CircleFit) or one.dots < FEWEST_DOTS:
            continue
        corners = grid_corners(one.fit)
        low, high = corners.min(axis=0), corners.max(axis=0)
        words = f"{one.fit.rows} × {one.fit.cols} at {low[0]:.0f}, {low[1]:.0f}"
        for other_low, other_high, other in boxes:
            if (high < other_low).any() or (other_high < low).any():
                box = np.concatenate((np.maximum(low, 0), high - low)).round().astype(int).tolist()
                return Finding(
                    "01-board.png",
                    f"Two boards were seen, apart from each other: {other} and {words}.",
                    "Only one is read at a time: cut one of them out.",
                    "--crop " + ",".join(map(str, box)),
                )
        boxes.append((low, high, words))
    return None
