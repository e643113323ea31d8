"""What a written puzzle may hold."""

from __future__ import annotations

import pytest

from flowvision.puzzle.bounds import SHOWN, invalid_puzzle, shown, whole


@pytest.mark.parametrize("count", [1, SHOWN, SHOWN + 1, 5000])
def test_the_first_faults_are_said_and_the_others_counted(count: int) -> None:
    """None is lost from the count, and however many there are the message stays short."""
    faults = [f"Fault {n}." for n in range(count)]
    said = str(invalid_puzzle(faults))
    named = [fault for fault in faults if fault in said]
    left = count - SHOWN
    assert named == faults[:SHOWN]
    assert (f"And {left} more." in said) == (left > 0)
    assert len(said) < 200


@pytest.mark.parametrize("count", [0, 1, SHOWN, SHOWN + 3])
def test_the_first_of_many_are_shown(count: int) -> None:
    """In order, and how many more there are."""
    words = shown(range(count)).split(", ")
    assert words[:SHOWN] == ([str(n) for n in range(min(count, SHOWN))] or [""])
    assert words[SHOWN:] == ([f"and {count - SHOWN} more"] if count > SHOWN else [])


@pytest.mark.parametrize(("value", "number"), [(" 12 ", 12), ("-3", -3), (2.0, 2), (0, 0)])
def test_whole_numbers_are_taken_as_text_too(value: object, number: int) -> None:
    """With a sign, and with blanks round them."""
    assert whole(value) == number


@pytest.mark.parametrize("value", ["x", "--3", "9" * 10, "", True, float("nan"), 1.5])
def test_a_value_that_is_no_whole_number_is_named(value: object) -> None:
    """As it was written, cut where it is long."""
    with pytest.raises(ValueError, match="is not a whole number") as caught:
        whole(value)
    assert str(caught.value).startswith(str(value)[:8])
