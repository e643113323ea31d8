import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.picture import Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.solvers import Solved, has_one_strict_solution, solve
from flowvision.vision.crossings import crossings
from flowvision.vision.crossings.crossings import Crossings, ink_shares
from flowvision.vision.dots.detection import Dots
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.settings import CROSSINGS
from tests import seeing
from tests.boards import WARPED_BOARDS, pairs_of, puzzle_on, warp_ends
from tests.drawing import BLACK, COLOURS, CORNER, LEVEL_5X5, LINE, drawn_board, random_text, screenshot_of
from tests.seeing import dots_on
from tests.tools.synthetic import LOOKS, THEMES, Style, draw_screenshot

BRIDGES = {
    "one": boards.square(6, 6, bridges={(2, 2)}),
    "two": boards.square(6, 6, bridges={(1, 3), (4, 2)}),
    "other": boards.square(6, 6, bridges={(3, 3)}),
}
"""Boards with bridges, and no walls or openings."""


def solvable(board, seed):
    """Return a puzzle on the board with one solution, and none on a plain board, as published levels are."""
    plain = boards.square(board.lattice.rows, board.lattice.cols)
    puzzle, solution = random_puzzle(board, seed, colours=6)
    on_plain_board = solve(Puzzle(plain.graph, puzzle.terminals))
    needs_crossings = board == plain or not isinstance(on_plain_board, Solved)
    is_fit = needs_crossings and has_one_strict_solution(solve(puzzle))
    return (puzzle, solution) if is_fit else solvable(board, seed + 1)


def crossings_of(shot) -> list[Crossings]:
    """Return what the board of a picture may have, candidates in their order."""
    return list(crossings.crossings_of(pair_dots(dots_on(seeing.geometry_of(shot)))))


@pytest.mark.sweep(at_landing=12)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", LOOKS)
@pytest.mark.parametrize(
    ("name", "make"), [(name, solvable) for name in BRIDGES] + [(name, puzzle_on) for name in WARPED_BOARDS]
)
def test_bridges_and_openings_are_read_back(name: str, make, style: str, seed: int) -> None:
    """``make``: makes a puzzle that uses them, from this seed or one of the next."""
    board = (BRIDGES | WARPED_BOARDS)[name]
    puzzle, solution = make(board, 10 * seed)
    reading = solve_image(draw_screenshot(board, puzzle, LOOKS[style], seed, solution).screenshot).reading
    assert reading.board.lattice == board.lattice
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)


@pytest.mark.parametrize("quality", [30, 50, 70])
def test_the_soft_edges_of_pipes_are_no_bridges(quality):
    board = BRIDGES["one"]
    puzzle, solution = solvable(board, seed=1)
    style = Style(THEMES["wide"], drawn=1.0, dim=0.65, quality=quality, letters="white")
    candidates = crossings_of(draw_screenshot(board, puzzle, style, seed=2, solution=solution).screenshot)
    assert {candidate.bridges for candidate in candidates} == {((2, 2),)}


@pytest.mark.parametrize("dim", [1.0, 0.65])
def test_the_slope_of_a_glow_is_no_bridge(dim):
    """In every cell without a dot, but for the bridge, red rises towards the right side."""
    board, bridge = BRIDGES["one"], 14
    puzzle, solution = solvable(board, seed=1)
    shot = draw_screenshot(board, puzzle, Style(THEMES["wide"], dim=dim), seed=2, solution=solution)
    bgr, pitch = shot.screenshot.bgr.copy(), int(shot.frame.pitch_px((3, 3)))
    slope = np.linspace(0, 90 * dim, pitch // 3).astype(np.uint8)
    for cell in set(range(36)) - set(puzzle.dots) - {bridge}:
        x, y = np.round(shot.frame.to_px([board.layout.cells[cell].centre])[0]).astype(int).tolist()
        right = x + pitch // 2
        strip = bgr[y - pitch // 2 : y + pitch // 2, right - len(slope) : right]
        strip[:, :, 2] = np.maximum(strip[:, :, 2], slope)
    candidates = crossings_of(Screenshot(bgr))
    assert {candidate.bridges for candidate in candidates} == {((2, 2),)}


@pytest.mark.parametrize("style", ["plain", "old", "begun", "solved"])
def test_a_plain_board_has_neither(style):
    """Only where all is covered by pipes, all 13 rows and columns may be open."""
    board = boards.square(7, 6)
    puzzle, solution = solvable(board, seed=4)
    shot = draw_screenshot(board, puzzle, LOOKS[style], seed=2, solution=solution)
    candidates = crossings_of(shot.screenshot)
    assert all(not candidate.bridges and len(candidate.warps) == 7 + 6 for candidate in candidates)
    assert not candidates or style == "solved"


def test_no_opening_is_guessed_on_a_light_ground():
    light = drawn_board(LEVEL_5X5, 0.345, (60, 60), (12, 140), ground=(220,) * 3, line=BLACK, line_px=2)
    assert crossings_of(Screenshot(light)) == []


ENDS_OF_SECOND_ROW = {"left": ((0, 87), (27, 87)), "right": ((267, 87), (294, 87))}
"""Pixels, of a screenshot of the first level that is cut at the border of the board."""


@pytest.mark.parametrize(
    ("pipes_over", "is_open"), [((), True), (("right",), False), (("left", "right"), True)]
)
def test_a_board_without_its_border_is_open_unless_a_pipe_leaves_on_one_side(pipes_over, is_open):
    """A pipe that leaves a row at one end comes back at its other end."""
    left, top = CORNER[0] + 3, CORNER[1] + 3
    without_border = screenshot_of(LEVEL_5X5)[top:-top, left:-left].copy()
    for side in pipes_over:
        cv2.line(without_border, *ENDS_OF_SECOND_ROW[side], COLOURS["O"][::-1], 20)
    candidates = crossings_of(Screenshot(without_border))
    assert bool(candidates) == is_open
    rows_and_columns = 10
    assert pipes_over or [len(candidate.warps) for candidate in candidates] == [rows_and_columns]


EMPTY = random_text(5, cols=5, pairs=0)


def shares_of(bgr: np.ndarray) -> np.ndarray:
    """Return (5, 5): the share of each cell's middle that is covered by ink."""
    no_dots = Dots((), np.zeros(0), np.zeros(0), lambda: np.zeros((0, 1, 1)), None)
    return ink_shares(seeing.geometry_of(Screenshot(bgr)), no_dots).reshape(5, 5)


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("pitch", [40, 60, 100])
@pytest.mark.parametrize("colour", [LINE, (0, 80, 0), (200, 200, 200)])
def test_thin_lines_count_by_their_area(pitch, colour):
    """Two upright rails lie in the third cell of the second row."""
    bgr, rail_px = screenshot_of(EMPTY, pitch), max(1, pitch // 30)
    left, top = CORNER[0] + 2 * pitch, CORNER[1] + pitch
    for share in (0.3, 0.7):
        x = left + round(share * pitch)
        bgr[top : top + pitch, x : x + rail_px] = colour
    shares = shares_of(bgr)
    measured_width = 0.8 * pitch
    assert shares[1, 2] == pytest.approx(2 * rail_px / measured_width, abs=0.04)
    assert shares[1, 2] > CROSSINGS.bridge_ink
    shares[1, 2] = 0
    assert not shares.any()


def test_a_glow_from_the_edge_of_the_picture_into_outer_cells_is_no_border():
    board = WARPED_BOARDS["corners"]
    puzzle, _ = puzzle_on(board, seed=0)
    shot = draw_screenshot(board, puzzle, Style(), seed=0)
    # From the left edge of the picture into the cells, beside the last three of six rows: two are open there.
    (_, upper_px), (right_px, lower_px) = shot.frame.to_px([(0, 3.1), (0.12, 6.2)]).astype(int)
    left_of_last_rows = shot.screenshot.bgr[upper_px:lower_px, :right_px]
    left_of_last_rows[:] = np.maximum(left_of_last_rows, (60, 0, 0))
    assert solve_image(shot.screenshot).reading.board.lattice == board.lattice


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("style", [Style(drawn=1.0), Style(THEMES["old"], drawn=1.0, scale=0.5, quality=80)])
def test_a_pipe_and_its_tint_run_out_through_an_opening(style, seed):
    board = boards.square(5, 5, warps=warp_ends(5, (2,), ()))
    puzzle, solution = puzzle_on(board, 10 * seed)
    shot = draw_screenshot(board, puzzle, style, seed, solution)
    reading = solve_image(with_third_row_fading_out(shot)).reading
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)


def with_third_row_fading_out(shot) -> np.ndarray:
    """Add room at both sides, in which the third row goes on and fades."""
    room = round(shot.frame.pitch_px((0.5, 0.5)))
    bgr = np.pad(shot.screenshot.bgr, ((0, 0), (room, room), (0, 0)))
    for col, way in ((0, -1), (5, 1)):
        (x, top), (_, bottom) = np.round(shot.frame.to_px([(col, 2), (col, 3)])).astype(int).tolist()
        border = x + room
        rows = slice(top - 1, bottom + 2)
        inside = bgr[rows, border - way * room // 6].astype(float)
        fade = np.linspace(1, 0, room)[::way]
        out = bgr[rows, border : border + room] if way == 1 else bgr[rows, border - room : border]
        out[:] = np.maximum(out, inside[:, None] * fade[None, :, None])
    return bgr


BRIDGES_DRAWN = ((1, 3), (4, 2))
WARPS_DRAWN = (((3, 0), (3, 5)), ((0, 1), (5, 1)))
WALL_DRAWN = ((2, 2), (2, 3))
DRAWN = boards.square(6, 6, holes=[(0, 5)], walls=[WALL_DRAWN], bridges=BRIDGES_DRAWN, warps=WARPS_DRAWN)


def test_candidates_have_the_bridges_the_openings_or_both() -> None:
    shot = draw_screenshot(DRAWN, random_puzzle(DRAWN, seed=2)[0], Style(), seed=2)
    candidates = crossings_of(shot.screenshot)
    bridges, warps = set(BRIDGES_DRAWN), set(WARPS_DRAWN)
    described = [(set(each.bridges), set(each.warps), each.seen) for each in candidates]
    assert described == [(bridges, set(), True), (set(), warps, True), (bridges, warps, True)]
    assert candidates[2].board == DRAWN
    for candidate in candidates:
        walls, joined = walls_and_warps(candidate.board, candidate.board.lattice)
        assert walls == (WALL_DRAWN,)
        assert set(joined) == set(candidate.warps)


def drawn_by_hand(open_rows: tuple[int, ...], width: int, right_px: int, seed: int) -> np.ndarray:
    """A board of lines that are not quite even, made smaller; its left and right borders are thin."""
    rng, pitch, cells = np.random.default_rng(seed), 160, 5
    bgr = np.full((6 * pitch, 6 * pitch, 3), 255, np.uint8)
    xs, ys = (80 + pitch * (np.arange(cells + 1) + rng.uniform(-0.04, 0.04, cells + 1)) for _ in range(2))
    for number, x in enumerate(xs):
        thickness = {0: 2, cells: right_px}.get(number, 3)
        for row in range(cells):
            if not (number in (0, cells) and row in open_rows):
                ends = np.round(((x, ys[row]), (x, ys[row + 1]))).astype(int).tolist()
                cv2.line(bgr, *ends, BLACK, thickness, cv2.LINE_AA)
    for number, y in enumerate(ys):
        arm = pitch // 10 if {number - 1, number} & set(open_rows) else 0
        ends = np.round(((xs[0] - arm, y), (xs[-1] + arm, y))).astype(int).tolist()
        cv2.line(bgr, *ends, BLACK, 5 if number in (0, cells) else 3, cv2.LINE_AA)
    for row, col, colour in ((0, 0, "R"), (2, 3, "R"), (1, 1, "B"), (4, 4, "B"), (3, 0, "G"), (0, 3, "G")):
        middle = round((xs[col] + xs[col + 1]) / 2), round((ys[row] + ys[row + 1]) / 2)
        cv2.circle(bgr, middle, round(0.35 * pitch), COLOURS[colour][::-1], -1, cv2.LINE_AA)
    return cv2.resize(bgr, (width, width), interpolation=cv2.INTER_AREA)


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("width", [300, 420, 540, 720, 960])
@pytest.mark.parametrize("right_px", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_a_thin_border_is_no_opening_at_any_scale(width: int, right_px: int, seed: int) -> None:
    """A real opening may be missed: the board is solved without it."""
    for open_rows in ((), (2,)):
        candidates = crossings_of(Screenshot(drawn_by_hand(open_rows, width, right_px, seed)))
        warps = {warp for candidate in candidates if candidate.seen for warp in candidate.warps}
        assert warps <= {((row, 0), (row, 4)) for row in open_rows}
