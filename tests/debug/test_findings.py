"""Every cause of a refusal is named in the first line of the page, and shown by the right picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from flowvision.debug.story import Story, story_of
from flowvision.errors import FlowvisionError
from flowvision.events import Event
from flowvision.image.picture import Bgr
from flowvision.pipeline import solve_image
from flowvision.reading.options import Options
from tests.debug import refused
from tests.drawing import FIVE, NONE, screenshot_of


def told(bgr: Bgr, options: Options | None = None) -> Story:
    """The story of a picture that is refused."""
    events: list[Event] = []
    options = options or Options()
    with pytest.raises(FlowvisionError) as caught:
        solve_image(bgr, options, events.append)
    return story_of(events, options, caught.value)


@pytest.mark.parametrize(
    ("drawn", "words", "panel"),
    [
        (refused.cut_board, "runs into the bottom edge of the picture", "01-board.png"),
        (refused.hidden_dot, "alone in its colour", "04-marks.png"),
        (refused.letters, "hold something that is no dot", "04-marks.png"),
        (refused.empty_board, "The cells are empty", "04-marks.png"),
        (refused.menu, "No board here", "03-grid.png"),
        (refused.wallpaper, "No board here", "03-grid.png"),
        (refused.two_boards, "Two boards were seen", "01-board.png"),
        (refused.counters, "have the same colour", "04-marks.png"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_the_cause_is_named_first(drawn: Callable[[], Bgr], words: str, panel: str) -> None:
    """The first finding says it in words, and its picture is the one that the page opens."""
    story = told(drawn())
    assert words in story.findings[0].says
    assert story.findings[0].panel == panel
    assert story.culprit is not None
    assert story.culprit.name == panel


def test_a_wrong_size_is_told_with_the_right_one() -> None:
    """The size that the lines show is what the command is filled with."""
    story = told(screenshot_of(FIVE, 120, (12, 300)), Options(grid=(6, 6)))
    assert "the lines show 5 rows and 5 columns" in story.findings[0].says
    assert story.command.endswith("--grid 5x5")
    wide = "R.G.Y.\n..B.O.\n......\n.G.YCC\n.RBO..\n"
    story = told(screenshot_of(wide, 120, (12, 300)), Options(grid=(7, 3)))
    assert story.command.endswith("--grid 6x5"), "columns before rows, as the option takes them"


def test_a_ring_wider_than_the_dots_is_told_in_numbers() -> None:
    """Dots that the reader is told to look for at a wider ring than they are: both numbers are said."""
    import cv2

    from flowvision.debug.discs import cell_discs
    from flowvision.debug.dot_findings import are_smaller
    from flowvision.debug.finding import Seen
    from flowvision.debug.scene import Scene
    from flowvision.errors import DotsError
    from flowvision.events import Trail
    from flowvision.image.picture import Screenshot
    from flowvision.vision.dots.detection import find_dots
    from flowvision.vision.dots.models import usual_dots
    from tests.seeing import SETTINGS, sides_of

    bgr = screenshot_of(".....\n" * 5, 120, (12, 300))
    for r, row in enumerate(FIVE.split()):
        for c, letter in enumerate(row):
            if letter != ".":
                cv2.circle(bgr, (72 + 120 * c, 360 + 120 * r), 24, (40, 90, 250), -1, cv2.LINE_AA)
    shot = Screenshot(bgr)
    sides = sides_of(shot)
    model = usual_dots(sides.fit, SETTINGS.dots)
    with pytest.raises(DotsError) as caught:
        find_dots(sides, model, SETTINGS.dots)
    trail = Trail(shot, fit=sides.fit, sides=sides, model=model, dots=caught.value.evidence)
    finding = are_smaller(Seen(Scene(shot, trail, SETTINGS), caught.value, caught.value, Options()))
    assert finding is not None
    assert "0.283 of a cell" in finding.says
    discs = cell_discs(sides, SETTINGS.dots)
    assert finding.saw == pytest.approx(0.2, abs=0.03)
    assert len(discs.cells(SETTINGS.dots)) == 10


def test_nothing_to_say_is_no_reason_to_fail() -> None:
    """A picture of one colour, and a board without a solution, still have a first finding and its picture."""
    assert "next to nothing" in told(np.zeros((300, 200, 3), np.uint8)).findings[0].says
    story = told(screenshot_of(NONE, 120))
    assert "no solution" in story.findings[0].says
    assert story.culprit is not None
