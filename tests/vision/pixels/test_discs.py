"""Discs, where they are drawn and nowhere else."""

from __future__ import annotations

import subprocess
import sys

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import CropBox
from flowvision.vision.pixels.discs import circles_in, discs_round, edge_share, show_discs, without_ipp
from flowvision.vision.pixels.view import view_of
from flowvision.vision.settings import Settings
from tests.drawing import NONE, screenshot_of

PLACES = [(70, 60), (190, 60), (310, 60), (70, 180), (310, 180), (190, 300)]


def drawn(radius: int, width: int, ground: int = 0, colour: tuple[int, int, int] = (40, 60, 220)) -> Bgr:
    """Circles at all places; discs where ``width`` is negative."""
    bgr = np.full((360, 380, 3), ground, np.uint8)
    for place in PLACES:
        cv2.circle(bgr, place, radius, colour, width, cv2.LINE_AA)
    return bgr


SETTINGS = Settings()
PITCH = 60.0


def whole(bgr: Bgr) -> tuple[Screenshot, tuple[int, int, int, int]]:
    """A screenshot, and the box round all of it."""
    return Screenshot(bgr), (0, 0, bgr.shape[1], bgr.shape[0])


@pytest.mark.sweep(6)
@pytest.mark.parametrize("ground", [(240, 230, 0), (60, 60, 200), (0, 200, 0), (255, 255, 0)])
@pytest.mark.parametrize(
    "colour", [(14, 127, 255), (180, 119, 31), (255, 255, 255), (0, 0, 0), (200, 0, 200)]
)
def test_discs_stand_out_from_grounds_of_any_colour(ground, colour):
    """In whichever channel they do: orange on cyan has nearly its brightest and its darkest one."""
    bgr = np.full((360, 380, 3), ground, np.uint8)
    for place in PLACES:
        cv2.circle(bgr, place, 15, colour, -1, cv2.LINE_AA)
    assert len(discs_round(*whole(bgr), PITCH, SETTINGS).filled) == len(PLACES)


@pytest.mark.parametrize("scale", [0.4, 1.0, 3.0])
def test_discs_are_told_in_pixels_of_the_picture(scale):
    """Whatever the size at which they were looked for."""
    bgr = np.asarray(cv2.resize(drawn(20, -1), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    discs = discs_round(*whole(bgr), PITCH * scale, SETTINGS).filled
    away = np.hypot(*np.moveaxis(discs[:, None, :2] - (np.array(PLACES) + 0.5) * scale + 0.5, -1, 0))
    assert len(discs) == len(PLACES)
    assert away.min(axis=1).max() < 2 * max(scale, 1.0)
    assert np.abs(discs[:, 2] / (20 * scale) - 1).max() < 0.12


def test_rings_and_round_ends_are_no_discs():
    """Nor is what goes on at one side; a disc with a pipe is one."""
    assert not len(discs_round(*whole(drawn(20, 2)), PITCH, SETTINGS).filled)
    bgr = np.zeros((300, 400, 3), np.uint8)
    cv2.line(bgr, (80, 80), (330, 80), (60, 40, 40), 40, cv2.LINE_AA)
    assert not len(discs_round(*whole(bgr), PITCH, SETTINGS).filled)
    cv2.circle(bgr, (200, 220), 20, (40, 60, 220), -1, cv2.LINE_AA)
    cv2.line(bgr, (200, 220), (420, 220), (40, 60, 220), 14, cv2.LINE_AA)
    ((x, y, radius),) = discs_round(*whole(bgr), PITCH, SETTINGS).filled.tolist()
    assert (round(x), round(y)) == (200, 220)
    assert radius == pytest.approx(20, abs=2)


@pytest.mark.parametrize(("rim", "ground"), [((0, 0, 0), 60), ((255, 255, 255), 60), ((20, 20, 20), 230)])
def test_discs_of_the_colour_of_the_ground_have_a_rim(rim, ground):
    """They count where most discs have such a rim; without one, rings beside discs are none."""
    bgr = drawn(20, -1, ground)
    cv2.circle(bgr, PLACES[0], 20, (ground + 8,) * 3, -1, cv2.LINE_AA)
    for place in PLACES:
        cv2.circle(bgr, place, 20, rim, 3, cv2.LINE_AA)
    discs = discs_round(*whole(bgr), PITCH, SETTINGS)
    assert (len(discs.filled), len(discs.faint)) == (len(PLACES) - 1, 1)
    assert np.hypot(*(discs.faint[0, :2] - PLACES[0])) < 2
    plain = drawn(20, -1, ground)
    cv2.circle(plain, PLACES[0], 20, (ground,) * 3, -1)
    cv2.circle(plain, PLACES[0], 18, rim, 3, cv2.LINE_AA)
    discs = discs_round(*whole(plain), PITCH, SETTINGS)
    assert (len(discs.filled), len(discs.faint)) == (len(PLACES) - 1, 0)


def test_discs_are_looked_for_beside_a_part_but_not_everywhere():
    """Half a part's longer side round it, and two cells and a half where that is more."""
    shot = Screenshot(drawn(15, -1))
    near, all_of_it = (discs_round(shot, (40, 30, 180, 60), pitch, SETTINGS).filled for pitch in (30, PITCH))
    assert np.abs(near[np.argsort(near[:, 0]), :2] - PLACES[:2]).max() < 2
    assert len(all_of_it) == len(PLACES[:5])
    assert not len(
        discs_round(Screenshot(np.zeros((90, 90, 3), np.uint8)), (10, 10, 60, 60), PITCH, SETTINGS).filled
    )


@pytest.mark.parametrize("beside", [(0.0, 0.0), (0.15, -0.15)])
@pytest.mark.parametrize("radius", [0.09, 0.25, 0.45, 0.54])
def test_a_look_at_each_cell_notices_discs_of_any_size(radius: float, beside: tuple[float, float]) -> None:
    """From the smallest dots to those beyond their cells, also a little beside the middles."""
    bgr, middles = np.full((400, 400, 3), 20, np.uint8), []
    for x, y in ((70, 70), (230, 150), (310, 310)):
        middle = round(x + 80 * beside[0]), round(y + 80 * beside[1])
        cv2.circle(bgr, middle, round(80 * radius), (40, 60, 220), -1, cv2.LINE_AA)
        middles.append((x, y))
    view = view_of(Screenshot(bgr), None, 400)
    assert show_discs(view, 400, np.array(middles, float), 80.0, SETTINGS)


def test_a_look_at_each_cell_is_not_taken_in() -> None:
    """By too few discs, by discs between cells, by a net of lines, by the rim of the picture."""
    bgr = drawn(15, -1)
    middles = np.array([*PLACES[:2], (130, 120), (250, 120), (130, 240), (2, 2)], float)
    assert not show_discs(view_of(Screenshot(bgr), None, 360), 360, middles, PITCH, SETTINGS)
    bgr[:], bgr[::20], bgr[:, ::20] = 20, 200, 200
    middles = np.array(PLACES, float)
    assert not show_discs(view_of(Screenshot(bgr), None, 360), 360, middles, PITCH, SETTINGS)


@pytest.mark.parametrize("outside", [(-90, 130), (130, -90), (640, 130), (130, 640), (-900, -900)])
def test_cells_beyond_the_picture_show_no_disc(outside: tuple[int, int]) -> None:
    """A lattice may reach over its edge."""
    view = view_of(Screenshot(drawn(15, -1)), None, 360)
    middles = np.array([*PLACES[:2], outside], float)
    assert not show_discs(view, 360, middles, PITCH, SETTINGS)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("noise", [5, 8])
@pytest.mark.parametrize("radius", [0.14, 0.25, 0.45, 0.54])
@pytest.mark.parametrize("colour", [(40, 60, 220), (120, 70, 60), (160, 140, 210)])
def test_a_look_at_each_cell_sees_discs_through_noise(noise: int, radius: float, colour) -> None:
    """As those of a photographed board: a puzzle's fewest dots are enough."""
    random = np.random.default_rng(0)
    bgr, middles = np.full((400, 400, 3), 30, np.uint8), [(70, 70), (230, 150), (310, 310), (150, 230)]
    for x, y in middles:
        cv2.circle(bgr, (x + 5, y - 5), round(80 * radius), colour, -1, cv2.LINE_AA)
    noisy = np.clip(bgr + random.normal(0, noise, bgr.shape), 0, 255).astype(np.uint8)
    view = view_of(Screenshot(noisy), None, 400)
    assert show_discs(view, 400, np.array(middles, float), 80.0, SETTINGS)


def test_in_noise_few_cells_are_searched_twice(monkeypatch) -> None:
    """With the noise smoothed away a cell without a disc shows none; then its noise is not searched."""
    random, seen, as_it_was = np.random.default_rng(0), [0], cv2.HoughCircles
    noise = np.clip(random.normal(120, 8, (400, 400, 3)), 0, 255).astype(np.uint8)
    middles = np.array([(x, y) for x in range(40, 400, 80) for y in range(40, 400, 80)], float)

    def counted(*given, **named):
        seen[0] += 1
        return as_it_was(*given, **named)

    monkeypatch.setattr(cv2, "HoughCircles", counted)
    assert not show_discs(view_of(Screenshot(noise), None, 400), 400, middles, 80.0, SETTINGS)
    assert len(middles) <= seen[0] <= 1.2 * len(middles)


def test_no_disc_is_sought_where_no_cell_shows_one() -> None:
    """All circles together take long: they are looked for only where some cells show one each."""
    bgr = drawn(15, -1)
    assert len(discs_round(*whole(bgr), PITCH, SETTINGS, np.array(PLACES, float)).filled) == len(PLACES)
    between = np.array([(130, 120), (250, 120), (130, 240), (250, 240)], float)
    assert not len(discs_round(*whole(bgr), PITCH, SETTINGS, between).filled)


@pytest.mark.parametrize("pitch", range(60, 121, 15))
def test_no_circle_stands_for_a_disc(pitch: int):
    """Lines close to dots make circles round them, which may be clearer; all four dots are found."""
    box = CropBox(12, 140, 3 * pitch, 3 * pitch)
    discs = discs_round(Screenshot(screenshot_of(NONE, pitch)), box, pitch, SETTINGS).filled
    middles = np.array([(12 + (c + 0.5) * pitch, 140 + (r + 0.5) * pitch) for r in (0, 2) for c in (0, 2)])
    away = np.hypot(*np.moveaxis(discs[:, None, :2] - middles, -1, 0))
    assert sorted(away.argmin(axis=1).tolist()) == [0, 1, 2, 3]
    assert away.min(axis=1).max() < 2


MESHES = """
import sys
import cv2
import numpy as np
from flowvision.vision.pixels.discs import edge_share
cv2.setNumThreads(int(sys.argv[1]))
for period in (2, 3, 4, 5, 6, 8):
    for shape in ((960, 540), (720, 1280), (33, 900), (900, 33)):
        mesh = np.zeros(shape, np.uint8)
        mesh[::period], mesh[:, ::period] = 120, 120
        for _ in range(2):
            edge_share(mesh, 40, 80)
print("alive")
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_meshes_do_not_break_the_heap(threads: int) -> None:
    """What ends a process that asks ``cv2.Canny`` on one thread: meshes of thin lines, again and again."""
    run = [sys.executable, "-c", MESHES, str(threads)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.stdout == "alive\n", done.stderr


def test_edges_are_those_of_canny() -> None:
    """The share is that of OpenCV's own edges, on any number of threads."""
    random = np.random.default_rng(0)
    threads = cv2.getNumThreads()
    try:
        for side in (20, 61, 200):
            noise = random.integers(0, 256, (side, 2 * side), np.uint8)
            smooth = np.asarray(cv2.GaussianBlur(noise, (0, 0), 2), np.uint8)
            with without_ipp():
                wanted = cv2.countNonZero(cv2.Canny(smooth, 10, 20)) / smooth.size
            assert 0 < wanted < 1
            for count in (1, 2):
                cv2.setNumThreads(count)
                assert edge_share(smooth, 10, 20) == wanted
    finally:
        cv2.setNumThreads(threads)


def test_ipp_is_as_it_was() -> None:
    """Whether IPP is used is what it was before, also after an error."""
    before = cv2.ipp.useIPP()

    def fail() -> None:
        with without_ipp():
            assert not cv2.ipp.useIPP()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert cv2.ipp.useIPP() == before


HOW = SETTINGS.circles.grid_view_px, SETTINGS.circles.roundness, SETTINGS.circles, SETTINGS.grid
"""How circles are looked for on boards without lines."""


@pytest.mark.sweep(6)
@pytest.mark.parametrize("ground", [0, 70, 255])
@pytest.mark.parametrize("radius", [8, 15, 40])
@pytest.mark.parametrize("width", [-1, 2])
def test_circles_are_found_where_they_are(radius, width, ground):
    """Each once, filled or not, on any ground: a ring's two edges are one circle."""
    circles = circles_in(view_of(Screenshot(drawn(radius, width, ground)), None, 540), *HOW)
    away = np.hypot(*np.moveaxis(circles[:, None, :2] - np.array(PLACES), -1, 0))
    assert len(circles) == len(PLACES)
    assert sorted(away.argmin(axis=1).tolist()) == list(range(len(PLACES)))
    assert away.min(axis=1).max() < 1.5
    assert np.abs(circles[:, 2] - radius).max() < 2.5


def test_patterns_are_not_searched():
    """Chess boards of small squares, and noise, have no end of edges: nothing is looked for in them."""
    y, x = np.mgrid[:1200, :540]
    chess = ((((x // 6) + (y // 6)) % 2) * 255).astype(np.uint8)[..., None].repeat(3, 2)
    noise = np.random.default_rng(0).integers(0, 256, (1200, 540, 3), np.uint8)
    for bgr in (chess, noise):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cv2, "HoughCircles", None)
            assert not len(circles_in(view_of(Screenshot(bgr), None, 540), *HOW))
