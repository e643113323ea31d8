"""The samples are what the tool draws, and what it reads."""

import pytest

from flowvision import solve_image
from flowvision.puzzle.text import parse
from tests.commands import ROOT, script

FOLDER = ROOT / "samples"
make = script("samples/make.py")

SAMPLES = {sample.name: sample for sample in make.SAMPLES}


@pytest.mark.parametrize("name", ["02", "03", "14-warp"])
def test_a_sample_is_drawn_again_from_its_seed(name):
    import cv2
    import numpy as np

    sample = SAMPLES[name]
    picture, text = make.draw(sample)
    assert (FOLDER / f"{name}.txt").read_text() == text
    committed = cv2.imread(str(FOLDER / f"{name}{sample.suffix}"))
    drawn = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    # Font rendering may differ by a shade between Pillow's releases.
    assert (np.abs(committed.astype(int) - drawn).max(axis=2) > 40).mean() < 0.002


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_read_back(name):
    sample = SAMPLES[name]
    reading = solve_image(FOLDER / f"{name}{sample.suffix}").reading
    expected = parse((FOLDER / f"{name}.txt").read_text())
    assert len(reading.lattice.places) == len(expected.board.lattice.places)
    if reading.lattice.tiling == "square":
        assert reading.lattice.places == expected.board.lattice.places
        assert set(reading.board.graph.edges) == set(expected.board.graph.edges)
    assert len(reading.puzzle.terminals) == len(expected.puzzle.terminals)
    if sample.style.dim < 1:
        return  # a reader names dimmed colours by what they look like
    # Flows are called as on the picture: a hint about the text names what is seen there.
    if reading.lattice.tiling == "square":
        assert dict(zip(reading.letters, reading.puzzle.terminals, strict=True)) == dict(
            zip(expected.letters, expected.puzzle.terminals, strict=True)
        )
    assert set(reading.letters) == set(expected.letters)
