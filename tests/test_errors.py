import errno
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from flowvision import errors
from flowvision.files import read_bytes
from flowvision.image import codec
from flowvision.image.codec import decode, encode
from flowvision.pipeline import open_image

ALLOCATION = (
    "OpenCV(5.0.0) alloc.cpp:73: error: (-4:Insufficient memory) Failed to allocate 9 bytes in function"
)
SHORTAGES = [
    (MemoryError(), "memory"),
    (OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)), "memory"),
    (cv2.error(ALLOCATION), "memory"),
    (cv2.error("Unknown C++ exception from OpenCV code: std::bad_alloc"), "memory"),
    (OSError(errno.EMFILE, os.strerror(errno.EMFILE)), "file handles"),
    (OSError(errno.ENFILE, os.strerror(errno.ENFILE)), "file handles"),
    (RuntimeError("can't start new thread"), "threads"),
]
"""Errors of Python and OpenCV, each with the resource that has run out."""


@pytest.mark.parametrize(("error", "what"), SHORTAGES, ids=lambda value: repr(value)[:40])
def test_what_has_run_out_is_no_fault_of_ours(error, what, monkeypatch):
    crash = errors.crash_of(error)
    assert what in crash.message
    assert crash.hint
    assert "report" not in crash.hint

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(codec, "truecolour_of", lambda *_: None)
    monkeypatch.setattr(codec, "bgr_of", fail)
    with pytest.raises(errors.ShortageError, match=what):
        decode(encode(np.zeros((40, 40, 3), np.uint8)))
    monkeypatch.setattr(Image.Image, "crop", fail)
    with pytest.raises(errors.ShortageError, match=what):
        open_image(Image.new("RGB", (40, 40)))


@pytest.mark.parametrize(
    "error",
    [ValueError("no memory"), OSError(errno.EACCES, "no"), RuntimeError("x"), cv2.error("(-215:Assertion)")],
)
def test_any_other_end_is_one(error: BaseException) -> None:
    crash = errors.crash_of(error)
    assert type(error).__name__ in crash.message
    assert "report" in crash.hint


def test_a_file_that_cannot_be_opened_for_want_of_handles(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(b"")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("flowvision.files.open", refuse, raising=False)
    with pytest.raises(errors.CrashedError, match="file handles"):
        read_bytes(tmp_path / "a.png")


@pytest.mark.parametrize(
    ("made_by", "command"),
    [
        ("uv-receipt.toml", "uv tool install '.[video]'"),
        ("pipx_metadata.json", "pipx install --force '.[video]'"),
        ("pip", "'/a b/python' -m pip install '.[video]'"),
        ("", "uv pip install --python '/a b/python' '.[video]'"),
    ],
)
def test_an_extra_is_installed_as_flowvision_was(
    made_by: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / (made_by or "none")).touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("sys.executable", "/a b/python")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name == made_by else None)
    assert f"`{command}`" in errors.missing_extra("MP4 needs PyAV", "video").hint
