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
from flowvision.vision.grid.tints import has_tints_beside, tints_of, with_tints
from flowvision.vision.kinds.rectangular import lattice
from flowvision.vision.kinds.rectangular.lattice import even_fit, fits_in, grown, turned_grids
from flowvision.vision.pixels.view import place_middles, view_of
from flowvision.vision.settings import GRID, LINES, TINTS
from flowvision.words import COMMAND
from tests.boards import pairs_of
from tests.drawing import CORNER, LEFT, LEVEL_5X5, LINE, PITCH, TOP, random_text, screenshot_of
from tests.seeing import lines_in, region_of
from tests.tools.synthetic import PHONES, PlayedPath, Style, draw_screenshot


@pytest.mark.parametrize(("rows", "cols", "pitch"), [(3, 3, 90), (5, 12, 44), (14, 8, 36), (7, 7, 60)])
def test_the_first_lattice_is_the_board(rows, cols, pitch):
    bgr = screenshot_of(random_text(rows, cols, pairs=2, seed=rows), pitch)
    fit = next(fits_in(lines_of(bgr)))
    assert fit.size == (rows, cols)
    assert not fit.is_open
    assert fit.pitch_px == pytest.approx(pitch, abs=0.3)
    corners = np.array(list(np.ndindex(cols + 1, rows + 1)))
    assert np.abs(fit.frame.to_px(corners) - np.add(CORNER, pitch * corners)).max() < 2


def test_lattices_come_best_first_and_once():
    fits = list(fits_in(lines_of(screenshot_of(LEVEL_5X5))))
    scores = [fit.score for fit in fits]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) >= GRID.score
    assert len({(fit.rows, fit.cols, fit.frame) for fit in fits}) == len(fits)


def test_a_board_whose_border_is_cut_off_keeps_its_outer_cells():
    bgr, (left, top), side, beyond = screenshot_of(LEVEL_5X5), CORNER, 5 * PITCH, 4
    within_border = bgr[top + beyond : top + side - beyond, left + beyond : left + side - beyond]
    assert next(fits_in(lines_of(within_border))).size == (5, 5)
    # Of the border on the right alone: without its last column the board is open.
    bgr[:, left + side - beyond : left + side + beyond] = 0
    assert all(fit.is_open for fit in fits_in(lines_of(bgr)) if fit.cols == 4)


def test_lines_that_reach_out_beside_an_opening_frame_no_cell():
    left, top, pitch = 90, 140, 60
    bgr = screenshot_of(LEVEL_5X5, pitch, (left, top))
    right = left + 5 * pitch
    for y in (top + 2 * pitch, top + 3 * pitch):  # above and below the third row
        bgr[y - 1 : y + 1, left - pitch : left] = LINE
        bgr[y - 1 : y + 1, right + 1 : right + pitch] = LINE
    best, *others = (fit.size for fit in fits_in(lines_of(bgr)))
    assert best == (5, 5)
    assert {(5, 6), (5, 7)}.isdisjoint(others)


def test_a_tilted_board_is_found_in_the_rectified_view():
    beside = 60
    bgr = np.pad(screenshot_of(LEVEL_5X5), ((0, 0), (beside, beside), (0, 0)))
    height, width = bgr.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 5.0, 1)
    region = region_of(cv2.warpAffine(bgr, turn, (width, height)))
    fit = next(turned_grids((), lines_in(region)))
    assert fit.size == (5, 5)
    corners = np.array([(0, 0), (5, 0), (5, 5), (0, 5)])
    upright_px = corners * PITCH + CORNER + (beside, 0)
    turned_px = np.column_stack((upright_px, np.ones(4))) @ turn.T
    assert np.abs(fit.outline_px() - turned_px).max() < 3


def test_without_lines_there_is_no_lattice():
    cache = RegionCache(region_of(np.zeros((400, 400, 3), np.uint8)))
    with pytest.raises(GridNotFoundError, match="0 vertical and 0 horizontal lines are") as caught:
        next(lattices(cache))
    assert caught.value.evidence.spacings == ([], [])


@pytest.mark.parametrize(("rows", "cols"), [(4, 7), (9, 3)])
def test_a_given_lattice_spans_its_region(rows, cols):
    fit = even_fit(region_of(np.zeros((300, 400, 3), np.uint8)), rows, cols)
    assert (fit.rows, fit.cols, fit.is_given, fit.is_open) == (rows, cols, True, False)
    first, last = fit.frame.to_px([(0, 0), (cols, rows)])
    assert first == pytest.approx((0, 0), abs=1e-6)
    assert last == pytest.approx((399, 299))


def test_a_given_lattice_of_too_small_cells_is_refused():
    with pytest.raises(GridNotFoundError, match=r"3\.0 px for a cell") as caught:
        even_fit(region_of(np.zeros((300, 300, 3), np.uint8)), rows=100, cols=5)
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
    bgr, corner = screenshot_of(BARRED, pitch=100, corner=(0, 0)), (0, 0)
    draw_bars(bgr, BARRED, corner, half_px=10, over_px=1)
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


PICTURES_OF_LINES = {"a board": screenshot_of(LEVEL_5X5)} | {
    f"seed {n}": lines_at_random(n) for n in range(1, 6)
}


@pytest.mark.parametrize("name", PICTURES_OF_LINES)
def test_what_cannot_score_enough_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lattices with a low bound of their score are left out, to save time."""
    evidence = lines_of(PICTURES_OF_LINES[name])
    fits = [(fit.size, fit.score) for fit in fits_in(evidence)]
    monkeypatch.setattr(lattice, "score_upper_bound", lambda *_: 1.0)
    assert fits == [(fit.size, fit.score) for fit in fits_in(evidence)]
    assert fits or name != "a board"


ROW_OF_ONE_FLOW = "V...V\n.ABC.\n...A.\n.B...\n...C.\n"
"""One solution, and so have the other four rows alone."""


@pytest.mark.parametrize("seed", [1, 2])
def test_a_tinted_row_beyond_the_lines_that_are_seen_belongs_to_the_board(seed):
    """The tint of finished cells is as bright as lines, which do not show beside it."""
    named = parse(ROW_OF_ONE_FLOW)
    pipe = PlayedPath(flow=0, path=solve(named.puzzle).solution.paths[0], done=True)
    style = Style(phone=PHONES["small"], tint=0.5, chrome=False)
    shot = draw_screenshot(named.board, named.puzzle, style, seed, pipes=[pipe])
    assert pairs_of(solve_image(shot.screenshot).reading.puzzle) == pairs_of(named.puzzle)


TINT, PIPE = (125, 70, 65), (250, 60, 40)
ROWS, COLS = 6, 5


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


def sizes_of(bgr: Bgr) -> set[tuple[int, int]]:
    return {fit.size for fit in fits_in(lines_in(region_of(bgr)))}


LAST_COLUMN = [(row, COLS - 1) for row in range(ROWS)]
LAST_ROWS = [(row, col) for row in (ROWS - 2, ROWS - 1) for col in range(COLS)]


@pytest.mark.parametrize("tinted", [LAST_COLUMN, LAST_ROWS, LAST_COLUMN + LAST_ROWS])
def test_tinted_rows_and_columns_belong_to_the_lattice(tinted):
    assert (ROWS, COLS) in sizes_of(board_of(tinted))


def test_a_lattice_grows_over_tinted_cells_beside_it():
    right, bottom = LEFT + (COLS - 1) * PITCH, TOP + ROWS * PITCH
    outline = np.array([(LEFT, TOP), (right, TOP), (right, bottom), (LEFT, bottom)], np.float64)
    lined = next(fits_in(lines_in(region_of(board_of(LAST_COLUMN)).moved(outline))))
    assert lined.size == (ROWS, COLS - 1)
    assert (ROWS, COLS) in {fit.size for fit in grown(lined)}


def test_a_tint_without_a_pipe_is_no_cell():
    assert (ROWS, COLS) not in sizes_of(board_of(LAST_COLUMN, has_pipes=False))


def spacing(start: float, count: int) -> Spacing:
    """Return lines, a cell apart, that are seen without fault."""
    return Spacing(start, PITCH, count, score=1.0, residual=0.0)


UNSEEN = SideCoverage(np.zeros((ROWS, COLS + 1)), np.zeros((ROWS + 1, COLS)))


def test_tinted_cells_are_those_with_a_tint():
    view = view_of(Screenshot(board_of(LAST_COLUMN)), None, LINES.view_px)
    _, is_tinted = tints_of(view, Frame.of_box(LEFT, TOP, PITCH, PITCH), place_middles((ROWS, COLS)))
    assert [divmod(cell, COLS) for cell in np.flatnonzero(is_tinted).tolist()] == LAST_COLUMN


def test_tints_beside_a_block_share_a_side_with_it():
    view = view_of(Screenshot(board_of([(2, 2)])), None, LINES.view_px)
    cols, rows = spacing(LEFT, COLS), spacing(TOP, ROWS)
    beside = {
        (row, col)
        for row, col in np.ndindex(ROWS, COLS)
        if has_tints_beside(view, cols, rows, (slice(row, row + 1), slice(col, col + 1)))
    }
    assert beside == {(1, 2), (2, 1), (2, 3), (3, 2)}


def test_sides_within_a_tint_count_for_less_than_those_at_its_end():
    view = view_of(Screenshot(board_of(LAST_COLUMN)), None, LINES.view_px)
    cols, rows = spacing(LEFT, COLS), spacing(TOP, ROWS)
    cover = with_tints(view, cols, rows, UNSEEN)
    assert np.allclose(cover.vertical[:, -2:], 1)
    assert np.allclose(cover.horizontal[1:-1, -1], TINTS.within)
    assert np.allclose(cover.horizontal[[0, -1], -1], 1)
    assert not cover.vertical[:, :-2].any()


@pytest.mark.parametrize("counts", [(-2, 4), (4, -1), (0, 3), (-1, -1)])
def test_a_lattice_beyond_the_view_has_no_tints(counts):
    view = view_of(Screenshot(board_of([(0, 0)])), box=None, view_px=300)
    cols, rows = (spacing(900.0, count) for count in counts)
    assert with_tints(view, cols, rows, UNSEEN) is UNSEEN
