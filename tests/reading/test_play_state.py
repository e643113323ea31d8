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
from tests.drawing import COLOURS, CORNER, LEVEL_5X5, PITCH, screenshot_of
from tests.seeing import refusal
from tests.tools.synthetic import Style, draw_screenshot

SEVERAL_TOUCHING = "..RG\n....\n..GR\n....\n"
"""Every solution touches itself; there are several."""


def with_pipes(text: str, pipes: dict[str, list[tuple[int, int]]]) -> np.ndarray:
    """A screenshot with pipes of these flows along these rows and columns."""
    bgr = screenshot_of(text)
    for letter, places in pipes.items():
        middles = np.array([(col, row) for row, col in places]) * PITCH + CORNER + PITCH // 2
        cv2.polylines(bgr, [middles], False, COLOURS[letter][::-1], 20, cv2.LINE_AA)
    return bgr


def winding_pipes(number: int) -> dict[str, list[tuple[int, int]]]:
    """Return the places of one of two solutions of ``SEVERAL_TOUCHING``, by letters."""
    named = parse(SEVERAL_TOUCHING)
    outcome = solve(named.puzzle)
    paths = (outcome.solution, outcome.second)[number].paths
    places = named.board.lattice.places
    return {
        letter: [places[strand] for strand in path.vertices]
        for letter, path in zip(named.letters, paths, strict=True)
    }


def test_a_board_whose_paths_touch_themselves_is_refused() -> None:
    assert refusal(screenshot_of(SEVERAL_TOUCHING)).doubt.code == "touches-itself"


@pytest.mark.parametrize("number", [0, 1])
def test_paths_that_touch_themselves_are_believed_where_they_are_drawn(number: int) -> None:
    pipes = winding_pipes(number)
    answer = solve_image(with_pipes(SEVERAL_TOUCHING, pipes))
    assert {flow.letter: set(flow.path) for flow in answer.flows} == {
        letter: set(places) for letter, places in pipes.items()
    }
    assert answer.outcome.second not in (None, answer.outcome.solution)
    assert answer.doubts[0].drawn
    assert answer.confidence < 0.9


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("letter", parse(SEVERAL_TOUCHING).letters)
def test_paths_that_touch_themselves_are_not_believed_where_one_is_unfinished(number, letter) -> None:
    pipes = winding_pipes(number)
    unfinished = {**pipes, letter: pipes[letter][:-2]}
    assert refusal(with_pipes(SEVERAL_TOUCHING, unfinished)).doubt.code == "touches-itself"


def test_a_wrong_pipe_is_named_if_pipes_are_to_be_kept() -> None:
    picture = with_pipes(LEVEL_5X5, {"R": [(0, 0), (0, 1)], "B": [(1, 2), (2, 2)]})
    assert solve_image(picture).outcome.unique is True
    error = refusal(picture, Options(keep_drawn=True), code="unsolvable")
    assert "R (red, row 1, column 1)." in error.message
    assert "--keep-drawn" in error.words(COMMAND)[1]


BOARD = boards.square(6, 6)


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize(("share", "state"), [(0.0, "empty"), (0.5, "started"), (1.0, "solved")])
@pytest.mark.parametrize("look", [{}, {"quality": 50}, {"scale": 0.5}, {"dim": 0.7}], ids=str)
def test_the_state_is_read_from_the_picture(share, state, look):
    puzzle, solution = unique_puzzle(BOARD, seed=0, colours=5)
    shot = draw_screenshot(BOARD, puzzle, Style(drawn=share, **look), seed=4, solution=solution).screenshot
    answer = solve_image(shot)
    assert answer.state == state
    assert any(answer.pipes) == (state != "empty")
    is_left_as_it_is = np.array_equal(answer.picture, shot.bgr)
    assert is_left_as_it_is == (state == "solved")
    with_letters = solve_image(shot, look=Look(letters=True))
    assert (with_letters.picture != answer.picture).any()
    kept = solve_image(shot, keep_drawn=True).outcome.solution
    assert all(drawn <= set(path.edges) for drawn, path in zip(answer.pipes, kept.paths, strict=True))
