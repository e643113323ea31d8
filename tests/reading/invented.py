"""Readings and pictures made up for tests: dots seen badly; strokes, halos and glare that look like walls."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr
from flowvision.log import Stage, Step
from flowvision.puzzle.layout import Place
from flowvision.puzzle.text import parse
from flowvision.reading.candidates import Candidate
from flowvision.solvers import solve
from flowvision.vision.assembly import Interpretation, Reading
from tests.drawing import FIVE, reading_of
from tests.made_boards import MADE
from tests.tools.synthetic import Style, SyntheticShot, draw_screenshot

WALLED = MADE["holes and walls"]


def drawn(text: str = FIVE, style: Style | None = None) -> SyntheticShot:
    """The board as the game shows it."""
    made = parse(text)
    return draw_screenshot(made.board, made.puzzle, style or Style(), 1)


def side_px(shot: SyntheticShot, side: tuple[Place, Place]) -> tuple[np.ndarray, np.ndarray]:
    """The two ends of the side between two cells, in pixels."""
    (r, c), (row, col) = side
    ends = ((c, row), (c + 1, row)) if c == col else ((col, r), (col, r + 1))
    a, b = shot.frame.to_px(ends)
    return a, b


def with_stroke(shot: SyntheticShot, side: tuple[Place, Place], share: float) -> Bgr:
    """A thick bright stroke in the middle of a side, over this share of its length."""
    bgr, (a, b) = shot.screenshot.bgr.copy(), side_px(shot, side)
    middle, half = (a + b) / 2, share * (b - a) / 2
    ends = [tuple(np.round(middle + way * half).astype(int).tolist()) for way in (-1, 1)]
    cv2.line(bgr, ends[0], ends[1], (220, 230, 220), 14)
    return bgr


def with_light(shot: SyntheticShot, side: tuple[Place, Place], size: float, much: float) -> Bgr:
    """A round soft light upon a side, ``size`` of a cell in radius."""
    bgr, (a, b) = shot.screenshot.bgr, side_px(shot, side)
    (x, y), radius = (a + b) / 2, size * float(np.linalg.norm(b - a))
    ys, xs = np.mgrid[: bgr.shape[0], : bgr.shape[1]]
    light = much * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * radius**2))
    return np.clip(bgr + light[..., None], 0, 255).astype(np.uint8)


def sides_between(rows: int, cols: int) -> list[tuple[Place, Place]]:
    """All sides that two cells of a full board share."""
    upright = [((r, c), (r, c + 1)) for r in range(rows) for c in range(cols - 1)]
    return upright + [((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(cols)]


MOVED = "R.G.Y\n..B.O\n.G...\n...Y.\n.RBO.\n"
"""The first level with a green dot one cell off: no solution."""


def tried(reading: Reading) -> Candidate:
    """The reading with what the solver makes of it."""
    return Candidate(Interpretation(reading, None), solve(reading.puzzle))


def doubted(text: str, letters: str, doubt: float = 0.8) -> Reading:
    """A reading in which the dots of these flows were seen badly."""
    reading = reading_of(text)
    palette = reading_of(FIVE).palette
    flows = [index for index, letter in enumerate("RGYBO") if letter in letters]
    assert len(palette) == len(reading.palette)
    doubts = tuple((doubt, doubt) if flow in flows else (0.0, 0.0) for flow in range(len(palette)))
    return replace(reading, dot_doubts=doubts)


def done(stage: Stage, result: object, source: object = None) -> Step:
    """A step with a result."""
    step = Step(stage, "", source)
    step.result = result
    return step


def failed(stage: Stage, error: FlowvisionError, source: object) -> Step:
    """A step with an error."""
    step = Step(stage, "", source)
    step.error = error
    return step
