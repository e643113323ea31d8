"""Edges without Intel's code, which writes outside its buffer."""

from __future__ import annotations

import subprocess
import sys

import cv2
import numpy as np
import pytest

from flowvision.vision.pixels.discs import edge_share, without_ipp

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
