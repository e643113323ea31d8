import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.puzzle import boards
from flowvision.puzzle.text import parse
from flowvision.reading.options import Options
from flowvision.render.look import Look
from flowvision.solvers import solve
from flowvision.words import COMMAND
from tests.boards import unique_puzzle
from tests.drawing import COLOURS, FIVE, WINDING, screenshot_of
from tests.seeing import refusal
from tests.tools.synthetic import Style, draw_screenshot


def drawn_board(text: str, edges: dict[str, list[tuple[int, int]]]) -> np.ndarray:
    """A screenshot with pipes of these flows drawn along these places."""
    bgr = screenshot_of(text)
    for letter, places in edges.items():
        line = np.array([(12 + 60 * c + 30, 140 + 60 * r + 30) for r, c in places])
        cv2.polylines(bgr, [line], False, COLOURS[letter][::-1], 20, cv2.LINE_AA)
    return bgr


def test_a_path_that_touches_itself_is_believed_where_it_is_drawn() -> None:
    assert refusal(screenshot_of(WINDING)).doubt.code == "touches-itself"
    given = parse(WINDING)
    outcome = solve(given.puzzle)
    for solution in (outcome.solution, outcome.second):
        pipes = {
            letter: [given.board.lattice.places[strand] for strand in path.vertices]
            for letter, path in zip(given.letters, solution.paths, strict=True)
        }
        answer = solve_image(drawn_board(WINDING, pipes))
        seen, drawn = (
            {frozenset(path.edges) for path in one.paths} for one in (answer.outcome.solution, solution)
        )
        assert seen == drawn
        assert answer.outcome.second not in (None, answer.outcome.solution)
        assert answer.doubts[0].drawn
        assert answer.confidence < 0.9
        for letter in pipes:
            unfinished = {**pipes, letter: pipes[letter][:-2]}
            assert refusal(drawn_board(WINDING, unfinished)).doubt.code == "touches-itself"


def test_a_wrong_pipe_is_named() -> None:
    picture = drawn_board(FIVE, {"R": [(0, 0), (0, 1)], "B": [(1, 2), (2, 2)]})
    assert solve_image(picture).outcome.unique is True
    error = refusal(picture, Options(keep_drawn=True), code="unsolvable")
    assert "R (red, row 1, column 1)." in error.message
    assert "--keep-drawn" in error.words(COMMAND)[1]


BOARD = boards.square(6, 6)


@pytest.mark.sweep(6)
@pytest.mark.parametrize(("share", "state"), [(0.0, "empty"), (0.5, "started"), (1.0, "solved")])
@pytest.mark.parametrize("look", [{}, {"quality": 50}, {"scale": 0.5}, {"dim": 0.7}], ids=str)
def test_the_state_is_read_from_the_picture(share, state, look):
    puzzle, solution = unique_puzzle(BOARD, 0, 5)
    shot = draw_screenshot(BOARD, puzzle, Style(drawn=share, **look), 4, solution)
    answer = solve_image(shot.screenshot)
    assert answer.state == state
    assert any(answer.pipes) == (state != "empty")
    assert (answer.picture == shot.screenshot.bgr).all() == (state == "solved")
    lettered = solve_image(shot.screenshot, look=Look(letters=True))
    assert (lettered.picture != answer.picture).any()
    kept = solve_image(shot.screenshot, Options(keep_drawn=True)).outcome.solution
    assert all(drawn <= set(path.edges) for drawn, path in zip(answer.pipes, kept.paths, strict=True))
