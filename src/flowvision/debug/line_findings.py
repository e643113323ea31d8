"""What may be wrong with the lattice: another size than was given, two of them, an open end."""

from __future__ import annotations

import numpy as np

from flowvision.debug.attempts import attempts_of
from flowvision.debug.choice import FEWEST_DOTS
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.marks import Mark
from flowvision.vision.kinds.circles.fit import CircleFit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.lattice import upright_grids
from flowvision.vision.pixels.view import Floats

COMPARE_SIZE = "Give the size that the lines show, columns first, or none:"


def has_no_such_lattice(seen: Seen) -> Finding | None:
    """No lattice of the size that was given fits."""
    if seen.scene.trail.fit is not None or seen.scene.trail.region is None or not seen.options.rows_and_cols:
        return None
    rows, cols = seen.options.rows_and_cols
    words, option = _sizes_seen(seen)
    return Finding(
        "03-grid.png",
        f"The size given is wrong: there is no board of {cols} columns and {rows} rows here{words}.",
        "" if option else "How large it is instead is not known.",
        option,
        "grid.score",
        then=COMPARE_SIZE,
        marks=_lattice_mark(seen),
    )


def _sizes_seen(seen: Seen) -> tuple[str, str]:
    region = seen.scene.trail.region
    best = next(upright_grids(region, seen.scene.settings), None) if region else None
    if best is None or (best.rows, best.cols) == seen.options.rows_and_cols:
        return "", ""
    return f"; the lines show {best.cols} columns and {best.rows} rows", f"--grid {best.cols}x{best.rows}"


def is_of_another_size(seen: Seen) -> Finding | None:
    """The size that was given is not the one that is seen."""
    fit = seen.scene.trail.fit
    if seen.options.grid is None or not isinstance(fit, GridFit) or not fit.given:
        return None
    words, option = _sizes_seen(seen)
    if not option:
        return None
    return Finding(
        "03-grid.png",
        f"The size given is wrong: {fit.cols} columns and {fit.rows} rows were asked for{words}.",
        "With a wrong size cells lie across the lines of the board, and dots are lost.",
        option,
        then=COMPARE_SIZE,
        marks=_lattice_mark(seen),
    )


def _lattice_mark(seen: Seen) -> tuple[Mark, ...]:
    """The lattice that the lines show."""
    region = seen.scene.trail.region
    best = next(upright_grids(region, seen.scene.settings), None) if region else None
    return (Mark.of("box", best.outline_px(), f"{best.cols} columns, {best.rows} rows"),) if best else ()


def runs_on(seen: Seen) -> Finding | None:
    """Lines go on beyond the lattice."""
    fit = seen.scene.trail.fit
    if not isinstance(fit, GridFit) or fit.closed:
        return None
    return Finding(
        "03-grid.png",
        f"The lines go on beyond the {fit.cols} columns and {fit.rows} rows that were seen whole.",
        "Part of the board is hidden or faint at its rim.",
        "--grid COLSxROWS",
        then="Count columns and rows on the screen, and say how many there are:",
        marks=(Mark.of("box", fit.outline_px(), "seen whole"),),
    )


def are_two_boards(seen: Seen) -> Finding | None:
    """Two lattices with dots lie apart."""
    boxes: list[tuple[Floats, Floats, str, GridFit | CircleFit]] = []
    for one in attempts_of(seen.regions):
        if not isinstance(one.fit, GridFit | CircleFit) or one.dots < FEWEST_DOTS:
            continue
        corners = one.fit.outline_px()
        low, high = corners.min(axis=0), corners.max(axis=0)
        words = f"{one.fit.cols} × {one.fit.rows} cells at {low[0]:.0f}, {low[1]:.0f} pixels"
        for other_low, other_high, other, fit in boxes:
            if (high < other_low).any() or (other_high < low).any():
                box = np.concatenate((np.maximum(low, 0), high - low)).round().astype(int).tolist()
                return Finding(
                    "01-board.png",
                    f"Two boards are on the picture: {other} and {words}.",
                    "Only one is read at a time.",
                    "--crop " + ",".join(map(str, box)),
                    then="Cut one of them out; this takes the second:",
                    marks=(
                        Mark.of("box", fit.outline_px(), "first board"),
                        Mark.of("box", corners, "second board"),
                    ),
                )
        boxes.append((low, high, words, one.fit))
    return None
