import pytest

from flowvision import solve_image
from flowvision.colours import palette_for
from flowvision.puzzle.text import parse
from flowvision.render.board_look import MIN_CELL_PX, draw_board
from flowvision.render.look import Look, PlacedBoard
from flowvision.render.overlay import pipes_of
from flowvision.render.ruling import PAPER, SCREEN, BoardStyle
from flowvision.solvers import solve
from tests.boards import SPECIAL_BOARDS, text_of
from tests.drawing import LEVEL_5X5


@pytest.mark.parametrize("name", ["five", "holes and walls", "bridge", "warp", "hexagons"])
def test_a_drawn_board_is_read_back(name: str) -> None:
    named = parse(LEVEL_5X5 if name == "five" else SPECIAL_BOARDS[name])
    picture, _ = draw_board(named.board, named.puzzle, palette_for(named.letters))
    assert text_of(solve_image(picture).reading) == text_of(named)


@pytest.mark.parametrize("size", [2, 9, 40, 90])
def test_pictures_are_neither_huge_nor_too_small_to_see(size: int) -> None:
    first, last = "R" + "." * (size - 1), "." * (size - 1) + "R"
    named = parse("\n".join([first, *["." * size] * (size - 2), last]))
    height, width = draw_board(named.board, named.puzzle, palette_for("R"))[0].shape[:2]
    assert height == width
    is_huge_at = max(SCREEN.max_px, (MIN_CELL_PX + 1) * (size + 1))  # with margins
    assert MIN_CELL_PX * size <= width <= is_huge_at


@pytest.mark.parametrize("style", [SCREEN, PAPER])
def test_cells_that_lie_apart_have_the_ground_of_the_picture(style: BoardStyle) -> None:
    """Cells without rows are drawn with lines between their middles, which they cover with the ground."""
    named = parse("free\ncells 4\nR 0 1\n0: 2 3\n1: 2 3\n")
    picture, frame = draw_board(named.board, named.puzzle, palette_for(named.letters), style=style)
    for cell_without_dot in (2, 3):
        x, y = frame.to_px(named.board.layout.cells[cell_without_dot].centre)[0].round().astype(int)
        assert tuple(picture[y, x]) == style.ground[::-1]


def test_rails_of_a_bridge_give_no_pipe_a_rim() -> None:
    named = parse(SPECIAL_BOARDS["bridge"])
    solution, palette = solve(named.puzzle).solution, palette_for(named.letters)
    plain, frame = draw_board(named.board, named.puzzle, palette)
    pipes = pipes_of(plain, PlacedBoard(named.board, frame), solution, palette, Look())
    assert [len(pipe.strokes) for pipe in pipes] == [1] * len(palette)  # a rim is another stroke
