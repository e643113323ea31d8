import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.picture import Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.reading.doubts import SIDES, crossed_edges, distances_to_edges
from flowvision.reading.options import Options
from flowvision.solvers import has_one_strict_solution, solve
from flowvision.vision.board import find_boards
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from flowvision.words import Without
from tests.boards import rhombi
from tests.drawing import FIVE, screenshot_of
from tests.pictures import cut_hexagons
from tests.seeing import geometry_of, refusal
from tests.tools.synthetic import PHONES, Style, draw_screenshot, random_style

CORNER = (70, 140)


@pytest.mark.parametrize(("axis", "turn"), [(0, 0), (1, 0), (0, 2), (1, 2)])
def test_distances_are_cells_between_a_board_and_the_edges(axis: int, turn: int) -> None:
    bgr = screenshot_of(FIVE, 60, (70, 140))
    longer = np.pad(bgr, [(0, 60 * (axis == 1)), (0, 60 * (axis == 0)), (0, 0)])
    shots = [Screenshot(np.ascontiguousarray(np.rot90(one, turn))) for one in (bgr, longer)]
    before, after = (distances_to_edges(geometry_of(shot).fit, shot) for shot in shots)
    changes = {side: after[side] - before[side] for side in SIDES}
    expected = dict.fromkeys(SIDES, 0.0) | {SIDES[2 - turn + axis]: 1.0}
    assert changes == pytest.approx(expected, abs=0.05)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("quarter_turns", range(4))
@pytest.mark.parametrize("left", [0.2, 0.3, 0.4, 0.48])
def test_a_row_whose_dots_the_picture_cuts_off_is_no_row(left: float, quarter_turns: int) -> None:
    text = ".....\n...WO\n..C.P\n...PO\n.....\n..WC.\n.....\n"
    whole = screenshot_of(text, 60, CORNER)
    assert len(solve_image(whole).reading.puzzle.terminals) == 4
    bgr = np.rot90(whole[: CORNER[1] + round(60 * (5 + left))], quarter_turns)
    assert refusal(np.ascontiguousarray(bgr)).cause.code == "cut-off"


@pytest.mark.parametrize("left", [4.55, 4.8])
def test_of_a_board_whose_border_the_picture_cuts_off_it_is_said(left: float) -> None:
    bgr = screenshot_of(FIVE, 60, CORNER)
    cut = bgr[: CORNER[1] + round(60 * left)]
    whole, checked = solve_image(bgr), solve_image(cut)
    assert [doubt.facts["sides"] for doubt in checked.doubts] == [["bottom"]]
    assert (checked.doubtful, whole.doubtful, whole.warnings) == (True, False, ())
    assert checked.reading.board == whole.reading.board
    assert checked.confidence < whole.confidence


STYLE = Style(phone=PHONES["galaxy"], drawn=0.0)
SHAPES = {"five arms": rhombi(5, 3), "six arms": rhombi(6, 2), "seven arms": rhombi(7, 2)}


def puzzle_on_part(board: Board, kept: list[int]) -> Puzzle:
    """Pairs of dots on some of the cells; without the others they have exactly one solution."""
    cells = [board.layout.cells[number] for number in kept]
    part = boards.build(cells, boards.shared_sides(cells))
    for seed in range(1000):
        puzzle, _ = random_puzzle(part, seed, max(3, len(cells) // 8))
        if has_one_strict_solution(solve(puzzle)):
            return Puzzle(board.graph, tuple((kept[a], kept[b]) for a, b in puzzle.terminals))
    raise AssertionError


@pytest.mark.sweep(6)
@pytest.mark.parametrize("missing", [0.1, 0.35])
@pytest.mark.parametrize("edge", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_board_cut_by_the_picture_is_not_believed(name: str, edge: str, missing: float) -> None:
    board = SHAPES[name]
    frame = draw_screenshot(board, Puzzle(board.graph, ((0, 1),)), STYLE, 0).frame
    axis, way = int(edge in ("top", "bottom")), 1 if edge in ("right", "bottom") else -1
    along = [way * frame.to_px(cell.outline)[:, axis] for cell in board.layout.cells]
    last = max(ends.max() for ends in along)
    thick = np.mean([np.ptp(ends) for ends in along if ends.max() > last - 3])
    cut = last - missing * thick
    kept = [number for number, ends in enumerate(along) if ends.max() <= cut + 2]
    assert len(kept) < len(along)
    whole = draw_screenshot(board, puzzle_on_part(board, kept), STYLE, 0).screenshot.bgr
    place = round(way * cut)
    part = np.s_[:place] if way > 0 else np.s_[place:]
    refusal(np.ascontiguousarray(whole[(slice(None),) * (1 - axis) + (part,)]), code="doubtful-reading")


def test_of_hexagons_that_end_at_an_edge_a_cut_is_said() -> None:
    answer = solve_image(cut_hexagons("bottom", 0.8, 5, 3))
    assert (answer.doubts[0].code, answer.doubts[0].facts["sides"]) == ("cut-off", ["bottom"])
    assert answer.doubtful


def test_where_the_rows_before_a_cut_have_one_solution_it_is_doubted() -> None:
    bgr = screenshot_of("R.G.Y\n..B.O\n.....\nRGBYO\nM...M\n", 120, (12, 300))[:782]
    answer = solve_image(bgr)
    assert answer.doubts[0].code == "cut-off"
    assert answer.confidence < 0.9
    assert solve_image(bgr, Options(grid="5x4")).warnings == ()
    assert not any(isinstance(one, Without) for one in refusal(bgr, Options(grid="5x5")).cause.advice)


@pytest.mark.parametrize("seed", range(6))
def test_no_edge_crosses_whole_hexagons(seed: int) -> None:
    board = boards.hexagonal(4 + seed % 3, 4 + seed % 3)
    puzzle, solution = random_puzzle(board, seed)
    shot = draw_screenshot(board, puzzle, random_style(seed), seed, solution).screenshot
    geometry = fit_hexagons(next(find_boards(shot))).cut_board()
    assert crossed_edges(geometry) == ()
