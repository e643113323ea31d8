"""Doubts about things over the board: a banner, a window, a finger."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.advice import Change
from flowvision.diagnosis.dots import is_odd, lone_colours, lone_facts, lone_marks
from flowvision.diagnosis.seen import Seen
from flowvision.diagnosis.surface import FOREIGN, foreign_beside
from flowvision.reading.doubt import Doubt, Mark, corners_of
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, lab_of

BANNER = 0.8
"""Share of places beside the board that differ from its ground if a banner covers a row."""
HALF = 0.5
"""Largest share of covered cells; more are of another game."""
POPUP, BOXED, MOSTLY, FLAT = 6, 0.75, 0.5, 6.0
"""A window's minimum: cells, share of the box around them, share of even pixels, and evenness (Lab)."""
STEP, TOUCHED = 3, 4.0
"""Stride in pixels to find a window's end, and its smallest reach into a cell."""
WHOLE, ON_LINE = 0.25, 0.1
"""Tolerances in cells: for a whole number of cells, and for a window that ends at a line."""
THIRDS = ("upper", "", "lower"), ("left", "", "right")


def is_covered_beside(seen: Seen) -> Doubt | None:
    """Detect a banner over whole rows: fewer rows than columns, and no background beside them."""
    fit, lone = seen.fit, lone_colours(seen)
    if fit is None or not fit.is_lattice or fit.size is None or not (lone or seen.is_refuted):
        return None
    (rows, cols), ground = fit.size, seen.ground
    if rows >= cols:
        return None
    # The game's own text above a board fills less than a banner.
    top, bottom = (foreign_beside(seen.shot.bgr, fit, side, ground) for side in (1, 3))
    if max(top, bottom) < BANNER:
        return None
    name, first, last = ("top", rows - cols, 0) if top >= bottom else ("bottom", rows, cols)
    corners = fit.frame.to_px(corners_of((0, first), (cols, last)))
    facts = {"side": name, "hidden": cols - rows, **lone_facts(seen)}
    return Doubt("covered", "board", facts, (Mark.of("area", corners), *lone_marks(seen)))


def is_covered(seen: Seen) -> Doubt | None:
    """Detect covered cells, with dots that lack partners or no solution for the rest."""
    lone = lone_colours(seen)
    if not len(seen.covered) or not (lone or seen.is_refuted or is_odd(seen)):
        return None
    count, places = len(seen.covered), seen.covered.places
    if count > HALF * len(seen.board.marks):
        return None
    if count >= POPUP and _is_flat(seen):
        return _popup(seen)
    facts: dict[str, Any] = {"count": count, "several": count > 1, **lone_facts(seen)}
    if count == 1:
        facts["place"] = places[0] if places else seen.place(next(iter(seen.covered.cells)))
    else:
        outlines = np.concatenate(seen.covered.outlines_px)
        facts["region"], facts["block"] = _region(seen, outlines), places
    advice: tuple[Change, ...] = ()
    if lone and count == 1:
        advice = (Change(places[0] if places else None, seen.letter_of(lone[0].dots[0])),)
    marks = (*(Mark.of("area", outline) for outline in seen.covered.outlines_px), *lone_marks(seen))
    return Doubt("covered", "dots", facts, marks, advice)


def _popup(seen: Seen) -> Doubt:
    window, lattice = _window_px(seen), seen.geometry.board.lattice
    inner = [(cell.min(axis=0) + TOUCHED, cell.max(axis=0) - TOUCHED) for cell in seen.outlines_px]
    low, high = window.min(axis=0), window.max(axis=0)
    touched = [n for n, (first, last) in enumerate(inner) if (first < high).all() and (last > low).all()]
    hidden = [place for place in seen.covered.places if place not in (lattice.places if lattice else ())]
    places = [*hidden, *(lattice.places[n] for n in touched)] if lattice else []
    count = len(touched) + len(hidden)
    facts = {"count": count, "region": _region(seen, window), "block": places, "window": True}
    return Doubt("covered", "dots", facts, (Mark.of("area", window),))


def is_behind_a_window(seen: Seen) -> Doubt | None:
    """Detect a window among cells found one by one: an inner cell many times as large as the others."""
    if seen.find(BoardGeometry) is None or seen.lattice is not None or seen.reading is not None:
        return None
    area = np.abs(np.linalg.det(seen.geometry.shapes))
    largest = int(area.argmax())
    ratio = float(area[largest] / np.median(area))
    outlines = seen.outlines_px
    window, board = outlines[largest], np.concatenate(outlines)
    first, last = window.min(axis=0), window.max(axis=0)
    if ratio < POPUP or not ((first > board.min(axis=0)) & (last < board.max(axis=0))).any():
        return None
    quarter = (last - first) / 4
    middle = np.concatenate((first + quarter, last - quarter)).round().astype(int).tolist()
    colour, _ = _usual_there(seen, middle)
    if float(np.linalg.norm(colour - seen.ground)) < FOREIGN:  # the hole of a board that is a ring
        return None
    low, high = _flat_part(seen, middle)
    window = corners_of(np.maximum(low, first), np.minimum(high, last))
    cell_px = seen.geometry.fit.pitch_px
    block = _block(window, board, cell_px)
    count = math.prod(last - first + 1 for first, last in zip(*block, strict=True)) if block else round(ratio)
    facts = {"count": count, "region": _region(seen, window), "block": block, "window": True}
    return Doubt("covered", "grid", facts, (Mark.of("area", window),), saw=ratio)


def _block(window_px: Floats, board_px: Floats, cell_px: float) -> list[tuple[int, int]]:
    origin = board_px.min(axis=0)
    size, low, high = (
        (corner - origin) / cell_px
        for corner in (board_px.max(axis=0), window_px.min(axis=0), window_px.max(axis=0))
    )
    if (np.abs(size - np.round(size)) > WHOLE).any():
        return []
    first, last = np.floor(low + ON_LINE).astype(int), np.ceil(high - ON_LINE).astype(int) - 1
    return [(int(corner[1]), int(corner[0])) for corner in (first, last)]


def _is_flat(seen: Seen) -> bool:
    places = np.array(seen.covered.places)
    if not len(places):
        return False
    low, high = places.min(axis=0), places.max(axis=0)
    rows, cols = seen.board.size
    is_inside = low[0] > 0 and high[0] < rows - 1 and low[1] > 0 and high[1] < cols - 1
    if not is_inside and high[1] - low[1] + 1 < cols:  # a finger or a hand comes from outside the board
        return False
    if len(places) < BOXED * np.prod(high - low + 1):
        return False
    return float(_usual_there(seen, _covered_box(seen))[1].mean()) >= MOSTLY


def _covered_box(seen: Seen) -> tuple[int, int, int, int]:
    corners = np.concatenate(seen.covered.outlines_px).round().astype(int)
    (x0, y0), (x1, y1) = corners.min(axis=0).clip(0).tolist(), corners.max(axis=0).tolist()
    return x0, y0, x1, y1


def _usual_there(
    seen: Seen, box: tuple[int, int, int, int], usual: Floats | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    x0, y0, x1, y1 = box
    lab = lab_of(np.ascontiguousarray(seen.shot.bgr[y0:y1:STEP, x0:x1:STEP]))
    colour = np.median(lab.reshape(-1, 3), axis=0) if usual is None else usual
    return colour, np.linalg.norm(lab - colour, axis=2) < FLAT


def _window_px(seen: Seen) -> Floats:
    x0, y0, x1, y1 = box = _covered_box(seen)
    low, high = _flat_part(seen, box)
    return corners_of(np.minimum(low, (x0, y0)), np.maximum(high, (x1, y1)))


def _flat_part(seen: Seen, box: tuple[int, int, int, int]) -> Floats:
    x0, y0, x1, y1 = box
    usual, _ = _usual_there(seen, box)
    _, is_alike = _usual_there(seen, (0, 0, *seen.size_px), usual)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(is_alike.astype(np.uint8))
    inside = labels[y0 // STEP : y1 // STEP, x0 // STEP : x1 // STEP]
    counts = np.bincount(inside[inside > 0], minlength=len(stats))
    left, top, wide, high = (STEP * int(n) for n in stats[int(counts.argmax())][:4])
    return np.array([(left, top), (left + wide, top + high)], np.float64)


def _region(seen: Seen, points_px: Floats) -> str:
    board = np.concatenate(seen.outlines_px)
    middle = (points_px.min(axis=0) + points_px.max(axis=0)) / 2
    share = (middle - board.min(axis=0)) / np.ptp(board, axis=0)
    across, down = (min(2, max(0, int(3 * part))) for part in share.tolist())
    words = " ".join(filter(None, (THIRDS[0][down], THIRDS[1][across])))
    if not words:
        return "in the middle of the board"
    return f"at the {words} of the board" if " " in words else f"in the {words} part of the board"
