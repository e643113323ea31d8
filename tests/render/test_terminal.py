"""Colours of terminals."""

from __future__ import annotations

import re

import pytest

from flowvision.image.picture import Rgb
from flowvision.render.contrast import contrast
from flowvision.render.terminal import depth_of, painted


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, 24),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, 24),
        ({"TERM": "xterm-256color"}, 8),
        ({"TERM": "xterm"}, 4),
        ({"TERM": "xterm-direct"}, 24),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, 8),
        ({}, 4),
    ],
)
def test_terminals_say_how_many_colours_they_have(environ, depth):
    """By COLORTERM and TERM; none for NO_COLOR, and none where there is no terminal."""
    assert depth_of(environ, True) == depth
    assert depth_of(environ, False) == 0


@pytest.mark.parametrize("colour", [(0, 0, 0), (9, 25, 159), (255, 255, 255), (128, 0, 128)])
def test_every_colour_shows_on_the_boards_own_ground(colour):
    """The ground is written too, so that white shows in a white terminal, and dark colours are lightened."""
    found = re.match(r"\x1b\[38;2;(\d+);(\d+);(\d+);48;2;0;0;0m●", painted("●", Rgb(*colour), 24))
    assert found is not None
    assert contrast(Rgb(*map(int, found.groups())), Rgb(0, 0, 0)) >= 3
