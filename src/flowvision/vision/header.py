"""The game's text above a board: its size, ``10x12``, and its number of flows, ``: 0/8``, in any language.

Glyphs are compared with drawn signs; digits count only beside an x or a slash, level and close together. The
band is the part of the picture above the board; ink (h, w) is how surely a pixel of it is text, 0 to 255.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, brightest_channel
from flowvision.vision.pixels.view import Floats, Gray, Mask, dilated, median

ABOVE, LEFT = 0.65, 0.15
"""Extent of the text above and left of a board, in its widths: titles end 0.63 above it, and the counter of
flows begins 0.13 left of it."""
WIDTH_PX, MAX_SCALE, SHRUNK = 900, 4.0, 0.5
"""Pixels to which the board's width is scaled: the smallest text then has digits of 12; largest scale, and
the one below which pixels must be averaged."""
NARROWEST_PX = 60
"""Width in pixels of a board above which no text can be read."""
EDGE_PX, STROKE_PX, AROUND_PX, FAINTEST = 3, 21, 31, 40
"""Largest width in pixels of an edge of a stroke; one that no stroke has; that of the neighbourhood whose
brightest stroke is full ink; brightness of the faintest text, of 255."""
LIGHT_PAGE = 100
"""Median brightness above which a page is light, with dark text."""
ROW_STEP = 3
"""Rows of a band of which one is searched for edges; the lowest text has ten."""
INK_LEVELS = (115, 153, 191)
"""Ink, of 255, that counts as part of a glyph: glyphs that touch at one level are apart at the next."""
GLYPH_PX, DOT_PX = (10, 75), (2, 14)
"""Smallest and largest height in pixels of digits; sides of the dots of a colon."""
WIDEST_GLYPH, LEAST_FILLED = 1.3, 0.1
"""Width of a glyph by its height; share of its box that it fills."""
SIGNS = "0123456789/x"
SIGNS_FILE = os.path.join(os.path.dirname(__file__), "header_signs.png")
"""A row of signs per font, drawn by ``docs/header_signs.py``."""
SIGN_PX, SIGN_EDGE_PX = 20, 2
"""Side in pixels of the square into which a glyph is scaled, and its margin."""
BLUR_PX = 1.0
"""Standard deviation of the blur of glyphs, so that strokes of unlike weight are alike."""
SURE, LIKELY, MARGIN = 0.6, 0.5, 2.5
"""Sureness of text that is believed, and of an x or a slash that is looked at; gain in sureness by the lead
of the likeliest sign."""
X_HEIGHTS, SLASH_HEIGHTS = (0.6, 0.88), (0.9, 1.4)
"""Heights of an x and of a slash, by those of digits."""
UNEVEN = 0.15
"""Largest difference of heights and tops of digits, and of the feet of an x and digits, by their height."""
APART = 0.97
"""Distance of the centres of neighbouring glyphs, by the height of digits."""
MAX_DIGITS = 2
SMALLEST, MOST_OBLONG, FEWEST_FLOWS = 2, 2, 2
"""Fewest rows, largest ratio of columns and rows, and fewest flows of a board with a title."""
COLON_NEAR, COLON_DOT, COLON_SLANT, COLON_GAP = 1.3, 0.35, 0.12, 0.3
"""Distance of a colon from the digit behind it, largest side of its dots, how far they stand out of line, and
the smallest distance between them, by the height of digits."""


class Header(Struct, frozen=True):
    """Text above a board, if it was read surely: its size (rows, cols), and its number of flows.

    ``box_px``: left, top, right and bottom of the text's band, in pixels of the picture.
    """

    box_px: tuple[int, int, int, int]
    size: tuple[int, int] | None = None
    flows: int | None = None


class Ratio(NamedTuple):
    """Two numbers with an x or a slash (``sign``) between them."""

    sign: str
    before: int
    after: int


class Glyph(NamedTuple):
    """A piece of text, in pixels of the scaled band; ``sureness``: 0 to 1 that it is this sign."""

    sign: str
    sureness: float
    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> float:
        """Horizontal centre."""
        return self.x + self.width / 2

    @property
    def foot(self) -> int:
        """Lower end."""
        return self.y + self.height


def read_header(bgr: Bgr, outline_px: Floats, above_px: float = 0.0) -> Header:
    """Return the size and the number of flows that stand above a board.

    ``outline_px`` (N, 2): points on its outline, in pixels of the picture. ``above_px``: upper end of its
    text; what stands higher belongs to another board.
    """
    (left, top), (right, _) = np.round((outline_px.min(axis=0), outline_px.max(axis=0))).astype(int).tolist()
    width = right - left
    x0, x1 = max(0, left - round(LEFT * width)), max(0, right)
    y0 = max(0, round(above_px), top - round(ABOVE * width))
    y1 = max(0, top)
    sureness_of = dict[Ratio, float]()
    for ink in _inks(bgr[y0:y1, x0:x1], width):
        for level in INK_LEVELS:
            for ratio, sureness in _ratios(*_glyphs(ink, level)):
                sureness_of[ratio] = max(sureness, sureness_of.get(ratio, 0.0))
            # Size and flows are sure: no need to look further.
            if {ratio.sign for ratio, sureness in sureness_of.items() if sureness >= SURE} == {"x", "/"}:
                return _header_of((x0, y0, x1, y1), sureness_of)
    return _header_of((x0, y0, x1, y1), sureness_of)


def _header_of(box_px: tuple[int, int, int, int], sureness_of: Mapping[Ratio, float]) -> Header:
    """Return the header with the surest size and number of flows; titles name columns first."""
    size, flows = (_surest(sureness_of, sign) for sign in "x/")
    return Header(box_px, (size.after, size.before) if size else None, flows.after if flows else None)


def _surest(sureness_of: Mapping[Ratio, float], sign: str) -> Ratio | None:
    """Return the surest two numbers beside a sign; ``None`` unless ``SURE`` surer than all others."""
    ratios = sorted((sureness, ratio) for ratio, sureness in sureness_of.items() if ratio.sign == sign)
    if not ratios:
        return None
    *others, (sureness, surest) = ratios
    sureness_of_second, _ = others[-1] if others else (0.0, None)
    return surest if sureness - sureness_of_second >= SURE else None


def _inks(band: Bgr, width: int) -> Iterator[Gray]:
    """Yield the ink of a band, scaled, without its empty rows; on light pages that of dark text first.

    ``width``: that of the board, in pixels.
    """
    scale = min(WIDTH_PX / max(width, 1), MAX_SCALE)
    if width < NARROWEST_PX or scale * min(band.shape[:2]) < GLYPH_PX[0]:
        return
    interpolation = cv2.INTER_LINEAR if scale < 1 else cv2.INTER_CUBIC
    interpolation = cv2.INTER_AREA if scale < SHRUNK else interpolation
    for page in _pages(band, max(1, round(EDGE_PX / scale))):
        scaled = cv2.resize(page, None, fx=scale, fy=scale, interpolation=interpolation)
        strokes = _strokes(np.asarray(scaled, np.uint8))
        ink = _rows_near(strokes, strokes.max(axis=1) > INK_LEVELS[0], height_px=3)  # with a row on each side
        if len(ink):
            yield ink


def _pages(band: Bgr, edge_px: int) -> Iterator[Gray]:
    """Yield the rows (h, w) of a band near edges at most ``edge_px`` wide, so that its text is bright.

    On light pages dark text first. Most of a band is empty, so edges are sought in every ``ROW_STEP``-th row.
    Near are ``STROKE_PX`` // 2 rows of the unscaled band. An edge rises by half the faintest text or more.
    """
    few_rows = band[::ROW_STEP]
    is_light = median(brightest_channel(few_rows[::ROW_STEP, ::8])) > LIGHT_PAGE
    # Coloured strokes are as bright as white ones in one channel.
    for page_of in (_darkness, brightest_channel) if is_light else (brightest_channel,):
        page = page_of(few_rows)
        steps = cv2.absdiff(page[:, edge_px:], page[:, :-edge_px])
        is_text = np.repeat(steps.max(axis=1) >= FAINTEST / 2, ROW_STEP)[: len(band)]
        rows = _rows_near(band, is_text, STROKE_PX)
        if len(rows):
            yield page_of(rows)


def _darkness(bgr: Bgr) -> Gray:
    """Return (h, w): how dark the darkest channel is, 255 for black."""
    return np.asarray(255 - bgr.min(axis=2), np.uint8)


def _rows_near(page: Gray, is_text: Mask, height_px: int) -> Gray:
    """Return the rows of a page (h, w, …) with text within ``height_px`` // 2 rows; ``is_text``: (h,)."""
    near = cv2.dilate(is_text.astype(np.uint8)[:, None], np.ones((height_px, 1), np.uint8))
    return page[near[:, 0] > 0]


def _strokes(page: Gray) -> Gray:
    """Return the ink of a page (h, w): thin bright strokes, relative to the brightest one nearby."""
    strokes = cv2.morphologyEx(page, cv2.MORPH_TOPHAT, np.ones((STROKE_PX, STROKE_PX), np.uint8))
    nearby = dilated(np.asarray(strokes, np.uint8), AROUND_PX)
    peak = cv2.max(nearby, np.full_like(nearby, FAINTEST))
    return np.asarray(cv2.divide(strokes, peak, scale=255.0), np.uint8)


Boxes = NDArray[Any]
"""Whole numbers as OpenCV counts pixels: x, y, width, height."""


def _glyphs(ink: Gray, level: int) -> tuple[list[Glyph], Boxes]:
    """Return the glyphs with their likeliest signs, and the boxes (N, 4) of small dots.

    ``level``: ink above it is part of a glyph.
    """
    mask = (ink > level).astype(np.uint8)
    try:  # labels of 16 bits take a third of the time of 32
        _, pieces, stats, _ = cv2.connectedComponentsWithStats(mask, ltype=cv2.CV_16U)
    except cv2.error:  # noise of more than 65,535 pieces
        return [], np.empty((0, 4), np.int32)
    _, _, width, height, area = stats.T
    is_whole = (height >= GLYPH_PX[0]) & (height <= GLYPH_PX[1]) & (width <= WIDEST_GLYPH * height)
    is_whole &= area >= LEAST_FILLED * width * height
    sides = stats[:, 2:4]
    is_dot = ((sides >= DOT_PX[0]) & (sides <= DOT_PX[1])).all(axis=1)
    dots = stats[is_dot, :4]
    labels = np.flatnonzero(is_whole)
    if not len(labels):
        return [], dots
    squares = [fitted(_piece(ink, pieces, stats[label], label)) for label in labels.tolist()]
    likeness = _shapes(squares) @ _sign_shapes().T  # (glyphs, fonts · signs), -1 to 1
    by_sign = likeness.reshape(len(squares), -1, len(SIGNS)).max(axis=1)
    second, first = np.sort(by_sign, axis=1)[:, -2:].T
    sureness = np.minimum(first, LIKELY + MARGIN * (first - second))
    signs = by_sign.argmax(axis=1)
    boxes = stats[labels, :4]
    rows = zip(signs.tolist(), sureness.tolist(), boxes.tolist(), strict=True)
    return [Glyph(SIGNS[sign], sure, *box) for sign, sure, box in rows], dots


def _piece(ink: Gray, pieces: Boxes, stats: Boxes, label: int) -> Gray:
    """Return the ink of one piece in its box, without others that reach into it.

    ``pieces`` (h, w): the label of each pixel's piece. ``stats`` (5,): OpenCV's, its box and its area.
    """
    x, y, width, height, area = stats.tolist()
    box = np.s_[y : y + height, x : x + width]
    labels = pieces[box]
    if np.count_nonzero(labels) == area:
        return ink[box]
    is_other = (labels != label) & (labels != 0)
    return np.where(is_other, np.uint8(0), ink[box])


def fitted(glyph: Gray) -> Gray:
    """Return a glyph (h, w) in the middle of a square, which its longer side fills but for a margin."""
    room = SIGN_PX - 2 * SIGN_EDGE_PX
    height, width = (max(1, round(side * room / max(glyph.shape))) for side in glyph.shape)
    square = np.zeros((SIGN_PX, SIGN_PX), np.uint8)
    top, left = (SIGN_PX - height) // 2, (SIGN_PX - width) // 2
    square[top : top + height, left : left + width] = cv2.resize(
        glyph, (width, height), interpolation=cv2.INTER_AREA
    )
    return square


def _shapes(squares: Sequence[Gray]) -> Floats:
    """Return squares with a glyph each as vectors (N, pixels) of mean 0 and length 1, blurred."""
    # Side by side: OpenCV blurs a few long rows in a tenth of the time of many short ones.
    soft = cv2.GaussianBlur(np.hstack(squares), (0, 0), BLUR_PX)
    parts = soft.reshape(SIGN_PX, len(squares), SIGN_PX).transpose(1, 0, 2)
    return unit_vectors(parts.reshape(len(squares), -1))


def unit_vectors(flat: NDArray[Any]) -> Floats:
    """Return the rows of ``flat`` (N, pixels), shifted to mean 0 and scaled to length 1."""
    centred = flat - flat.mean(axis=1, keepdims=True, dtype=np.float32)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6))


@cache
def _sign_shapes() -> Floats:
    """Return the drawn signs (fonts · signs, pixels), font by font: vectors as of ``_shapes``."""
    sheet = cv2.imdecode(np.fromfile(SIGNS_FILE, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert sheet is not None
    fonts = np.split(sheet.astype(np.uint8), len(sheet) // SIGN_PX)
    return _shapes([sign for font in fonts for sign in np.split(font, len(SIGNS), axis=1)])


def _ratios(glyphs: Sequence[Glyph], dots: Boxes) -> Iterator[tuple[Ratio, float]]:
    """Yield every x and slash between two numbers, and the sureness of its weakest glyph.

    Numbers of a size differ at most twofold, and those of flows stand behind a colon: else it is a date.
    """
    in_order = sorted(glyphs, key=lambda glyph: glyph.middle)
    for number, pivot in enumerate(in_order):
        if pivot.sign not in "x/" or pivot.sureness < LIKELY:
            continue
        left = _digits(pivot, in_order[:number][::-1])[::-1]
        right = _digits(pivot, in_order[number + 1 :])
        if not (left and right and _is_level(pivot, [*left, *right])):
            continue
        ratio = Ratio(pivot.sign, _number(left), _number(right))
        if _is_size(ratio) or (_is_count(ratio) and _follows_colon(left[0], dots)):
            yield ratio, min(glyph.sureness for glyph in (pivot, *left, *right))


def _number(digits: Sequence[Glyph]) -> int:
    """Return the number that digits form, from left to right."""
    return int("".join(digit.sign for digit in digits))


def _is_size(ratio: Ratio) -> bool:
    """Return whether numbers beside an x may be the columns and rows of a board."""
    sign, cols, rows = ratio
    return sign == "x" and SMALLEST <= rows <= MOST_OBLONG * cols and cols <= MOST_OBLONG * rows


def _is_count(ratio: Ratio) -> bool:
    """Return whether numbers beside a slash may be those of finished flows and of all."""
    sign, done, flows = ratio
    return sign == "/" and flows >= FEWEST_FLOWS and done <= flows


def _digits(pivot: Glyph, outwards: Sequence[Glyph]) -> list[Glyph]:
    """Return the digits that touch a sign on one side, nearest first; none if more than two do, or a sign.

    ``outwards``: the glyphs on that side, nearest first; only those on the line of the sign count.
    """
    digits = list[Glyph]()
    last = pivot
    reach = (MAX_DIGITS + 1) * pivot.height / X_HEIGHTS[0]
    for glyph in outwards:
        if abs(glyph.middle - pivot.middle) > reach:
            break
        if not _overlap(pivot, glyph):
            continue
        # That of digits; beside the sign, which may be lower (x) or higher (/), the larger one.
        height = digits[0].height if digits else max(glyph.height, pivot.height)
        if abs(glyph.middle - last.middle) > APART * height:
            break
        if not glyph.sign.isdigit() or len(digits) == MAX_DIGITS:
            return []
        digits.append(glyph)
        last = glyph
    return digits


def _overlap(pivot: Glyph, other: Glyph) -> bool:
    """Return whether two glyphs share more than half the height of the lower one."""
    shared_height = min(pivot.foot, other.foot) - max(pivot.y, other.y)
    return shared_height > 0.5 * min(pivot.height, other.height)


def _is_level(pivot: Glyph, digits: Sequence[Glyph]) -> bool:
    """Return whether digits have one height and one line, and the sign between them fits them."""
    extents = ((digit.y, digit.height, digit.foot) for digit in digits)
    tops, heights, feet = (sorted(ends) for ends in zip(*extents, strict=True))
    height, foot = heights[len(digits) // 2], feet[len(digits) // 2]
    if max(tops[-1] - tops[0], heights[-1] - heights[0]) > UNEVEN * height + 1:
        return False
    low, high = X_HEIGHTS if pivot.sign == "x" else SLASH_HEIGHTS
    is_on_line = pivot.sign == "/" or abs(pivot.foot - foot) < UNEVEN * height
    return low <= pivot.height / height <= high and is_on_line


def _follows_colon(digit: Glyph, dots: Boxes) -> bool:
    """Return whether two small dots, of boxes (N, 4), stand one above the other close before a digit."""
    height = digit.height
    x, y, dot_width, dot_height = dots.T
    is_before = (x > digit.x - COLON_NEAR * height) & (x < digit.x)
    is_beside = (y > digit.y) & (y < digit.foot + 0.1 * height)
    is_small = np.maximum(dot_width, dot_height) < COLON_DOT * height
    is_near = is_before & is_beside & is_small
    across, down = (along[is_near, None] - along[is_near] for along in (x, y))
    is_pair = (np.abs(across) < COLON_SLANT * height) & (down > COLON_GAP * height)
    return bool(is_pair.any())
