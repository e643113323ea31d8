"""Lists in words."""

from __future__ import annotations

from flowvision.diagnosis.colour_groups import ColourGroup, counts_in_words, listed


def test_what_a_list_leaves_out_is_counted() -> None:
    """No list ends in silence."""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c", "d"], 2) == "a, b and 2 more"


def test_counts_begin_with_the_most() -> None:
    """Three yellow ones come before one green one."""
    groups = [ColourGroup("green", (4,)), ColourGroup("yellow", (0, 1, 2))]
    assert counts_in_words(groups) == "3 yellow, 1 green"
