"""How many dots there are of each colour."""

from flowvision.diagnosis.cells import ColourGroup, counts_in_words


def test_counts_begin_with_the_most() -> None:
    groups = [ColourGroup("green", (4,)), ColourGroup("yellow", (0, 1, 2))]
    assert counts_in_words(groups) == "3 yellow, 1 green"
