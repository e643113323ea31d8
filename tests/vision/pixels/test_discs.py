import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Screenshot
from flowvision.vision.pixels.discs import circles_in, discs_in, edge_share, without_ipp
from flowvision.vision.pixels.view import view_of
from tests.commands import python

PLACES = [(70, 60), (190, 60), (310, 60), (70, 180), (310, 180), (190, 300)]


def drawn(radius: int, width: int) -> Bgr:
    """Red circles at the places; ``width``: of their line, -1 for discs."""
    bgr = np.zeros((360, 380, 3), np.uint8)
    for place in PLACES:
        cv2.circle(bgr, place, radius, (40, 60, 220), width, cv2.LINE_AA)
    return bgr


PITCH, RADIUS_MAX = 60.0, 0.7
"""Width of a cell in pixels; radius of the largest disc, in cells."""


def found_in(bgr: Bgr) -> np.ndarray:
    """Return (discs, 3): x, y and radius."""
    return discs_in(bgr, cell_px=PITCH, enlarged_px=PITCH, radius_max=RADIUS_MAX)


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("ground", [(240, 230, 0), (60, 60, 200), (0, 200, 0), (255, 255, 0)])
@pytest.mark.parametrize(
    "colour", [(14, 127, 255), (180, 119, 31), (255, 255, 255), (0, 0, 0), (200, 0, 200)]
)
def test_discs_stand_out_from_grounds_of_any_colour(ground, colour):
    bgr = np.full((360, 380, 3), ground, np.uint8)
    for place in PLACES:
        cv2.circle(bgr, place, 15, colour, -1, cv2.LINE_AA)
    assert len(found_in(bgr)) == len(PLACES)


def test_rings_and_round_ends_are_no_discs():
    line_with_round_ends = np.zeros((300, 400, 3), np.uint8)
    cv2.line(line_with_round_ends, (80, 80), (330, 80), (60, 40, 40), 40, cv2.LINE_AA)
    assert len(found_in(drawn(radius=20, width=2))) == len(found_in(line_with_round_ends)) == 0


def test_a_disc_with_a_pipe_is_a_disc():
    bgr, centre = np.zeros((300, 400, 3), np.uint8), (200, 220)
    cv2.circle(bgr, centre, 20, (40, 60, 220), -1, cv2.LINE_AA)
    cv2.line(bgr, centre, (420, 220), (40, 60, 220), 14, cv2.LINE_AA)
    ((x, y, radius),) = found_in(bgr).tolist()
    assert (round(x), round(y)) == centre
    assert radius == pytest.approx(20, abs=2)


MESHES = """
from itertools import product
import cv2
import numpy as np
from flowvision.vision.pixels.discs import edge_share
for threads, period in product((1, 2), (2, 3, 4, 5, 6, 8)):
    cv2.setNumThreads(threads)
    for shape in ((960, 540), (720, 1280), (33, 900), (900, 33)):
        mesh = np.zeros(shape, np.uint8)
        mesh[::period], mesh[:, ::period] = 120, 120
        for _ in range(2):
            edge_share(mesh, 40, 80)
print("alive")
"""


def test_meshes_do_not_break_the_heap() -> None:
    """Repeated meshes of thin lines crash a process that calls ``cv2.Canny`` on one thread."""
    process = python(MESHES)
    assert process.stdout == "alive\n", process.stderr


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("side", [20, 61, 200])
def test_edges_are_those_of_canny(threads: int, side: int) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (side, 2 * side), np.uint8)
    smooth = np.asarray(cv2.GaussianBlur(noise, (0, 0), 2), np.uint8)
    with without_ipp():
        expected = cv2.countNonZero(cv2.Canny(smooth, 10, 20)) / smooth.size
    assert 0 < expected < 1
    usual_threads = cv2.getNumThreads()
    try:
        cv2.setNumThreads(threads)
        assert edge_share(smooth, low=10, high=20) == expected
    finally:
        cv2.setNumThreads(usual_threads)


@pytest.mark.parametrize(("radius", "count"), [(39, 6), (46, 0)])
def test_discs_above_the_largest_radius_are_none(radius: int, count: int) -> None:
    """That is 42 pixels."""
    assert len(found_in(drawn(radius, -1))) == count


HEIGHT, WIDTH = 1200, 540
PATTERNS = {
    "chess": ((np.indices((HEIGHT, WIDTH)) // 6).sum(axis=0) % 2 * 255)
    .astype(np.uint8)[..., None]
    .repeat(3, 2),
    "noise": np.random.default_rng(0).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_are_not_searched(name: str, monkeypatch: pytest.MonkeyPatch):
    """Pictures full of edges."""
    monkeypatch.setattr(cv2, "HoughCircles", None)
    assert len(circles_in(view_of(Screenshot(PATTERNS[name]), None, WIDTH))) == 0
