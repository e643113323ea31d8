"""Readings on their way to be believed."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.errors import DoubtfulReadingError
from flowvision.pipeline import read_image
from flowvision.reading.candidates import Beyond, confidence_of, most_credible
from flowvision.reading.doubt import refusing
from flowvision.reading.messages import unsure_doubt
from flowvision.vision.assembly import Wall
from flowvision.vision.settings import ReadingSettings
from tests.drawing import CROSSED, FIVE, LOOPED, NONE, SEVERAL, reading_of, screenshot_of
from tests.seeing import shot_of, tried


def test_a_checked_reading_fits_a_line() -> None:
    """Its board, whether its solution is the only one, how sure it is; the answer prints as the board."""
    answer = solve_image(screenshot_of(FIVE))
    for shown in (
        repr(answer),
        repr(answer.reading),
        repr(answer.outcome.solution),
        repr(answer.reading.board),
    ):
        assert len(shown) < 250
    assert "5 rows and 5 columns" in repr(answer)
    assert "unique" in repr(answer)
    assert str(answer).split() == ["RGGYY", "RGBYO", "RGBYO", "RGBYO", "RRBOO"]


def test_the_doubt_that_refuses_a_reading_travels() -> None:
    """An error that crosses processes keeps its check and numbers."""
    error = DoubtfulReadingError("words").refused_by(refusing("reader unsure", "why", saw=0.5, wanted=0.75))
    facts = pickle.loads(pickle.dumps(error)).doubt.facts
    assert facts == {"check": "reader unsure", "why": "why", "saw": 0.5, "wanted": 0.75}


def test_an_answer_is_as_sure_as_without_walls():
    """A wall too many changes no solution: where there is exactly one, walls have no say; else they have."""
    unsure = replace(reading_of(FIVE, 0.7), walls_confidence=0.7, lines_confidence=0.9, weakest="the walls")
    assert confidence_of(tried(unsure), ReadingSettings()) == 0.99
    dots = replace(unsure, dot_doubts=((0.2, 0.0),) * 5)
    assert confidence_of(tried(dots), ReadingSettings()) == 0.98
    assert confidence_of(tried(replace(unsure, confidence=0.6)), ReadingSettings()) == 0.96
    several = replace(reading_of(SEVERAL, 0.7), walls_confidence=0.7)
    assert confidence_of(tried(several), ReadingSettings()) == 0.56
    assert unsure_doubt(tried(unsure), 0.7, 0.9)
    assert not unsure_doubt(tried(unsure), 0.99, 0.9)


def test_a_path_that_crosses_itself_is_doubted():
    """Its bridge may be something else, however well the board is seen."""
    sure = read_image(shot_of(CROSSED).screenshot)
    doubted = read_image(shot_of(LOOPED).screenshot)
    assert sure.warnings == ()
    assert (sure.doubtful, doubted.doubtful) == (False, True)
    assert (doubted.doubts[0].code, doubted.doubts[0].facts) == ("crossing", {"places": [(1, 1)]})
    assert doubted.confidence <= ReadingSettings().crossing_itself < sure.confidence


def test_nothing_is_credible_when_all_is_refuted():
    """The error is then another's to choose."""
    assert most_credible([tried(reading_of(NONE))], 0.55, 0.75, ReadingSettings()) is None
    assert most_credible([], 0.55, 0.75, ReadingSettings()) is None


@pytest.mark.parametrize(("seen", "chosen"), [((0.5, 0.9), 1), ((0.9, 0.95), 0), ((0.5, 0.54), 0)])
def test_a_settled_reading_that_was_seen_badly_gives_way(seen: tuple[float, float], chosen: int):
    """To one that was seen well enough; otherwise the first is the nearest to the picture."""
    readings = [replace(reading_of(FIVE), lines_confidence=one, confidence=one) for one in seen]
    candidates = [tried(one) for one in readings]
    assert most_credible(candidates, 0.55, 0.75, ReadingSettings()) is candidates[chosen]


def test_what_is_not_explained_lowers_the_confidence():
    """More lines or dots beyond a board never make an answer surer, whatever else casts doubt on it."""
    settings, one = ReadingSettings(), tried(reading_of(FIVE))
    walls = replace(one, source=replace(one.source, ignored_walls=(Wall((0, 1), ((0, 0), (0, 1)), 0.5),)))
    for candidate in (one, walls, replace(one, repair="A dot moved.")):
        sure = confidence_of(candidate, settings)
        for dots in (0, 1, 2, 9):
            grown = [
                confidence_of(replace(candidate, beyond=Beyond(share, dots=dots)), settings)
                for share in np.linspace(0, 1, 11).tolist()
            ]
            assert grown == sorted(grown, reverse=True)
            assert grown[-1] < sure
            assert (grown[0] < sure) == (dots > 0)
    assert confidence_of(replace(one, beyond=Beyond(0.25)), settings) > 0.9
