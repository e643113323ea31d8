"""What the eyes make of a picture, stage by stage, without any solver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Rgb, Screenshot
from flowvision.reading.attempts import RegionCache
from flowvision.reading.strategies import FITS
from flowvision.vision.board import BoardRegion, PicturePart, find_boards
from flowvision.vision.dots.detection import Dot, DotEvidence, Dots
from flowvision.vision.grid.axis_lines import SeenLines
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.pixels.view import View, view_of
from flowvision.vision.settings import ReadingSettings, Settings

SETTINGS = Settings()


def with_reading(**values: float) -> Settings:
    """The usual thresholds, but for some of what a reading must show to be believed."""
    return Settings(reading=ReadingSettings(**values))


def fits_of(region: BoardRegion) -> Iterator[Fit]:
    """What may explain a region, best first."""
    cache = RegionCache(region, SETTINGS)
    for strategy in FITS:
        with suppress(GridNotFoundError):
            yield from strategy.attempt(cache)


def whole_picture(shot: Screenshot, settings: Settings) -> BoardRegion:
    """A picture from edge to edge as a region."""
    return PicturePart(shot, settings).whole()


def region_of(bgr: np.ndarray) -> BoardRegion:
    """All of a picture as a region, with the usual thresholds."""
    return whole_picture(Screenshot(bgr), SETTINGS)


def view_in(bgr: np.ndarray) -> View:
    """All of a picture as a view at its own size."""
    return view_of(Screenshot(np.ascontiguousarray(bgr)), None, min(bgr.shape[:2]))


def lines_in(region: BoardRegion) -> SeenLines:
    """The lines of a region as it is."""
    return RegionCache(region, SETTINGS).lines


def geometry_of(shot: Screenshot) -> BoardGeometry:
    """The board of the best fit of the best region."""
    return next(fits_of(next(find_boards(shot, SETTINGS)))).cut_board(SETTINGS)


def dots_at(*centres: tuple[float, float]) -> Dots:
    """Dots at these places."""
    dots = tuple(Dot(n, centre, (50.0, 0.0, 0.0), Rgb(9, 9, 9)) for n, centre in enumerate(centres))
    return Dots(dots, DotEvidence(np.zeros(1), np.zeros(1), lambda: np.zeros((0, 1, 1))), None)


BLANK = Screenshot(np.zeros((50, 50, 3), np.uint8), "blank")


def dots_of(lab):
    """Dots with these Lab colours."""
    dots = tuple(
        Dot(n, (0.0, 0.0), tuple(float(v) for v in colour), Rgb(100, 100, 100))
        for n, colour in enumerate(lab)
    )
    evidence = DotEvidence(np.zeros(len(lab)), np.zeros(len(lab)), lambda: np.zeros((len(lab), 21, 21)))
    return Dots(dots, evidence, None)
