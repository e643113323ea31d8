"""Doubts about a whole picture: faint, small, unclear, without a board, cut off, unlike its options."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.dots import crowds_of, lone_colours, lone_facts, lone_marks, near_misses, rings
from flowvision.image.picture import Bgr
from flowvision.image.pixels import lies_in
from flowvision.reading.beyond import lines_go_on
from flowvision.reading.cut_off import LIKELY, NEAR, OVER, SIDES, cut_line, distances_to_edges
from flowvision.reading.doubt import SEARCHED, Doubt, Mark, corners_of
from flowvision.reading.doubts import SIZE, WHERE
from flowvision.reading.strategies import RegionCache
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.view import brightest_channel
from flowvision.vision.settings import DOTS
from flowvision.words import Option

STEP = 4
"""Stride in pixels for measuring a whole picture."""
PLAIN = 8.0
"""Smallest range of brightness of a picture that shows something."""
FAINT_RANGE = 60.0
"""Smallest range of brightness of a board that is seen well: boards have 245, dimmed ones 75."""
SHARP_CELL_PX, SMALL_CELL_PX = 10.0, 16.0
"""Sharp pictures that were made smaller are read down to cells of 10 px (drawn to the pixel, of 7); of those
compressed as JPEG of quality 50 one in six fails at 15 px, and nearly all at 11."""
FEW_COLUMNS = 7
"""A picture without a board is too small if this many columns would have smaller cells than that."""
MAX_UNEVEN = 0.5
"""Smallest quality of cells of any shape that may be a board's."""
EVEN = 0.08
"""Share of the pixels without a gradient: photographs have 0.04 and fewer, other pictures 0.11 and more."""
COLOURLESS = 30
"""Largest difference between the channels of a grey pixel, also after compression."""
STRIP = 0.1
"""Fewest pitches between a cut board and the edge to which its lines lead."""


def is_faint(case: Diagnosis) -> Doubt | None:
    """Detect a picture within a few steps of brightness: empty, or lines alone."""
    seen = case.shot.bgr[::STEP, ::STEP]
    low, high = map(float, np.percentile(brightest_channel(seen), (0.1, 99.9)))
    is_blank = float(seen.std(axis=(0, 1)).max()) < PLAIN and case.lattice is None and case.reading is None
    if not is_blank and (case.lattice is None or high - low >= FAINT_RANGE):
        return None
    facts = {"low": max(low, 0.1) / 255, "high": high / 255}
    marks = (Mark.of("box", case.lattice.outline_px(), "the board"),) if case.lattice else ()
    return Doubt("faint", "decode", facts, marks)


def is_too_small(case: Diagnosis) -> Doubt | None:
    """Detect cells with too few pixels."""
    (height, width), fit = case.shot.bgr.shape[:2], case.fit
    is_measured = fit is not None and (fit.is_regular or case.reading is not None)
    # The regions of an uneven fit may be no cells.
    if not is_measured and (fit is not None or case.reading is not None):
        return None
    pitch = fit.pitch_px if fit else min(height, width) / FEW_COLUMNS
    if pitch >= SMALL_CELL_PX:
        return None
    facts = {"width": width, "height": height, "cell_px": pitch if fit else None}
    facts |= {"sharp_px": SHARP_CELL_PX, "wanted_px": SMALL_CELL_PX}
    marks = (Mark.of("box", fit.outline_px(), f"cells of {pitch:.0f} px"),) if fit else ()
    return Doubt("too-small", "grid" if fit else "decode", facts, marks)


def is_unclear(case: Diagnosis) -> Doubt | None:
    """Detect a photograph: it has hardly any even area."""
    if even_share(case.shot.bgr) >= EVEN:
        return None
    return Doubt("unclear", "grid" if case.fit else "board", {}, _searched(case))


def is_no_board(case: Diagnosis) -> Doubt | None:
    """Detect a picture without lines, or with shapes unlike the cells of a board."""
    fit = case.fit
    is_board = fit is not None and (fit.is_regular or fit.quality >= MAX_UNEVEN)
    if case.reading is not None or is_board:
        return None
    if case.find(BoardRegion) is None:
        return Doubt("no-board", "board", {}, _searched(case), (WHERE,))
    return Doubt("no-board", "grid", {}, _searched(case), (SIZE,))


def is_grey(case: Diagnosis) -> Doubt | None:
    """Detect a picture without colours whose dots do not pair or solve."""
    if not (lone_colours(case) or crowds_of(case) or case.is_refuted):
        return None
    pixels, count = case.shot.bgr[::STEP, ::STEP].reshape(-1, 3).astype(np.int16), case.count
    if np.percentile(np.ptp(pixels, axis=1), 99.9) >= COLOURLESS:
        return None
    advice = (Option("colours", str(count // 2)),) if count % 2 == 0 else ()
    return Doubt("tinted", "dots", {"dots": count}, rings(case, range(count), has_labels=False), advice)


def is_outside(case: Diagnosis) -> Doubt | None:
    """Detect a given part that exceeds the picture."""
    if case.options.crop is None or lies_in(case.shot, case.options.crop):
        return None
    height, width = case.shot.bgr.shape[:2]
    return Doubt("wrong-option", "decode", {"option": "crop", "width": width, "height": height})


def is_of_another_size(case: Diagnosis) -> Doubt | None:
    """Detect a given size that differs from the lines of a whole board."""
    given, region = case.options.rows_and_cols, case.find(BoardRegion)
    if given is None or case.options.crop or region is None or (case.fit and not case.fit.is_given):
        return None
    lattice = RegionCache(region).best_upright
    seen = (fit for step in case.steps if (fit := step.find(Fit)) is not None and not fit.is_given)
    if lattice is None or cut_line(lattice, case.shot) or any(fit.size == given for fit in (lattice, *seen)):
        return None
    facts = {"option": "grid", "cols": given[1], "rows": given[0]}
    facts |= {"lines_cols": lattice.cols, "lines_rows": lattice.rows}
    mark = Mark.of("box", lattice.outline_px(), f"{lattice.cols} columns, {lattice.rows} rows")
    return Doubt("wrong-option", "grid", facts, (mark,))


def is_cut(case: Diagnosis) -> Doubt | None:
    """Detect a board that continues past an edge of the picture, or of the given part."""
    fit, dots = case.lattice, case.dots
    if fit is None or dots is None or len(dots.dots) < DOTS.count_min:
        return None
    gaps = distances_to_edges(fit, case.shot)
    sides = [
        side
        for number, (side, gap) in enumerate(gaps.items())
        if gap < -OVER or (STRIP < gap < NEAR and lines_go_on(fit, case.shot, number, gap))
    ]
    at_line, facts = cut_line(fit, case.shot), lone_facts(case)
    if not sides and at_line and at_line.facts["likely"] == LIKELY and not near_misses(dots):
        sides, facts["likely"] = at_line.facts["sides"], LIKELY
    height, width = case.shot.bgr.shape[:2]
    corners, numbers = corners_of((0, 0), (width, height)), [SIDES.index(side) for side in sides]
    marks = tuple(Mark.of("line", corners[[number - 1, number]], "cut here") for number in numbers)
    return Doubt("cut-off", "board", {**facts, "sides": sides}, marks + lone_marks(case)) if sides else None


def even_share(bgr: Bgr) -> float:
    """Return the share of pixels without a gradient, 0 to 1."""
    gray = brightest_channel(bgr)
    across, down = (cv2.Sobel(gray, cv2.CV_16S, dx, 1 - dx, ksize=3) for dx in (1, 0))
    return float(((across == 0) & (down == 0)).mean())


def _searched(case: Diagnosis) -> tuple[Mark, ...]:
    region = case.find(BoardRegion)
    return (Mark.of("box", region.corners_px, SEARCHED),) if region else ()
