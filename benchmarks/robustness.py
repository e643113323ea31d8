"""Usual changes to a screenshot, and the share still read exactly.

    python benchmarks/robustness.py [EVERY]

Reads the labelled real pictures, each damaged in every way of the table; a reading counts when the size and
every pair are right. "misread" counts readings that are wrong and were not refused: it must stay 0.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from data import options, shared_folder
from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr, Screenshot
from flowvision.pipeline import open_image

Label = dict[str, object]


def resized(scale: float) -> Callable[[Bgr, Label], Bgr]:
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return lambda bgr, _: cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=how)


def jpeg(quality: int) -> Callable[[Bgr, Label], Bgr]:
    flags = [cv2.IMWRITE_JPEG_QUALITY, quality]
    return lambda bgr, _: cv2.imdecode(cv2.imencode(".jpg", bgr, flags)[1], cv2.IMREAD_COLOR)


def tinted(*bgr_gain: float) -> Callable[[Bgr, Label], Bgr]:
    """Dimmed, or with less blue, as at night."""
    return lambda bgr, _: (bgr * np.array(bgr_gain)).astype(np.uint8)


def padded(colour: int, across: float, down: float) -> Callable[[Bgr, Label], Bgr]:
    """On a page, or in a landscape frame."""

    def pad(bgr: Bgr, _: Label) -> Bgr:
        height, width = bgr.shape[:2]
        x, y = int(across * width), int(down * height)
        return cv2.copyMakeBorder(bgr, y, y, x, x, cv2.BORDER_CONSTANT, value=(colour,) * 3)

    return pad


def cropped(margin: float) -> Callable[[Bgr, Label], Bgr]:
    """To the board; with a negative margin (of its width) to just inside its frame."""

    def crop(bgr: Bgr, label: Label) -> Bgr:
        x0, y0, x1, y1 = label["bbox_px"]
        d = round(margin * (x1 - x0))
        return bgr[max(0, y0 - d) : y1 + d + 1, max(0, x0 - d) : x1 + d + 1].copy()

    return crop


def rotated(degrees: float) -> Callable[[Bgr, Label], Bgr]:
    def rotate(bgr: Bgr, _: Label) -> Bgr:
        height, width = bgr.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
        return cv2.warpAffine(bgr, turn, (width, height))

    return rotate


def photographed(bgr: Bgr, label: Label) -> Bgr:
    """A photo of a screen: perspective, blur, uneven light, noise, JPEG."""
    scale = 1200 / max(bgr.shape[:2])
    bgr = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = bgr.shape[:2]
    random = np.random.default_rng(sum(map(ord, str(label["file"]))))
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = flat + 0.12 * flat[2] + random.uniform(-0.05, 0.05, (4, 2)) * flat[2]
    size = (int(1.24 * width), int(1.24 * height))
    room = np.full((size[1], size[0], 3), (70, 75, 80), np.uint8)
    matrix = cv2.getPerspectiveTransform(flat, seen.astype(np.float32))
    photo = cv2.warpPerspective(bgr, matrix, size, dst=room, borderMode=cv2.BORDER_TRANSPARENT)
    light = np.linspace(0.85, 1.1, size[0])[None, :, None]
    noisy = (cv2.GaussianBlur(photo, (0, 0), 1.0) * 0.85 + 18) * light + random.normal(0, 6, photo.shape)
    return jpeg(80)(np.clip(noisy, 0, 255).astype(np.uint8), label)


ROWS: dict[str, tuple[Callable[[Bgr, Label], Bgr], int]] = {
    "as it is": (lambda bgr, _: bgr, 0),
    "half size": (resized(0.5), 0),
    "0.35 size": (resized(0.35), 0),
    "1.7 size": (resized(1.7), 0),
    "JPEG 30": (jpeg(30), 0),
    "JPEG 10": (jpeg(10), 0),
    "dimmed by half": (tinted(0.5, 0.5, 0.5), 0),
    "night shift": (tinted(0.45, 0.72, 1.0), 0),
    "white page": (padded(255, 1 / 6, 1 / 12), 0),
    "landscape": (padded(0, 0.8, 0.0), 0),
    "cropped to the board": (cropped(0.003), 0),
    "cropped inside the frame": (cropped(-0.012), 0),
    "rotated 1°": (rotated(1), 0),
    "rotated 90°": (lambda bgr, _: cv2.rotate(bgr, cv2.ROTATE_90_CLOCKWISE), 1),
    "rotated 180°": (lambda bgr, _: cv2.rotate(bgr, cv2.ROTATE_180), 2),
    "photo of a screen": (photographed, 0),
}
"""Every damage, and by how many right angles it turns the board."""


def pairs_in(grid: np.ndarray) -> set[frozenset[tuple[int, int]]]:
    """The pairs of places that show the same letter."""
    letters = set(grid.ravel().tolist()) - set(".#+")
    return {frozenset(map(tuple, np.argwhere(grid == letter).tolist())) for letter in letters}


def verdicts(label: Label) -> dict[str, str]:
    """Exact, refused or misread, per row of the table."""
    cv2.setNumThreads(1)
    bgr = open_image(str(label["path"])).bgr
    found = {}
    for name, (damage, turns) in ROWS.items():
        grid = np.rot90(np.array([list(row) for row in label["grid"]]), -turns)
        try:
            reading = solve_image(Screenshot(damage(bgr, label))).reading
        except FlowvisionError:
            found[name] = "refused"
            continue
        places = reading.lattice.places if reading.lattice else ()
        size = (reading.lattice.rows, reading.lattice.cols) if reading.lattice else None
        pairs = {frozenset(places[d] for d in p) for p in reading.puzzle.terminals} if places else set()
        found[name] = "exact" if size == grid.shape and pairs == pairs_in(grid) else "misread"
    return found


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("every", nargs="?", type=int, default=1, help="only every N-th picture [1]")
    every = parser.parse_args().every
    folder = shared_folder()
    if folder is None:
        sys.exit("The labelled pictures are not here: set FLOWVISION_DATA.")
    screenshots = folder / "screenshots"
    labels = json.loads((screenshots / "labels.json").read_text())
    chosen = [
        label | {"path": str(Path(screenshots / "images" / label["file"]))}
        for label in labels
        if label["variant"] == "classic"
        and label["expect"] == "read"
        and label["origin"] != "photo"
        and label["bbox_px"]  # it is cropped to that
    ][::every]
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(verdicts, chosen, chunksize=4))
    print(f"{'':26} exact  of {len(chosen)}  refused  misread")
    for name in ROWS:
        count = Counter(result[name] for result in results)
        share = 100 * count["exact"] / len(chosen)
        print(f"{name:26} {count['exact']:5} {share:5.1f} % {count['refused']:7} {count['misread']:8}")


if __name__ == "__main__":
    main()
