"""Doubts about a candidate, each measured once: they lower its confidence, or refuse it.

A gap is the distance in cells from a board's outline to one of the ``SIDES`` of its picture. A candidate is
settled by exactly one strict solution: no path touches itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from math import ceil, sqrt
from typing import NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.doubts import (
    CrossesItself,
    CutOff,
    Doubt,
    FewPairs,
    LeftOut,
    Mark,
    OddCells,
    OpenBorder,
    PairedDots,
    RunsOn,
    SeveralSolutions,
    Side,
    TouchesItself,
    WallsRefuted,
    WeakPart,
    WrongSize,
)
from flowvision.image.picture import Screenshot
from flowvision.puzzle.check import crosses_itself_at
from flowvision.reading.beyond import (
    SIDES,
    Evidence,
    Lattice,
    discs_without_dot,
    evidence_of,
    half_cells,
    has_empty_border,
    has_shifted_cells,
    lattice_of,
    lines_go_on,
    reaches_out,
)
from flowvision.reading.covers import covered_doubt, with_more_rows
from flowvision.reading.run import Candidate, ReadingRun
from flowvision.reading.title import header_above, title_doubts
from flowvision.solvers import Solved, has_one_strict_solution
from flowvision.vision.assembly import Interpretation, Reading, Wall
from flowvision.vision.header import Header
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.pixels.lines import AXES, Axis, free_lines
from flowvision.vision.pixels.view import Floats, Gray, dilated, view_frame
from flowvision.vision.settings import READING
from flowvision.words import Option, Part

OVER = 0.15
"""Cells by which a row must exceed the edge to count as cut."""
HIDDEN = 0.55
"""Cells by which a cut hides the dots of an outermost row: of half a dot the colour is read."""
NEAR, UNEVEN = 1.0, 0.05
"""Largest gap at an edge that may cut the board; largest difference of the gaps that a screen leaves on the
left and on the right."""
GROUND_PX = 3.0
"""Pixels from the middle of a border to the ground beyond it: lines are at most half as thick."""
SHIFT = 4
"""Bits of a pixel's fraction that OpenCV draws with."""
THICKEST = 95
"""Percentile of the depth of pixels in lines: the centre of the thickest; lines meet at deeper ones."""
STRIDE = 2
"""Stride in pixels, each way, that is enough to measure the thickness of lines."""
SIZE = Option("grid")
"""Advice that the user fills in."""
SEEN_BADLY = 0.2
"""Share of the confidence that an unclear reading loses, so that any other doubt refuses it."""
DOUBTFUL, REMARKED = 0.2, 0.05
"""Weights of doubts that refuse no clear reading: one that refuses others; one that hardly ever does."""
TRUSTED = 0.5
"""Largest weight of a doubt where the caller trusts the reading."""
PAIRS_MIN, FEW_CELLS = 3, 16
"""Fewest pairs of 10,011 published levels; only copies have two pairs, on boards of so few cells."""
FIT_LATTICE = 0.6
"""Share of cells at places of a lattice above which it is not chance."""
PART_OF_CELL, MERGED = 0.65, 1.5
"""Smallest and largest share of the median cell's area: cells have 0.8 and more, and of two parts one has
less."""
NOTHING_BEYOND = -6.6
WEIGHTS = Evidence(lines=5.1, discs=29.5, pairs=15.4, colours=2.7, gaps=26.3, margins=5.6, unseen=5.2)
"""Log-odds that a board continues, fitted by ``benchmarks/calibration.py``. Margins have less, for a warning
alone: no whole board was uneven, so the fit has no bound for them."""
MENTIONED, LIKELY = 0.15, 0.5
"""Smallest chance that becomes a warning, and smallest that refuses a reading."""
SAME_LINE = 0.2
"""Largest distance of centres in one row or column, in cell widths; and share by which usual sizes differ."""

SHIFTED = 0.15
"""Smallest distance of a shifted cell from its place: nearer ones are read as rows and columns."""


def sides_of(walls: Iterable[Wall]) -> tuple[Side, ...]:
    """Return the places of the two cells beside each wall."""
    return tuple(wall.places for wall in walls)


def distances_to_edges(fit: Fit, shot: Screenshot) -> dict[str, float]:
    """Return the gap at each of the ``SIDES``, in cells; negative where the board exceeds the picture."""
    outline_px, (height, width) = fit.outline_px(), shot.bgr.shape[:2]
    left_top_px, right_bottom_px = outline_px.min(axis=0), (width, height) - outline_px.max(axis=0)
    gaps = np.concatenate((left_top_px, right_bottom_px)) / fit.pitch_px
    return dict(zip(SIDES, gaps.tolist(), strict=True))


def is_border_seen(fit: Fit, shot: Screenshot, side: str, gap: float) -> bool:
    """Return whether a lattice ends at a side: the picture continues, and its lines do not."""
    is_ground_seen = gap * fit.pitch_px >= GROUND_PX
    return is_ground_seen and not lines_go_on(fit, shot, side, gap)


class Borders(NamedTuple):
    """Borders of a lattice at which the picture ends, and what its place in the picture says.

    ``ending``: the sides at which no border is seen. ``surplus``: rows less columns. ``is_uneven``: it is not
    in the middle from left to right. ``is_filling``: no border is seen above and below.
    """

    ending: frozenset[str]
    surplus: int
    is_uneven: bool
    is_filling: bool

    @property
    def is_narrow(self) -> bool:
        """Return whether one column is missing: phones show boards from edge to edge."""
        return self.surplus == 1 and not self.is_filling

    @property
    def cut_ends(self) -> frozenset[str]:
        """The sides above or below that cut it: one end has room, or there are fewer rows than columns."""
        is_cut = not self.is_filling or self.surplus < 0
        return self.ending & {"top", "bottom"} if is_cut else frozenset()

    @property
    def cut_beside(self) -> frozenset[str]:
        """The sides beside it that cut it: it has fewer columns than rows, and not a whole board's place."""
        is_cut = self.surplus > 0 and (self.is_uneven or self.is_filling or self.is_narrow)
        return self.ending & {"left", "right"} if is_cut else frozenset()


def borders_of(fit: Fit, size: tuple[int, int], shot: Screenshot) -> Borders:
    """Return the borders of a lattice of a size, rows first, at which its picture ends."""
    (rows, cols), gaps = size, distances_to_edges(fit, shot)
    near_gaps = {side: gap for side, gap in gaps.items() if gap < NEAR}
    ending = frozenset(side for side in near_gaps if not is_border_seen(fit, shot, side, near_gaps[side]))
    is_uneven = abs(gaps["left"] - gaps["right"]) > UNEVEN
    is_filling = {"top", "bottom"} <= ending
    return Borders(ending, surplus=rows - cols, is_uneven=is_uneven, is_filling=is_filling)


def cut_line(fit: Fit, shot: Screenshot) -> CutOff | None:
    """Return the doubt that the picture ends at a line of a lattice, and cuts off the row or column beyond.

    ``None`` without such a line. Its weight is 0 unless the board's place in the picture shows it.
    """
    if not fit.is_lattice or fit.size is None:
        return None
    borders = borders_of(fit, fit.size, shot)
    ends, beside = borders.cut_ends, borders.cut_beside
    if not ends | beside:
        return None
    sides = tuple(side for side in SIDES if side in ends | beside)
    is_square = borders.surplus == 0
    are_ends_likely = bool(ends) and not borders.is_filling and not is_square
    is_beside_likely = bool(beside) and (borders.is_uneven or borders.is_narrow)
    is_evident = not is_square and (bool(ends) or borders.is_uneven or borders.is_filling)
    # None of 253 right answers, and three of four wrong ones, of boards cut off at a line.
    is_likely = are_ends_likely or is_beside_likely
    return CutOff(sides, is_likely, weight=DOUBTFUL if is_evident else 0.0)


def crossed_edges(geometry: BoardGeometry) -> tuple[str, ...]:
    """Return the edges of the view, of ``SIDES``, that lines of cells other than squares reach."""
    lines = free_lines(geometry.fit.view)
    # The outline of the board, the thickest of its lines, lies round its cells.
    inside = dilated(_mask_of_cells(geometry), 3 + 2 * _thickest_px(lines.mask))
    beyond = np.asarray(cv2.bitwise_and(lines.mask, cv2.bitwise_not(inside)), np.uint8)
    beyond_and_beside = cv2.bitwise_and(beyond, dilated(inside, 3))
    if not cv2.countNonZero(beyond_and_beside):
        return ()
    count, labels = cv2.connectedComponents(beyond)
    starts_at_board = np.bincount(labels[beyond_and_beside > 0], minlength=count) > 0  # per component
    starts_at_board[0] = False  # the ground

    def is_reached(edge: NDArray[np.int32], axis: Axis) -> bool:
        """Return whether lines reach an edge of the view (N,) from the board, ``axis`` across it."""
        numbers = set(edge[starts_at_board[edge]].tolist())
        lines_reaching = ((labels == number).view(np.uint8) for number in numbers)
        # At the edge itself a change of light looks like a line along it, thinner than half a line.
        return any(2 * cv2.boundingRect(line)[2 + axis] > lines.width_px for line in lines_reaching)

    edges = labels[:, 0], labels[0], labels[:, -1], labels[-1]  # in the order of ``SIDES``
    axes_across = (*AXES, *AXES)  # left and top, then right and bottom
    return tuple(compress(SIDES, map(is_reached, edges, axes_across)))


def _mask_of_cells(geometry: BoardGeometry) -> Gray:
    """Return a picture as large as the view, black but for the cells of a board, which are white."""
    view, layout = geometry.fit.view, geometry.board.layout
    corners_px = view_frame(geometry.fit.frame, view).to_px(layout.corners)
    fixed_point = np.round(corners_px * 2**SHIFT).astype(np.int32)
    mask = np.zeros(view.size[::-1], np.uint8)
    for outline in np.split(fixed_point, np.cumsum([len(cell.outline) for cell in layout.cells])[:-1]):
        cv2.fillPoly(mask, [outline], 255, cv2.LINE_8, SHIFT)
    return mask


def _thickest_px(mask: Gray) -> int:
    """Return the width of the thickest lines in a mask, rounded up; 0 without lines."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_3)[::STRIDE, ::STRIDE]
    inner_depths = np.asarray(depth[depth > 0], np.float64)
    return ceil(2 * np.percentile(inner_depths, THICKEST)) if inner_depths.size else 0


def all_doubts(candidate: Candidate) -> tuple[Doubt, ...]:
    """Return the doubts about a candidate: about its ignored walls, its solution and its picture."""
    walls = sides_of(candidate.source.ignored_walls)
    about_walls = (WallsRefuted(walls, weight=REMARKED),) if walls else ()
    return *about_walls, *candidate.about_solution, *candidate.doubts


def with_solver_doubts(candidate: Candidate, *, is_drawn: bool = False) -> Candidate:
    """Return the candidate with the doubts that its solution raises.

    A level has one solution, without paths that touch themselves. ``is_drawn``: pipes on the board show it.
    """
    doubts, board, source = list[Doubt](), candidate.reading.board, candidate.source
    paths = candidate.outcome.solution.paths if isinstance(candidate.outcome, Solved) else ()
    if places := tuple(key for path in paths for key in crosses_itself_at(board, path)):
        # On 100 published levels with 157 bridges no path crosses itself.
        doubts.append(CrossesItself(places, weight=DOUBTFUL))
    if source.cells_paired_by_solution:
        # Of 100 wrong ways to pair dots that look alike, 1 to 4 have one solution.
        doubts.append(PairedDots(tuple(map(board.key_of, source.cells_paired_by_solution)), weight=DOUBTFUL))
    match candidate.outcome:
        case Solved(rules="free"):
            doubts.append(TouchesItself(is_drawn, weight=DOUBTFUL if is_drawn else 1.0))
        case Solved(unique=False | None as unique):
            doubts.append(SeveralSolutions(is_open=unique is None, weight=DOUBTFUL))
    return replace(candidate, about_solution=tuple(doubts))


def unsure_doubt(candidate: Candidate, confidence: float) -> tuple[Doubt, ...]:
    """Return a doubt that names the least clear part of a reading of little confidence."""
    weakest = candidate.reading.weakest
    if confidence >= READING.warn_below or not weakest:
        return ()
    return (WeakPart(weakest),)


def swapped_size_doubt(reading: Reading, size: tuple[int, int] | None) -> tuple[Doubt, ...]:
    """Return the doubt that rows and columns were given the wrong way round; ``size``: as given."""
    lattice = reading.lattice
    if size is None or lattice is None or lattice.size == size:
        return ()
    rows, cols = size
    return (WrongSize(cols, rows, lattice.cols, lattice.rows, weight=0.0),)


def confidence_of(candidate: Candidate) -> float:
    """Return 0 to 1: the reader's confidence, raised by a unique solution, less the weights of all doubts.

    Of 552 wrong boards that other readers returned, 3 had exactly one solution. An extra wall does not make
    it wrong, nor, on 700 published boards, did a missing one; so with one solution walls do not count.
    """
    reading, source = candidate.reading, candidate.source
    is_settled = has_one_strict_solution(candidate.outcome)
    walls_count = not is_settled or source.cells_paired_by_solution
    confidence = reading.confidence if walls_count else reading.confidence_without_walls
    if is_settled and not (candidate.about_solution or source.ignored_walls):
        confidence = 1 - READING.doubt_left * (1 - confidence)
    if is_settled and reading.confidence_without_walls < READING.seen_well:
        confidence *= 1 - SEEN_BADLY
    for doubt in all_doubts(candidate):
        confidence *= 1 - doubt.weight
    return round(confidence, 3)


def with_doubts(candidate: Candidate, run: ReadingRun) -> Candidate:
    """Return the candidate with the doubts that its solution, its picture and its title raise, if solved."""
    if not isinstance(candidate.outcome, Solved):
        return candidate
    with run.step("doubts", source=candidate.source) as step:
        step.result = candidate = with_solver_doubts(_with_picture_doubts(candidate, run))
    return candidate


def _with_picture_doubts(candidate: Candidate, run: ReadingRun) -> Candidate:
    """Return the candidate with the doubts that its picture and its title raise."""
    outcome, options = candidate.outcome, run.options
    is_settled, is_placed = has_one_strict_solution(outcome), bool(options.grid and options.crop)
    doubts = list(_cut_doubts(candidate, run, is_settled, is_placed))
    geometry = candidate.source.geometry
    header = header_above(geometry.fit, run) if geometry else None
    grid = lattice_of(candidate.source, run.shot) if is_settled and candidate.source.dots else None
    if grid is not None:
        doubts += _continuation_doubts(candidate, grid, header, is_placed)
    crossings = candidate.source.crossings
    is_border_assumed_open = crossings is not None and not crossings.seen
    # Lines that reach over the border show that it is open; only a settled board is searched for them.
    if is_border_assumed_open and not (grid and reaches_out(grid)):
        doubts.append(OpenBorder())
    if not options.given and (few_pairs := few_pairs_doubt(candidate.reading)):
        doubts.append(few_pairs)
    if is_settled and has_odd_cells(candidate.reading):
        doubts.append(OddCells(candidate.reading.size))
    doubts += title_doubts(candidate, header, run)
    return replace(candidate, doubts=tuple(doubts))


def trusted(candidate: Candidate) -> Candidate:
    """Return a candidate that its doubts do not refuse, as the caller trusts it; they stay as warnings."""
    doubts = (replace(doubt, weight=min(doubt.weight, TRUSTED)) for doubt in candidate.doubts)
    return replace(candidate, doubts=tuple(doubts))


def _continuation_doubts(
    candidate: Candidate, grid: Lattice, header: Header | None, is_placed: bool
) -> Iterator[Doubt]:
    """Yield the doubts that the board continues, or that dots on it were missed.

    ``header``: read above it. ``is_placed``: its place and size were given.
    """
    source = candidate.source
    assert source.geometry is not None
    fit = source.geometry.fit
    has_own_size = grid.has_lines and not (grid.is_hex or is_placed or fit.is_given)
    is_wide = has_own_size and grid.rows < grid.cols
    if is_wide and (covered := covered_doubt(with_more_rows(grid, grid.cols))):
        yield covered
    chance = _chance_of_more(source, grid, header)
    if chance >= MENTIONED:
        is_likely, mark = chance >= LIKELY, Mark.of("box", fit.outline_px(), "seen whole")
        weight = 1.0 if is_likely else chance
        yield RunsOn(
            grid.rows, grid.cols, perhaps=not is_likely, marks=(mark,), advice=(SIZE,), weight=weight
        )
    yield from _cell_doubts(source, grid)


def _cell_doubts(source: Interpretation, grid: Lattice) -> Iterator[Doubt]:
    """Yield the doubts that cells lie beside their places, that a dot was missed, or one seen falsely."""
    assert source.dots is not None
    if has_shifted_cells(source, grid):
        yield OddCells(source.reading.size)
    dots = [grid.cells[dot.cell] for dot in source.dots.dots]
    if halves := half_cells(grid, dots):
        yield WeakPart(Part("the dots that fill half of their cells", halves), weight=1.0)
    if grid.has_lines and (discs := discs_without_dot(grid, dots)):
        yield LeftOut(tuple(discs), weight=1.0 if len(discs) > 1 else DOUBTFUL)


def _chance_of_more(source: Interpretation, grid: Lattice, header: Header | None) -> float:
    """Return the probability that a board continues; 0 if its size was given, or is that of its title."""
    is_titled = header is not None and not grid.is_hex and header.size == (grid.rows, grid.cols)
    if is_titled or (source.geometry and source.geometry.fit.is_given):
        return 0.0
    # A row of holes alone at a border has lines, but what it shows was not read.
    return 1.0 if has_empty_border(grid) else chance_to_run_on(evidence_of(source, grid))


def chance_to_run_on(evidence: Evidence) -> float:
    """Return the probability that what was read is a part of a board, 0 to 1."""
    log_odds = NOTHING_BEYOND + np.dot(WEIGHTS, evidence)
    return float(1 / (1 + np.exp(-log_odds)))


def few_pairs_doubt(reading: Reading) -> Doubt | None:
    """Return the doubt that it has fewer pairs of dots than any published level with its number of cells."""
    is_small = len(reading.board.layout.cells) <= FEW_CELLS
    if is_small or len(reading.puzzle.terminals) >= PAIRS_MIN:
        return None
    return FewPairs(reading.size, PAIRS_MIN, advice=(SIZE,))


def _cut_doubts(candidate: Candidate, run: ReadingRun, is_settled: bool, is_placed: bool) -> Iterator[Doubt]:
    """Yield the doubt that the picture cuts the board off; ``is_placed``: its place and size were given."""
    geometry = candidate.source.geometry
    if geometry is None:
        return
    fit, gaps = geometry.fit, distances_to_edges(geometry.fit, run.shot)
    if fit.size is None and not is_placed:
        yield from _cut_cells(geometry, gaps, is_settled)
    over = tuple(side for side, gap in gaps.items() if gap < -OVER)
    if over and fit.is_lattice:
        # Of 75 answers to other such pictures 73 were right.
        is_hidden = is_settled and not is_placed and min(gaps.values()) < -HIDDEN
        yield CutOff(over, weight=1.0 if is_hidden else REMARKED)
    elif not run.options.grid and (cut := cut_line(fit, run.shot)) and cut.weight:
        yield cut


def _cut_cells(geometry: BoardGeometry, gaps: Mapping[str, float], is_settled: bool) -> Iterator[Doubt]:
    """Yield the doubt that the picture cuts cells other than squares; ``gaps``: by side."""
    crossed = crossed_edges(geometry) if is_settled else ()
    ends = tuple(side for side in ("top", "bottom") if gaps[side] < HIDDEN)
    lattice = geometry.board.lattice
    if crossed:
        yield CutOff(crossed)
    elif lattice and lattice.tiling == "hex" and ends:
        yield CutOff(ends, is_likely=False, weight=REMARKED)


def has_odd_cells(reading: Reading) -> bool:
    """Return true if cells found one by one form a lattice, except for a few merged, split or shifted ones.

    Lines between merged cells were missed; a hair or glare splits a cell, and a tear shifts a row. No level
    has such cells.
    """
    if reading.lattice is not None:
        return False
    outlines_px = [reading.frame.to_px(cell.outline) for cell in reading.board.layout.cells]
    sizes_px = np.array([np.ptp(outline_px, axis=0) for outline_px in outlines_px])
    is_usual = (np.abs(sizes_px / np.median(sizes_px, axis=0) - 1) <= SAME_LINE).all(axis=1)
    if np.count_nonzero(is_usual) < max(2, len(sizes_px) / 2):
        return False
    centres_px = reading.frame.to_px(reading.board.layout.centres)
    usual_px = centres_px[is_usual]
    distances_px = np.linalg.norm(usual_px[:, None] - usual_px, axis=2)
    _, nearest_px = np.sort(distances_px, axis=1).T[:2]  # the first is the distance to itself
    in_pitches = (centres_px - usual_px.min(axis=0)) / np.median(nearest_px)
    offsets = (np.abs(places - np.round(places)).max(axis=1) for places in _lattice_places(in_pitches))
    offset = max(offsets, key=lambda offset: np.count_nonzero(is_usual & (offset <= SAME_LINE)))
    share_placed = (is_usual & (offset <= SAME_LINE)).mean()
    areas_px = np.array([cv2.contourArea(outline_px.astype(np.float32)) for outline_px in outlines_px])
    shares = areas_px / np.median(areas_px)
    is_odd = (shares < PART_OF_CELL) | (shares > MERGED)
    is_shifted = is_usual & (offset > SHIFTED)
    return bool(share_placed >= FIT_LATTICE and (is_odd | is_shifted).any())


def _lattice_places(centres: Floats) -> Iterator[Floats]:
    """Yield columns and rows (N, 2) on a lattice of squares, and on the two of flat-topped hexagons.

    ``centres`` (N, 2): in distances of neighbours, from the first column and row. Of hexagons the even or the
    odd columns lie half a row lower.
    """
    yield centres
    cols, rows = centres[:, 0] / (sqrt(3) / 2), centres[:, 1]
    for lower in (0, 1):
        yield np.column_stack((cols, rows - 0.5 * (np.round(cols) % 2 == lower)))
