import pytest

from flowvision import solve_image
from flowvision.colours import palette_for
from flowvision.puzzle.text import format_puzzle, parse
from flowvision.render.board_look import draw_board
from flowvision.render.look import Look, PlacedBoard
from flowvision.render.overlay import pipes_of
from flowvision.render.ruling import PAPER, SCREEN, BoardStyle
from flowvision.solvers import solve
from tests.boards import MADE
from tests.drawing import FIVE


@pytest.mark.parametrize("name", ["five", "holes and walls", "bridge", "warp", "hexagons"])
def test_a_drawn_board_is_read_back(name: str) -> None:
    text = FIVE if name == "five" else MADE[name]
    parsed = parse(text)
    plain, _ = draw_board(parsed.board, parsed.puzzle, palette_for(parsed.letters))
    reading = solve_image(plain).reading
    assert format_puzzle(reading.board, reading.puzzle) == format_puzzle(parsed.board, parsed.puzzle)


@pytest.mark.parametrize("size", [2, 9, 40, 90])
def test_pictures_are_neither_huge_nor_too_small_to_see(size: int) -> None:
    rows = "\n".join(["R" + "." * (size - 1), *["." * size] * (size - 2), "." * (size - 1) + "R"])
    parsed = parse(rows)
    height, width = draw_board(parsed.board, parsed.puzzle, palette_for("R"))[0].shape[:2]
    assert height == width
    assert 16 * size <= width <= max(1200, 17 * (size + 1))


@pytest.mark.parametrize("style", [SCREEN, PAPER])
def test_cells_that_lie_apart_have_the_ground_of_the_picture(style: BoardStyle) -> None:
    made = parse("free\ncells 4\nR 0 1\n0: 2 3\n1: 2 3\n")
    plain, frame = draw_board(made.board, made.puzzle, palette_for(made.letters), style=style)
    for cell in (2, 3):
        x, y = frame.to_px(made.board.layout.cells[cell].centre)[0].round().astype(int)
        assert tuple(plain[y, x]) == style.ground[::-1]


def test_rails_of_a_bridge_give_no_pipe_a_rim() -> None:
    made = parse(MADE["bridge"])
    plain, frame = draw_board(made.board, made.puzzle, palette_for(made.letters))
    solution, palette = solve(made.puzzle).solution, palette_for(made.letters)
    pipes = pipes_of(plain, PlacedBoard(made.board, frame), solution, palette, Look())
    assert [len(pipe.strokes) for pipe in pipes] == [1] * len(palette)
