"""A board that contradicts the game's own text above it is never answered."""

from random import Random

import pytest

from flowvision import solve_image
from flowvision.image.picture import Bgr, Screenshot
from flowvision.log import Log
from flowvision.puzzle.text import parse
from flowvision.reading.options import Options
from flowvision.reading.run import ReadingRun
from flowvision.reading.search import read_board
from flowvision.reading.title import is_titled
from tests.drawing import LEVEL_5X5
from tests.seeing import AMPLE_TIME, refusal
from tests.tools.synthetic import Style, draw_chrome, draw_screenshot

NAMED = parse(LEVEL_5X5)
FLOWS = len(NAMED.puzzle.terminals)


def screen(size: str, flows: int) -> Bgr:
    """The game's screen with this text above a board of five by five."""
    style = Style(chrome=False)
    shot = draw_screenshot(NAMED.board, NAMED.puzzle, style, seed=3)
    bgr = shot.screenshot.bgr.copy()
    (x0, y0), (x1, y1) = shot.frame.to_px([(0, 0), (5, 5)]).tolist()
    draw_chrome(bgr, (x0, y0, x1, y1), (0, flows), size, style.theme.palette[0], Random(3))
    return bgr


def test_a_board_that_its_title_names_is_answered_without_a_warning() -> None:
    answer = solve_image(screen("5x5", FLOWS), AMPLE_TIME)
    assert answer.size == (5, 5)
    assert not answer.warnings


@pytest.mark.parametrize(("size", "flows", "is_named"), [("5x5", FLOWS, True), ("", FLOWS, False)])
def test_a_title_names_a_board_by_its_size_and_flows(size: str, flows: int, is_named: bool) -> None:
    run = ReadingRun.begin(Screenshot(screen(size, flows)), AMPLE_TIME, Log())
    assert is_titled(read_board(run).reading, run) == is_named


@pytest.mark.parametrize(("size", "flows"), [("5x6", FLOWS), ("5x5", FLOWS + 1)])
def test_a_board_that_its_title_contradicts_is_refused_for_it(size: str, flows: int) -> None:
    assert refusal(screen(size, flows), AMPLE_TIME).cause.code == "title"


def test_a_given_size_outweighs_the_title() -> None:
    assert solve_image(screen("5x6", FLOWS), Options(seconds=600, grid="5x5")).size == (5, 5)


def test_a_trusted_board_keeps_the_doubt_as_a_warning() -> None:
    assert solve_image(screen("5x6", FLOWS), Options(seconds=600, trust=True)).warnings
