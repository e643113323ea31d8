import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.puzzle.text import parse
from flowvision.reading.strategies import RegionCache, lattices
from flowvision.solvers import solve
from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.grid.spacing import GridEvidence, Spacing, line_evidence
from flowvision.vision.grid.tints import tints_of, with_tints
from flowvision.vision.kinds.rectangular import lattice
from flowvision.vision.kinds.rectangular.lattice import even_fit, fits_in, turned_grids
from flowvision.vision.pixels.view import view_of
from flowvision.vision.settings import GRID, LINES, TINTS
from flowvision.words import COMMAND
from tests.boards import pairs_of
from tests.drawing import FIVE, LEFT, TOP, random_text, screenshot_of
from tests.seeing import lines_in, region_of
from tests.tools.synthetic import PHONES, PlayedPath, Style, draw_screenshot


@pytest.mark.parametrize(("rows", "cols", "pitch"), [(3, 3, 90), (5, 12, 44), (14, 8, 36), (7, 7, 60)])
def test_the_first_lattice_is_the_board(rows, cols, pitch):
    bgr = screenshot_of(random_text(rows, cols, 2, seed=rows), pitch)
    fit = next(fits_in(lines_of(bgr)))
    assert (fit.rows, fit.cols) == (rows, cols)
    assert not fit.is_open
    assert fit.pitch_px == pytest.approx(pitch, abs=0.3)
    corners = np.stack(np.meshgrid(np.arange(cols + 1), np.arange(rows + 1)), axis=-1).reshape(-1, 2)
    assert np.abs(fit.frame.to_px(corners) - (12, 140) - pitch * corners).max() < 2


def test_lattices_come_best_first():
    fits = list(fits_in(lines_of(screenshot_of(FIVE))))
    scores = [fit.score for fit in fits]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) >= GRID.score
    assert len({(fit.rows, fit.cols, fit.frame) for fit in fits}) == len(fits)


def test_a_board_whose_border_is_cut_off_keeps_its_outer_cells():
    bgr = screenshot_of(FIVE)
    fit = next(fits_in(lines_of(bgr[144:436, 16:308])))
    assert (fit.rows, fit.cols) == (5, 5)
    bgr[:, 308:316] = 0
    assert all(fit.is_open for fit in fits_in(lines_of(bgr)) if fit.cols == 4)


def test_lines_that_reach_out_beside_an_opening_frame_no_cell():
    bgr = screenshot_of(FIVE, 60, (90, 140))
    for x in (30, 391):  # a cell to the left and to the right of the third row
        for y in (260, 320):
            bgr[y - 1 : y + 1, x : x + 59] = (63, 109, 63)
    sizes = [fit.size for fit in fits_in(lines_of(bgr))]
    assert sizes[0] == (5, 5)
    assert (5, 6) not in sizes
    assert (5, 7) not in sizes


def test_a_tilted_board_is_found_in_the_rectified_view():
    bgr = np.pad(screenshot_of(FIVE), ((0, 0), (60, 60), (0, 0)))
    turn = cv2.getRotationMatrix2D((222, 290), 5.0, 1)
    region = region_of(cv2.warpAffine(bgr, turn, (444, 580)))
    fit = next(turned_grids((), lines_in(region)))
    corners = np.array([(0, 0), (5, 0), (5, 5), (0, 5)])
    drawn = np.column_stack((corners * 60 + (72, 140), np.ones(4))) @ turn.T
    assert (fit.rows, fit.cols) == (5, 5)
    assert np.abs(fit.frame.to_px(corners) - drawn).max() < 3


def test_without_lines_there_is_no_lattice():
    cache = RegionCache(region_of(np.zeros((400, 400, 3), np.uint8)))
    with pytest.raises(GridNotFoundError, match="0 vertical and 0 horizontal lines are") as caught:
        next(lattices(cache))
    assert caught.value.evidence.spacings == ([], [])


@pytest.mark.parametrize(("rows", "cols"), [(4, 7), (9, 3)])
def test_a_given_lattice_spans_its_region(rows, cols):
    fit = even_fit(region_of(np.zeros((300, 400, 3), np.uint8)), rows, cols)
    corners = fit.frame.to_px([(0, 0), (cols, rows)])
    assert (fit.rows, fit.cols, fit.is_given, fit.is_open) == (rows, cols, True, False)
    assert np.abs(corners - [(0, 0), (399, 299)]).max() < 1e-6


def test_a_given_lattice_of_too_small_cells_is_refused():
    with pytest.raises(GridNotFoundError, match=r"3\.0 px for a cell") as caught:
        even_fit(region_of(np.zeros((300, 300, 3), np.uint8)), 100, 5)
    assert "--grid" in caught.value.words(COMMAND)[1]


BARRED = ".R...G\n.Y.B..\n...R.B\n...G..\n....Y.\n......\n"
"""Six rows and columns, one solution."""


def draw_bars(bgr: Bgr, text: str, corner: tuple[int, int], half_px: int, over_px: int) -> None:
    """Draw a piece of pipe in each empty cell of a board, over the lines above and below it or not."""
    rows = text.split()
    pitch = (bgr.shape[1] - 2 * corner[0]) // len(rows[0])
    for row, col in np.argwhere(np.array([list(row) for row in rows]) == ".").tolist():
        x, y = corner[0] + col * pitch + pitch // 2, corner[1] + row * pitch
        low, high = max(0, y - over_px), y + pitch + over_px + 1
        bgr[low:high, x - half_px : x + half_px + 1] = 230, 216, 173


def test_a_lattice_grows_where_its_lines_go_on():
    bgr = screenshot_of(BARRED, 100, (0, 0))
    draw_bars(bgr, BARRED, (0, 0), 10, 1)
    assert pairs_of(solve_image(bgr).reading.puzzle) == pairs_of(parse(BARRED).puzzle)


def lines_at_random(seed: int) -> np.ndarray:
    """A picture of upright and level lines, part of them evenly spaced."""
    random = np.random.default_rng(seed)
    bgr = np.zeros((360, 420, 3), np.uint8)
    pitch, start = random.uniform(18, 70, 2), random.uniform(0, 30, 2)
    for n in range(20):
        x, y = np.round(start + n * pitch * (1 + random.normal(0, 0.01, 2))).astype(int)
        low, high = sorted(random.integers(0, 360, 2).tolist())
        if random.random() < 0.9:
            bgr[low : high + 60, x : x + 2] = 120
            bgr[y : y + 2, low : high + 60] = 120
    return bgr


def lines_of(bgr: np.ndarray) -> GridEvidence:
    region = region_of(bgr)
    return line_evidence(region, region.view)


@pytest.mark.parametrize("seed", range(6))
def test_what_cannot_score_enough_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bgr = lines_at_random(seed) if seed else screenshot_of(FIVE)
    seen = lines_of(bgr)
    first = [(fit.rows, fit.cols, fit.score) for fit in fits_in(seen)]
    monkeypatch.setattr(lattice, "score_upper_bound", lambda *_: 1.0)
    assert first == [(fit.rows, fit.cols, fit.score) for fit in fits_in(seen)]
    assert seed or first


ROW_OF_ONE_FLOW = "V...V\n.ABC.\n...A.\n.B...\n...C.\n"
"""One solution, and so have the other four rows alone."""


@pytest.mark.parametrize("seed", [1, 2])
def test_a_tinted_row_beyond_the_lines_that_are_seen_belongs_to_the_board(seed):
    given = parse(ROW_OF_ONE_FLOW)
    pipe = PlayedPath(0, solve(given.puzzle).solution.paths[0], True)
    style = Style(phone=PHONES["small"], tint=0.5, chrome=False)
    shot = draw_screenshot(given.board, given.puzzle, style, seed, pipes=[pipe])
    assert pairs_of(solve_image(shot.screenshot).reading.puzzle) == pairs_of(given.puzzle)


PITCH = 60
ROWS, COLS = 6, 5
TINT, PIPE, LINE = (125, 70, 65), (250, 60, 40), (63, 109, 63)


def board_of(tinted: list[tuple[int, int]], has_pipes: bool = True) -> Bgr:
    """A lattice on black with some cells tinted as brightly as lines, and no line beside those."""
    bgr = np.zeros((2 * TOP + ROWS * PITCH, 2 * LEFT + COLS * PITCH, 3), np.uint8)
    for row, col in sorted(np.ndindex(ROWS, COLS), key=tinted.count):
        x, y = LEFT + col * PITCH, TOP + row * PITCH
        if (row, col) not in tinted:
            cv2.rectangle(bgr, (x, y), (x + PITCH, y + PITCH), LINE, 2)
            continue
        bgr[y : y + PITCH, x : x + PITCH] = TINT
        if has_pipes:
            cv2.circle(bgr, (x + PITCH // 2, y + PITCH // 2), 21, PIPE, -1, cv2.LINE_AA)
    return bgr


def size_of(bgr: Bgr) -> set[tuple[int, int]]:
    return {(fit.rows, fit.cols) for fit in fits_in(lines_in(region_of(bgr)))}


LAST_COLUMN = [(row, COLS - 1) for row in range(ROWS)]
LAST_ROWS = [(row, col) for row in (ROWS - 2, ROWS - 1) for col in range(COLS)]


@pytest.mark.parametrize("tinted", [LAST_COLUMN, LAST_ROWS, LAST_COLUMN + LAST_ROWS])
def test_tinted_rows_and_columns_belong_to_the_lattice(tinted):
    assert (ROWS, COLS) in size_of(board_of(tinted))


def test_a_tint_needs_a_pipe():
    assert (ROWS, COLS) not in size_of(board_of(LAST_COLUMN, has_pipes=False))


def test_sides_within_a_tint_count_for_less_than_those_at_its_end():
    view = view_of(Screenshot(board_of(LAST_COLUMN)), None, LINES.view_px)
    _, is_tinted = tints_of(view, Frame.of_box(LEFT, TOP, PITCH, PITCH), (ROWS, COLS))
    assert [tuple(place) for place in np.argwhere(is_tinted).tolist()] == LAST_COLUMN
    cols, rows = Spacing(LEFT, PITCH, COLS, 1.0, 0.0), Spacing(TOP, PITCH, ROWS, 1.0, 0.0)
    nothing = SideCoverage(np.zeros((ROWS, COLS + 1)), np.zeros((ROWS + 1, COLS)))
    shown = with_tints(view, cols, rows, nothing)
    assert np.allclose(shown.vertical[:, -2:], 1)
    assert np.allclose(shown.horizontal[1:-1, -1], TINTS.within)
    assert np.allclose(shown.horizontal[[0, -1], -1], 1)
    assert not shown.vertical[:, :-2].any()


@pytest.mark.parametrize("counts", [(-2, 4), (4, -1), (0, 3), (-1, -1)])
def test_a_lattice_beyond_the_view_has_no_tints(counts):
    view = view_of(Screenshot(board_of([(0, 0)])), None, 300)
    cols, rows = (Spacing(900.0, PITCH, count, 1.0, 0.0) for count in counts)
    nothing = SideCoverage(np.zeros((3, 4)), np.zeros((4, 3)))
    assert with_tints(view, cols, rows, nothing) is nothing
