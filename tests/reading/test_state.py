"""A board is empty, started or solved by what is drawn on it."""

from __future__ import annotations

import pytest

from flowvision.pipeline import read_image, solve_image
from flowvision.puzzle import boards
from flowvision.puzzle.drawn_pipes import state_of
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.look import Look
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.solvers import Solved, solve

BOARD = boards.square(6, 6)


def one_solution():
    """A puzzle with exactly one solution, and that."""
    for seed in range(100):
        puzzle, solution = random_puzzle(BOARD, seed, 5)
        outcome = solve(puzzle)
        if isinstance(outcome, Solved) and outcome.unique and outcome.rules == "strict":
            return puzzle, solution
    raise AssertionError


def test_every_subset_of_pipes():
    """All of them solve the board, none leaves it empty, anything between has begun it."""
    puzzle, solution = one_solution()
    whole = [frozenset(path.edges) for path in solution.paths]
    assert state_of(puzzle, whole) == ("solved", solution)
    assert state_of(puzzle, [frozenset() for _ in whole]) == ("empty", None)
    for flow in range(len(whole)):
        rest = [edges if n != flow else frozenset() for n, edges in enumerate(whole)]
        assert state_of(puzzle, rest) == ("started", None)
        cut = [edges if n != flow else edges - {min(edges)} for n, edges in enumerate(whole)]
        assert state_of(puzzle, cut) == ("started", None)


@pytest.mark.parametrize(("share", "state"), [(0.0, "empty"), (0.5, "started"), (1.0, "solved")])
@pytest.mark.parametrize("look", [{}, {"quality": 50}, {"scale": 0.5}, {"dim": 0.7}], ids=str)
def test_the_state_is_read_from_the_picture(share, state, look):
    """As it was drawn; also compressed, small and dimmed. A solved board is given back as it is."""
    puzzle, solution = one_solution()
    shot = draw_screenshot(BOARD, puzzle, Style(drawn=share, **look), 4, solution)
    assert read_image(shot.screenshot).state == state
    answer = solve_image(shot.screenshot)
    assert answer.checked.state == state
    assert any(answer.checked.drawn) == (state != "empty")
    assert (answer.picture == shot.screenshot.bgr).all() == (state == "solved")


def test_letters_are_written_on_a_solved_board_too():
    """Its pipes are not drawn again, but asked for letters, it gets them."""
    puzzle, solution = one_solution()
    shot = draw_screenshot(BOARD, puzzle, Style(drawn=1.0), 4, solution)
    answer = solve_image(shot.screenshot, look=Look(letters=True))
    assert not (answer.picture == shot.screenshot.bgr).all()
