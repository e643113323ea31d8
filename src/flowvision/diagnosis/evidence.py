"""Doubts about a refused picture: its quality, its board, its dots and their colours.

Every detector returns its doubt, or ``None``. ``case``: the diagnosis of the picture; its fit, dots, pairs
and reading are those of the attempt that the refusal reports, as far as it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.lib.stride_tricks import sliding_window_view

from flowvision.colours import colour_name
from flowvision.corrections import SAME_COLOUR
from flowvision.doubts import (
    SEARCHED,
    AlikeDots,
    Blank,
    CropOutside,
    CutOff,
    Doubt,
    Faint,
    FewColours,
    LoneDots,
    ManyDots,
    Mark,
    NoBoard,
    NoDots,
    OtherCells,
    Symbols,
    Tinted,
    TitleSize,
    TooSmall,
    Unclear,
    UnseenBoard,
    WrongSize,
)
from flowvision.errors import AmbiguousColoursError
from flowvision.image.picture import Bgr, brightest_channel, lies_in
from flowvision.puzzle.layout import Key
from flowvision.reading.beyond import Lattice, lines_go_on
from flowvision.reading.covers import corners_of, covered_doubt, lattices_through, with_more_rows
from flowvision.reading.doubts import NEAR, OVER, cut_line, distances_to_edges
from flowvision.reading.strategies import RegionCache
from flowvision.reading.title import headers_in, size_typed
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import Dots, cell_widths
from flowvision.vision.grid.spacing import GridEvidence
from flowvision.vision.header import read_header
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.pixels.view import LINE_CHANNELS, Floats, Mask, colour_distance, lab_of, ring, sample
from flowvision.vision.settings import DOTS, PAIRING
from flowvision.words import Change, Option

if TYPE_CHECKING:
    from flowvision.diagnosis import Diagnosis

RADII = (*np.arange(0.05, 0.36, 0.025), 0.46)
"""Radii at which cells are sampled, in cell widths: over letters and digits, and on the rim."""
POINTS = 16
"""Points on each of these rings."""
INKED = (0.04, 0.6)
"""Share of the sampled points of a cell that a letter or a digit covers, at least and at most."""
RIM_INKED = 0.07
"""Largest share of the rim of a cell that a symbol reaches: pipes cross it, a single one a tenth of it."""
MOST_BLANK = 0.08
"""Share of the cells that hold something at least: puzzles with few letters or digits have a tenth."""
STROKE, MAX_SOLID = 5, 0.5
"""Rings across the inside of a disc, and its largest share of a symbol: discs have 0.6, digits 0.3."""
FEWEST = 6
"""Fewest dots at which few colours are a sign of another game."""
SMALL_PART = 1 / 3
"""Least share of the picture's width or height of a lattice of symbols: smaller ones are parts of a page."""
MOST_LONE = 0.35
"""Largest share of dots without a partner: a dialog over half a board leaves as many; of other pictures whose
circles were taken for dots most have more."""
CROWDED = 4
"""Dots per colour; most colours have as many in other games."""
RING = 0.43
"""Radius of a mark that leaves a dot visible, in cells."""
NEARLY = 0.4
"""Largest share of a ring of one colour in a prominent cell without a dot."""
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
BELIEVED = 0.6
"""Smallest score of a lattice, and confidence of a reading, of whose cells anything is claimed: two of three
below it are windows, diagrams and other puzzles."""
EVEN = 0.08
"""Share of the pixels without a gradient: photographs have 0.04 and fewer, other pictures 0.11 and more."""
COLOURLESS = 30
"""Largest difference between the channels of a grey pixel, also after compression."""
REGIONS = 3
"""Largest regions above which a title is read: above text each takes half a second."""
STRIP = 0.1
"""Fewest pitches between a cut board and the edge to which its lines lead."""


class ColourGroup(Struct, frozen=True):
    """Dots of one colour, by number, and its name."""

    name: str
    dots: tuple[int, ...]

    def __len__(self) -> int:
        """Their number."""
        return len(self.dots)


def colour_groups(dots: Dots) -> tuple[ColourGroup, ...]:
    """Group all dots by colour, in the order of their first dots."""
    lab = np.array([dot.lab for dot in dots.dots]).reshape(-1, 3)
    is_alike = colour_distance(lab[:, None], lab) < SAME_COLOUR
    # Its power tells which dots a chain of alike ones joins.
    is_connected = np.linalg.matrix_power(is_alike, max(1, len(is_alike)))
    members = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in is_connected)
    names = (colour_name(dots.dots[first].rgb) for first, *_ in members)
    return tuple(map(ColourGroup, names, members))


def is_one_colour(dots: Dots, group: ColourGroup) -> bool:
    """Return whether all dots of a group look alike, not only each like the next of a series."""
    lab = np.array([dots.dots[number].lab for number in group.dots])
    return bool(colour_distance(lab[:, None], lab).max() < SAME_COLOUR)


class CellContents(NamedTuple):
    """Numbers of the cells that hold something, and of those that hold a symbol of strokes, not a disc."""

    marked: list[int]
    symbols: list[int]


def contents_of(geometry: BoardGeometry) -> CellContents:
    """Return which cells hold something, or are filled with another colour than most.

    The ground of a cell is the colour of most of its outermost ring; what differs from it is ink.
    """
    ring_lab = _lab_in_cells(geometry)
    in_cell = (1, 2)  # axes: rings and points
    ground_lab = np.median(ring_lab[:, -1], axis=1)
    is_ink = colour_distance(ring_lab, ground_lab[:, None, None]) >= DOTS.contrast
    inner_ink, rim_ink = is_ink[:, :-1], is_ink[:, -1]
    min_share, max_share = INKED
    ink_share = is_ink.mean(axis=in_cell)
    has_ink = ink_share >= min_share
    has_strokes = _deep(inner_ink).mean(axis=in_cell) < MAX_SOLID * inner_ink.mean(axis=in_cell)
    is_symbol = has_ink & has_strokes & (ink_share <= max_share) & (rim_ink.mean(axis=1) <= RIM_INKED)
    are_grounds_alike = colour_distance(ground_lab[:, None], ground_lab) < DOTS.contrast  # (cells, cells)
    usual_cell = are_grounds_alike.sum(axis=1).argmax()  # whose ground most cells have
    is_marked = has_ink | ~are_grounds_alike[usual_cell]
    return CellContents(np.flatnonzero(is_marked).tolist(), np.flatnonzero(is_symbol).tolist())


def _lab_in_cells(geometry: BoardGeometry) -> Floats:
    """Return the colours of every cell on rings round its middle, (cells, radii, points, 3) in CIELAB."""
    centres = np.array(geometry.board.layout.centres)
    rings = [ring(radius, POINTS) for radius in RADII]
    offsets = cell_widths(geometry.shapes) * np.concatenate(rings)  # (cells, radii * points, 2)
    lab = lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, offsets))
    return lab.reshape(len(centres), len(RADII), POINTS, 3)


def _deep(inside: Mask) -> Mask:
    """Return the places (cells, radii, points) whose neighbours are all inside as well.

    Neighbours: the points beside it on its ring, and the same on ``STROKE`` // 2 rings to either side.
    """
    before, after = np.roll(inside, 1, axis=2), np.roll(inside, -1, axis=2)
    rings_beside = STROKE // 2
    padded_rings = np.pad(inside & before & after, ((0, 0), (rings_beside, rings_beside), (0, 0)), "edge")
    return np.asarray(sliding_window_view(padded_rings, STROKE, axis=1).all(axis=-1))


def detect_no_dots(case: Diagnosis) -> Doubt | None:
    """Detect empty cells, or marks that are not discs.

    Where it is neither, the board was not recognized: an empty board is empty in every cell.
    """
    dot_count = case.count
    if case.dots is None or case.pairing or dot_count >= DOTS.count_min:
        return None
    geometry = case.geometry
    (marked, symbols), cell_count = contents_of(geometry), len(geometry.board.layout.cells)
    height, width = case.shot.bgr.shape[:2]
    picture_shares = np.ptp(geometry.fit.outline_px(), axis=0) / (width, height)
    is_large = picture_shares.max() >= SMALL_PART
    if is_large and 2 * len(symbols) >= cell_count:
        return Symbols(cell_count, dot_count, len(symbols), marks=cell_rings(case, symbols))
    if is_large and len(marked) >= max(DOTS.count_min, MOST_BLANK * cell_count):
        return OtherCells(cell_count, len(marked), marks=cell_rings(case, marked))
    return no_board(case) if len(marked) > dot_count else NoDots(cell_count, dot_count)


def detect_other_marks(case: Diagnosis) -> Doubt | None:
    """Detect more marks like dots than dots."""
    is_doubted = case.count >= DOTS.count_min and len(near_misses(case)) > case.count
    return no_board(case) if is_doubted else None


def detect_few_colours(case: Diagnosis) -> Doubt | None:
    """Detect many dots of few colours, unless their number was given, or a whole board was read."""
    count, groups = case.count, case.groups
    are_paired = case.options.colours is not None or case.reading is not None
    if case.dots is None or are_paired or count < FEWEST:
        return None
    crowded = sum(len(group) >= CROWDED and is_one_colour(case.dots, group) for group in groups)
    if 2 * crowded <= len(groups):
        return None
    return FewColours(count, len(groups), marks=rings(case, range(count)))


def detect_lone(case: Diagnosis) -> Doubt | None:
    """Detect colours with one dot."""
    lone = lone_colours(case)
    if not lone:
        return None
    if len(lone) > MOST_LONE * case.count:
        return no_board(case)
    cells, places = near_misses(case), lone_places(case)
    near_places = tuple(case.geometry.board.key_of(cell) for cell in cells)
    only_near_place = near_places[0] if len(near_places) == 1 else None
    advice = Change(only_near_place, case.letter_at(places[0]))
    marks = (*rings(case, lone_dots(case)), *cell_rings(case, cells, "a dot?"))
    return LoneDots(names_of(lone), places, case.count, near_places, marks=marks, advice=(advice,))


def detect_too_many(case: Diagnosis) -> Doubt | None:
    """Detect a colour with more than two dots; beside one dot alone, one of them may have its colour."""
    crowds, lone = crowds_of(case), lone_colours(case)
    if not crowds:
        return None
    largest = max(crowds, key=len)
    places = case.places_of(largest.dots)
    marks = rings(case, (*largest.dots, *lone_dots(case)))
    if len(lone) != 1:
        return ManyDots(largest.name, places, marks=marks, advice=(Change(mark="."),))
    (lone_place,) = lone_places(case)
    advice = Change(mark=case.letter_at(lone_place))
    return ManyDots(largest.name, places, lone[0].name, lone_place, marks=marks, advice=(advice,))


def detect_alike(case: Diagnosis) -> Doubt | None:
    """Detect dots that can be paired in several ways, or two pairs of nearly one colour."""
    error, pairing = case.error, case.pairing
    alike_dots: Sequence[int] = error.alike if isinstance(error, AmbiguousColoursError) else ()
    are_in_twos = not (lone_colours(case) or crowds_of(case))
    if not alike_dots and pairing and pairing.margin < PAIRING.margin and are_in_twos:
        # The least certain, as many as the smallest board has.
        alike_dots = np.argsort(pairing.margins)[: DOTS.count_min].tolist()
    if not alike_dots:
        return None
    correction = Change()  # the user fills in the cell and its mark
    return AlikeDots(case.places_of(alike_dots), marks=rings(case, alike_dots), advice=(correction,))


def rings(case: Diagnosis, dots: Iterable[int]) -> tuple[Mark, ...]:
    """Return rings round dots with these numbers."""
    dots_found = case.dots.dots if case.dots else ()
    return cell_rings(case, [dots_found[n].cell for n in dots])


def cell_rings(case: Diagnosis, cells: Sequence[int], label: str = "") -> tuple[Mark, ...]:
    """Return rings round the middles of cells."""
    if not cells:
        return ()
    frame, centres = case.geometry.fit.frame, case.geometry.board.layout.centres
    radius_px = RING * frame.cell_width_px(centres[0])
    middles = frame.to_px([centres[n] for n in cells]).tolist()
    return tuple(Mark("ring", ((x, y),), label, radius_px) for x, y in middles)


def _groups_of(case: Diagnosis, sizes: range) -> list[ColourGroup]:
    """Return the colours whose number of dots is in ``sizes``.

    No colours if a board was read whole, or has fewer dots than any level.
    """
    is_unpaired = case.count >= DOTS.count_min and case.reading is None
    return [group for group in case.groups if is_unpaired and len(group) in sizes]


def lone_colours(case: Diagnosis) -> list[ColourGroup]:
    """Return the colours with one dot."""
    return _groups_of(case, range(1, 2))


def crowds_of(case: Diagnosis) -> list[ColourGroup]:
    """Return the colours with more than two dots."""
    return _groups_of(case, range(3, case.count + 1))


def lone_dots(case: Diagnosis) -> list[int]:
    """Return the numbers of dots whose colour no other dot has."""
    return [group.dots[0] for group in lone_colours(case)]


def lone_places(case: Diagnosis) -> tuple[Key, ...]:
    """Return the cells of ``lone_dots``."""
    return case.places_of(lone_dots(case))


def names_of(groups: Iterable[ColourGroup]) -> tuple[str, ...]:
    """Return the names of colours."""
    return tuple(group.name for group in groups)


def near_misses(case: Diagnosis) -> list[int]:
    """Return the cells that stand out as a dot does but do not fill the ring."""
    return near_misses_of(case.dots) if case.dots else []


def near_misses_of(dots: Dots) -> list[int]:
    """Return the cells that stand out as one of the dots does but do not fill the ring."""
    is_near = (dots.contrast >= DOTS.contrast) & (dots.cover >= NEARLY)
    is_near[[dot.cell for dot in dots.dots]] = False
    return np.flatnonzero(is_near).tolist()


def detect_faint(case: Diagnosis) -> Doubt | None:
    """Detect a board within a few steps of brightness, or a blank picture."""
    sampled_bgr = case.shot.bgr[::STEP, ::STEP]
    # But for a thousandth of the pixels at each end.
    darkest, brightest = map(float, np.percentile(brightest_channel(sampled_bgr), (0.1, 99.9)))
    if case.lattice is None:
        is_plain = sampled_bgr.std(axis=(0, 1)).max() < PLAIN
        is_blank = is_plain and case.reading is None
        return Blank(marks=_searched(case)) if is_blank else None
    if brightest - darkest >= FAINT_RANGE:
        return None
    mark = Mark.of("box", case.lattice.outline_px(), "the board")
    return Faint(max(darkest, 0.1) / 255, brightest / 255, marks=(mark,))


def detect_too_small(case: Diagnosis) -> Doubt | None:
    """Detect cells with too few pixels."""
    height, width = case.shot.bgr.shape[:2]
    fit = case.fit if is_believed(case) else None
    if fit is None and case.reading is not None:
        return None
    pitch_px = fit.pitch_px if fit else min(height, width) / FEW_COLUMNS
    if pitch_px >= SMALL_CELL_PX:
        return None
    seen_px = pitch_px if fit else None
    marks = (Mark.of("box", fit.outline_px(), f"cells of {pitch_px:.0f} px"),) if fit else ()
    return TooSmall(width, height, seen_px, SHARP_CELL_PX, SMALL_CELL_PX, marks=marks)


def detect_unclear(case: Diagnosis) -> Doubt | None:
    """Detect a photograph: it has hardly any even area."""
    if even_share(case.shot.bgr) >= EVEN:
        return None
    return Unclear(marks=_searched(case))


def detect_covered(case: Diagnosis) -> Doubt | None:
    """Detect a window over a part of a lattice."""
    evidence_of_steps = (
        step.own.evidence if isinstance(step.own, GridFit) else step.own for step in case.steps
    )
    line_evidence = (
        item
        for item in evidence_of_steps
        if isinstance(item, GridEvidence) and item.view.channel in LINE_CHANNELS
    )
    doubt_through_lines = covered_doubt(lattices_through(line_evidence, case.shot), is_beyond=True)
    fit = case.lattice
    if doubt_through_lines or fit is None or fit.size is None:
        return doubt_through_lines
    grid = Lattice(
        case.shot, *fit.size, cells=(), frame=fit.frame, pitch_px=fit.pitch_px, channel=fit.view.channel
    )
    no_wider_than_high = max(fit.size), grid.cols
    rows, cols = case.options.rows_and_cols or case.titled_size or no_wider_than_high
    return covered_doubt(with_more_rows(grid, rows)) if cols == grid.cols else None


def detect_other_title(case: Diagnosis) -> Doubt | None:
    """Detect a title that names a board which was not recognized, whole or at all."""
    size, marks = case.titled_size, _searched(case)
    seen_size = case.lattice.size if case.lattice else None
    if size is None or size == seen_size or case.options.rows_and_cols or case.error.doubt:
        return None
    title = size_typed(size)
    if seen_size is None or min(np.subtract(size, seen_size)) >= 0:
        return detect_cut(case) or UnseenBoard(title, marks=marks)
    return TitleSize(size_typed(seen_size), title, marks=marks)


def detect_no_board(case: Diagnosis) -> Doubt | None:
    """Detect a picture in which no lines, or none of those seen, look surely like the cells of a board."""
    return None if is_believed(case) else no_board(case)


def is_believed(case: Diagnosis) -> bool:
    """Return whether a board was seen so well that something may be said of its cells and its dots."""
    fit = case.fit
    if fit is None or not (fit.is_lattice or fit.is_regular):
        return case.reading is not None
    return fit.score >= BELIEVED


def no_board(case: Diagnosis) -> Doubt:
    """Return the doubt that no board was recognized.

    It names the size in the title if there is one, else the size of the lattice that was seen.
    """
    fit = case.lattice
    rows, cols = (fit and fit.size) or (None, None)
    return detect_other_title(case) or NoBoard(rows, cols, marks=_searched(case))


def detect_grey(case: Diagnosis) -> Doubt | None:
    """Detect a picture without colours whose dots do not pair or solve."""
    is_doubted = lone_colours(case) or crowds_of(case) or case.is_refuted
    if not case.count or not is_doubted or detect_other_marks(case):
        return None
    sampled_bgr, count = case.shot.bgr[::STEP, ::STEP].astype(np.int16), case.count
    if np.percentile(np.ptp(sampled_bgr, axis=2), 99.9) >= COLOURLESS:
        return None
    pairs, odd = divmod(count, 2)
    advice = () if odd else (Option("colours", str(pairs)),)
    return Tinted(count, marks=rings(case, range(count)), advice=advice)


def detect_outside(case: Diagnosis) -> Doubt | None:
    """Detect a given part that exceeds the picture."""
    if case.options.crop is None or lies_in(case.shot, case.options.crop):
        return None
    height, width = case.shot.bgr.shape[:2]
    return CropOutside(width, height)


def detect_other_size(case: Diagnosis) -> Doubt | None:
    """Detect a given size that differs from the lines of a whole board."""
    given_size, region = case.options.rows_and_cols, case.find(BoardRegion)
    is_seen = case.fit is not None and not case.fit.is_given
    if given_size is None or case.options.crop or region is None or is_seen:
        return None
    lattice = RegionCache(region).best_upright
    if lattice is None or cut_line(lattice, case.shot):
        return None
    fits_of_steps = (step.find(Fit) for step in case.steps)
    sizes = {fit.size for fit in fits_of_steps if fit is not None and not fit.is_given}
    if given_size in sizes | {lattice.size}:
        return None
    rows, cols = given_size
    label = f"{lattice.cols} columns, {lattice.rows} rows"
    mark = Mark.of("box", lattice.outline_px(), label)
    return WrongSize(cols, rows, lattice.cols, lattice.rows, marks=(mark,))


def _is_cut_at(case: Diagnosis, fit: Fit, side: str, gap: float) -> bool:
    """Return whether a lattice ends beyond an edge of the picture, or its lines lead there."""
    is_near = STRIP < gap < NEAR
    return gap < -OVER or (is_near and lines_go_on(fit, case.shot, side, gap))


def detect_cut(case: Diagnosis) -> Doubt | None:
    """Detect a board that continues past an edge of the picture, or of the given part."""
    fit, dots = case.lattice, case.dots
    if fit is None or dots is None or not dots.dots:
        return None
    if crowds_of(case):  # no dots of a board, or of colours that look alike
        return None
    gaps = distances_to_edges(fit, case.shot)
    sides = tuple(side for side, gap in gaps.items() if _is_cut_at(case, fit, side, gap))
    cause = CutOff(sides, names=names_of(lone_colours(case)), places=lone_places(case))
    cut_at_line = cut_line(fit, case.shot)
    if not sides and cut_at_line and cut_at_line.is_likely and not near_misses(case):
        cause = replace(cause, sides=cut_at_line.sides, is_likely=True)
    if not cause.sides:
        return None
    height, width = case.shot.bgr.shape[:2]
    upper_left, upper_right, lower_right, lower_left = corners_of((0, 0), (width, height))
    edges = {
        "left": (lower_left, upper_left),
        "top": (upper_left, upper_right),
        "right": (upper_right, lower_right),
        "bottom": (lower_right, lower_left),
    }
    marks = tuple(Mark.of("line", np.array(edges[side]), "cut here") for side in cause.sides)
    return replace(cause, marks=(*marks, *rings(case, lone_dots(case))))


def even_share(bgr: Bgr) -> float:
    """Return the share of pixels without a gradient, 0 to 1."""
    gray = brightest_channel(bgr)
    across = cv2.Sobel(gray, cv2.CV_16S, 1, 0, ksize=3)
    down = cv2.Sobel(gray, cv2.CV_16S, 0, 1, ksize=3)
    return float(((across == 0) & (down == 0)).mean())


def _searched(case: Diagnosis) -> tuple[Mark, ...]:
    """Return a mark round the region that was searched, if there was one."""
    region = case.find(BoardRegion)
    return (Mark.of("box", region.corners_px, SEARCHED),) if region else ()


def size_of_title(case: Diagnosis) -> tuple[int, int] | None:
    """Return the rows and columns that the text above the board names, or ``None``."""
    titles = headers_in(case.steps)
    titles += [read_header(case.shot.bgr, outline) for outline in _outlines(case)]
    # Menus name sizes of boards too, but count no flows.
    return next((header.size for header in titles if header.size and (case.lattice or header.flows)), None)


def _outlines(case: Diagnosis) -> list[Floats]:
    """Return the outline of the board, or of the largest regions that may hold one."""
    if case.lattice is not None:
        return [case.lattice.outline_px()]
    regions = [region for step in case.steps if (region := step.find(BoardRegion)) is not None]
    boxes = {id(region): region.corners_px for region in regions if region.view.channel in LINE_CHANNELS}
    return nlargest(REGIONS, boxes.values(), key=lambda box: float(np.ptp(box, axis=0).prod()))
