"""Committed pictures, of the documents and samples, are what the project draws today, and reads."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from flowvision import solve_image
from flowvision.image.codec import decode
from flowvision.image.picture import Bgr
from flowvision.puzzle.text import parse
from flowvision.solvers.sat import clauses_of
from tests.commands import ROOT, script

DOCS, SAMPLES = ROOT / "docs", ROOT / "samples"
pictures, make = script("docs/pictures.py"), script("samples/make.py")
BY_NAME = {sample.name: sample for sample in make.SAMPLES}


def assert_alike(committed: Bgr, drawn: Bgr) -> None:
    """Allow for fonts, and for rounding by other releases of OpenCV and Pillow."""
    assert committed.shape == drawn.shape
    is_other = np.abs(committed.astype(int) - drawn).max(axis=2) > 60
    assert is_other.mean() < 0.002, "draw it again: python docs/pictures.py, samples/make.py"


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_of_the_docs_is_not_stale(name: str) -> None:
    assert_alike(cv2.imread(str(DOCS / name)), pictures.PICTURES[name]())


@pytest.mark.parametrize("name", [*pictures.PICTURES, "solving.gif"])
def test_a_picture_of_the_docs_is_shown(name: str) -> None:
    pages = (*DOCS.rglob("*.md"), ROOT / "README.md")
    assert any(Path(name).name in page.read_text("utf-8") for page in pages)


def test_the_moving_picture_ends_in_todays_answer() -> None:
    with Image.open(DOCS / "solving.gif") as moving:
        moving.seek(moving.n_frames - 1)
        last = np.asarray(moving.convert("RGB"))[..., ::-1]
    assert_alike(last, solve_image(pictures.level()).picture)


def test_the_formula_of_the_page_is_todays() -> None:
    page = (DOCS / "how-it-works.md").read_text(encoding="utf-8")
    answer = solve_image(SAMPLES / "02.png")
    evidence = answer.outcome.evidence
    assert f"{evidence.variables} variables and {evidence.clauses} clauses" in page
    template, formula = clauses_of(answer.reading.puzzle)
    # Three clauses there: a number is the variable of an edge, negative if no path crosses it.
    clauses_on_the_page = (-6, -12, -14), (6, 12, 14), (-template.strict, -12, -13, -15)
    assert set(map(frozenset, clauses_on_the_page)) <= set(map(frozenset, formula))


def place_of(name: str) -> Path:
    return SAMPLES / f"{name}{BY_NAME[name].suffix}"


@pytest.mark.parametrize("name", ["02", "03", "14-warp"])
def test_a_sample_is_drawn_again_from_its_seed(name: str) -> None:
    picture, text = make.draw(BY_NAME[name])
    assert (SAMPLES / f"{name}.txt").read_text() == text
    assert_alike(decode(place_of(name).read_bytes()).bgr, decode(picture).bgr)


def pair_of_letters(named: Any) -> dict[str, tuple[int, int]]:
    return dict(zip(named.letters, named.puzzle.terminals, strict=True))


@pytest.mark.sweep(at_landing=5)
@pytest.mark.parametrize("name", BY_NAME)
def test_a_sample_is_read_back(name: str) -> None:
    reading, expected = solve_image(place_of(name)).reading, parse((SAMPLES / f"{name}.txt").read_text())
    assert len(reading.lattice.places) == len(expected.board.lattice.places)
    assert len(reading.puzzle.terminals) == len(expected.puzzle.terminals)
    is_square, is_dimmed = reading.lattice.tiling == "square", BY_NAME[name].style.dim < 1
    if is_square:
        assert reading.lattice.places == expected.board.lattice.places
        assert set(reading.board.graph.edges) == set(expected.board.graph.edges)
    if not is_dimmed:  # dimmed colours may have other names
        assert set(reading.letters) == set(expected.letters)
    if is_square and not is_dimmed:
        assert pair_of_letters(reading) == pair_of_letters(expected)
