"""The command that goes on from a refusal."""

from __future__ import annotations

import numpy as np

from flowvision.debug.story import command_of
from flowvision.diagnosis.cause import Advice
from flowvision.events import Trail
from flowvision.image.picture import Screenshot
from flowvision.reading.options import Options

SHOT = Screenshot(np.zeros((9, 9, 3), np.uint8), "my shot.png")


def test_what_was_given_is_kept_and_what_is_advised_added() -> None:
    """Several corrections stand beside one another."""
    advice = (Advice("--set", "1,2=."), Advice("--set", "2,2=R"))
    command = command_of(SHOT, Options(grid="5x7", colours=4), Trail(), advice)
    assert command == "flowvision 'my shot.png' --grid 5x7 --colours 4 --set 1,2=. --set 2,2=R"


def test_an_option_that_is_advised_takes_the_place_of_the_one_given() -> None:
    """Without a value it is left out."""
    given = Options(crop=(1, 2, 3, 4))
    assert command_of(SHOT, given, Trail(), (Advice("--crop", ""),)) == "flowvision 'my shot.png'"
    other = command_of(SHOT, given, Trail(), (Advice("--crop", "5,6,7,8"),))
    assert other == "flowvision 'my shot.png' --crop 5,6,7,8"
