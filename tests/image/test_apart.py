"""Decoding in a process that can be ended."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from flowvision.errors import GaveUpError, ImageUnreadableError
from flowvision.image import apart
from flowvision.image.apart import decode_apart
from flowvision.image.codec import decode, encode

NOISE = np.random.default_rng(0).integers(0, 256, (300, 200, 3), np.uint8)


def test_the_pixels_are_the_same() -> None:
    """What another process decodes is what this one would."""
    data = encode(NOISE)
    assert np.array_equal(decode_apart(data, 30.0), decode(data).bgr)


def test_errors_come_back() -> None:
    """With the same words."""
    with pytest.raises(ImageUnreadableError) as here:
        decode(encode(NOISE)[:-30])
    with pytest.raises(ImageUnreadableError) as there:
        decode_apart(encode(NOISE)[:-30], 30.0)
    assert (there.value.message, there.value.hint) == (here.value.message, here.value.hint)


def test_only_slow_pictures_are_decoded_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screenshot costs no process; a large picture does when there is a limit, and only then."""
    asked = list[float]()
    monkeypatch.setattr(apart, "decode_apart", lambda data, seconds: asked.append(seconds) or NOISE)
    decode(encode(np.zeros((3200, 1440, 3), np.uint8)), seconds=5.0)
    assert asked == []
    large = encode(np.zeros((5000, 5000, 3), np.uint8))
    decode(large)
    assert asked == []
    decode(large, seconds=5.0)
    assert asked == [5.0]


def test_it_is_ended_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decoder that never comes back is given up, and its process is gone."""
    sleeping = [sys.executable, "-c", "import sys, time; sys.stdin.buffer.read(); time.sleep(600)"]
    popen, begun = subprocess.Popen, list[subprocess.Popen[bytes]]()

    def started(_: object, **how: object) -> subprocess.Popen[bytes]:
        begun.append(popen(sleeping, **how))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", started)
    start = time.monotonic()
    with pytest.raises(GaveUpError, match="not decoded within 1 s"):
        decode_apart(encode(NOISE), 0.1)
    assert time.monotonic() - start < 120
    assert begun[0].returncode is not None


def test_a_decoder_that_dies_is_a_damaged_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in native code ends its own process alone."""
    popen = subprocess.Popen
    dying = [sys.executable, "-c", "import os; os.abort()"]
    monkeypatch.setattr(subprocess, "Popen", lambda _, **how: popen(dying, **how))
    with pytest.raises(ImageUnreadableError, match="ended a process"):
        decode_apart(encode(NOISE), 60.0)


def test_nothing_is_imported_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of screenshots may hold a numpy.py."""
    (tmp_path / "numpy.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)
    file = io.BytesIO()
    Image.fromarray(NOISE).save(file, "PNG")
    assert decode_apart(file.getvalue(), 60.0).shape == NOISE.shape
