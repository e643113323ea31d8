import pytest

from flowvision import solve_image
from flowvision.image.picture import Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.reading import strategies
from flowvision.reading.options import Options
from flowvision.reading.strategies import BoardCache, RegionCache
from flowvision.vision.kinds.hexagonal.fit import HexagonFit
from flowvision.vision.settings import HEXAGONS
from tests.boards import LEVEL_5X5_DOTS, LEVEL_5X5_PAIRS, pairs_of, rhombi
from tests.drawing import CORNER, LEVEL_5X5, LINE, clone_shot, screenshot_of
from tests.seeing import changed_thresholds, find_boards, fits_of, geometry_of, refusal
from tests.tools.synthetic import THEMES, Style, draw_screenshot

SHOT = Screenshot(screenshot_of(LEVEL_5X5, pitch=90))


def test_no_two_strategies_have_one_name():
    tables = [value for value in vars(strategies).values() if isinstance(value, tuple)]
    names = [row.name for table in tables for row in table if isinstance(row, strategies.Strategy)]
    assert len(names) == len(set(names)) > 5


def test_a_region_has_the_same_lattices_however_often_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    region = next(find_boards(SHOT))
    lattices = 3 * [RegionCache(region).best_upright]
    monkeypatch.setattr(strategies, "fits_in", lambda _: iter(lattices))
    cache = RegionCache(region)
    next(cache.grids())  # a reader that takes the first one alone
    assert list(cache.grids()) == lattices
    assert list(cache.grids()) == lattices


@pytest.mark.parametrize("size", [(5, 5), (4, 6)])
def test_a_given_size_passes_over_other_lattices(size: tuple[int, int]) -> None:
    cache = RegionCache(next(find_boards(SHOT)), size)
    fits = [*strategies.lattices_of_size(cache), *strategies.even_lattice(cache)]
    assert {fit.size for fit in fits} == {size}
    assert fits[-1].is_given


@pytest.mark.parametrize("corner", [(4, 40), (12, 140)])
def test_nothing_is_laid_over_a_part_of_a_lattice_that_is_seen(corner: tuple[int, int]) -> None:
    """With a wrong size, two dots in neighbouring cells make a board with one solution."""
    error = refusal(
        screenshot_of(LEVEL_5X5, pitch=20, corner=corner), Options(grid="2x2"), code="grid-not-found"
    )
    assert error.cause.code == "wrong-option"


def test_discs_measured_in_oblong_cells_are_tried_before_other_lattices() -> None:
    """Cells that pipes leave whole may be such a lattice, with a solution."""
    bgr = clone_shot(LEVEL_5X5, dot=0.34, size=(140, 60))
    usual, measured = strategies.usual_dots(BoardCache(geometry_of(Screenshot(bgr))))
    assert (usual.cells, measured.cells, measured.is_guess) == (None, LEVEL_5X5_DOTS, True)


def test_a_size_the_wrong_way_round_is_understood() -> None:
    bgr = screenshot_of("R...\n....\nG..R\n....\nB...\nY.BG\n...Y\n", pitch=80)
    cache = RegionCache(next(find_boards(Screenshot(bgr))), (4, 7))
    assert {fit.size for fit in strategies.lattices_of_size(cache)} == {(7, 4)}


SQUARES = {
    "squares": boards.square(6, 5),
    "small squares": boards.square(12, 12),
    "holes": boards.square(6, 6, holes=[(0, 0), (2, 3), (5, 5)]),
    "star": rhombi(arms=6, parts=3),
}
HEXAGONAL = {"hexagons": boards.hexagonal(5, 5), "many hexagons": boards.hexagonal(8, 7)}
STYLES = {
    "empty": Style(),
    "half played": Style(THEMES["current"], drawn=0.5, letters="black"),
    "solved": Style(THEMES["old"], drawn=1.0),
    "wide": Style(THEMES["wide"], scale=0.6),
}


def drawn(board: boards.Board, style: Style) -> Screenshot:
    puzzle, solution = random_puzzle(board, seed=3, colours=min(12, max(5, len(board.layout.cells) // 7)))
    return draw_screenshot(board, puzzle, style, seed=4, solution=solution).screenshot


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", HEXAGONAL)
def test_where_hexagons_are_sure_no_lattice_of_squares_is_sought(name, style, monkeypatch):
    cache = RegionCache(next(find_boards(drawn(HEXAGONAL[name], STYLES[style]))))
    assert cache.lines.axes[0].longest < HEXAGONS.vertical_line_max
    monkeypatch.setattr(strategies, "fits_in", lambda *_: pytest.fail("squares are sought"))
    (fit,) = strategies.sure_hexagons(cache)
    assert isinstance(fit, HexagonFit)
    assert fit.count == len(HEXAGONAL[name].layout.cells)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", SQUARES)
def test_no_other_board_is_taken_for_hexagons(name, style):
    """Also where long upright lines do not rule them out."""
    region = next(find_boards(drawn(SQUARES[name], STYLES[style])))
    with changed_thresholds(HEXAGONS, vertical_line_max=2.0):
        assert not RegionCache(region).surely_hexagons
    assert not any(isinstance(fit, HexagonFit) for fit in fits_of(region))


def test_an_outline_without_inner_lines_is_read_with_a_given_size() -> None:
    bgr, (left, top), side = screenshot_of(LEVEL_5X5, pitch=80), CORNER, 5 * 80
    inside = bgr[top + 5 : top + side - 5, left + 5 : left + side - 5]
    inside[(inside == LINE).all(axis=2)] = 0
    assert pairs_of(solve_image(bgr, grid="5x5").reading.puzzle) == LEVEL_5X5_PAIRS


@pytest.mark.parametrize("name", [*SQUARES, *HEXAGONAL])
def test_dots_are_measured_only_in_cells_of_several_shapes(name: str) -> None:
    """In cells of one shape a blot or a glow of another size than the game's dots is none."""
    has_several_shapes = name == "star"
    board = BoardCache(geometry_of(drawn({**SQUARES, **HEXAGONAL}[name], Style())))
    (usual,) = strategies.usual_dots(board)
    assert (usual.cells is not None) == has_several_shapes
    assert (usual in board.discs) == has_several_shapes
    assert len(strategies.faint_dots(board)) == (not has_several_shapes)
