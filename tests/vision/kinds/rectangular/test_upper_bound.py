"""No lattice scores more than was said before its sides were looked at."""

import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.board import whole_picture
from flowvision.vision.grid.axis_lines import SeenLines, line_evidence
from flowvision.vision.grid.spacing import score_upper_bound
from flowvision.vision.kinds.rectangular import lattice
from flowvision.vision.kinds.rectangular.lattice import closed_fits, fits_in
from flowvision.vision.settings import Settings
from tests.drawing import FIVE, screenshot_of

SETTINGS = Settings()
LINES, GRID = SETTINGS.lines, SETTINGS.grid


def lines_at_random(seed: int) -> np.ndarray:
    """A picture of upright and level lines, part of them evenly spaced."""
    random = np.random.default_rng(seed)
    bgr = np.zeros((360, 420, 3), np.uint8)
    pitch, start = random.uniform(18, 70, 2), random.uniform(0, 30, 2)
    for n in range(20):
        x, y = np.round(start + n * pitch * (1 + random.normal(0, 0.01, 2))).astype(int)
        low, high = sorted(random.integers(0, 360, 2).tolist())
        if random.random() < 0.9:
            bgr[low : high + 60, x : x + 2] = 120
            bgr[y : y + 2, low : high + 60] = 120
    return bgr


def lines_of(bgr: np.ndarray) -> SeenLines:
    """The lines of a whole picture."""
    region = whole_picture(Screenshot(bgr), LINES)
    return line_evidence(region, region.view, LINES, GRID)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_open", [False, True])
def test_no_block_of_a_lattice_scores_more(seed: int, is_open: bool) -> None:
    """Whatever lines are seen, of every two spacings, tinted or not."""
    across, down, evidence = lines_of(lines_at_random(seed))
    view = evidence.view
    for cols in across.spacings:
        for rows in down.spacings:
            for pair in ((cols, rows), (cols.every_second(0, 0.5), rows.every_second(1, 0.5))):
                for tints in (None, SETTINGS.tints):
                    fits = closed_fits(evidence, (across, down), pair, GRID, is_open, tints)
                    assert max((fit.score for fit in fits), default=0.0) <= score_upper_bound(
                        pair, view, GRID
                    )


@pytest.mark.parametrize("seed", range(6))
def test_what_cannot_score_enough_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same lattices in the same order as when all pairs are tried to the end."""
    bgr = lines_at_random(seed) if seed else screenshot_of(FIVE)
    seen = lines_of(bgr)
    asked = [(fit.rows, fit.cols, fit.score) for fit in fits_in(seen, GRID)]
    monkeypatch.setattr(lattice, "score_upper_bound", lambda *_: 1.0)
    assert asked == [(fit.rows, fit.cols, fit.score) for fit in fits_in(seen, GRID)]
    assert seed or asked
