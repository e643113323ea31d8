"""What the eyes make of a picture, stage by stage, without any solver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Screenshot
from flowvision.reading.attempts import RegionCache
from flowvision.reading.strategies import FITS
from flowvision.vision.board import BoardRegion, find_boards
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.settings import Settings

SETTINGS = Settings()


def fits_of(region: BoardRegion) -> Iterator[Fit]:
    """What may explain a region, best first."""
    memo = RegionCache(region, SETTINGS)
    for strategy in FITS:
        with suppress(GridNotFoundError):
            yield from strategy.attempt(memo)


def sides_of(shot: Screenshot) -> BoardGeometry:
    """The board of the best fit of the best region."""
    return next(fits_of(next(find_boards(shot, SETTINGS)))).cut_board(SETTINGS)
