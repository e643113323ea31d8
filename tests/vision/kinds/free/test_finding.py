from itertools import product

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Bgr, Frame
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.vision.kinds.free.finding import fit_cells
from flowvision.vision.kinds.free.fit import CellFit
from tests.boards import BOARDS, pairs_of, rhombi, unique_puzzle
from tests.drawing import outlines
from tests.seeing import assert_refused, region_of
from tests.tools.synthetic import PHONES, PlayedPath, Style, draw_screenshot

PITCH = 60.0
FRAME = Frame.of_box(30.0, 40.0, PITCH, PITCH)
BRICKS = [
    (x + 0.5 * (row % 2), row, width) for row in range(4) for x, width in ((0, 1), (1, 2), (3, 1.5), (4.5, 1))
]
"""Left, row and width of bricks whose joints do not meet."""
LINE = (90, 110, 80)


def drawn(board: Board) -> Bgr:
    return outlines(board, FRAME)


def bricks() -> np.ndarray:
    bgr = np.zeros((460, 460, 3), np.uint8)
    for x, y, width in BRICKS:
        low, high = np.round(FRAME.to_px([(x, y), (x + width, y + 1)])).astype(int).tolist()
        cv2.rectangle(bgr, low, high, LINE, 2)
    return bgr


def cell_at(fit: CellFit, x: float, y: float) -> int:
    """Return the number of the cell whose middle is nearest to a place."""
    middles = fit.frame.to_px(fit.centres)
    return int(np.linalg.norm(middles - FRAME.to_px([(x, y)]), axis=1).argmin())


def test_the_outline_goes_round_all_cells() -> None:
    board = rhombi(arms=5, parts=2)
    shot = draw_screenshot(board, random_puzzle(board, seed=1)[0], Style(), seed=1)
    outline = fit_cells(region_of(shot.screenshot.bgr)).outline_px()
    corners = shot.frame.to_px(board.layout.corners)
    assert outline.min(axis=0) == pytest.approx(corners.min(axis=0), abs=15)
    assert outline.max(axis=0) == pytest.approx(corners.max(axis=0), abs=15)


def test_cells_that_only_scraps_connect_are_refused() -> None:
    """Walls separate nine cells; four diamonds on their corners share faint sides with them."""
    margin, pitch, half = 60, 200, 30
    bgr = np.zeros((2 * margin + 3 * pitch, 2 * margin + 3 * pitch, 3), np.uint8)
    for row, col in np.ndindex(3, 3):
        left, top = margin + pitch * col, margin + pitch * row
        cv2.rectangle(bgr, (left, top), (left + pitch, top + pitch), (220, 220, 220), 8)
    for row, col in np.ndindex(2, 2):
        x, y = margin + pitch * (col + 1), margin + pitch * (row + 1)
        diamond = np.array([(x + half, y), (x, y + half), (x - half, y), (x, y - half)])
        cv2.fillPoly(bgr, [diamond], (0, 0, 0))
        cv2.polylines(bgr, [diamond], True, (100, 100, 100), 2)
    with pytest.raises(GridNotFoundError):
        fit_cells(region_of(bgr))
    assert_refused(bgr, code="no-dots")


@pytest.mark.parametrize(("radius", "is_cell"), [(10, False), (24, True)])
def test_the_inside_of_a_letter_is_no_cell(radius: int, is_cell: bool) -> None:
    bgr = drawn(boards.square(4, 6))
    x, y = np.round(FRAME.to_px([(2.5, 1.5)])[0]).astype(int).tolist()
    cv2.circle(bgr, (x, y), radius, LINE, 2)
    assert len(fit_cells(region_of(bgr)).centres) == 4 * 6 + is_cell


@pytest.mark.parametrize(
    "board",
    [boards.square(4, 6), boards.hexagonal(5, 6), boards.square(5, 5, holes=[(0, 0), (2, 4), (4, 3)])],
)
def test_every_cell_and_every_side_is_found(board):
    fit = fit_cells(region_of(drawn(board)))
    middles, drawn_middles = fit.frame.to_px(fit.centres), FRAME.to_px(board.layout.centres)
    distances = np.linalg.norm(middles[:, None] - drawn_middles, axis=2)
    drawn_cell = distances.argmin(axis=1).tolist()
    assert sorted(drawn_cell) == list(range(len(board.layout.cells)))
    assert distances.min(axis=1).max() < 3
    joined = {frozenset((drawn_cell[contact.a], drawn_cell[contact.b])) for contact in fit.contacts}
    assert joined == set(map(frozenset, board.graph.edges))


def test_cells_of_several_sizes_have_their_shapes():
    fit = fit_cells(region_of(bricks()))
    assert len(fit.centres) == len(BRICKS)
    for x, y, width in BRICKS:
        long, high = np.diag(fit.shapes[cell_at(fit, x + width / 2, y + 0.5)])
        assert long / high == pytest.approx(width, rel=0.08)


def test_cells_of_several_sizes_meet_along_their_common_sides():
    fit = fit_cells(region_of(bricks()))
    lengths = {
        frozenset((contact.a, contact.b)): contact.length * fit.pitch_px / PITCH for contact in fit.contacts
    }
    for upper, lower in product(BRICKS, BRICKS):
        overlap = min(upper[0] + upper[2], lower[0] + lower[2]) - max(upper[0], lower[0])
        if lower[1] == upper[1] + 1 and overlap > 0.3:
            cells = frozenset(cell_at(fit, x + width / 2, y + 0.5) for x, y, width in (upper, lower))
            assert lengths[cells] == pytest.approx(overlap, abs=0.15)


def test_a_thick_side_is_a_wall():
    bgr = drawn(boards.square(4, 4))
    ends = np.round(FRAME.to_px([(2, 1), (2, 2)])).astype(int).tolist()
    cv2.line(bgr, *ends, LINE, 7)
    fit = fit_cells(region_of(bgr))
    beside_it = {cell_at(fit, 1.5, 1.5), cell_at(fit, 2.5, 1.5)}
    joined = [{contact.a, contact.b} for contact in fit.contacts]
    assert beside_it not in joined
    assert len(joined) == len(boards.square(4, 4).graph.edges) - 1


def test_too_few_regions_are_no_board():
    with pytest.raises(GridNotFoundError, match="found 4 regions"):
        fit_cells(region_of(drawn(boards.square(2, 2))))
    with pytest.raises(GridNotFoundError):
        fit_cells(region_of(np.zeros((200, 200, 3), np.uint8)))


def test_a_row_of_pixels_between_lines_is_no_cell() -> None:
    """Scan lines over a bright surface leave rows one pixel high."""
    bgr = np.zeros((300, 300, 3), np.uint8)
    bgr[50:250, 40:260] = LINE
    bgr[52:248:3, 42:258] = 0
    with pytest.raises(GridNotFoundError):
        fit_cells(region_of(bgr))


def centred(board: Board) -> Board:
    """Return the same cells with middles, and so dots, midway between their corners, as the game has them."""
    outlines = [cell.outline for cell in board.layout.cells]
    cells = [Cell(tuple(np.mean(outline, axis=0).tolist()), outline) for outline in outlines]
    return boards.build(cells, boards.shared_sides(cells))


SHAPES = {
    "cubes": BOARDS["cubes"],
    "rings": centred(BOARDS["rings"]),
    "five arms": rhombi(arms=5, parts=2),
    "six arms": rhombi(arms=6, parts=2),
    "seven arms": rhombi(arms=7, parts=2),
    "three arms": rhombi(arms=3, parts=4),
}
STYLE = Style(phone=PHONES["galaxy"], drawn=0.0)


@pytest.mark.sweep(at_landing=5)
@pytest.mark.parametrize("share", [0, 0.25, 0.5, 1])
@pytest.mark.parametrize("name", SHAPES)
def test_played_boards_are_read(name: str, share: float) -> None:
    board = SHAPES[name]
    puzzle, solution = unique_puzzle(board, seed=0, colours=max(3, len(board.layout.cells) // 6))
    pipes = [PlayedPath(flow, path, done=True) for flow, path in enumerate(solution.paths)]
    shot = draw_screenshot(board, puzzle, STYLE, seed=0, pipes=pipes[: round(share * len(pipes))])
    reading = solve_image(shot.screenshot).reading
    assert len(reading.board.layout.cells) == len(board.layout.cells)
    assert len(reading.board.graph.edges) == len(board.graph.edges)
    middles = shot.frame.to_px(board.layout.centres)
    true_cell_of = [
        int(np.linalg.norm(middles - middle, axis=1).argmin())
        for middle in reading.frame.to_px(reading.board.layout.centres)
    ]
    read = {frozenset(true_cell_of[dot] for dot in pair) for pair in reading.puzzle.terminals}
    assert read == pairs_of(puzzle)
