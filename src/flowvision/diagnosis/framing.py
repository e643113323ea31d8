"""Causes in the picture as a whole, in its lattice, and at its edges."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, cast

import numpy as np

from flowvision.diagnosis.cause import LOOKED_AT, SIZE, Advice, Cause, Mark, corners_of
from flowvision.diagnosis.dots import NO_LONE, lone_dots
from flowvision.diagnosis.seen import SOME, Seen
from flowvision.diagnosis.surface import STREWN, blockiness, brightness_range, specks_of
from flowvision.image.picture import Frame
from flowvision.image.pixels import lies_in
from flowvision.log import Stage
from flowvision.reading.attempts import RegionCache
from flowvision.reading.cut_off import (
    GOES_ON,
    SIDES,
    CutLine,
    crossed_edges,
    cut_line,
    distances_to_edges,
    is_border_seen,
    lines_go_on,
)
from flowvision.reading.refused import (
    CROP_MARGIN,
    FEWEST_DOTS,
    OF_GIVEN_SIZE,
    SHARP_CELL_PX,
    SMALL_CELL_PX,
    crop_option,
    grid_option,
)
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.kinds.free.fit import CellFit
from flowvision.vision.pixels.view import Floats

WHITE = 255.0
PLAIN = 8.0
"""Brightness: a picture that varies by less shows next to nothing."""
FEW_COLUMNS = 7
"""A picture without a board is too small if so many columns would have smaller cells than that."""
SHARDS = 0.5
"""Sides of the cells of one board are more alike than this."""
MENU_BOXES = 3
"""As many boxes apart from each other look like a menu."""
CUT_GAP, CUT_EXCESS = 0.95, 0.5
"""Pitches: a board that is cut ends this near to the edge, and lies so much further from the other."""
FLUSH, OVER = 0.1, 0.15
"""Pitches: a board that ends this near to the edge ends there; one that reaches so far over it is cut."""
TOUCHING = 0.05
"""Pitches: cells that end so near to an edge touch it."""
STRIP = 0.1
"""Pitches: a strip of a row that is wider is worth a word."""
MOST_CUT = 2
"""Sides: what goes on beyond more is a pattern."""
TWINS = 3
"""Colours that two boards share: the first ones of the game are on every board."""
FAINT_RANGE, DARK = 60.0, 90.0
"""Brightness: boards have 245 and more, dimmed ones that are read 75. Below the second it is dark."""
BLOCKY, BLOCKS_ALONE = 1.4, 1.8
"""Steps between blocks of JPEG, of those within: 1.5 and more at quality 10, 1.2 at 20 and above. The second
where no lattice is seen."""
STRAIGHT = 0.85
"""Score of a lattice: boards that are photographed straight have more."""
BEYOND = ("column to the left", "row above", "column to the right", "row below")
FEWER = ("columns than rows", "rows than columns")
TILTED_DEGREES = 4.0
"""Boards that lie straighter are read as lattices."""
SQUARE = 0.5
"""0 to 1: how well the sides of all cells agree on one tilt; those of shapes of any kind do not."""
BESIDE = 1.2
"""Pitches: whole cells end so near to the edge where the next ones run out of the picture."""
BORDER_PX = 4
"""Width of the strip along the edge of the view: lines that reach it run out of the picture."""
RUNS = 2
"""Lines that must run out of a side: one may be anything."""
WHERE = Advice("--crop", "X,Y,WIDTH,HEIGHT")


def shows_nothing(seen: Seen) -> Cause | None:
    """The picture is of one colour."""
    if seen.reading is not None:
        return None
    spread = float(seen.shot.bgr[::4, ::4].std(axis=(0, 1)).max())
    return Cause("shows-nothing", "decode", {"spread": spread / WHITE}) if spread < PLAIN else None


def is_too_small(seen: Seen) -> Cause | None:
    """The cells have too few pixels."""
    width, height = seen.size_px
    found = (fit for fit in (seen.final_fit, seen.fit) if fit is not None)
    fits = [fit for fit in found if fit.is_regular or seen.reading is not None]
    pitch = max((fit.pitch_px for fit in fits), default=min(height, width) / FEW_COLUMNS)
    if pitch >= SMALL_CELL_PX or (not fits and (seen.fit is not None or seen.reading is not None)):
        return None
    facts = {"width": width, "height": height, "sharp_px": SHARP_CELL_PX, "wanted_px": SMALL_CELL_PX}
    facts |= {"cell_px": pitch} if fits else {"columns": FEW_COLUMNS, "most_px": pitch}
    marks = tuple(Mark.of("box", fit.outline_px(), f"cells of {fit.pitch_px:.0f} px") for fit in fits[:1])
    return Cause("too-small", "grid" if fits else "decode", facts, marks, saw=pitch)


def is_blurred(seen: Seen) -> Cause | None:
    """No edge of the picture is sharp, and no regular board was found."""
    if seen.lattice is not None or not seen.kind.is_blurred:
        return None
    facts = {"edge_px": seen.kind.edge_px, "given": seen.options.grid}
    return Cause("blurred", _stage(seen), facts)


def is_no_board(seen: Seen) -> Cause | None:
    """No lines, none that frame cells, or shapes that are unlike the cells of a board."""
    kind, fit = seen.kind, seen.fit
    is_shards = fit is not None and not fit.is_regular and fit.quality < SHARDS
    if seen.options.grid or seen.reading is not None or (fit is not None and not is_shards):
        return None
    marks, stage = _looked_at(seen), _stage(seen)
    if kind.is_photograph:
        return Cause("photograph", stage, {"even": kind.even}, marks)
    if len(kind.boxes) >= MENU_BOXES:
        boxes = tuple(Mark.of_box((x, y), (x + width, y + height)) for x, y, width, height in kind.boxes)
        return Cause("menu", stage, {"boxes": len(boxes)}, boxes)
    if isinstance(fit, CellFit):  # the shapes are counted
        found = {"shapes": fit.cells, "likeness": fit.quality, "wanted": SHARDS}
        return Cause("pattern", "grid", found, marks, (SIZE,), "grid.score")
    if seen.region is None:
        lines = getattr(seen.error.evidence, "lines", None)
        facts = {
            "lines": None if lines is None else float(np.count_nonzero(lines) / lines.size),
            "wanted_px": round(seen.settings.board.size * min(seen.size_px)),
        }
        return Cause("no-lines", "board", facts, marks, (WHERE,), "board.size")
    return Cause("no-lattice", "grid", {}, marks, (SIZE,), "grid.score")


def is_of_a_screen(seen: Seen) -> Cause | None:
    """A photograph in which some cells were made out, but not as clearly as where it is seen straight."""
    fit = seen.fit
    is_straight = fit is not None and fit.is_lattice and fit.score >= STRAIGHT and not seen.is_given
    if fit is None or is_straight or not seen.kind.is_photograph:
        return None
    facts = {"even": seen.kind.even, "board": True}
    return Cause("photograph", "grid", facts, (Mark.of("box", fit.outline_px(), LOOKED_AT),))


def _stage(seen: Seen) -> Stage:
    """The stage that came no further, where no cells were found."""
    return "board" if seen.region is None else "grid"


def _looked_at(seen: Seen) -> tuple[Mark, ...]:
    """The parts of the picture that were looked at closely, each once."""
    regions = [one.region for one in seen.attempts]
    corners = {str(one.corners_px): one.corners_px for one in (*regions, seen.region) if one}
    return tuple(
        Mark.of("box", box, "" if number else LOOKED_AT) for number, box in enumerate(corners.values())
    )


def is_of_another_size(seen: Seen) -> Cause | None:
    """The size that was given is not the one that is seen, or none like it fits."""
    if not seen.options.grid or seen.region is None:
        return None
    if seen.fit is not None and not seen.is_given:
        return None
    rows, cols = seen.options.rows_and_cols or (0, 0)
    fits = [one.fit for one in seen.attempts if one.strategy not in OF_GIVEN_SIZE]
    is_seen = any(fit is not None and fit.size == (rows, cols) for fit in fits)
    best = RegionCache(seen.region, seen.settings).best_upright
    if is_seen or (best is None and seen.fit is not None):
        return None
    facts = {"cols": cols, "rows": rows}
    if best is None:
        return Cause("wrong-size", "grid", facts, threshold="grid.score")
    cut = _cut_at_edges(seen, best) if seen.options.crop is not None else _cut_short(seen, best)
    if cut is not None:
        return cut
    facts |= {"lines_cols": best.cols, "lines_rows": best.rows}
    mark = Mark.of("box", best.outline_px(), f"{best.cols} columns, {best.rows} rows")
    advice = (Advice("--grid", grid_option(best)),) if best.pitch_px >= SHARP_CELL_PX else ()
    return Cause("wrong-size", "grid", facts, (mark,), advice, "grid.score")


def runs_on(seen: Seen) -> Cause | None:
    """Lines go on beyond the lattice."""
    fit = seen.fit
    if fit is None or fit.size is None or not fit.is_open:
        return None
    mark = Mark.of("box", fit.outline_px(), "seen whole")
    return Cause("runs-on", "grid", {"cols": fit.size[1], "rows": fit.size[0]}, (mark,), (SIZE,))


def are_two_boards(seen: Seen) -> Cause | None:
    """Two lattices with dots lie apart."""
    boxes: list[tuple[Floats, Floats, Fit]] = []
    for one in seen.attempts:
        if one.fit is None or one.fit.size is None or one.dots < FEWEST_DOTS or one.strategy in OF_GIVEN_SIZE:
            continue
        corners = one.fit.outline_px()
        low, high = corners.min(axis=0), corners.max(axis=0)
        for other_low, other_high, other in boxes:
            is_apart = (high < other_low).any() or (other_high < low).any()
            if is_apart and not _goes_over(seen, one.fit, other) and not _goes_over(seen, other, one.fit):
                return _two(seen, other, one.fit)
        boxes.append((low, high, one.fit))
    return None


def are_twins(seen: Seen) -> Cause | None:
    """Two boards of one size lie on one lattice: of every colour each half has two dots or none."""
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
    """The first and the second half of the rows (``axis`` 0) or columns (1) of a lattice."""
    assert fit.size is not None
    half, shift = fit.size[axis] // 2, np.eye(3)
    shift[1 - axis, 2] = half
    part = replace(cast(Any, fit), **{("rows", "cols")[axis]: half})
    return part, part.placed(Frame.of_homography(fit.frame.homography @ shift))


def _goes_over(seen: Seen, one: Fit, other: Fit) -> bool:
    """Whether the lines of a lattice go on to another one: both are parts of one board."""
    away = other.outline_px().mean(axis=0) - one.outline_px().mean(axis=0)
    axis = int(np.abs(away).argmax())
    return lines_go_on(seen.shot.bgr, one, axis if away[axis] < 0 else axis + 2, 1.0) >= GOES_ON


def _two(seen: Seen, one: Fit, other: Fit, is_split: bool = False) -> Cause:
    """The boards by where they lie, the upper or left one first.

    ``is_split``: they are one lattice, so that the lines of either go on in the other; its size ends it.
    """
    boxes = [np.array((fit.outline_px().min(axis=0), fit.outline_px().max(axis=0))) for fit in (one, other)]
    across = max((1, 0), key=lambda axis: abs(float((boxes[0] - boxes[1])[:, axis].mean())))
    first, second = sorted((one, other), key=lambda fit: float(fit.outline_px()[:, across].min()))
    names = ("upper", "lower") if across else ("left", "right")
    corners = [fit.outline_px() for fit in (first, second)]
    first_px, second_px = (corner.min(axis=0).round().astype(int).tolist() for corner in corners)
    margin = 0.0 if is_split else CROP_MARGIN
    first_advice, second_advice = (
        (Advice("--crop", crop_option(fit.outline_px(), margin * fit.pitch_px, seen.size_px)),)
        + ((Advice("--grid", grid_option(fit)),) if is_split else ())
        for fit in (first, second)
    )
    facts = {
        "first": cells_text(first),
        "second": cells_text(second),
        "first_name": names[0],
        "second_name": names[1],
        "first_crop": " ".join(one.text for one in first_advice),
        "first_px": first_px,
        "second_px": second_px,
    }
    pairs = zip(corners, names, strict=True)
    marks = tuple(Mark.of("box", corner, f"{name} board") for corner, name in pairs)
    return Cause("two-boards", "board", facts, marks, second_advice)


def cells_text(fit: Fit) -> str:
    """Columns and rows, such as ``5 × 7``."""
    return f"{fit.size[1]} × {fit.size[0]}" if fit.size else ""


def is_outside(seen: Seen) -> Cause | None:
    """The part that was given reaches out of the picture."""
    if seen.options.crop is None or lies_in(seen.shot, seen.options.crop):
        return None
    width, height = seen.size_px
    return Cause("wrong-crop", "decode", {"width": width, "height": height})


def is_faint(seen: Seen) -> Cause | None:
    """Its lines are there, but the whole picture lies within a few steps of brightness."""
    low, high = brightness_range(seen.shot.bgr)
    if seen.lattice is None or high - low >= FAINT_RANGE:
        return None
    code = "dark" if high < DARK else "faint"
    facts = {"contrast": (high - low) / WHITE, "brightest": high / WHITE}
    return Cause(code, "decode", facts, (Mark.of("box", seen.lattice.outline_px(), "the board"),))


def is_compressed(seen: Seen) -> Cause | None:
    """Blocks of JPEG stand out more than what they show."""
    found = blockiness(seen.shot.bgr)
    wanted = BLOCKY if seen.lattice is not None else BLOCKS_ALONE
    return Cause("compressed", "decode", {"blocks": found}) if found >= wanted else None


def is_strewn(seen: Seen) -> Cause | None:
    """Single pixels of other colours are strewn over it: whatever is misread is so by them."""
    share = specks_of(seen.shot.bgr)
    return Cause("strewn", "decode", {"share": share}) if share >= STREWN else None


def is_blocky(seen: Seen) -> Cause | None:
    """It was compressed too strongly for its lines to be seen."""
    is_hidden = seen.region is not None and seen.lattice is None and seen.reading is None
    return is_compressed(seen) if is_hidden else None


def is_cut(seen: Seen) -> Cause | None:
    """The board goes on beyond an edge of the picture, or of the part that was cut out by hand."""
    if seen.dots is None or len(seen.dots.dots) < SOME:
        return None
    if seen.lattice is not None:
        return _cut_at_edges(seen, seen.lattice)
    # Lines of what is no board lead to the edges as well.
    is_board = seen.geometry.board.lattice is not None or seen.reading is not None
    return _cut_through(seen) if is_board else None


def _cut_through(seen: Seen) -> Cause | None:
    """The edges of what was looked at to which lines lead from cells that are no squares."""
    (left, right), (top, bottom) = seen.geometry.fit.view.rims
    is_edge = dict(zip(SIDES, (left, top, right, bottom), strict=True))
    crossed = crossed_edges(seen.geometry, seen.shot, seen.settings, seen.options.crop)
    sides = [side for side in crossed if is_edge[side]]
    # Whole cells that touch an edge are not cut by it.
    gaps = dict(zip(SIDES, distances_to_edges(seen.geometry.fit, seen.shot).ravel().tolist(), strict=True))
    sides = [side for side in sides if gaps[side] > TOUCHING] or sides
    return _cut(seen, sides, {}) if sides else None


def _cut_at_edges(seen: Seen, fit: Fit) -> Cause | None:
    """The edges of what was looked at that cut this lattice off."""
    assert fit.size is not None
    (rows, cols), (low, high), corners = fit.size, _edges(seen), fit.outline_px()
    gaps = np.concatenate((corners.min(axis=0) - low, high - corners.max(axis=0))) / fit.pitch_px
    found = [side for side in range(4) if _is_cut_at(seen, fit, gaps, side)]
    if not found or (len(found) > MOST_CUT and seen.options.crop is None):
        return None
    sides, first = [SIDES[side] for side in found], found[0]
    shown = 1 + float(gaps[first]) if gaps[first] < 0 else float(gaps[first])
    is_over = [bool(gaps[side] < -FLUSH) for side in range(4)]
    facts = {
        "rows": rows - is_over[1] - is_over[3],
        "cols": cols - is_over[0] - is_over[2],
        "line": BEYOND[first],
        "strip": shown if STRIP < shown < 1 - STRIP else None,
        "fewer": FEWER[first % 2] if _ends_short(fit, gaps, first) else None,
    }
    return _cut(seen, sides, facts)


def _cut(seen: Seen, sides: list[str], facts: dict[str, Any]) -> Cause:
    """The board goes on beyond these edges; ``facts``: what is seen whole of it, in rows and columns."""
    is_part = seen.options.crop is not None
    lone, corners = NO_LONE if is_part else lone_dots(seen), corners_of(*_edges(seen))
    marks = (*(edge_mark(side, corners) for side in sides), *lone.marks)
    facts = {"sides": sides, **facts, **lone.facts, "crop": is_part}
    return Cause("wrong-crop" if is_part else "cut-off", "board", facts, marks)


def _cut_short(seen: Seen, best: Fit) -> Cause | None:
    """The size that was given has more rows or columns than this lattice, where the picture may end."""
    assert best.size is not None
    assert seen.options.rows_and_cols is not None
    cut = cut_line(best, seen.shot)
    lacks = [given - found for given, found in zip(seen.options.rows_and_cols, best.size, strict=True)]
    if cut is None or min(lacks) < 0:
        return None
    sides = [side for side in cut.sides if lacks[_axis_of(side)]]
    if {_axis_of(side) for side in sides} != {axis for axis in (0, 1) if lacks[axis]}:
        return None
    rows, cols = best.size
    facts = {"sides": sides, "rows": rows, "cols": cols, "given": seen.options.grid, "either": True}
    marks = (edge_mark(side, corners_of(*_edges(seen))) for side in sides)
    return Cause("cut-off", "board", facts, tuple(marks))


def likely_cut(seen: Seen, cut: CutLine, cause: Cause) -> Cause:
    """A row or column is missing, as the picture ends at the board: why dots lack partners, or a solution."""
    lone = {name: cause.facts[name] for name in ("lone", "names") if cause.facts.get("lone")}
    facts = {
        "sides": list(cut.sides),
        "rows": cut.rows,
        "cols": cut.cols,
        "likely": cut.likely,
        "either": True,
        **lone,
        "refuted": cause.code == "no-solution",
    }
    marks = tuple(edge_mark(side, corners_of(*_edges(seen))) for side in cut.sides)
    return Cause("cut-off", "board", facts, (*marks, *(cause.marks if lone else ())))


def _axis_of(side: str) -> int:
    """What a side cuts off: 0 rows, 1 columns."""
    return 1 - SIDES.index(side) % 2


def _edges(seen: Seen) -> tuple[Floats, Floats]:
    """(2,) twice: the upper left and the lower right corner of what was looked at."""
    x, y, width, height = seen.options.crop or (0, 0, *seen.size_px)
    return np.array((x, y), np.float64), np.array((x + width, y + height), np.float64)


def _is_cut_at(seen: Seen, fit: Fit, gaps: Floats, side: int) -> bool:
    """Whether the board goes on beyond a side.

    It does where the lattice itself reaches over the edge, where its lines go on up to it, and where it ends
    right there, before anything beyond it is seen, with fewer rows than columns, far from the edge opposite.
    """
    assert fit.size is not None
    gap, opposite = float(gaps[side]), float(gaps[(side + 2) % 4])
    if gap < -OVER:
        return True
    if gap > CUT_GAP:
        return False
    if seen.options.crop is not None:
        return lines_go_on(seen.shot.bgr, fit, side, 1.0) >= GOES_ON
    if gap > STRIP and lines_go_on(seen.shot.bgr, fit, side, gap) >= GOES_ON:
        return True
    is_short = _ends_short(fit, gaps, side) and opposite > gap + CUT_EXCESS
    return is_short and not is_border_seen(fit, seen.shot, side)


def _ends_short(fit: Fit, gaps: Floats, side: int) -> bool:
    """Whether the lattice ends right at an edge, with fewer rows than columns, or the other way round."""
    assert fit.size is not None
    lacks = fit.size[0] < fit.size[1] if side % 2 else fit.size[1] < fit.size[0]
    return lacks and -OVER <= float(gaps[side]) <= FLUSH


def is_tilted_out(seen: Seen) -> Cause | None:
    """The board is tilted, and runs out of the picture."""
    fit, region = seen.fit, seen.region
    is_believed = seen.reading is not None and not seen.is_refuted
    # The tilt is that of the outlines, which lattices do not have: they are turned upright.
    if not isinstance(fit, CellFit) or region is None or is_believed:
        return None
    outlines = [fit.frame.to_px(outline) for outline in fit.outlines]
    degrees, agreement = tilt_of(outlines)
    sides = _run_out(seen, np.concatenate(outlines), region, fit.pitch_px)
    if abs(degrees) < TILTED_DEGREES or agreement < SQUARE or not sides:
        return None
    facts = {"degrees": abs(degrees), "sides": sides, "cells": fit.cells, "agreement": agreement}
    marks = [edge_mark(side, corners_of((0, 0), seen.size_px)) for side in sides]
    marks += [Mark.of("cell", outline) for outline in outlines]
    return Cause("tilted-out", "grid", facts, tuple(marks))


def tilt_of(outlines: list[Floats]) -> tuple[float, float]:
    """The tilt of squares in degrees (-45 to 45), and how well all their sides agree on it (0 to 1).

    ``outlines``: (N, 2) each, in pixels. The mean direction of angles that repeat every quarter turn, each
    weighted by the length of its side (Mardia and Jupp, Directional Statistics, 2000).
    """
    steps = np.concatenate([np.roll(outline, -1, axis=0) - outline for outline in outlines])
    length = np.linalg.norm(steps, axis=1)
    mean = np.sum(length * np.exp(4j * np.arctan2(steps[:, 1], steps[:, 0]))) / length.sum()
    return float(np.degrees(np.angle(mean)) / 4), float(abs(mean))


def _run_out(seen: Seen, corners_px: Floats, region: BoardRegion, pitch: float) -> list[str]:
    """The sides of the picture where the board's lines reach the edge."""
    width, height = seen.size_px
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


def edge_mark(side: str, corners: Floats) -> Mark:
    """A line along a side of the picture, or of a part of it (4, 2), where the board is cut."""
    number = SIDES.index(side)
    return Mark.of("line", corners[[number - 1, number]], "cut here")
