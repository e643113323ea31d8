import cv2
import pytest

from flowvision import solve_image
from flowvision.diagnosis.cells import ColourGroup, counts_in_words
from flowvision.errors import OddDotsError
from flowvision.image.picture import Bgr
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.words import Change
from tests.boards import BOARDS
from tests.drawing import FIVE, screenshot_of
from tests.seeing import refusal
from tests.tools.synthetic import Style, draw_screenshot

PITCH, LEFT, TOP = 60, 12, 140


def middle(row: int, col: int) -> tuple[int, int]:
    return LEFT + PITCH * col + PITCH // 2, TOP + PITCH * row + PITCH // 2


def without(*places: tuple[int, int]) -> Bgr:
    bgr = screenshot_of(FIVE)
    for place in places:
        cv2.circle(bgr, middle(*place), 24, (0, 0, 0), -1)
    return bgr


@pytest.mark.parametrize(
    ("gone", "colour", "left"),
    [((1, 4), "orange", (4, 3)), ((0, 0), "red", (4, 1)), ((3, 1), "green", (0, 2))],
)
def test_the_colour_that_lacks_a_dot_is_named(gone, colour, left):
    error = refusal(without(gone))
    assert isinstance(error, OddDotsError)
    facts = error.cause.facts
    assert (error.cause.code, facts["name"], facts["at"]) == ("lone-dots", colour, left)
    assert error.cause.advice == (Change(None, FIVE.split()[gone[0]][gone[1]]),)


def test_a_board_of_numbered_cells_is_advised_by_number():
    puzzle, _ = random_puzzle(BOARDS["cubes"], 1)
    shot = draw_screenshot(BOARDS["cubes"], puzzle, Style(), 1)
    bgr, frame = shot.screenshot.bgr.copy(), shot.frame
    x, y = frame.to_px(BOARDS["cubes"].layout.cells[puzzle.terminals[0][0]].centre)[0]
    cv2.circle(bgr, (round(x), round(y)), round(0.4 * frame.cell_width_px((0, 0))), (0, 0, 0), -1)
    error = refusal(bgr)
    assert isinstance(error, OddDotsError)
    assert [change.by_number for change in error.cause.advice] == [True]


@pytest.mark.parametrize("colour", [(140, 170, 210), (235, 235, 235), (60, 90, 60)])
def test_what_is_covered_is_named(colour):
    bgr = screenshot_of(FIVE)
    x, y = middle(1, 4)
    cv2.rectangle(bgr, (x - 36, y - 34), (x + 80, y + 34), colour, -1)
    error = refusal(bgr)
    facts = error.cause.facts
    assert (error.cause.code, facts["names"]) == ("covered", ["orange"])
    assert facts.get("place", (1, 4)) == (1, 4)


@pytest.mark.parametrize("share", [0.55, 0.8])
def test_a_row_that_shows_half_of_its_dots_is_read(share):
    reading = solve_image(screenshot_of(FIVE)[: TOP + round((4 + share) * PITCH)]).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)


def test_a_line_of_text_is_no_row():
    bgr = screenshot_of(FIVE)
    cv2.putText(
        bgr, "flows: 0/5  moves: 0  pipe: 0%", (12, 132), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1
    )
    cv2.line(bgr, (12, 112), (312, 112), (90, 90, 90), 1)
    reading = solve_image(bgr).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)


def test_counts_begin_with_the_most() -> None:
    groups = [ColourGroup("green", (4,)), ColourGroup("yellow", (0, 1, 2))]
    assert counts_in_words(groups) == "3 yellow, 1 green"
