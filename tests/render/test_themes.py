"""A dimmed palette is told from one that has its own colours."""

from __future__ import annotations

import pytest

from flowvision.image.picture import Rgb
from flowvision.render.themes import THEMES, brightened, brightness_of


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("dim", [0.5, 0.65, 0.8, 0.9])
def test_a_dimmed_theme_is_brightened(theme, dim):
    """By the factor it was dimmed by, to a fiftieth, and its colours come back."""
    palette = [Rgb(*(round(part * dim) for part in colour)) for colour in theme.palette[:5]]
    brightness = brightness_of(palette)
    assert brightness == pytest.approx(dim, abs=0.02)
    for colour, dimmed in zip(theme.palette, palette, strict=False):
        assert max(abs(a - b) for a, b in zip(brightened(dimmed, brightness), colour, strict=True)) <= 8


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_a_theme_as_it_is_stays(theme):
    """Dark colours of a full palette are no sign of a dimmed one, however few flows there are."""
    for start in range(len(theme.palette) - 2):
        assert brightness_of(theme.palette[start : start + 3]) == 1.0


@pytest.mark.parametrize(
    "palette",
    [
        [(158, 43, 39), (65, 65, 65), (86, 51, 28), (0, 0, 170), (24, 20, 20)],
        [(66, 127, 42), (218, 209, 71), (230, 127, 49), (67, 86, 225), (255, 255, 255)],
        [(250, 17, 44), (24, 65, 255), (247, 239, 24), (16, 165, 0), (192, 44, 233)],
    ],
)
def test_palettes_of_other_games_stay(palette):
    """They are no theme's at any brightness."""
    assert brightness_of([Rgb(*colour) for colour in palette]) == 1.0
