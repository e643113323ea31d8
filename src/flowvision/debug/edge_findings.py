"""What may be wrong at the edges of the picture: the board runs out of it, straight or tilted."""

from __future__ import annotations

import numpy as np

from flowvision.debug.colour_groups import listed
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.marks import Mark
from flowvision.solvers import Unsolvable
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.kinds.circles.fit import CircleFit
from flowvision.vision.kinds.free.fit import CellFit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.pixels.view import Floats

CUT_GAP, CUT_EXCESS = 0.95, 0.5
"""Of the pitch: a board this near to one edge of the picture, and further by that from the edge opposite."""
FLUSH = 0.1
"""Of the pitch: the gap of a board with as many rows as columns, which may well be cut by chance."""
STRIP = 0.1
"""Of the pitch: a strip of a row that is wider is worth a word."""
SIDES = ("left", "top", "right", "bottom")
TILTED_DEGREES = 4.0
"""Boards that lie straighter are read as lattices."""
SQUARE = 0.5
"""0 to 1: how well the sides of all cells agree on one tilt; those of shapes of any kind do not."""
BESIDE = 1.2
"""Of the pitch: whole cells end so near to the edge where the next ones run out of the picture."""
BORDER_PX = 4
"""Of the view: lines that reach this strip run out of the picture."""
RUNS = 2
"""Lines that must run out of a side: one may be anything."""
AGAIN = "Take the screenshot again with the whole board on it."


def is_cut(seen: Seen) -> Finding | None:
    """The board ends where the picture ends, on one side only."""
    fit = seen.scene.trail.fit
    if not isinstance(fit, GridFit | CircleFit) or seen.options.crop is not None:
        return None
    height, width = seen.scene.shot.bgr.shape[:2]
    corners: Floats = fit.outline_px()
    low, high = corners.min(axis=0), corners.max(axis=0)
    gaps = np.concatenate((low, (width, height) - high)) / fit.pitch_px
    for n, other in ((0, 2), (2, 0), (1, 3), (3, 1)):
        unequal = fit.rows != fit.cols
        if (
            gaps[n] < (CUT_GAP if unequal else FLUSH)
            and gaps[other] > gaps[n] + CUT_EXCESS
            and (unequal or n % 2)
        ):
            line = "row" if n % 2 else "column"
            strip = f"Of the next {line} only a strip can be seen. " if gaps[n] > STRIP else ""
            return Finding(
                "01-board.png",
                f"The board is cut off at the {SIDES[n]} edge of the picture: only {fit.rows} rows "
                f"and {fit.cols} "
                "columns can be seen.",
                f"{strip}Cells and dots beyond the edge are missing.",
                then=AGAIN,
                detail=f"From the last whole {line} to the edge: {max(0.0, gaps[n]):.2f} of a cell.",
                marks=(_edge_mark(SIDES[n], width, height),),
            )
    return None


def is_tilted_out(seen: Seen) -> Finding | None:
    """The board is tilted, and runs out of the picture."""
    fit, region = seen.scene.trail.fit, seen.scene.trail.region
    is_believed = seen.scene.trail.reading is not None and not isinstance(
        seen.scene.trail.outcome, Unsolvable
    )
    if not isinstance(fit, CellFit) or region is None or is_believed:
        return None
    outlines = [fit.frame.to_px(outline) for outline in fit.outlines]
    degrees, agreement = tilt_of(outlines)
    sides = _run_out(seen, np.concatenate(outlines), region)
    if abs(degrees) < TILTED_DEGREES or agreement < SQUARE or not sides:
        return None
    height, width = seen.scene.shot.bgr.shape[:2]
    return Finding(
        "03-grid.png",
        f"The board is tilted by {abs(degrees):.0f} degrees and runs out of the picture at the "
        f"{listed(sides)} edge{'s' if len(sides) > 1 else ''}.",
        f"Of the cells {fit.cells} lie whole on it; those at the edges are cut, and their dots are missing.",
        then="Take the screenshot again, upright and with the whole board on it.",
        detail=f"Agreement of the sides of all cells on that tilt: {agreement:.2f} of 1.",
        marks=(
            *(_edge_mark(side, width, height) for side in sides),
            *(Mark.of("cell", outline) for outline in outlines),
        ),
    )


def tilt_of(outlines: list[Floats]) -> tuple[float, float]:
    """The tilt of squares in degrees (-45 to 45), and how well all their sides agree on it (0 to 1).

    ``outlines``: (N, 2) each, in pixels. The mean direction of angles that repeat every quarter turn, each
    weighted by the length of its side (Mardia and Jupp, Directional Statistics, 2000).
    """
    steps = np.concatenate([np.roll(outline, -1, axis=0) - outline for outline in outlines])
    length = np.linalg.norm(steps, axis=1)
    mean = np.sum(length * np.exp(4j * np.arctan2(steps[:, 1], steps[:, 0]))) / length.sum()
    return float(np.degrees(np.angle(mean)) / 4), float(abs(mean))


def _run_out(seen: Seen, corners_px: Floats, region: BoardRegion) -> list[str]:
    """The sides of the picture where the board's lines reach the edge."""
    height, width = seen.scene.shot.bgr.shape[:2]
    assert seen.scene.trail.fit is not None
    pitch = seen.scene.trail.fit.pitch_px
    low, high = corners_px.min(axis=0), corners_px.max(axis=0)
    gaps = np.concatenate((low, (width, height) - high)) / pitch
    lines, scale = np.asarray(region.evidence.lines > 0), float(region.evidence.to_picture[0, 0])
    near, far = slice(None, BORDER_PX), slice(-BORDER_PX, None)
    strips = (lines[:, near], lines[near].T, lines[:, far], lines[far].T)
    found = []
    for n, strip in enumerate(strips):
        along = 1 - n % 2
        first, last = ((low[along] - pitch) / scale, (high[along] + pitch) / scale)
        part = strip[max(0, round(first)) : max(0, round(last))].any(axis=1).astype(np.int8)
        runs = int(np.count_nonzero(np.diff(part, prepend=0) == 1))
        if gaps[n] < BESIDE and runs >= RUNS:
            found.append(SIDES[n])
    return found


def _edge_mark(side: str, width: int, height: int) -> Mark:
    ends = {
        "left": [(0, 0), (0, height)],
        "top": [(0, 0), (width, 0)],
        "right": [(width, 0), (width, height)],
        "bottom": [(0, height), (width, height)],
    }[side]
    return Mark.of("line", np.array(ends), "cut here")
