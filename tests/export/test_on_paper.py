"""Puzzles on paper, without their answers."""

import re
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

from flowvision.errors import OutputError
from flowvision.export.pictures import CELL_MM, MAX_MM, on_paper
from flowvision.forms import FORMS, SUFFIXES, Form
from flowvision.image.codec import decode
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.text import parse
from flowvision.render.board_look import PAPER
from tests.boards import MADE
from tests.drawing import FIVE

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = {"five": FIVE} | MADE


def named(text: str) -> NamedPuzzle:
    given = parse(text)
    return NamedPuzzle("", given.board, given.puzzle, given.letters)


@pytest.mark.parametrize("name", BOARDS)
def test_vectors_have_dots_with_letters_and_no_pipe(name: str) -> None:
    """On white, at most as wide as a page."""
    item = named(BOARDS[name])
    drawing = Xml.fromstring(on_paper(item, FORMS["svg"]))
    assert not any(path.get("class") == "fv-pipe" for path in drawing.iter(f"{SVG}path"))
    letters = sorted(text.text or "" for text in drawing.iter(f"{SVG}text"))
    assert letters == sorted(2 * "".join(item.letters))
    assert drawing.find(f"{SVG}rect").get("fill") == PAPER.ground.hex  # type: ignore[union-attr]
    width = drawing.get("width") or ""
    assert width.endswith("mm")
    assert CELL_MM < float(width[:-2]) <= MAX_MM + CELL_MM


def test_a_page_is_printed_in_its_size() -> None:
    """A PDF has 72 points an inch: its cells are ``CELL_MM`` wide. WebP holds the same pixels as PNG."""
    item = named(FIVE)
    picture = decode(on_paper(item, FORMS["png"])).bgr
    assert np.array_equal(decode(on_paper(item, FORMS["webp"])).bgr, picture)
    page = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", on_paper(item, FORMS["pdf"]))
    assert page is not None
    width_mm = 25.4 * float(page[1]) / 72
    assert width_mm == pytest.approx(CELL_MM * picture.shape[1] / PAPER.cell_px, rel=0.01)


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_a_form_holds_an_unsolved_puzzle_or_refuses_it(form: Form) -> None:
    """Text is read again as that puzzle; what moves is refused, and forms that are drawn are offered."""
    item = named(FIVE)
    if form.unsolved and form.content == "text":
        (again,) = puzzles_in(on_paper(item, form).decode())
        assert again.puzzle == item.puzzle
    elif form.unsolved:
        assert on_paper(item, form)
    else:
        with pytest.raises(OutputError, match=f"not written as {form.words}") as raised:
            on_paper(item, form)
        offered = {SUFFIXES[suffix].name for suffix in re.findall(r"\.\w+", raised.value.hint)}
        assert offered == {one.name for one in FORMS.values() if one.unsolved and one.content != "text"}
    assert form.unsolved or form.content != "picture"
