"""The command that goes on from a refusal, and the picture that shows its cause."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.advice import Change, Option, Without
from flowvision.debug.cause_picture import MARGIN
from flowvision.debug.story import command_of, story_of
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Screenshot
from flowvision.log import Step
from flowvision.pipeline import solve_image
from flowvision.reading.options import Options
from tests.drawing import FIVE, screenshot_of

SHOT = Screenshot(np.zeros((9, 9, 3), np.uint8), "my shot.png")


def test_what_was_given_is_kept_and_what_is_advised_added() -> None:
    """Several corrections stand beside one another."""
    advice = (Change((0, 1), "."), Change((1, 1), "R"))
    command = command_of(SHOT, Options(grid="5x7", colours=4), None, advice)
    assert command == "flowvision 'my shot.png' --grid 5x7 --colours 4 --set 1,2=. --set 2,2=R"


def test_an_option_that_is_advised_takes_the_place_of_the_one_given() -> None:
    """Without a value it is left out."""
    given = Options(crop=(1, 2, 3, 4))
    assert command_of(SHOT, given, None, (Without("crop"),)) == "flowvision 'my shot.png'"
    other = command_of(SHOT, given, None, (Option("crop", "5,6,7,8"),))
    assert other == "flowvision 'my shot.png' --crop 5,6,7,8"


@pytest.mark.parametrize("options", [Options(grid="6x6"), Options(crop=(20, 310, 300, 300))])
def test_a_wrong_option_shows_the_whole_picture(options: Options) -> None:
    """What was seen with it may be a part of the board alone."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    steps: list[Step] = []
    with pytest.raises(FlowvisionError) as caught:
        solve_image(bgr, options, steps.append)
    marked = story_of(steps, options, caught.value).marked
    assert marked is not None
    (height, width), margin = bgr.shape[:2], round(MARGIN * max(bgr.shape[:2]))
    shown = marked.bgr.shape[0] / marked.bgr.shape[1]
    assert abs(shown - (height + 2 * margin) / (width + 2 * margin)) < 0.02
