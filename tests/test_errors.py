import errno
import os
from unittest.mock import Mock

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
shortages = pytest.mark.parametrize(("error", "resource"), SHORTAGES, ids=lambda value: repr(value)[:40])


@shortages
def test_what_has_run_out_is_not_to_be_reported(error, resource):
    crash = errors.crash_of(error)
    assert resource in crash.message
    assert crash.hint
    assert "report" not in crash.hint


@shortages
def test_what_runs_out_while_a_picture_is_opened_is_named(error, resource, monkeypatch):
    fail = Mock(side_effect=error)
    monkeypatch.setattr(codec, "truecolour_of", lambda *_: None)
    monkeypatch.setattr(codec, "bgr_of", fail)
    with pytest.raises(errors.ShortageError, match=resource):
        decode(encode(np.zeros((40, 40, 3), np.uint8)))
    monkeypatch.setattr(Image.Image, "crop", fail)
    with pytest.raises(errors.ShortageError, match=resource):
        open_image(Image.new("RGB", (40, 40)))


@pytest.mark.parametrize(
    "error",
    [ValueError("no memory"), OSError(errno.EACCES, "no"), RuntimeError("x"), cv2.error("(-215:Assertion)")],
)
def test_any_other_error_is_to_be_reported(error: BaseException) -> None:
    crash = errors.crash_of(error)
    assert type(error).__name__ in crash.message
    assert "report" in crash.hint


def test_a_file_that_cannot_be_opened_for_want_of_handles(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(b"")
    no_handles = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    monkeypatch.setattr("flowvision.files.open", Mock(side_effect=no_handles), raising=False)
    with pytest.raises(errors.CrashedError, match="file handles"):
        read_bytes(tmp_path / "a.png")


@pytest.mark.parametrize(
    ("installed_by", "command"),
    [
        ("uv-receipt.toml", "uv tool install '.[video]'"),
        ("pipx_metadata.json", "pipx install --force '.[video]'"),
        ("pip", "'/a b/python' -m pip install '.[video]'"),
        ("", "uv pip install --python '/a b/python' '.[video]'"),
    ],
)
def test_an_extra_is_installed_as_flowvision_was(installed_by, command, tmp_path, monkeypatch) -> None:
    """``installed_by``: a file in the environment, or a module."""
    (tmp_path / (installed_by or "none")).touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("sys.executable", "/a b/python")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name == installed_by else None)
    assert f"`{command}`" in errors.missing_extra("MP4 needs PyAV", "video").hint
