from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from flowvision import parse_puzzle
from flowvision.files import FORMS, Form
from flowvision.image.codec import decode, encode
from flowvision.image.mark import is_marked, marked
from tests.drawing import FIVE, screenshot_of


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
def test_the_mark_is_seen_and_nothing_else_is_other(suffix: str, tmp_path: Path) -> None:
    plain = encode(screenshot_of(FIVE), suffix)
    (tmp_path / f"plain{suffix}").write_bytes(plain)
    (tmp_path / f"ours{suffix}").write_bytes(marked(plain))
    assert not is_marked(tmp_path / f"plain{suffix}")
    assert is_marked(tmp_path / f"ours{suffix}")
    assert np.array_equal(decode(marked(plain)).bgr, decode(plain).bgr)
    with Image.open(tmp_path / f"ours{suffix}") as image:
        image.load()
        assert suffix == ".webp" or "Flowvision" in str(image.info)


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_every_form_has_a_mark(form: Form, tmp_path: Path) -> None:
    if form.name == "mp4":
        pytest.importorskip("av")
    (tmp_path / "answer").write_bytes(marked(parse_puzzle(FIVE).solve().encoded(form)))
    assert is_marked(tmp_path / "answer") == (form.content != "text")


def test_what_is_no_such_picture_has_no_mark(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_bytes(marked(b"Flowvision"))
    assert (tmp_path / "text.png").read_bytes() == b"Flowvision"
    for place in (tmp_path, tmp_path / "none.png", tmp_path / "text.png", "a\0b"):
        assert not is_marked(place)
