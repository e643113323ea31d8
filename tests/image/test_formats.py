"""What kinds of files there are."""

from __future__ import annotations

import pytest

from flowvision.image.header import READABLE, foreign_content, foreign_kind


@pytest.mark.parametrize("name", ["a.mp4", "b.MOV", "c.pdf"])
def test_foreign_names(name: str) -> None:
    """Videos and documents are known by their suffix in any case, and are never taken for screenshots."""
    assert foreign_kind(name)
    assert f".{name.split('.')[1].lower()}" not in READABLE


@pytest.mark.parametrize(
    "start",
    [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"RIFF\0\0\0\0WEBP", b"\0\0\0\x1cftypheic", b"", b"\0"],
)
def test_pictures_are_not_foreign(start: bytes) -> None:
    """No picture is taken for something else by its first bytes."""
    assert foreign_content(start + bytes(40)) is None
