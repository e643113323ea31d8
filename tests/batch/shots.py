"""Folders of screenshots for the tests of batches."""

from __future__ import annotations

from pathlib import Path

from flowvision.image.codec import encode
from tests.drawing import FIVE, NONE, screenshot_of

GOOD = encode(screenshot_of(FIVE, 20, (4, 40)))
"""A small screenshot with one solution."""
BAD = encode(screenshot_of(NONE, 20, (4, 40)))
"""A small screenshot of a board without solution."""


def write_shots(folder: Path, **contents: bytes) -> Path:
    """A folder of PNG files of these names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        (folder / f"{name}.png").write_bytes(data)
    return folder


def numbered(folder: Path, count: int) -> Path:
    """A folder of so many good screenshots, each of other bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"{number:04}.png").write_bytes(GOOD + b"%d" % number)
    return folder
