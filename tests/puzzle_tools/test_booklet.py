"""Puzzles on paper: without their answers, and booklets with these at the end."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

import cv2
import numpy as np
import pytest

from flowvision.errors import OutputError
from flowvision.export.pictures import CELL_MM, MOST_MM, on_paper, vectors_on_paper
from flowvision.forms import FORMS, SUFFIXES, Form
from flowvision.image.codec import decode
from flowvision.puzzle.formats import NamedPuzzle, puzzles_in
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.booklet import booklet_of, title_of
from flowvision.render.board_look import PAPER
from flowvision.solvers import Solved, solve
from tests.drawing import FIVE
from tests.made_boards import MADE

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = {"five": FIVE} | MADE


def named(text: str) -> NamedPuzzle:
    """A puzzle without a name."""
    given = parse(text)
    return NamedPuzzle("", given.board, given.puzzle, given.letters)


def pipes(drawing: Xml.Element) -> int:
    """How many pipes are drawn."""
    return sum(path.get("class") == "fv-pipe" for path in drawing.iter(f"{SVG}path"))


@pytest.mark.parametrize("name", BOARDS)
def test_vectors_have_dots_with_letters_and_no_pipe(name: str) -> None:
    """On white, at most as wide as a page; with the solution every flow has its pipe."""
    item = named(BOARDS[name])
    drawing = Xml.fromstring(vectors_on_paper(item))
    assert pipes(drawing) == 0
    letters = sorted(text.text or "" for text in drawing.iter(f"{SVG}text"))
    assert letters == sorted(2 * "".join(item.letters))
    assert drawing.find(f"{SVG}rect").get("fill") == PAPER.ground.hex  # type: ignore[union-attr]
    width = drawing.get("width") or ""
    assert width.endswith("mm")
    assert CELL_MM < float(width[:-2]) <= MOST_MM + CELL_MM
    outcome = solve(item.puzzle)
    assert isinstance(outcome, Solved)
    assert pipes(Xml.fromstring(vectors_on_paper(item, outcome.solution))) == len(item.letters)


def test_a_picture_is_white_but_for_lines_and_dots() -> None:
    """PNG and JPEG, large enough for 300 dots an inch."""
    for form in ("png", "jpg"):
        picture = cv2.imdecode(np.frombuffer(on_paper(named(FIVE), FORMS[form]), np.uint8), cv2.IMREAD_COLOR)
        assert (picture > 240).all(axis=2).mean() > 0.8
        assert picture.shape[1] > 5 * 150


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


@pytest.mark.parametrize("name", ["gif", "apng", "mp4", "moving-svg"])
def test_nothing_moves_on_an_unsolved_puzzle(name: str) -> None:
    """Pipes grow on an answer alone."""
    assert not FORMS[name].unsolved


def test_a_booklet_has_every_puzzle_and_then_every_solution() -> None:
    """By number, in one file that fetches nothing and has no scripts."""
    items = [named(text) for text in BOARDS.values()]
    outcomes = [solve(item.puzzle) for item in items]
    pairs = [
        (item, one.solution) for item, one in zip(items, outcomes, strict=True) if isinstance(one, Solved)
    ]
    page = booklet_of(pairs, title_of(len(pairs), "5x7", "hard"))
    assert f"<title>{len(pairs)} hard puzzles, 5 × 7</title>" in page
    unsolved, solved = page.split("<h2>")
    for part in (unsolved, solved):
        numbers = re.findall(r"<figcaption>(\d+)", part)
        assert numbers == [str(n) for n in range(1, len(pairs) + 1)]
    assert 'class="fv-pipe"' not in unsolved
    assert solved.count('class="fv-pipe"') >= sum(len(item.letters) for item, _ in pairs)
    assert "<script" not in page
    assert not re.search(r'(src|href)="', page)


def test_titles_are_escaped() -> None:
    """A title is text."""
    assert "<b>" not in booklet_of([], "<b>")
