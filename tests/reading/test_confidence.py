"""How sure an answer is, and which candidate is believed."""

from __future__ import annotations

from dataclasses import replace

from flowvision.reading.messages import least_sure_warning
from flowvision.reading.result import confidence_of, most_credible
from flowvision.vision.settings import ReadingSettings
from tests.drawing import FIVE, NONE, SEVERAL, reading_of
from tests.reading.invented import tried


def test_an_answer_is_as_sure_as_without_walls():
    """A wall too many changes no solution: where there is exactly one, walls have no say; else they have."""
    unsure = replace(reading_of(FIVE, 0.7), walls_confidence=0.7, lines_confidence=0.9, weakest="the walls")
    assert confidence_of(tried(unsure), ReadingSettings()) == 0.99
    dots = replace(unsure, dot_doubts=((0.2, 0.0),) * 5)
    assert confidence_of(tried(dots), ReadingSettings()) == 0.98
    assert confidence_of(tried(replace(unsure, confidence=0.6)), ReadingSettings()) == 0.96
    several = replace(reading_of(SEVERAL, 0.7), walls_confidence=0.7)
    assert confidence_of(tried(several), ReadingSettings()) == 0.56
    assert least_sure_warning(tried(unsure), 0.7, 0.9) == ("I may have misread this: look at the walls.",)
    assert least_sure_warning(tried(unsure), 0.99, 0.9) == ()


def test_nothing_is_credible_when_all_is_refuted():
    """The error is then another's to choose."""
    assert most_credible([tried(reading_of(NONE))], 0.75, ReadingSettings()) is None
    assert most_credible([], 0.75, ReadingSettings()) is None
