import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons, frame_of, periods
from flowvision.vision.kinds.hexagonal.fit import HEIGHT, HexagonFit, centre, neighbours
from flowvision.vision.settings import GRID
from tests.boards import pairs_of, unique_puzzle
from tests.drawing import outlines
from tests.seeing import find_boards
from tests.tools.synthetic import LOOKS, THEMES, Style, draw_screenshot

ROUND = boards.hexagonal(5, 5, holes=[(0, 0), (0, 4), (4, 0), (4, 4), (4, 1), (4, 3)])
RING = boards.hexagonal(6, 6, holes=[(2, 2), (2, 3), (3, 3)])
WALLED = boards.hexagonal(5, 6, walls=[((1, 1), (1, 2)), ((2, 1), (2, 2)), ((3, 3), (3, 4))])
LARGE = boards.hexagonal(8, 8, holes=[(7, 0), (0, 7)])
BOARDS = {"round": ROUND, "ring": RING, "walled": WALLED}


def fit_on(shot: Screenshot) -> HexagonFit:
    """Return the hexagons of the best region of a picture."""
    return fit_hexagons(next(find_boards(shot)))


@pytest.mark.sweep(at_landing=5)
@pytest.mark.parametrize("style", LOOKS)
@pytest.mark.parametrize("name", BOARDS)
def test_a_board_of_hexagons_is_read_back(name, style):
    board = BOARDS[name]
    puzzle, solution = unique_puzzle(board, seed=3, colours=5)
    shot = draw_screenshot(board, puzzle, LOOKS[style], seed=4, solution=solution)
    reading = solve_image(shot.screenshot).reading
    assert reading.lattice.tiling == "hex"
    assert len(reading.lattice.places) == len(board.lattice.places)
    assert set(map(frozenset, reading.board.graph.edges)) == set(map(frozenset, board.graph.edges))
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)


@pytest.mark.parametrize(
    ("outline", "is_wall"), [pytest.param(4.3, False, id="weak"), pytest.param(3.0, True, id="strong")]
)
def test_walls_stand_out_as_the_outline_does(outline, is_wall):
    """A side of 2.2 times the usual strength, between a plain side and the walls of a board."""
    puzzle, solution = unique_puzzle(WALLED, seed=3, colours=5)
    fit = fit_on(draw_screenshot(WALLED, puzzle, Style(), seed=4, solution=solution).screenshot)
    strength = fit.strength.copy()
    inner = fit.cells[:, :, None] & ~fit.outer
    strength[fit.outer] = outline
    strength[inner & (strength > 2)] = 0.8 * outline  # the walls
    for row, col, side in ((1, 3, 2), (*neighbours(1, 3)[2], 5)):  # one side, seen from both cells
        strength[row, col, side] = 2.2
    geometry = replace(fit, strength=strength).cut_board()
    assert len(geometry.sides) == len(boards.hexagonal(5, 6).graph.edges)
    assert len(geometry.board.graph.edges) == len(WALLED.graph.edges) - is_wall


def test_the_outline_goes_round_all_hexagons():
    shot = draw_screenshot(ROUND, unique_puzzle(ROUND, seed=3, colours=5)[0], Style(), seed=4)
    outline, corners = fit_on(shot.screenshot).outline_px(), shot.frame.to_px(ROUND.layout.corners)
    assert outline.min(axis=0) == pytest.approx(corners.min(axis=0), abs=4)
    assert outline.max(axis=0) == pytest.approx(corners.max(axis=0), abs=4)


def test_letters_between_the_outer_hexagons_are_no_hexagons():
    """A title right above a jagged board resembles the sides of a cell."""
    frame = Frame.of_box(30, 100, 60, 60)
    bgr = outlines(ROUND, frame)
    x, y = frame.to_px([centre(-1, 2)])[0].round().astype(int)  # above the third column
    for across in range(-27, 30, 9):
        bgr[y - 28 : y - 7, x + across : x + across + 2] = 160, 130, 90
    assert fit_on(Screenshot(bgr)).count == len(ROUND.lattice.places)


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("look", ["wide", "old", "current"])
@pytest.mark.parametrize(
    ("scale", "quality", "letters"),
    [(0.45, None, None), (0.45, 60, None), (0.35, None, None), (0.6, 60, "black"), (0.45, 60, "black")],
)
def test_small_cells_full_of_pipes_are_all_found_and_open(look, scale, quality, letters):
    puzzle, solution = unique_puzzle(LARGE, seed=1, colours=5)
    style = Style(THEMES[look], scale=scale, quality=quality, drawn=1.0, letters=letters)
    fit = fit_on(draw_screenshot(LARGE, puzzle, style, seed=4, solution=solution).screenshot)
    assert fit.count == len(LARGE.lattice.places)
    are_sides_measured = scale > 0.35  # smaller ones are too few pixels
    assert not are_sides_measured or fit.cut_board().board.graph == LARGE.graph


BOARD = boards.hexagonal(6, 6)


def lines_of(width_px: float, corner: tuple[float, float] = (20.0, 30.0), kept: float = 1.0):
    """255 on the sides of a board of hexagons of this width; ``kept``: the share of sides that is drawn."""
    frame, rng = Frame.of_box(*corner, width_px, width_px), np.random.default_rng(0)
    lines = np.zeros((round(6.6 * width_px), round(5.6 * width_px)), np.uint8)
    for cell in BOARD.layout.cells:
        corners = np.round(16 * frame.to_px(list(cell.outline))).astype(np.int32)
        for a, b in zip(corners, np.roll(corners, 1, axis=0), strict=True):
            if rng.random() < kept:
                cv2.line(lines, a.tolist(), b.tolist(), 255, 2, cv2.LINE_8, 4)
    return lines


LINE_PX = 5


@pytest.mark.parametrize("off", [-0.01, 0.0, 0.012])
@pytest.mark.parametrize("kept", [1.0, 0.4])
def test_the_lattice_is_placed_where_it_was_drawn(off, kept):
    """``off``: by how much the given height is wrong."""
    width_px, corner = 48.0, (23.0, 31.0)
    frame = frame_of(lines_of(width_px, corner, kept), HEIGHT * width_px * (1 + off), LINE_PX)
    x, y = frame.to_cells(np.array(BOARD.layout.centres) * width_px + corner).T
    # The frame has the middle of some hexagon at its origin; columns are 0.75 apart, every other one shifted.
    col = x / 0.75
    row = y / HEIGHT - 0.5 * (np.round(col) % 2)
    assert np.abs(col - np.round(col)).max() < 0.06
    assert np.abs(row - np.round(row)).max() < 0.06


SQUARES = np.zeros((300, 300), np.uint8)
SQUARES[::40] = SQUARES[:, ::40] = 255
NOISE = np.where(np.random.default_rng(0).random((300, 300)) < 0.1, 255, 0).astype(np.uint8)


@pytest.mark.parametrize("lines", [SQUARES, NOISE], ids=["squares", "noise"])
@pytest.mark.parametrize("height_px", [35.0, 40.0, 46.0])
def test_other_lines_match_no_hexagon(lines, height_px):
    assert frame_of(lines, height_px, LINE_PX) is None


@pytest.mark.parametrize("width_px", [24.0, 40.0, 63.0])
@pytest.mark.parametrize("kept", [1.0, 0.4])
def test_the_height_is_among_the_likeliest_periods(width_px, kept):
    height_px = HEIGHT * width_px
    likeliest = periods(lines_of(width_px, kept=kept))[: GRID.fits]
    assert min(abs(period - height_px) for period in likeliest) <= 1.0


@pytest.mark.parametrize("shape", [(1, 300), (300, 1), (1, 1), (41, 41)])
def test_views_too_small_for_hexagons_have_none(shape):
    """The largest has no room for the least number of the smallest cells."""
    with np.errstate(all="raise"):
        assert periods(np.full(shape, 255, np.uint8)) == []


TINTED = {
    "no walls": boards.hexagonal(5, 5),
    "some walls": boards.hexagonal(6, 5, walls=[((1, 1), (1, 2)), ((2, 0), (3, 0)), ((3, 3), (4, 3))]),
}


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("name", TINTED)
@pytest.mark.parametrize("share", [0.32, 0.5, 0.55, 0.8])
@pytest.mark.parametrize(("colour", "scale"), [((120, 140, 80), 1.0), ((40, 90, 160), 0.5)])
def test_the_edge_of_a_tint_is_no_wall(name, share, colour, scale) -> None:
    """A tint lies over a board from a ``share`` of its width; its edge crosses slanted sides of a column."""
    board = TINTED[name]
    shot = draw_screenshot(board, unique_puzzle(board, seed=3)[0], Style(), seed=1)
    x = shot.frame.to_px(board.layout.corners)[:, 0]
    bgr = shot.screenshot.bgr.copy()
    part = bgr[:, round(x.min() + share * np.ptp(x)) :]
    part[:] = 0.4 * part + 0.6 * np.array(colour)
    small = np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    cut = fit_on(Screenshot(small)).cut_board().board
    assert set(walls_and_warps(cut, cut.lattice)[0]) <= set(walls_and_warps(board, board.lattice)[0])
