"""Pictures that Flowvision wrote are known from others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from flowvision.image.codec import decode, encode
from flowvision.image.mark import is_marked, marked
from tests.drawing import FIVE, screenshot_of

PICTURE = screenshot_of(FIVE)


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_the_mark_is_seen_and_nothing_else_is_other(suffix: str, tmp_path: Path) -> None:
    """The pixels are the same, other programs read the picture, and an unmarked one is told from it."""
    plain = encode(PICTURE, suffix)
    (tmp_path / f"plain{suffix}").write_bytes(plain)
    (tmp_path / f"ours{suffix}").write_bytes(marked(plain))
    assert not is_marked(tmp_path / f"plain{suffix}")
    assert is_marked(tmp_path / f"ours{suffix}")
    assert np.array_equal(decode(marked(plain)).bgr, decode(plain).bgr)
    with Image.open(tmp_path / f"ours{suffix}") as image:
        image.load()
        assert "Flowvision" in str(image.info)


def test_what_is_no_such_picture_has_no_mark(tmp_path: Path) -> None:
    """Neither a folder, nor a missing file, nor bytes of another kind, and marking leaves those alone."""
    (tmp_path / "text.png").write_bytes(marked(b"Flowvision"))
    assert (tmp_path / "text.png").read_bytes() == b"Flowvision"
    for place in (tmp_path, tmp_path / "none.png", tmp_path / "text.png", "a\0b"):
        assert not is_marked(place)
