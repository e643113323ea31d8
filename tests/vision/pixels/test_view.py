"""Working pictures show the part they say they show."""

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.pixels.view import CHANNELS, PixelBox, Views, shrink_of, view_of

RANDOM = np.random.default_rng(9)
SHOT = Screenshot(RANDOM.integers(0, 256, (230, 160, 3), dtype=np.uint8))


@pytest.mark.parametrize("box", [(0, 0, 160, 230), (13, 40, 151, 178), (0, 99, 160, 230)])
@pytest.mark.parametrize("view_px", [50, 80, 200])
def test_a_part_cut_from_a_view_is_that_part_of_it(box, view_px):
    """All of the box is in it, its pixels are those of the view, and so is the way back to the picture."""
    view = view_of(SHOT, None, view_px)
    part = view.cut(view.part_in(box))
    low, high = (part.to_picture @ (0, 0, 1))[:2], (part.to_picture @ (*part.size, 1))[:2]
    assert (low <= np.array(box[:2]) + view.scale / 2).all()
    assert (high >= np.minimum(box[2:], np.array(view.size) * view.scale) - view.scale / 2 - 0.5).all()
    x, y = np.round((np.linalg.inv(view.to_picture) @ (*low, 1))[:2]).astype(int)
    assert np.array_equal(view.bgr[y : y + part.size[1], x : x + part.size[0]], part.bgr)
    assert np.array_equal(view.gray[y : y + part.size[1], x : x + part.size[0]], part.gray)
    assert part.rims[0] == (box[0] == 0, box[2] == 160)
    assert part.rims[1] == (box[1] == 0, box[3] == 230)


@pytest.mark.parametrize(("width", "factor"), [(540, 1.0), (600, 1.0), (810, 1.5), (1080, 2.0), (1440, 2.0)])
def test_large_pictures_are_shrunk_by_whole_factors(width, factor):
    """Below twice the working size by any factor that is worth it."""
    assert shrink_of(PixelBox(0, 0, width, 3000), 540) == factor


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("size", [(500, 300), (1500, 900)])
def test_views_are_those_of_one_picture_in_every_channel(channel, size, monkeypatch) -> None:
    """Shrunk once, they are the same as when each is made by itself."""
    shot = Screenshot(np.random.default_rng(0).integers(0, 256, (*size, 3), np.uint8))
    views, box = Views(shot, 300), PixelBox(0, 0, 290, 480)
    for part in (None, box):
        views.of(part)
    monkeypatch.setattr(cv2, "resize", None)
    seen = [views.of(part, channel) for part in (None, box)]
    monkeypatch.undo()
    for part, view in zip((None, box), seen, strict=True):
        alone = view_of(shot, part, 300, channel)
        assert (view.channel, view.rims) == (alone.channel, alone.rims)
        for name in ("bgr", "gray", "to_picture"):
            assert np.array_equal(getattr(view, name), getattr(alone, name))
