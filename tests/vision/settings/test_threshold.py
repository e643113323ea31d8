"""Thresholds explain themselves, and groups of them are immutable values."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest
from msgspec.structs import replace

from flowvision.vision.settings import DotSettings, Settings, thresholds

CHANGED = Settings(dots=DotSettings(ring=0.2))


def test_every_threshold_has_a_unit_and_a_reason():
    """The debug page lists them: none may be a bare number, and no name may stand twice."""
    listed = list(thresholds(Settings()))
    assert len({setting.name for setting in listed}) == len(listed) > 50
    for setting in listed:
        assert setting.unit, setting.name
        assert len(setting.reason) > 10, setting.name


def test_all_groups_are_listed_with_the_values_in_use():
    """One changed threshold is listed as changed, and nothing else is."""
    usual, changed = ({one.name: one.value for one in thresholds(some)} for some in (Settings(), CHANGED))
    assert {name.split(".")[0] for name in usual} == set(Settings.__struct_fields__)
    assert changed == {**usual, "dots.ring": 0.2}


@pytest.mark.parametrize("copied", [pickle.loads(pickle.dumps(CHANGED)), deepcopy(CHANGED)])
def test_groups_are_compared_by_their_values(copied):
    """As frozen dataclasses are, also when they come from another process."""
    assert copied == CHANGED
    assert hash(copied) == hash(CHANGED)
    assert copied != Settings()
    assert replace(copied, dots=DotSettings()) == Settings()
    assert DotSettings() != Settings()


def test_nothing_can_be_changed_in_place():
    """Readings of several pictures share their settings."""
    for change in (
        lambda: setattr(CHANGED.dots, "ring", 0.3),
        lambda: setattr(CHANGED, "dots", DotSettings()),
        lambda: delattr(CHANGED.dots, "ring"),
    ):
        with pytest.raises(AttributeError):
            change()
    assert CHANGED.dots.ring == 0.2


def test_names_that_there_are_not_are_refused():
    """A slip of the pen must not leave a threshold as it was."""
    with pytest.raises(TypeError, match="rnig"):
        DotSettings(rnig=0.2)
    with pytest.raises(TypeError, match="dot"):
        replace(CHANGED, dot=DotSettings())


def test_people_are_shown_what_is_unusual():
    """All thresholds would fill two screens."""
    assert repr(Settings()) == "Settings()"
    assert repr(CHANGED) == "Settings(dots=DotSettings(ring=0.2))"
