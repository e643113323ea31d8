"""Evidence that a board continues past its border: a part of one may have one solution by chance.

Places and lengths are in cell units of the board's frame, x first, unless they are named rows and columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, compress
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.image.picture import PIXELS, Frame, Screenshot, affine_map, pixels_at, unit_circle
from flowvision.puzzle.layout import Place
from flowvision.vision.assembly import Interpretation
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.view import HALF_WAY, Channel, Floats, grid_points, median

SIDES = ("left", "top", "right", "bottom")
ALONG = np.array((0.17, 0.27, 0.73, 0.83))
"""Places along a line, in cells, away from crossing lines, pipes and dots."""
STUB = np.array((0.05, 0.07, 0.09))
"""Cells from the border where a crossing line shows even if something covers the cells beyond."""
STUB_PX = 1.5
"""Pixels round the border that it may be blurred over."""
SLACK, SLACK_PX = 0.03, 1.5
"""Largest distance of a line from its place, in cells, and in pixels if that is more."""
ON_LINE = np.linspace(-1, 1, 5)
"""Positions to search for a line, in shares of the slack."""
GROUND = 0.16
"""Cells across a line to the ground on both sides, away from dots and blurred lines."""
ASIDE = 0.3
"""Cells from a line to the ground beside it, for comparison."""
SHIFTS = np.arange(1, 16) / 16
"""Shifts along a tear of the part beyond it, in cells; at twice the slack, no line lies between two."""
NO_LINES = 2.7
"""Largest z score beyond whole boards."""
ERROR_MIN = 0.5
"""Brightness: smallest error of a mean, because pixels are whole numbers."""
REACH = np.array((0.07, 0.1, 0.13))
"""Cells beyond the border that lines beside an opening reach at least."""
REACHING = 0.3
"""Share of their strength inside that they have there: they fade out."""
GOES_ON = 0.6
"""Share of a lattice's lines that continue with the board; text and buttons show fewer."""
OFF_MIDDLE = 0.05
"""Largest distance of a lattice from its place in the middle of a screen, in cell widths."""
LINE_RISE = 6
"""Brightness by which lines of a lattice that is not believed stand out; the game's by 60."""
INSIDE = np.concatenate((0.1 * unit_circle(8), 0.22 * unit_circle(8)))
"""(16, 2) of a cell, from its middle: inside discs that are two thirds as large as dots."""
SQUARE_ROUND, HEX_ROUND = 0.6 * unit_circle(8), 0.45 * unit_circle(12)
"""From its middle: just beyond its sides, where pipes continue and no disc reaches; and in its corners."""
COLOURED = 20.0
"""Distance in a* and b* of CIELAB: the unit of colours. Four of 391 whole boards have more than two."""
UNKNOWN = 256
"""Difference of brightness that no two pixels have: of a disc with places that cannot be seen."""
CONTRAST_MIN, OUTSTANDING = 30.0, 0.4
"""Smallest contrast of a disc that may be a dot, and as a share of the dots' own; tints have less."""
STRAY, PAST = np.arange(0.3, 1.2, 0.2), 0.6
"""Distances in cells from a border to lines on which discs of a shifted row are searched, and length of these
lines past its ends."""
STRIDE, NEARBY = 0.25, 0.1 * (np.indices((3, 3)).reshape(2, 9).T - 1.0)
"""Cells between places on such a line, and offsets (9, 2) of the points round each that are tried."""
STRAY_DISC = np.concatenate((1.25 * INSIDE, 0.6 * unit_circle(16)))
"""As ``INSIDE`` and ``SQUARE_ROUND``, larger and denser: round buttons are smaller, wide ones have text."""
FAINTEST = 0.2
"""Smallest contrast of such discs, as a share of the dots' own: glass and veils take most of it."""
ALIKE, ALIKE_BEHIND = 0.3, 0.7
"""Shares of their contrast by which the colours of a pair differ, in plain sight and behind something."""
IN_CORNERS, SAME = 0.42 * np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)]), 0.2
"""Places (4, 2) in the corners of a cell, from its middle; share of a contrast below which two are one."""
OFF_PLACE = 0.05
"""Largest distance of a cell from its place, in cells: 0.01 on real boards, 0.1 where a row was torn off."""


class Lattice(Struct, frozen=True, eq=False):
    """The rows and columns of a board in its picture.

    ``frame``: from cell units to pixels. ``cells``: the places on the board, without holes. ``channel``: in
    which lines are brighter than their ground. ``openings``: the two places that each joins. ``has_lines``:
    false where circles are its cells.
    """

    shot: Screenshot
    rows: int
    cols: int
    cells: tuple[Place, ...]
    frame: Frame
    pitch_px: float
    channel: Channel
    is_hex: bool = False
    openings: tuple[tuple[Place, Place], ...] = ()
    has_lines: bool = True

    def middles(self, places: object) -> Floats:
        """Return (N, 2): the middles of cells at these rows and columns, in cell units."""
        rows, cols = np.reshape(np.asarray(places, np.float64), (-1, 2)).T
        if self.is_hex:
            from flowvision.vision.kinds.hexagonal.fit import centre

            return centre(rows, cols)
        return np.column_stack((cols, rows)) + 0.5


class Evidence(NamedTuple):
    """Signs that a board continues past what was read.

    ``lines``: the logarithm of ``line_evidence``. ``discs``, ``pairs``, ``colours``: as ``disc_evidence`` and
    its neighbours return them. ``gaps``: share of the outline that is open, 0 to 1. The others are 0 or 1.
    ``margins``: left and right differ by a column. ``unseen``: hexagons found one by one, which were not
    believed as a lattice.
    """

    lines: float
    discs: float
    pairs: float
    colours: float
    gaps: float
    margins: float
    unseen: float


def evidence_of(interpretation: Interpretation, grid: Lattice) -> Evidence:
    """Return the signs that a board continues past what was read."""
    dots, geometry = interpretation.dots, interpretation.geometry
    assert dots is not None
    assert geometry is not None
    fit, dot_places = geometry.fit, [grid.cells[dot.cell] for dot in dots.dots]
    return Evidence(
        lines=float(np.log(line_evidence(grid))),
        discs=disc_evidence(grid, dot_places),
        pairs=pair_evidence(grid, dot_places),
        colours=colour_evidence(grid),
        gaps=fit.gaps,
        margins=margin_evidence(grid, fit),
        unseen=float(grid.is_hex and not fit.is_regular),
    )


def lattice_of(interpretation: Interpretation, shot: Screenshot) -> Lattice | None:
    """Return the rows and columns of a board; ``None`` for other boards."""
    geometry, reading, crossings = interpretation.geometry, interpretation.reading, interpretation.crossings
    lattice = reading.lattice
    if geometry is None or lattice is None:
        return None
    fit, is_hex = geometry.fit, lattice.tiling == "hex"
    grid = Lattice(
        shot,
        lattice.rows,
        lattice.cols,
        lattice.places,
        PIXELS,
        fit.pitch_px,
        fit.view.channel,
        is_hex,
        openings=crossings.warps if crossings else (),
        has_lines=is_hex or fit.is_lattice or not fit.is_regular,
    )
    # Cells found one by one lie only near the places of a lattice: its frame is the best through all.
    onto_cells = affine_map(grid.middles(lattice.places), reading.board.layout.centres)
    return replace(grid, frame=Frame.of_homography(reading.frame.homography @ onto_cells))


def has_shifted_cells(interpretation: Interpretation, grid: Lattice) -> bool:
    """Return whether cells that were found one by one lie beside their places on the lattice."""
    reading = interpretation.reading
    centres_px = reading.frame.to_px(reading.board.layout.centres)
    off_px = np.linalg.norm(grid.frame.to_px(grid.middles(grid.cells)) - centres_px, axis=1)
    return bool(off_px.max() > OFF_PLACE * grid.pitch_px)


def margin_evidence(grid: Lattice, fit: Fit) -> float:
    """Return 1 if the margins left and right differ by a column: screens show boards in their middle."""
    x_px = fit.outline_px()[:, 0]
    left_px, right_px = x_px.min(), grid.shot.bgr.shape[1] - x_px.max()
    difference = abs(left_px - right_px) / fit.pitch_px
    (first_x, _), (third_x, _) = grid.middles([(0, 0), (0, 2)])
    column_width = (third_x - first_x) / 2  # less than 1 between hexagons
    return float(abs(difference - column_width) <= OFF_MIDDLE)


def line_evidence(grid: Lattice) -> float:
    """Return how clearly inner lines of squares continue past a border; 1.0: as little as past the others."""
    evidence = _line_evidence(grid)
    if grid.channel != "negative":
        return evidence
    # Lines that are darker than tinted cells are brighter than empty ones.
    return max(evidence, _line_evidence(replace(grid, channel="brightest")))


def _line_evidence(grid: Lattice) -> float:
    """Return the largest score of a border over the smallest, in the channel of a lattice.

    All are alike round an icon, whose lines fade out on all sides.
    """
    if grid.is_hex or not grid.has_lines:
        return 1.0
    scores = [score for border in _borders(grid) if (score := _score_past(grid, border)) is not None]
    return max(scores, default=NO_LINES) / (min(scores) if len(scores) > 1 else NO_LINES)


def _score_past(grid: Lattice, border: Border) -> float | None:
    """Return the z score of inner lines past a border; ``None`` with few of them, or outside the picture.

    The largest of three: over the cell beyond, near the border, and of lines shifted along a tear.
    """
    lines = np.array([cell for cell in border.cells if cell - 1 in border.cells], np.float64)
    if len(lines) < 2:
        return None
    is_open = any(first[border.axis] == last[border.axis] for first, last in grid.openings)
    # Beside openings, the lines of whole boards reach out by a tenth of a cell as well.
    has_stub = not is_open and STUB[0] * grid.pitch_px >= STUB_PX
    along = border.beyond(np.concatenate((ALONG, STUB)) if has_stub else ALONG)
    on_lines, *on_ground = (
        _line_strengths(grid, border.axis, lines + aside, along) for aside in (0.0, -ASIDE, ASIDE)
    )
    over_cell, near_border = np.split(on_lines - np.maximum(*on_ground), [len(ALONG)], axis=1)
    tables = [rises[None] for rises in (over_cell, near_border) if np.isfinite(rises).any()]
    if np.isfinite(over_cell).any():
        shifted_lines = (lines[:-1] + SHIFTS[:, None]).ravel()  # shift by shift
        strengths = _line_strengths(grid, border.axis, shifted_lines, border.beyond(ALONG))
        tables.append(strengths.reshape(len(SHIFTS), -1, len(ALONG)))
    return max((float(_z_scores(table).max()) for table in tables), default=None)


def _z_scores(strengths: Floats) -> Floats:
    """Return (N,): a z score, at least ``NO_LINES``, for each table of ``strengths`` (N, lines, places).

    NaN are places outside the picture; a table with few others has ``NO_LINES``. A line has the lower median
    of its places, as keys and dots cover some, and the weight of their number.
    """
    weights = np.isfinite(strengths).sum(axis=2)
    ordered = np.sort(strengths, axis=2)  # NaN come last
    median_at = np.maximum(weights - 1, 0)[:, :, None] // 2
    medians = np.nan_to_num(np.take_along_axis(ordered, median_at, axis=2)[:, :, 0])
    total = np.maximum(weights.sum(axis=1), 1)
    mean = (medians * weights).sum(axis=1) / total
    error_of_mean = np.sqrt(((medians - mean[:, None]) ** 2 * weights).sum(axis=1)) / total
    z_scores = mean / (error_of_mean + ERROR_MIN)
    return np.where(total < len(ALONG), NO_LINES, np.maximum(NO_LINES, z_scores))


class Border(NamedTuple):
    """A border of rows and columns, in cell units.

    ``axis``: of ``AXES``, across the border: 0 on the left and right. ``position``: along that axis;
    ``outwards``: 1 or -1. ``cells``: the rows, or columns, of the cells beside it.
    """

    axis: Axis
    position: int
    outwards: int
    cells: list[int]

    def beyond(self, away: Floats) -> Floats:
        """Return the positions at these distances beyond it, in cells."""
        return self.position + self.outwards * away

    @property
    def places_beyond(self) -> list[Place]:
        """Rows and columns of the places across it from ``cells``."""
        outer = self.position if self.outwards > 0 else self.position - 1
        return [(cell, outer) if self.axis == 0 else (outer, cell) for cell in self.cells]


def _borders(grid: Lattice) -> Iterator[Border]:
    """Yield the borders on the left, on the right, above and below."""
    for axis, size in zip(AXES, (grid.cols, grid.rows), strict=True):
        along, across = axis, 1 - axis  # of a place: its row counts along the left border
        first = [place[along] for place in grid.cells if place[across] == 0]
        last = [place[along] for place in grid.cells if place[across] == size - 1]
        yield Border(axis, position=0, outwards=-1, cells=first)
        yield Border(axis, position=size, outwards=1, cells=last)


def has_empty_border(grid: Lattice) -> bool:
    """Return whether an outermost row or column has no cells, as on no board."""
    return not all(border.cells for border in _borders(grid))


def disc_evidence(grid: Lattice, dots: Sequence[Place]) -> float:
    """Return the contrast of the second-best disc beyond the borders, as a share of the dots' own.

    One alone may be a button; a board inside a larger one has some beyond several borders.
    """
    contrasts = np.concatenate([_contrasts(grid, middles) for middles in _middles_beyond(grid)])
    return float(np.sort(contrasts)[-2]) / _usual_contrast(grid, dots)


def pair_evidence(grid: Lattice, dots: Sequence[Place]) -> float:
    """Return the contrast of two discs of one colour beyond a border, as a share of the dots' own.

    Both lie on one line parallel to the border, at any distance: the outer row of a board may be shifted, or
    blurred by glass over it. Three or more discs of one colour are buttons, or dots of another board.
    """
    middles, usual = grid.middles(grid.cells), _usual_contrast(grid, dots)
    board = middles.min(axis=0) - 0.5, middles.max(axis=0) + 0.5
    return (
        max(_clearest_pair(grid, board, places, FAINTEST * usual) for places in _lines_beyond(board)) / usual
    )


Box = tuple[Floats, Floats]
"""Upper left and lower right corner of an upright rectangle, each (2,)."""


def _lines_beyond(box: Box) -> Iterator[Floats]:
    """Yield places (lines, N, 2) on lines along the upper and lower borders of a box, then the others."""
    low, high = box
    for axis in AXES:
        along = np.arange(low[axis] - PAST, high[axis] + PAST, STRIDE)
        across = np.concatenate((low[1 - axis] - STRAY, high[1 - axis] + STRAY))  # outside both borders
        places = np.empty((len(across), len(along), 2))
        places[..., axis], places[..., 1 - axis] = along, across[:, None]
        yield places


def _clearest_pair(grid: Lattice, board: Box, places: Floats, least: float) -> float:
    """Return the contrast of the clearest two discs that alone have their colour on a line, 0 without any.

    Of the two the fainter one counts. ``places`` (lines, N, 2): near which discs are searched. ``board``: the
    box that at most half of a disc overlaps. ``least``: contrast of a disc at least.
    """
    lines, positions = np.nonzero(_stands_out(grid, places, least))
    nearby = places[lines, positions, None] + NEARBY  # (candidates, 9, 2)
    colours, contrasts = _discs(grid, nearby, _disc_points(grid) if grid.is_hex else STRAY_DISC, board)
    clearest = np.arange(len(nearby)), contrasts.argmax(axis=1)  # of the nine, per candidate
    colours, contrasts = colours[clearest], contrasts[clearest]
    is_disc, best = contrasts >= least, 0.0
    for line in set(lines[is_disc].tolist()):
        is_here = is_disc & (lines == line)
        best = max(best, _pair_contrast(positions[is_here], colours[is_here], contrasts[is_here]))
    return best


def _stands_out(grid: Lattice, places: Floats, least: float) -> NDArray[np.bool_]:
    """Return (lines, N): whether three of the four sides of places (lines, N, 2) differ by ``least``."""
    middle_and_sides = np.concatenate(([(0, 0)], SQUARE_ROUND[::2]))
    bgr, _ = _sampled(grid, places[..., None, :] + middle_and_sides)
    differences = np.abs(bgr[..., 1:, :] - bgr[..., :1, :]).max(axis=-1)
    second_smallest = np.sort(differences, axis=-1)[..., 1]
    return np.asarray(second_smallest >= least)  # then so are the two larger ones


def _pair_contrast(positions: NDArray[np.intp], colours: NDArray[np.int16], contrasts: Floats) -> float:
    """Return the contrast of the clearest colour that exactly two discs on a line have, 0 without one.

    ``positions`` (N,): of candidates along the line, in steps of ``STRIDE``; neighbours are one disc.
    ``colours`` (N, 3). Of the two discs the fainter one counts.
    """
    best = 0.0
    while len(positions):  # colour by colour, the clearest first
        clearest = contrasts.argmax()
        is_alike = np.abs(colours - colours[clearest]).max(axis=1) <= ALIKE * contrasts[clearest]
        disc_starts = np.flatnonzero(np.diff(positions[is_alike]) > 1) + 1  # but the first disc's
        if len(disc_starts) == 1:
            best = max(best, min(disc.max() for disc in np.split(contrasts[is_alike], disc_starts)))
        positions, colours, contrasts = positions[~is_alike], colours[~is_alike], contrasts[~is_alike]
    return best


def colour_evidence(grid: Lattice) -> float:
    """Return how much two cells just beyond a border stand out by a colour of their own, in ``COLOURED``.

    A pair has two dots, which keep some colour behind glass, blur or shade.
    """
    return max(_contrast_of_two(*_colours(grid, middles)) for middles in _middles_beyond(grid)) / COLOURED


def _contrast_of_two(colours: Floats, contrasts: Floats) -> float:
    """Return the contrast of the clearest two of some cells that alone have one colour, 0 without any.

    Three and more of a colour are keys, cards or a pattern. ``colours`` (N, channels), ``contrasts`` (N,): of
    cells. Of the two the fainter one counts.
    """
    differences, best = np.abs(colours[:, None] - colours).max(axis=2), 0.0
    for one, other in combinations(range(len(contrasts)), 2):
        contrast, difference = min(contrasts[one], contrasts[other]), differences[one, other]
        # A third cell has this colour if it is hardly less alike: pairs of cyan and of teal stay apart.
        reach = np.clip(2 * difference, ALIKE * contrast, ALIKE_BEHIND * contrast)
        is_alike = np.minimum(differences[one], differences[other]) <= reach
        if difference <= ALIKE_BEHIND * contrast and np.count_nonzero(is_alike) == 2:
            best = max(best, contrast)
    return best


def _middles_beyond(grid: Lattice) -> Iterator[Floats]:
    """Yield, per border, the middles (N, 2) of the places just beyond it."""
    return (grid.middles(border.places_beyond) for border in _borders(grid))


def discs_without_dot(grid: Lattice, dots: Sequence[Place]) -> tuple[Place, ...]:
    """Return the places of discs that look like dots but were not read as dots.

    Such a disc has the dots' contrast, one colour and at least two thirds of their size, and ends within its
    cell, unlike pipes. ``dots``: the places of dots.
    """
    places = [place for place in grid.cells if place not in dots]
    least = max(CONTRAST_MIN, OUTSTANDING * _usual_contrast(grid, dots))
    contrasts = _contrasts(grid, grid.middles(places)).tolist()
    return tuple(place for place, contrast in zip(places, contrasts, strict=True) if contrast >= least)


def half_cells(grid: Lattice, dots: Sequence[Place]) -> tuple[Place, ...]:
    """Return the places of dots whose colour fills two corners of the cell, and not the others.

    It is a part of a panel that ends within the cell. None of 683 right boards has one.
    """
    if grid.is_hex or not grid.has_lines:
        return ()
    bgr, _ = _sampled(grid, grid.middles(dots)[:, None] + np.concatenate((INSIDE, IN_CORNERS)))
    colours = np.median(bgr[:, : len(INSIDE)], axis=1, keepdims=True)
    _, second, _, last = np.sort(np.abs(bgr[:, len(INSIDE) :] - colours).max(axis=2), axis=1).T
    is_half = (last >= CONTRAST_MIN) & (second < SAME * last)
    return tuple(compress(dots, is_half))


def _usual_contrast(grid: Lattice, dots: Sequence[Place]) -> float:
    """Return the median contrast of dots with their surroundings, 0 to 255, at least ``CONTRAST_MIN``."""
    bgr, _ = _sampled(grid, grid.middles(dots)[:, None] + _disc_points(grid))
    inside, around = (np.median(part, axis=1) for part in np.split(bgr, [len(INSIDE)], axis=1))
    return max(CONTRAST_MIN, median(np.abs(inside - around).max(axis=1)))


def _contrasts(grid: Lattice, middles: Floats) -> Floats:
    """Return (N,): the contrast of a disc at each of the middles (N, 2); 0 without one."""
    _, contrasts = _discs(grid, middles, _disc_points(grid))
    return contrasts


def _discs(
    grid: Lattice, middles: Floats, disc: Floats, board: Box | None = None
) -> tuple[NDArray[np.int16], Floats]:
    """Return the colours (…, 3) and contrasts (…) of discs at middles (…, 2); a contrast of 0 is no disc.

    ``disc`` (N, 2): from its middle, the places ``INSIDE`` it, then those round it. All of a disc lies in the
    picture; with ``board``, half of it beyond that box suffices, and of the places round it only those beyond
    count. At most an eighth of all places inside differ: the others are looked up too, past the picture's
    edge at the nearest pixel. A fifth of the pairs beyond damaged borders have more than an eighth hidden.
    """
    points, inside_count = middles[..., None, :] + disc, len(INSIDE)
    bgr, is_known = _sampled(grid, points)
    colours = np.sort(bgr[..., :inside_count, :], axis=-2)[..., inside_count // 2, :]  # upper medians
    if board is not None:
        low, high = board
        is_known &= ~((points > low) & (points < high)).all(axis=-1)
    differences = np.abs(bgr - colours[..., None, :]).max(axis=-1)
    inside, around = differences[..., :inside_count], differences[..., inside_count:]
    contrasts = np.where(is_known[..., inside_count:], around, UNKNOWN).min(axis=-1)
    is_unlike = inside >= HALF_WAY * contrasts[..., None]
    known_count = np.count_nonzero(is_known[..., :inside_count], axis=-1)
    known_min = inside_count if board is None else inside_count // 2
    is_even = np.count_nonzero(is_unlike, axis=-1) <= inside_count // 8
    is_disc = is_even & (known_count >= known_min) & (contrasts < UNKNOWN)
    return colours, np.where(is_disc, contrasts, 0).astype(np.float64)


def _colours(grid: Lattice, middles: Floats) -> tuple[Floats, Floats]:
    """Return the colours (N, 2) at middles (N, 2), and their distances (N,) from those round them.

    Both in a* and b* of CIELAB. Of the places round a middle all but one are as far: at an edge of scenery
    those on its side are near. The distance is 0 for a place that lies partly outside the picture.
    """
    bgr, is_in_picture = _sampled(grid, middles[:, None] + _disc_points(grid))
    ab = cv2.cvtColor(bgr.astype(np.uint8), cv2.COLOR_BGR2LAB)[..., 1:].astype(np.float64)
    inside, around = np.split(ab, [len(INSIDE)], axis=1)
    colours = inside.mean(axis=1)
    distances = np.sort(np.linalg.norm(around - colours[:, None], axis=2), axis=1)[:, 1]
    is_whole = is_in_picture[:, : len(INSIDE)].all(axis=1)
    return colours, np.where(is_whole, distances, 0.0)


def _disc_points(grid: Lattice) -> Floats:
    """Return (N, 2): places inside a disc, from its middle, then those round it."""
    return np.concatenate((INSIDE, HEX_ROUND if grid.is_hex else SQUARE_ROUND))


def reaches_out(grid: Lattice) -> bool:
    """Return whether most lines beside openings reach over the border; false without openings.

    Only lines count beyond whose ends the picture continues.
    """
    reaching = list[bool]()
    for axis, size in zip(AXES, (grid.cols, grid.rows), strict=True):
        open_rows = {first[axis] for first, last in grid.openings if first[axis] == last[axis]}  # or columns
        lines = np.array(sorted(open_rows | {row + 1 for row in open_rows}), np.float64)
        if not len(lines):
            continue
        inside = _line_strengths(grid, axis, lines, np.concatenate((ALONG, size - ALONG)))
        least = REACHING * np.nanmedian(inside)
        for along in (-REACH, size + REACH):
            outside = _line_strengths(grid, axis, lines, along)
            known = outside[np.isfinite(outside).all(axis=1)]
            reaching += np.asarray((known >= least).all(axis=1)).tolist()
    return 2 * sum(reaching) > len(reaching)


def lines_go_on(fit: Fit, shot: Screenshot, side: str, reach: float) -> bool:
    """Return whether most of a lattice's lines continue past one of its ``SIDES``, up to ``reach`` cells."""
    assert fit.size is not None
    grid = Lattice(
        shot, *fit.size, cells=(), frame=fit.frame, pitch_px=fit.pitch_px, channel=fit.view.channel
    )
    away = reach * np.linspace(0.25, 0.9, 5)  # cells from the border
    is_beside = side in ("left", "right")
    axis, line_count, end = (AXES[0], grid.rows, grid.cols) if is_beside else (AXES[1], grid.cols, grid.rows)
    along = -away if side in ("left", "top") else end + away
    rises = _line_strengths(grid, axis, np.arange(line_count + 1.0), along)
    return bool((np.median(rises, axis=1) >= LINE_RISE).mean() >= GOES_ON)


def line_samples(grid: Lattice) -> tuple[Floats, Floats]:
    """Return places (N, 2) on all lines of a lattice, in cells, x first, and the rise in brightness there."""
    places, rises = list[Floats](), list[Floats]()
    for axis, length, count in zip(AXES, (grid.cols, grid.rows), (grid.rows, grid.cols), strict=True):
        along, lines = (np.arange(length)[:, None] + ALONG).ravel(), np.arange(count + 1.0)
        rises.append(_line_strengths(grid, axis, lines, along).ravel())
        along_and_across = grid_points(along, lines)
        places.append(along_and_across if axis == 0 else along_and_across[:, ::-1])
    all_rises = np.concatenate(rises)
    is_known = np.isfinite(all_rises)
    return np.concatenate(places)[is_known], all_rises[is_known]


def _line_strengths(grid: Lattice, axis: Axis, lines: Floats, along: Floats) -> Floats:
    """Return (lines, places): rise in brightness above the ground on both sides; NaN beyond the picture.

    ``axis``: along the lines. ``lines``: their positions across it; ``along``: places on each, in cells. A
    line may lie up to ``SLACK`` beside its position.
    """
    slack = max(SLACK, SLACK_PX / grid.pitch_px)
    across = np.concatenate((slack * ON_LINE, (-GROUND, GROUND)))
    points = np.empty((len(lines), len(along), len(across), 2))
    points[..., axis], points[..., 1 - axis] = along[:, None], (lines[:, None] + across)[:, None]
    bgr, is_in_picture = _sampled(grid, points)
    gray = bgr[..., 1] if grid.channel == "green" else bgr.max(axis=-1)
    gray = 255 - gray if grid.channel == "negative" else gray
    on_line, ground = np.split(gray, [len(ON_LINE)], axis=-1)
    rise = on_line.max(axis=-1) - ground.max(axis=-1)
    return np.where(is_in_picture[..., len(ON_LINE) // 2], rise, np.nan)


def _sampled(grid: Lattice, points: Floats) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Return the BGR colours (…, 3) at points (…, 2), and which of them lie in the picture (…)."""
    bgr, is_inside = pixels_at(grid.shot.bgr, grid.frame.to_px(points).reshape(points.shape))
    return bgr.astype(np.int16), is_inside
