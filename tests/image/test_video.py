"""MP4 files, by whatever can encode them here."""

from __future__ import annotations

import stat
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from flowvision.errors import MissingExtraError, OutputError
from flowvision.image import video
from flowvision.image.video import mp4_of
from tests.drawing import small_clip


def test_a_video_has_every_second_of_the_clip() -> None:
    """Size (even), length and the colours of the last picture survive; the first one lasts its time."""
    av = pytest.importorskip("av")
    with av.open(BytesIO(mp4_of(small_clip()))) as container:
        frames = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
        assert container.streams.video[0].codec_context.name == "h264"
    assert len(frames) == 64
    assert frames[0].shape == (44, 66, 3)
    assert np.abs(frames[-1][40, 62].astype(int) - (254, 41, 12)).max() < 40
    assert frames[10][10, 8, 2] < 60
    assert frames[13][10, 8, 2] > 150


def test_without_an_encoder_the_line_that_installs_one_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither ffmpeg nor PyAV: the extra is named."""
    monkeypatch.setattr(video.shutil, "which", lambda _: None)
    monkeypatch.setattr(video, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="ffmpeg") as raised:
        mp4_of(small_clip())
    assert "[video]" in raised.value.hint


@pytest.mark.parametrize("script", ["cat >/dev/null; echo no such codec >&2; exit 1", "exit 1"])
def test_what_ffmpeg_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """An ffmpeg without the encoder, or one that stops at once, is an output error with its words."""
    fake = tmp_path / "ffmpeg"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(OutputError, match=r"no such codec|said nothing"):
        mp4_of(small_clip())


def test_ffmpeg_gets_every_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, as raw pixels of an even size; what it writes is what comes back."""
    fake = tmp_path / "ffmpeg"
    fake.write_text('#!/bin/sh\nfor last; do :; done\ncat > "$last"\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    raw = np.frombuffer(mp4_of(small_clip()), np.uint8).reshape(-1, 44, 66, 3)
    wanted = [canvas[:44, :66].copy() for canvas, _ in small_clip().pictures()]
    assert len(raw) == 64
    assert np.array_equal(raw[0], wanted[0])
    assert np.array_equal(raw[12], wanted[1])
    assert np.array_equal(raw[-1], wanted[-1])
