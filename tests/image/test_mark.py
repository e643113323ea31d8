"""Pictures that Flowvision wrote are known from others."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from flowvision.export.drawing import drawing_of_puzzle
from flowvision.export.pictures import encoded
from flowvision.forms import FORMS, Form
from flowvision.image.clip import Clip, apng_of, gif_of
from flowvision.image.codec import decode, encode
from flowvision.image.mark import is_marked, marked
from flowvision.image.video import mp4_of
from flowvision.palette import palette_for
from flowvision.puzzle import boards
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import parse
from flowvision.render.svg import SvgBoard, svg_of
from flowvision.solvers import Solved, solve
from tests.drawing import FIVE, screenshot_of, small_clip

PICTURE = screenshot_of(FIVE)
PUZZLE = Puzzle(boards.square(1, 2).graph, ((0, 1),))


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
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
        assert suffix == ".webp" or "Flowvision" in str(image.info)


def test_a_page_has_the_mark_behind_its_end(tmp_path: Path) -> None:
    """Where PDF allows comments; what is before it is as it was."""
    plain = encode(PICTURE, ".pdf")
    assert marked(plain) == plain + b"%Flowvision\n"
    assert plain.rstrip().endswith(b"%%EOF")
    (tmp_path / "plain.pdf").write_bytes(plain)
    (tmp_path / "ours.pdf").write_bytes(marked(plain))
    assert not is_marked(tmp_path / "plain.pdf")
    assert is_marked(tmp_path / "ours.pdf")


@pytest.mark.parametrize(
    ("suffix", "write"), [(".gif", gif_of), (".png", apng_of), (".mp4", mp4_of)], ids=["gif", "apng", "mp4"]
)
def test_pictures_that_move_have_the_mark_too(
    suffix: str, write: Callable[[Clip], bytes], tmp_path: Path
) -> None:
    """They still open, with all of their frames."""
    if suffix == ".mp4":
        av = pytest.importorskip("av")
    plain = write(small_clip())
    (tmp_path / f"plain{suffix}").write_bytes(plain)
    (tmp_path / f"ours{suffix}").write_bytes(marked(plain))
    assert not is_marked(tmp_path / f"plain{suffix}")
    assert is_marked(tmp_path / f"ours{suffix}")
    if suffix == ".mp4":
        with av.open(BytesIO(marked(plain))) as container:
            assert len(list(container.decode(video=0))) == 64
    else:
        assert Image.open(BytesIO(marked(plain))).n_frames == 4


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_every_form_has_a_mark(form: Form, tmp_path: Path) -> None:
    """Answers are known in each form that they are written in; only text has no place for a mark."""
    if form.name == "mp4":
        pytest.importorskip("av")
    given = parse(FIVE)
    outcome = solve(given.puzzle)
    assert isinstance(outcome, Solved)
    drawing = drawing_of_puzzle(given.board, given.puzzle, outcome.solution, given.letters)
    (tmp_path / "answer").write_bytes(marked(encoded(drawing, form)))
    assert is_marked(tmp_path / "answer") == (form.content != "text")


def test_vectors_are_made_with_the_mark(tmp_path: Path) -> None:
    """An SVG of others has none."""
    (tmp_path / "ours.svg").write_text(svg_of(SvgBoard(boards.square(1, 2), PUZZLE, palette_for("R"), "R")))
    (tmp_path / "plain.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    assert is_marked(tmp_path / "ours.svg")
    assert not is_marked(tmp_path / "plain.svg")


def test_what_is_no_such_picture_has_no_mark(tmp_path: Path) -> None:
    """Neither a folder, nor a missing file, nor bytes of another kind, and marking leaves those alone."""
    (tmp_path / "text.png").write_bytes(marked(b"Flowvision"))
    assert (tmp_path / "text.png").read_bytes() == b"Flowvision"
    for place in (tmp_path, tmp_path / "none.png", tmp_path / "text.png", "a\0b"):
        assert not is_marked(place)
