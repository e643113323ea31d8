"""Doubts about a whole picture: too faint, too small, blurred, damaged, tinted, without a board."""

from __future__ import annotations

from typing import Any

import numpy as np

from flowvision.diagnosis.seen import Seen
from flowvision.diagnosis.surface import BLURRED_PX, STREWN, blockiness, brightness_range, specks_of
from flowvision.log import Stage
from flowvision.reading.doubt import LOOKED_AT, Doubt, Mark
from flowvision.reading.doubts import SIZE, WHERE
from flowvision.reading.refused import SHARP_CELL_PX, SMALL_CELL_PX
from flowvision.vision.kinds.free.fit import CellFit

WHITE = 255.0
PLAIN = 8.0
"""Smallest range of brightness of a picture that shows something."""
FAINT_RANGE, DARK = 60.0, 90.0
"""Brightness of a normal and of a dark picture: boards have 245 and more, dimmed ones 75."""
FEW_COLUMNS = 7
"""A picture without a board is too small if this many columns would have smaller cells than that."""
SHARDS = 0.5
"""Largest variation of the sides of a board's cells."""
BLOCKY, BLOCKS_ALONE = 1.4, 1.8
"""Steps between JPEG blocks relative to those within: 1.5 and more at quality 10, 1.2 at 20. The second
without a lattice."""
STRAIGHT = 0.85
"""Lattice score of a board photographed straight, at least."""


def is_faint(seen: Seen) -> Doubt | None:
    """Detect a picture within a few steps of brightness: empty, or lines alone."""
    low, high = brightness_range(seen.shot.bgr)
    spread = float(seen.shot.bgr[::4, ::4].std(axis=(0, 1)).max())
    is_blank = spread < PLAIN and seen.lattice is None and seen.reading is None
    if not is_blank and (seen.lattice is None or high - low >= FAINT_RANGE):
        return None
    is_dark = high < DARK
    facts: dict[str, Any] = {"low": max(low, 0.1) / WHITE, "high": high / WHITE, "blank": is_blank}
    facts |= {"dark": is_dark and not is_blank, "faint": not is_dark and not is_blank}
    marks = (Mark.of("box", seen.lattice.outline_px(), "the board"),) if seen.lattice else ()
    return Doubt("faint", "decode", facts, marks)


def is_too_small(seen: Seen) -> Doubt | None:
    """Detect cells with too few pixels."""
    width, height = seen.size_px
    found = (fit for fit in (seen.final_fit, seen.fit) if fit is not None)
    fits = [fit for fit in found if fit.is_regular or seen.reading is not None]
    pitch = max((fit.pitch_px for fit in fits), default=min(height, width) / FEW_COLUMNS)
    if pitch >= SMALL_CELL_PX or (not fits and (seen.fit is not None or seen.reading is not None)):
        return None
    facts: dict[str, Any] = {"width": width, "height": height, "cell_px": pitch if fits else None}
    facts |= {"sharp_px": SHARP_CELL_PX, "wanted_px": SMALL_CELL_PX}
    marks = tuple(Mark.of("box", fit.outline_px(), f"cells of {fit.pitch_px:.0f} px") for fit in fits[:1])
    return Doubt("too-small", "grid" if fits else "decode", facts, marks, saw=pitch)


def is_blurred(seen: Seen) -> Doubt | None:
    """Detect a picture without sharp edges or a regular board."""
    if seen.lattice is not None or seen.sharpness[0] < BLURRED_PX:
        return None
    return Doubt("blurred", _stage(seen), {"edge_px": seen.sharpness[0]})


def is_strewn(seen: Seen) -> Doubt | None:
    """Detect single pixels of other colours all over it."""
    share = specks_of(seen.shot.bgr)
    return Doubt("damaged", "decode", {"specks": share}) if share >= STREWN else None


def is_compressed(seen: Seen) -> Doubt | None:
    """Detect JPEG blocks that stand out more than the content."""
    found = blockiness(seen.shot.bgr)
    wanted = BLOCKY if seen.lattice is not None else BLOCKS_ALONE
    return Doubt("damaged", "decode", {"blocks": found}) if found >= wanted else None


def is_blocky(seen: Seen) -> Doubt | None:
    """Detect compression too strong for lines to be seen."""
    is_hidden = seen.region is not None and seen.lattice is None and seen.reading is None
    return is_compressed(seen) if is_hidden else None


def is_no_board(seen: Seen) -> Doubt | None:
    """Detect a picture without lines, framed cells, or shapes like the cells of a board."""
    fit = seen.fit
    is_shards = fit is not None and not fit.is_regular and fit.quality < SHARDS
    if seen.reading is not None or (fit is not None and not is_shards):
        return None
    marks, stage = _looked_at(seen), _stage(seen)
    if seen.is_photograph:
        return Doubt("photograph", stage, {"even": seen.sharpness[1]}, marks)
    if isinstance(fit, CellFit):
        return Doubt("no-board", "grid", {"shapes": fit.cells}, marks, (SIZE,), threshold="grid.score")
    if seen.region is None:
        wanted = round(seen.settings.board.size * min(seen.size_px))
        return Doubt("no-board", "board", {"wanted_px": wanted}, marks, (WHERE,), threshold="board.size")
    return Doubt("no-board", "grid", {}, marks, (SIZE,), threshold="grid.score")


def is_of_a_screen(seen: Seen) -> Doubt | None:
    """Detect a photograph whose cells are less clear than in a straight view."""
    fit = seen.fit
    is_straight = fit is not None and fit.is_lattice and fit.score >= STRAIGHT and not fit.is_given
    if fit is None or is_straight or not seen.is_photograph:
        return None
    facts = {"even": seen.sharpness[1], "board": True}
    return Doubt("photograph", "grid", facts, (Mark.of("box", fit.outline_px(), LOOKED_AT),))


def _stage(seen: Seen) -> Stage:
    return "board" if seen.region is None else "grid"


def _looked_at(seen: Seen) -> tuple[Mark, ...]:
    regions = [fit.region for fit in seen.fits]
    corners = {str(item.corners_px): item.corners_px for item in (*regions, seen.region) if item}
    return tuple(
        Mark.of("box", np.asarray(box), "" if number else LOOKED_AT)
        for number, box in enumerate(corners.values())
    )
