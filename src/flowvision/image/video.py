"""MP4 files: H.264 by an ``ffmpeg`` found on PATH, or by PyAV, the extra ``video``."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from flowvision.errors import MissingExtraError, OutputError, install_command
from flowvision.image.clip import Clip
from flowvision.image.picture import Bgr

RATE = 20
"""Frames a second; pictures that stay are repeated."""
QUALITY = {"crf": "20", "preset": "veryfast"}
"""A constant quality that eyes cannot tell from the original, and a fifth of the time of the default."""


def mp4_of(clip: Clip) -> bytes:
    """A clip as an MP4 that every player takes (H.264, 4:2:0), played once.

    An odd width or height loses its last pixels: the format has even ones alone. Raises ``MissingExtraError``
    when there is nothing to encode it with, ``OutputError`` when encoding fails.
    """
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg:
        return _by_ffmpeg(clip, ffmpeg)
    if find_spec("av"):
        return _by_pyav(clip)
    raise MissingExtraError(
        "An MP4 needs ffmpeg or PyAV, and neither is installed.",
        f"Install one with {install_command('video')}, or write a .gif.",
    )


def _frames(clip: Clip) -> list[tuple[int, int]]:
    """Per patch, from which video frame to which it is shown."""
    spans, clock = [], 0
    for patch in clip.patches:
        until = clock + patch.milliseconds
        spans.append((clock * RATE // 1000, until * RATE // 1000))
        clock = until
    return spans


def _even(bgr: Bgr) -> Bgr:
    height, width = bgr.shape[:2]
    return np.ascontiguousarray(bgr[: height - height % 2, : width - width % 2])


def _by_ffmpeg(clip: Clip, ffmpeg: str) -> bytes:
    width, height = (length - length % 2 for length in clip.size)
    options = [word for name, value in QUALITY.items() for word in (f"-{name}", value)]
    given = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", str(RATE), "-i", "-"]
    with TemporaryDirectory() as folder:
        made, log = Path(folder) / "made.mp4", Path(folder) / "log"
        coded = ["-c:v", "libx264", "-pix_fmt", "yuv420p", *options, "-movflags", "+faststart", str(made)]
        command = [ffmpeg, "-hide_banner", "-loglevel", "error", "-y", *given, *coded]
        with log.open("wb") as errors:
            running = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors)
            assert running.stdin is not None
            with suppress(BrokenPipeError), running.stdin as pipe:  # it says itself why it stopped
                for (canvas, _), (start, until) in zip(clip.pictures(), _frames(clip), strict=True):
                    for _ in range(start, until):
                        pipe.write(_even(canvas).data)
            running.wait()
        if running.returncode or not made.exists():
            words = log.read_text("utf-8", "replace").strip().splitlines()
            raise OutputError(
                f"ffmpeg could not encode the video: {words[-1] if words else 'it said nothing'}.",
                "Write a .gif instead.",
            )
        return made.read_bytes()


def _by_pyav(clip: Clip) -> bytes:
    import av

    width, height = (length - length % 2 for length in clip.size)
    with TemporaryDirectory() as folder:
        made = Path(folder) / "made.mp4"
        with av.open(str(made), "w", options={"movflags": "faststart"}) as container:
            stream = container.add_stream("libx264", rate=RATE, options=QUALITY)
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            stream.time_base = Fraction(1, RATE)
            for (canvas, _), (start, until) in zip(clip.pictures(), _frames(clip), strict=True):
                rgb = np.asarray(cv2.cvtColor(_even(canvas), cv2.COLOR_BGR2RGB), np.uint8)
                for number in range(start, until):
                    frame = av.VideoFrame.from_ndarray(rgb, format="rgb24")
                    frame.pts = number
                    container.mux(stream.encode(frame))
            container.mux(stream.encode())
        return made.read_bytes()
