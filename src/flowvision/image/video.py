"""MP4 files: H.264 by an ``ffmpeg`` found on PATH, or by PyAV, the extra ``video``."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from flowvision.errors import MissingExtraError, OutputError, install_command
from flowvision.image.clip import Clip
from flowvision.image.picture import Bgr

RATE = 20
"""Frames a second; pictures that stay are repeated."""
QUALITY = {"crf": "20", "preset": "veryfast"}
"""Constant quality that looks like the original, in a fifth of the default's time."""


def mp4_of(clip: Clip) -> bytes:
    """Encode an MP4 (H.264, 4:2:0); odd widths and heights lose their last pixel.

    Raises ``MissingExtraError`` without an encoder, ``OutputError`` when encoding fails.
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


def _frames(clip: Clip) -> Iterator[Bgr]:
    """Yield every picture of the video, with an even width and height."""
    width, height = clip.size
    clock = count = 0
    for canvas, milliseconds in clip.pictures():
        clock += milliseconds
        until = clock * RATE // 1000
        yield from repeat(np.ascontiguousarray(canvas[: height // 2 * 2, : width // 2 * 2]), until - count)
        count = until


def _by_ffmpeg(clip: Clip, ffmpeg: str) -> bytes:
    width, height = (length // 2 * 2 for length in clip.size)
    options = [word for name, value in QUALITY.items() for word in (f"-{name}", value)]
    source = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", str(RATE), "-i", "-"]
    coded = ["-c:v", "libx264", "-pix_fmt", "yuv420p", *options, "-movflags", "+faststart"]
    with TemporaryDirectory() as folder:
        made, log = Path(folder) / "made.mp4", Path(folder) / "log"
        command = [ffmpeg, "-hide_banner", "-loglevel", "error", "-y", *source, *coded, str(made)]
        with log.open("wb") as errors:
            running = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors)
            assert running.stdin is not None
            with suppress(BrokenPipeError), running.stdin as pipe:  # its log says why it stopped
                for frame in _frames(clip):
                    pipe.write(frame.data)
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

    with TemporaryDirectory() as folder:
        made = Path(folder) / "made.mp4"
        with av.open(str(made), "w", options={"movflags": "faststart"}) as container:
            stream = container.add_stream("libx264", rate=RATE, options=QUALITY)
            stream.width, stream.height = (length // 2 * 2 for length in clip.size)
            stream.pix_fmt, stream.time_base = "yuv420p", Fraction(1, RATE)
            for number, picture in enumerate(_frames(clip)):
                frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
                frame.pts = number
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        return made.read_bytes()
