"""Stages of reading run on their own, and readings made up without a picture."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import force_setattr

from flowvision import solve_image
from flowvision.errors import FlowvisionError, GridNotFoundError
from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.log import Stage, Step
from flowvision.puzzle.layout import Place
from flowvision.puzzle.text import parse
from flowvision.reading.doubts import with_solver_doubts
from flowvision.reading.options import Options
from flowvision.reading.run import Candidate
from flowvision.reading.strategies import FITS, BoardCache, RegionCache, usual_dots
from flowvision.solvers import solve
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import BoardRegion, PicturePart
from flowvision.vision.dots.detection import Dot, DotHypothesis, DotModel, Dots, find_dots
from flowvision.vision.grid.spacing import GridEvidence
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.pixels.view import LINE_CHANNELS, Channel, View, view_of
from tests.boards import SPECIAL_BOARDS
from tests.drawing import LEVEL_5X5
from tests.tools.synthetic import Style, SyntheticShot, draw_screenshot

AMPLE_TIME = Options(seconds=600)
"""A busy machine must not stop a late strategy."""


@contextmanager
def changed_thresholds(group: Struct, **values: float) -> Iterator[None]:
    """Read with other thresholds of a group for a while."""
    usual = {name: getattr(group, name) for name in values}
    try:
        for name, value in values.items():
            force_setattr(group, name, value)
        yield
    finally:
        for name, value in usual.items():
            force_setattr(group, name, value)


def refusal(source: Any, options: Options | None = None, code: str = "") -> Any:
    """Return the error of a picture, which has this code if one is given."""
    with pytest.raises(FlowvisionError) as caught:
        solve_image(source, options)
    assert code in ("", caught.value.code)
    return caught.value


def assert_refused(source: Any, options: Options | None = None, code: str = "") -> None:
    refusal(source, options, code)


def fits_of(region: BoardRegion) -> Iterator[Fit]:
    """Yield the fits of a region, best first."""
    cache = RegionCache(region)
    for strategy in FITS:
        with suppress(GridNotFoundError):
            yield from strategy.attempt(cache)


def dots_on(geometry: BoardGeometry, model: DotModel | None = None) -> Dots:
    """Find the dots of a board."""
    model = model or usual_dots(BoardCache(geometry))[0]
    return find_dots(DotHypothesis(geometry, model))


def region_of(bgr: np.ndarray) -> BoardRegion:
    return PicturePart(Screenshot(bgr)).whole()


def view_in(bgr: np.ndarray) -> View:
    return view_of(Screenshot(np.ascontiguousarray(bgr)), None, min(bgr.shape[:2]))


def lines_in(region: BoardRegion) -> GridEvidence:
    return RegionCache(region).lines


def find_boards(shot: Screenshot, channels: Sequence[Channel] = LINE_CHANNELS) -> Iterator[BoardRegion]:
    return PicturePart(shot).regions(channels)


def geometry_of(shot: Screenshot) -> BoardGeometry:
    return next(fits_of(next(find_boards(shot)))).cut_board()


def dots_of(lab: Sequence[Sequence[float]], centres: Sequence[tuple[float, float]] | None = None) -> Dots:
    """Dots of these colours, with empty faces."""
    places = centres or [(0.0, 0.0)] * len(lab)
    dots = tuple(
        Dot(n, at, tuple(map(float, colour)), Rgb(100, 100, 100))
        for n, (at, colour) in enumerate(zip(places, lab, strict=True))
    )
    none = np.zeros(len(lab))
    return Dots(dots, none, none, lambda: np.zeros((len(lab), 21, 21)), None)


BLANK_SHOT = Screenshot(np.zeros((50, 50, 3), np.uint8), "blank")


LEVEL_WITH_WALLS = SPECIAL_BOARDS["holes and walls"]


def phone_shot(text: str = LEVEL_5X5, style: Style | None = None) -> SyntheticShot:
    made = parse(text)
    return draw_screenshot(made.board, made.puzzle, style or Style(), seed=1)


def side_px(shot: SyntheticShot, side: tuple[Place, Place]) -> np.ndarray:
    """Return (2, 2): the ends of a side between two cells."""
    (r, c), (row, col) = side
    return shot.frame.to_px(((c, row), (c + 1, row)) if c == col else ((col, r), (col, r + 1)))


def with_stroke(shot: SyntheticShot, side: tuple[Place, Place], share: float) -> Bgr:
    """Draw a bright stroke in the middle of a side, over this share of its length."""
    bgr, (a, b) = shot.screenshot.bgr.copy(), side_px(shot, side)
    middle, half = (a + b) / 2, share * (b - a) / 2
    ends = [tuple(np.round(middle + way * half).astype(int).tolist()) for way in (-1, 1)]
    cv2.line(bgr, ends[0], ends[1], (220, 230, 220), 14)
    return bgr


def sides_between(rows: int, cols: int) -> list[tuple[Place, Place]]:
    upright = [((r, c), (r, c + 1)) for r in range(rows) for c in range(cols - 1)]
    return upright + [((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(cols)]


GREEN_DOT_MOVED = "R.G.Y\n..B.O\n.G...\n...Y.\n.RBO.\n"
"""The first level with a green dot one cell off: no solution."""


def candidate_of(reading: Reading) -> Candidate:
    return with_solver_doubts(Candidate(Interpretation(reading, geometry=None), solve(reading.puzzle)))


def step_done(stage: Stage, result: object, source: object = None) -> Step:
    step = Step(stage, "", source)
    step.result = result
    return step


def step_failed(stage: Stage, error: FlowvisionError, source: object) -> Step:
    step = Step(stage, "", source)
    step.error = error
    return step
