import sys
from collections.abc import Callable
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageSequence

from flowvision.errors import MissingExtraError
from flowvision.render.clip import Clip, Patch, apng_of, gif_of, mp4_of


def small_clip() -> Clip:
    """Dark, 67 × 45 pixels; after 600 ms a red bar grows in two steps of 50, then a blue square for 2,500."""
    first = np.zeros((45, 67, 3), np.uint8)
    first[:, :, 1] = np.arange(67, dtype=np.uint8) // 4
    red = np.full((6, 10, 3), (0, 0, 255), np.uint8)
    blue = np.full((9, 9, 3), (254, 41, 12), np.uint8)
    return Clip(
        (
            Patch(0, 0, first, milliseconds=600),
            Patch(5, 7, red, milliseconds=50),
            Patch(15, 7, red, milliseconds=50),
            Patch(58, 36, blue, milliseconds=2500),
        )
    )


CLOSE = 24
"""Of 255: how far a colour may be from its nearest in the palette."""

writers = pytest.mark.parametrize(("write", "start"), [(gif_of, b"GIF89a"), (apng_of, b"\x89PNG")])


@writers
def test_every_frame_is_there_for_its_time(write: Callable[[Clip], bytes], start: bytes) -> None:
    clip = small_clip()
    data = write(clip)
    assert data.startswith(start)
    picture = Image.open(BytesIO(data))
    assert picture.size == (67, 45)
    assert picture.info["loop"] == 0
    times, frames = [], []
    for frame in ImageSequence.Iterator(picture):
        times.append(frame.info["duration"])
        frames.append(np.asarray(frame.convert("RGB"))[:, :, ::-1].astype(int))
    assert times == [patch.milliseconds for patch in clip.patches]
    expected = [canvas.astype(int) for canvas, _ in clip.pictures()]
    assert max(np.abs(a - b).max() for a, b in zip(frames, expected, strict=True)) <= CLOSE
    is_still = (expected[0] == expected[-1]).all(axis=2)
    assert np.array_equal(frames[0][is_still], frames[-1][is_still])


@writers
def test_a_clip_of_one_picture(write: Callable[[Clip], bytes], start: bytes) -> None:
    for size in ((1, 1, 3), (40, 30, 3)):
        clip = Clip((Patch(0, 0, np.full(size, 200, np.uint8), milliseconds=2500),))
        picture = Image.open(BytesIO(write(clip)))
        assert picture.size == size[1::-1]
        assert picture.convert("RGB").getpixel((0, 0)) == (200, 200, 200)


def test_patches_are_laid_one_over_the_other() -> None:
    clip = small_clip()
    first, *_ = shown = [canvas.copy() for canvas, _ in clip.pictures()]
    assert clip.size == (67, 45)
    assert np.array_equal(first, clip.patches[0].bgr)
    for before, after, patch in zip(shown, shown[1:], clip.patches[1:], strict=False):
        rows, cols = np.nonzero((after != before).any(axis=2))
        height, width = patch.bgr.shape[:2]
        assert (cols.min(), rows.min()) == (patch.x, patch.y)
        assert (cols.max(), rows.max()) == (patch.x + width - 1, patch.y + height - 1)


def test_a_video_has_every_second_of_the_clip() -> None:
    av = pytest.importorskip("av")
    with av.open(BytesIO(mp4_of(small_clip()))) as container:
        frames = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
        assert container.streams.video[0].codec_context.name == "h264"
    frames_a_second, seconds = 20, 3.2  # 0.6 + 2 * 0.05 + 2.5, as the clip's patches stay
    assert len(frames) == frames_a_second * seconds
    assert frames[0].shape == (44, 66, 3)  # even sides
    blue, red = (62, 40), (8, 10)  # places that are painted
    assert np.abs(frames[-1][blue[1], blue[0]].astype(int) - (254, 41, 12)).max() < 40
    red_appears = round(0.6 * frames_a_second)
    assert frames[red_appears - 2][red[1], red[0], 2] < 60
    assert frames[red_appears + 1][red[1], red[0], 2] > 150


def test_without_an_encoder_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtraError) as raised:
        mp4_of(small_clip())
    assert "[video]" in raised.value.hint
