"""The pictures of the docs are what the project draws today."""

import cv2
import numpy as np
import pytest
from PIL import Image

from flowvision import solve_image
from flowvision.solvers.encoding import clauses_of
from tests.commands import ROOT, script

FOLDER = ROOT / "docs"
pictures = script("docs/pictures.py")


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_of_the_docs_is_not_stale(name):
    """Releases of OpenCV and Pillow round differently, and fonts differ."""
    committed = cv2.imread(str(FOLDER / name))
    drawn = pictures.PICTURES[name]()
    assert committed.shape == drawn.shape
    apart = np.abs(committed.astype(int) - drawn).max(axis=2)
    assert (apart > 60).mean() < 0.003, "draw it again: python docs/pictures.py"


def test_the_moving_picture_ends_in_todays_answer():
    with Image.open(FOLDER / "solving.gif") as moving:
        moving.seek(moving.n_frames - 1)
        last = np.asarray(moving.convert("RGB"))[..., ::-1]
    drawn = solve_image(pictures.level()).picture
    assert last.shape == drawn.shape
    apart = np.abs(last.astype(int) - drawn).max(axis=2)
    assert (apart > 60).mean() < 0.003, "draw it again: python docs/pictures.py"


def test_every_picture_is_shown():
    pages = [*FOLDER.glob("*.md"), FOLDER.parent / "README.md"]
    words = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert all(name in words for name in ("solving.gif", *pictures.PICTURES))


def test_the_formula_of_the_page_is_todays():
    page = (FOLDER / "how-it-works.md").read_text(encoding="utf-8")
    answer = solve_image(ROOT / "samples" / "02.png")
    evidence = answer.outcome.evidence
    assert f"{evidence.variables} variables and {evidence.clauses} clauses" in page
    template, formula = clauses_of(answer.reading.puzzle)
    strict = template.strict
    written = {frozenset(clause) for clause in formula}
    assert {frozenset(c) for c in ((-6, -12, -14), (6, 12, 14), (-strict, -12, -13, -15))} <= written
