"""Doubts about a board's extent: cut off, another size or part than given, two boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from msgspec.structs import replace

from flowvision.advice import Option
from flowvision.diagnosis.dots import lone_facts, lone_marks
from flowvision.diagnosis.seen import SOME, Seen
from flowvision.image.picture import Frame
from flowvision.image.pixels import lies_in
from flowvision.reading.beyond import lines_go_on
from flowvision.reading.cut_off import GOES_ON, SIDES, CutLine, crossed_edges, cut_line, distances_to_edges
from flowvision.reading.doubt import Doubt, Mark, corners_of
from flowvision.reading.doubts import runs_on_doubt
from flowvision.reading.refused import (
    CROP_MARGIN,
    FEWEST_DOTS,
    SHARP_CELL_PX,
    crop_option,
    dots_on,
    grid_option,
)
from flowvision.reading.strategies import RegionCache
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import Floats

CUT_GAP, STRIP = 0.95, 0.1
"""Pitches between a cut board and the edge, if it does not cross it."""
FLUSH, OVER = 0.1, 0.15
"""Pitches over the edge from which on a row is cut."""
TOUCHING = 0.05
"""Pitches from an edge within which cells touch it."""
MAX_CUT = 2
"""Number of sides that a board may continue past; patterns continue past more."""
TWINS = 3
"""Number of colours that two boards share: the game's first ones are on every board."""


def is_outside(seen: Seen) -> Doubt | None:
    """Detect a given part that exceeds the picture."""
    if seen.options.crop is None or lies_in(seen.shot, seen.options.crop):
        return None
    width, height = seen.size_px
    return Doubt("wrong-crop", "decode", {"width": width, "height": height})


def is_of_another_size(seen: Seen) -> Doubt | None:
    """Detect a given size that differs from the one seen."""
    if not seen.options.grid or seen.region is None:
        return None
    if seen.fit is not None and not seen.fit.is_given:
        return None
    rows, cols = seen.options.rows_and_cols or (0, 0)
    is_seen = any(fit.size == (rows, cols) for fit in seen.fits if not fit.is_given)
    best = RegionCache(seen.region, seen.settings).best_upright
    if is_seen or (best is None and seen.fit is not None):
        return None
    facts = {"cols": cols, "rows": rows}
    if best is None:
        return Doubt("wrong-size", "grid", facts, threshold="grid.score")
    cut = _cut_at_edges(seen, best) if seen.options.crop is not None else _cut_short(seen, best)
    if cut is not None:
        return cut
    facts |= {"lines_cols": best.cols, "lines_rows": best.rows}
    mark = Mark.of("box", best.outline_px(), f"{best.cols} columns, {best.rows} rows")
    advice = (Option("grid", grid_option(best)),) if best.pitch_px >= SHARP_CELL_PX else ()
    return Doubt("wrong-size", "grid", facts, (mark,), advice, threshold="grid.score")


def runs_on(seen: Seen) -> Doubt | None:
    """Detect lines that continue beyond the lattice."""
    fit = seen.fit
    if fit is None or fit.size is None or not fit.is_open:
        return None
    return runs_on_doubt(fit, *fit.size)


def are_two_boards(seen: Seen) -> Doubt | None:
    """Detect two separate lattices with dots."""
    boxes: list[tuple[Floats, Floats, Fit]] = []
    for fit, dots in dots_on(seen.steps).items():
        if fit.size is None or len(dots.dots) < FEWEST_DOTS or fit.is_given:
            continue
        corners = fit.outline_px()
        low, high = corners.min(axis=0), corners.max(axis=0)
        for other_low, other_high, other in boxes:
            is_apart = (high < other_low).any() or (other_high < low).any()
            if is_apart and not _runs_over(seen, fit, other) and not _runs_over(seen, other, fit):
                return _two(seen, other, fit)
        boxes.append((low, high, fit))
    return None


def are_twins(seen: Seen) -> Doubt | None:
    """Detect two boards on one lattice: each half has two dots of every colour or none."""
    fit, dots = seen.fit, seen.dots
    lattice = dots.geometry.board.lattice if dots else None
    if fit is None or fit.size is None or not fit.is_lattice or dots is None or lattice is None:
        return None
    for axis, count in enumerate(fit.size):
        is_second = [2 * lattice.places[dot.cell][axis] >= count for dot in dots.dots]
        second = [sum(is_second[n] for n in group.dots) for group in seen.groups]
        ways = Counter((len(group) - there, there) for group, there in zip(seen.groups, second, strict=True))
        if count % 2 == 0 and set(ways) <= {(2, 2), (2, 0), (0, 2)} and ways[2, 2] >= TWINS:
            return _two(seen, *_halves(fit, axis), is_split=True)
    return None


def _halves(fit: Fit, axis: int) -> tuple[Fit, Fit]:
    assert fit.size is not None
    half, shift = fit.size[axis] // 2, np.eye(3)
    shift[1 - axis, 2] = half
    part = replace(cast(Any, fit), **{("rows", "cols")[axis]: half})
    return part, part.placed(Frame.of_homography(fit.frame.homography @ shift))


def _runs_over(seen: Seen, one: Fit, other: Fit) -> bool:
    away = other.outline_px().mean(axis=0) - one.outline_px().mean(axis=0)
    axis = int(np.abs(away).argmax())
    return lines_go_on(one, seen.shot, axis if away[axis] < 0 else axis + 2, 1.0) >= GOES_ON


def _two(seen: Seen, one: Fit, other: Fit, is_split: bool = False) -> Doubt:
    boxes = [np.array((fit.outline_px().min(axis=0), fit.outline_px().max(axis=0))) for fit in (one, other)]
    across = max((1, 0), key=lambda axis: abs(float((boxes[0] - boxes[1])[:, axis].mean())))
    fits = sorted((one, other), key=lambda fit: float(fit.outline_px()[:, across].min()))
    names = ("upper", "lower") if across else ("left", "right")
    corners = [fit.outline_px() for fit in fits]
    margin = 0.0 if is_split else CROP_MARGIN
    crops = [
        Option("crop", crop_option(fit.outline_px(), margin * fit.pitch_px, seen.size_px)) for fit in fits
    ]
    advice = [
        (crop, Option("grid", grid_option(fit))) if is_split else (crop,)
        for crop, fit in zip(crops, fits, strict=True)
    ]
    facts = {
        "first": cells_text(fits[0]),
        "second": cells_text(fits[1]),
        "first_name": names[0],
        "second_name": names[1],
        "first_crop": advice[0],
    }
    marks = tuple(
        Mark.of("box", corner, f"{name} board") for corner, name in zip(corners, names, strict=True)
    )
    return Doubt("two-boards", "board", facts, marks, advice[1])


def cells_text(fit: Fit) -> str:
    """Columns and rows, such as ``5 × 7``."""
    return f"{fit.size[1]} × {fit.size[0]}" if fit.size else ""


def is_cut(seen: Seen) -> Doubt | None:
    """Detect a board that continues past an edge of the picture, or of the given part."""
    if seen.dots is None or len(seen.dots.dots) < SOME:
        return None
    if seen.lattice is not None:
        return _cut_at_edges(seen, seen.lattice)
    # Lines of other things lead to the edges as well.
    is_board = seen.geometry.board.lattice is not None or seen.reading is not None
    return _cut_through(seen) if is_board else None


def _cut_through(seen: Seen) -> Doubt | None:
    (left, right), (top, bottom) = seen.geometry.fit.view.rims
    is_edge = dict(zip(SIDES, (left, top, right, bottom), strict=True))
    crossed = crossed_edges(seen.geometry, seen.settings.free_cells)
    sides = [side for side in crossed if is_edge[side]]
    # Whole cells that touch an edge are not cut by it.
    gaps = dict(zip(SIDES, distances_to_edges(seen.geometry.fit, seen.shot).ravel().tolist(), strict=True))
    sides = [side for side in sides if gaps[side] > TOUCHING] or sides
    return _cut(seen, sides, {}) if sides else None


def _cut_at_edges(seen: Seen, fit: Fit) -> Doubt | None:
    assert fit.size is not None
    (rows, cols), (low, high), corners = fit.size, _edges(seen), fit.outline_px()
    gaps = np.concatenate((corners.min(axis=0) - low, high - corners.max(axis=0))) / fit.pitch_px
    is_crop = seen.options.crop is not None
    found = []
    for side, gap in enumerate(gaps.tolist()):
        reach = 1.0 if is_crop else gap
        is_near = gap <= CUT_GAP and (is_crop or gap > STRIP)
        if gap < -OVER or (is_near and lines_go_on(fit, seen.shot, side, reach) >= GOES_ON):
            found.append(SIDES[side])
    if not found or (len(found) > MAX_CUT and not is_crop):
        return None
    left, top, right, bottom = (bool(gap < -FLUSH) for gap in gaps)
    return _cut(seen, found, {"rows": rows - top - bottom, "cols": cols - left - right})


def _cut(seen: Seen, sides: Sequence[str], facts: dict[str, Any]) -> Doubt:
    is_part = seen.options.crop is not None
    marks = tuple(edge_mark(side, corners_of(*_edges(seen))) for side in sides)
    facts = {"sides": list(sides), **facts}
    if not is_part:
        facts, marks = facts | lone_facts(seen), marks + lone_marks(seen)
    return Doubt("wrong-crop" if is_part else "cut-off", "board", facts, marks)


def _cut_short(seen: Seen, best: Fit) -> Doubt | None:
    assert best.size is not None
    assert seen.options.rows_and_cols is not None
    cut = cut_line(best, seen.shot)
    lacks = [given - found for given, found in zip(seen.options.rows_and_cols, best.size, strict=True)]
    if cut is None or min(lacks) < 0:
        return None
    sides = [side for side in cut.sides if lacks[1 - SIDES.index(side) % 2]]
    if {1 - SIDES.index(side) % 2 for side in sides} != {axis for axis in (0, 1) if lacks[axis]}:
        return None
    rows, cols = best.size
    facts = {"sides": sides, "rows": rows, "cols": cols, "given": seen.options.grid, "either": True}
    marks = (edge_mark(side, corners_of(*_edges(seen))) for side in sides)
    return Doubt("cut-off", "board", facts, tuple(marks))


def likely_cut(seen: Seen, cut: CutLine, doubt: Doubt) -> Doubt:
    """Return the doubt that the picture cuts off a row or column."""
    lone = {name: doubt.facts[name] for name in ("lone", "names") if doubt.facts.get("lone")}
    facts = {
        "sides": list(cut.sides),
        "rows": cut.rows,
        "cols": cut.cols,
        "likely": cut.likely,
        "either": True,
        **lone,
        "refuted": doubt.code == "no-solution",
    }
    marks = tuple(edge_mark(side, corners_of(*_edges(seen))) for side in cut.sides)
    return Doubt("cut-off", "board", facts, (*marks, *(doubt.marks if lone else ())))


def _edges(seen: Seen) -> tuple[Floats, Floats]:
    x, y, width, height = seen.options.crop or (0, 0, *seen.size_px)
    return np.array((x, y), np.float64), np.array((x + width, y + height), np.float64)


def edge_mark(side: str, corners: Floats) -> Mark:
    """Return a line along a side of the picture, or of a part of it (4, 2), where the board is cut."""
    number = SIDES.index(side)
    return Mark.of("line", corners[[number - 1, number]], "cut here")
