"""What was seen of a board is looked at once."""

from __future__ import annotations

import pytest

from flowvision.image.picture import Screenshot
from flowvision.reading import attempts
from flowvision.reading.attempts import BoardCache
from flowvision.vision.pixels import discs as discs_in
from tests.drawing import FIVE, screenshot_of
from tests.seeing import SETTINGS, sides_of

SHOT = Screenshot(screenshot_of(FIVE, 90))


def test_circles_are_looked_for_once_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three looks share them; without any there is no such look."""
    board = BoardCache(sides_of(SHOT), SETTINGS)
    asked = []

    def discs(*arguments):
        asked.append(arguments)
        return as_it_was(*arguments)

    as_it_was = discs_in.discs_round
    monkeypatch.setattr(discs_in, "discs_round", discs)
    looks = [look(board) for look in (attempts.filled_discs, attempts.wide_rings, attempts.rimmed_discs)]
    assert len(asked) == 1
    assert [look is not None for look in looks] == [True, True, False]
    assert attempts.usual_dots(board).model.name == "usual"
    assert attempts.small_dots(board).model.ring < attempts.usual_dots(board).model.ring
