"""The code reaches the browser and nobody else."""

from __future__ import annotations

import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

import cv2
import numpy as np
import pytest

from flowvision.web.handover import address_of, open_browser, qr_code, write_door


def test_the_code_is_in_the_fragment() -> None:
    """Which is sent to no server."""
    parts = urlsplit(address_of("http", "127.0.0.1", 8765, "secret"))
    assert (parts.netloc, parts.path, parts.query, parts.fragment) == (
        "127.0.0.1:8765",
        "/",
        "",
        "code=secret",
    )


def test_no_command_line_shows_the_code() -> None:
    """The browser is told of a file that only its owner can read; the file leads to the address."""
    told: list[str] = []

    def show(address: str) -> bool:
        told.append(address)
        return True

    door = open_browser("http://127.0.0.1:1/#code=secret", show)
    assert door is not None
    try:
        assert "secret" not in told[0]
        assert Path(unquote(urlsplit(told[0]).path)) == door
        assert stat.S_IMODE(door.stat().st_mode) == 0o600
        assert "0;url=http://127.0.0.1:1/#code=secret" in door.read_text()
    finally:
        door.unlink()


@pytest.mark.parametrize("fails", [False, True])
def test_without_a_browser_nothing_is_left(
    fails: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No file with the code."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def show(_: str) -> bool:
        if fails:
            raise OSError("no browser")
        return False

    assert open_browser("http://127.0.0.1:1/#code=secret", show) is None
    assert not list(tmp_path.iterdir())


def test_the_door_is_safe_to_read() -> None:
    """Whatever is in an address stays in it."""
    door = write_door('http://x/#"><script>')
    try:
        assert "<script>" not in door.read_text()
    finally:
        door.unlink()


def test_a_phone_can_read_the_code() -> None:
    """OpenCV reads it from what the terminal shows."""
    address = "http://192.168.178.20:8765/#code=abcdefghijklmnopqrstuvwxyz012345"
    dark = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    lines = [[dark[char] for char in line] for line in plain(qr_code(address)).splitlines() if line]
    width = max(map(len, lines))
    rows = [[pair[half] for pair in line] + [1] * (width - len(line)) for line in lines for half in (0, 1)]
    bits = np.array(rows, np.uint8) * 255
    picture = cv2.copyMakeBorder(
        cv2.resize(bits, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST),
        40,
        40,
        40,
        40,
        cv2.BORDER_CONSTANT,
        value=255,
    )
    found = [cv2.QRCodeDetector().detectAndDecode(one)[0] for one in (picture, 255 - picture)]
    assert address in found


def plain(text: str) -> str:
    """Without the codes that set colours."""
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", text)
