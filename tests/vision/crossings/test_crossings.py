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
from tests.boards import WARPED, pairs_of, puzzle_on, warp_ends
from tests.drawing import BLACK, COLOURS, FIVE, drawn_board, random_text, screenshot_of
from tests.seeing import dots_on
from tests.tools.synthetic import LOOKS, THEMES, Style, draw_screenshot

BRIDGES = {
    "one": boards.square(6, 6, bridges={(2, 2)}),
    "two": boards.square(6, 6, bridges={(1, 3), (4, 2)}),
    "other": boards.square(6, 6, bridges={(3, 3)}),
}


def solvable(board, seed):
    """A puzzle on the board with one solution, and none on a plain board, as published levels are."""
    plain = boards.square(board.lattice.rows, board.lattice.cols)
    while True:
        puzzle, solution = random_puzzle(board, seed, 6)
        outcome = solve(puzzle)
        if has_one_strict_solution(outcome):
            without = solve(Puzzle(plain.graph, puzzle.terminals))
            if board == plain or not isinstance(without, Solved):
                return puzzle, solution
        seed += 1


def crossings_of(shot) -> list[Crossings]:
    return list(crossings.crossings_of(pair_dots(dots_on(seeing.geometry_of(shot)))))


@pytest.mark.sweep(12)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", LOOKS)
@pytest.mark.parametrize("name", [*BRIDGES, *WARPED])
def test_bridges_and_openings_are_read_back(name: str, style: str, seed: int) -> None:
    board = (BRIDGES | WARPED)[name]
    puzzle, solution = solvable(board, seed) if name in BRIDGES else puzzle_on(board, 10 * seed)
    reading = solve_image(draw_screenshot(board, puzzle, LOOKS[style], seed, solution).screenshot).reading
    assert reading.board.lattice == board.lattice
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)


@pytest.mark.parametrize("quality", [30, 50, 70])
def test_the_soft_edges_of_pipes_are_no_bridges(quality):
    board = BRIDGES["one"]
    puzzle, solution = solvable(board, 1)
    style = Style(THEMES["wide"], drawn=1.0, dim=0.65, quality=quality, letters="white")
    seen = crossings_of(draw_screenshot(board, puzzle, style, 2, solution).screenshot)
    assert {crossings.bridges for crossings in seen} == {((2, 2),)}


@pytest.mark.parametrize("dim", [1.0, 0.65])
def test_the_slope_of_a_glow_is_no_bridge(dim):
    board = BRIDGES["one"]
    puzzle, solution = solvable(board, 1)
    shot = draw_screenshot(board, puzzle, Style(THEMES["wide"], dim=dim), 2, solution)
    dots = {board.layout.cell_of[dot] for pair in puzzle.terminals for dot in pair}
    pitch = int(shot.frame.pitch_px((3, 3)))
    bgr, slope = shot.screenshot.bgr.copy(), np.linspace(0, 90 * dim, pitch // 3).astype(np.uint8)
    for cell in set(range(36)) - dots - {14}:
        x, y = np.round(shot.frame.to_px([board.layout.cells[cell].centre])[0]).astype(int).tolist()
        strip = bgr[y - pitch // 2 : y + pitch // 2, x + pitch // 2 - len(slope) : x + pitch // 2]
        strip[:, :, 2] = np.maximum(strip[:, :, 2], slope)
    seen = crossings_of(Screenshot(bgr))
    assert {crossings.bridges for crossings in seen} == {((2, 2),)}


def test_a_plain_board_has_neither():
    board = boards.square(7, 6)
    puzzle, solution = solvable(board, 4)
    for style in (LOOKS[name] for name in ("plain", "old", "begun", "solved")):
        shot = draw_screenshot(board, puzzle, style, 2, solution).screenshot
        assert all(not one.bridges and len(one.warps) == 13 for one in crossings_of(shot))
        assert not crossings_of(shot) or style.drawn == 1


def test_nothing_is_guessed_where_a_border_cannot_be_seen_or_a_pipe_leaves():
    light = drawn_board(FIVE, 0.345, (60, 60), (12, 140), ground=(220,) * 3, line=BLACK, line_px=2)
    assert crossings_of(Screenshot(light)) == []
    inner = screenshot_of(FIVE)[143:-143, 15:-15].copy()
    assert [len(one.warps) for one in crossings_of(Screenshot(inner))] == [10]
    left = inner.copy()
    cv2.line(left, (267, 87), (294, 87), COLOURS["O"][::-1], 20)
    assert crossings_of(Screenshot(left)) == []
    cv2.line(left, (0, 87), (27, 87), COLOURS["O"][::-1], 20)
    assert crossings_of(Screenshot(left))


LINE = (63, 109, 63)
"""The colour of grid lines, BGR."""
EMPTY = random_text(5, 5, pairs=0)


def shares_of(bgr: np.ndarray) -> np.ndarray:
    dots = Dots((), np.zeros(0), np.zeros(0), lambda: np.zeros((0, 1, 1)), None)
    return ink_shares(seeing.geometry_of(Screenshot(bgr)), dots).reshape(5, 5)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("pitch", [40, 60, 100])
@pytest.mark.parametrize("colour", [LINE, (0, 80, 0), (200, 200, 200)])
def test_thin_lines_count_by_their_area(pitch, colour):
    bgr, width = screenshot_of(EMPTY, pitch), max(1, pitch // 30)
    x, y = 12 + 2 * pitch, 140 + pitch
    for share in (0.3, 0.7):
        bgr[y : y + pitch, x + round(share * pitch) : x + round(share * pitch) + width] = colour
    shares = shares_of(bgr)
    assert shares[1, 2] == pytest.approx(2 * width / (0.8 * pitch), abs=0.04)
    assert shares[1, 2] > CROSSINGS.bridge_ink
    shares[1, 2] = 0
    assert not shares.any()


def test_a_glow_that_ends_at_the_rim_is_no_border():
    board = WARPED["corners"]
    puzzle, _ = puzzle_on(board, 0)
    shot = draw_screenshot(board, puzzle, Style(), 0).screenshot
    bottom = shot.bgr[1150:1700, :24]
    bottom[:] = np.maximum(bottom, (60, 0, 0))
    assert solve_image(shot).reading.board.lattice == board.lattice


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("style", [Style(drawn=1.0), Style(THEMES["old"], drawn=1.0, scale=0.5, quality=80)])
def test_a_pipe_and_its_tint_run_out_through_an_opening(style, seed):
    board = boards.square(5, 5, (), (), (), warp_ends(5, (2,), ()))
    puzzle, solution = puzzle_on(board, 10 * seed)
    shot = draw_screenshot(board, puzzle, style, seed, solution)
    room = round(shot.frame.pitch_px((0.5, 0.5)))
    bgr = np.pad(shot.screenshot.bgr, ((0, 0), (room, room), (0, 0)))
    for begin, way in ((0, -1), (5, 1)):
        (x0, y0), (_, y1) = np.round(shot.frame.to_px([(begin, 2), (begin, 3)])).astype(int).tolist()
        inside = bgr[y0 - 1 : y1 + 2, x0 + room - way * room // 6].astype(float)
        fade = np.linspace(1, 0, room)[::way]
        left = x0 + room if way == 1 else x0
        out = np.s_[y0 - 1 : y1 + 2, left : left + room]
        bgr[out] = np.maximum(bgr[out], inside[:, None] * fade[None, :, None])
    reading = solve_image(bgr).reading
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)


BRIDGES_DRAWN = ((1, 3), (4, 2))
WARPS_DRAWN = (((3, 0), (3, 5)), ((0, 1), (5, 1)))
DRAWN = boards.square(6, 6, [(0, 5)], [((2, 2), (2, 3))], BRIDGES_DRAWN, WARPS_DRAWN)


def test_the_board_has_what_is_seen() -> None:
    found = crossings_of(draw_screenshot(DRAWN, random_puzzle(DRAWN, 2)[0], Style(), 2).screenshot)
    shown = [(set(one.bridges), set(one.warps), one.seen) for one in found]
    bridges, warps = set(BRIDGES_DRAWN), set(WARPS_DRAWN)
    assert shown == [(bridges, set(), True), (set(), warps, True), (bridges, warps, True)]
    assert found[2].board == DRAWN
    for one in found:
        walls, joined = walls_and_warps(one.board, one.board.lattice)
        assert walls == (((2, 2), (2, 3)),)
        assert set(joined) == set(one.warps)
    dots = found[0].pairing.dots
    rails = [dots.geometry.board.lattice.places.index(place) for place in BRIDGES_DRAWN]
    inked = ink_shares(dots.geometry, dots)
    assert inked[rails].min() > np.delete(inked, rails).max()


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


@pytest.mark.sweep(6)
@pytest.mark.parametrize("width", [300, 420, 540, 720, 960])
@pytest.mark.parametrize("right_px", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_a_thin_border_is_no_opening_at_any_scale(width: int, right_px: int, seed: int) -> None:
    for open_rows in ((), (2,)):
        seen = crossings_of(Screenshot(drawn_by_hand(open_rows, width, right_px, seed)))
        warps = {warp for crossings in seen if crossings.seen for warp in crossings.warps}
        assert warps <= {((row, 0), (row, 4)) for row in open_rows}
