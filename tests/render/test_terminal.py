"""Terminals are sent as many colours as they show, and pictures as their protocols say."""

from __future__ import annotations

import re
from base64 import b64decode

import numpy as np
import pytest

from flowvision.image.codec import decode
from flowvision.image.picture import Rgb
from flowvision.render.contrast import contrast
from flowvision.render.terminal import CHUNK, HEIGHT_PX, depth_of, painted, protocol_of, shown

PICTURE = np.random.default_rng(0).integers(0, 255, (90, 60, 3), np.uint8)


def silent(_question):
    """A terminal that answers nothing."""
    return ""


@pytest.mark.parametrize(
    ("environ", "answer", "expected"),
    [
        ({"TERM": "xterm-kitty"}, "", "kitty"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "", "kitty"),
        ({"TERM": "xterm-256color", "KONSOLE_VERSION": "230800"}, "", "kitty"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "", "iterm"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "", "iterm"),
        ({"TERM": "xterm-256color"}, "\x1b[?62;4;22c", "sixel"),
        ({"TERM": "xterm-256color"}, "\x1b[?62;22c", None),
        ({"TERM": "xterm-256color"}, "\x1b[?64c", None),
        ({"TERM": "xterm-256color"}, "", None),
        ({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "TMUX": "x"}, "", None),
        ({"TERM": "dumb", "KITTY_WINDOW_ID": "1"}, "", None),
    ],
)
def test_the_protocol_is_told_by_variables_and_answers(environ, answer, expected):
    """Variables first; sixels are what the device attributes list as 4."""
    assert protocol_of(environ, lambda _: answer) == expected


def test_kitty_gets_the_png_in_chunks():
    """Put together again they are the picture; all but the last announce another."""
    parts = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", shown(PICTURE, "kitty"))
    assert parts[0][0].startswith("a=T,f=100")
    assert all(len(data) <= CHUNK for _, data in parts)
    assert [controls[-3:] for controls, _ in parts] == ["m=1"] * (len(parts) - 1) + ["m=0"]
    sent = decode(b64decode("".join(data for _, data in parts))).bgr
    assert np.array_equal(sent, PICTURE)


def test_iterm_gets_the_png_whole():
    """With its size in bytes."""
    found = re.fullmatch(r"\x1b\]1337;File=inline=1;size=(\d+):([^\x07]*)\x07\n", shown(PICTURE, "iterm"))
    assert found is not None
    data = b64decode(found[2])
    assert len(data) == int(found[1])
    assert np.array_equal(decode(data).bgr, PICTURE)


def test_sixels_are_the_picture_in_few_colours():
    """Painted again from the text, band by band, every pixel is near what it was."""
    flat = np.zeros((20, 30, 3), np.uint8)
    flat[5:15, 3:20] = 40, 90, 200
    flat[8:, 22:] = 10, 200, 30
    text = shown(flat, "sixel")
    found = re.fullmatch(r'\x1bPq"1;1;30;20(.*)\x1b\\\n', text)
    assert found is not None
    palette, seen = {}, np.zeros((24, 30, 3))
    for number, *colour in re.findall(r"#(\d+);2;(\d+);(\d+);(\d+)", found[1]):
        palette[number] = [255 * int(part) / 100 for part in colour]
    body = re.sub(r"#\d+;2;\d+;\d+;\d+", "", found[1])
    for band, line in enumerate(body.split("-")[:-1]):
        for number, run in re.findall(r"#(\d+)([^#$]*)\$", line):
            column = 0
            for count, sixel in re.findall(r"(?:!(\d+))?([?-~])", run):
                for _ in range(int(count or 1)):
                    for bit in range(6):
                        if (ord(sixel) - 63) >> bit & 1:
                            seen[6 * band + bit, column] = palette[number]
                    column += 1
    assert np.abs(seen[:20, :, ::-1] - flat).max() < 6


@pytest.mark.parametrize("protocol", ["kitty", "iterm"])
def test_high_pictures_are_made_smaller(protocol):
    """So that they fit into a window."""
    text = shown(np.zeros((3 * HEIGHT_PX, 300, 3), np.uint8), protocol)
    data = "".join(re.findall(r"[;:]([A-Za-z0-9+/=]{40,})", text))
    assert decode(b64decode(data)).bgr.shape == (HEIGHT_PX, 100, 3)


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
