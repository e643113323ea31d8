"""Options of a caller: what is known of a picture, and how long to try."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from numbers import Integral
from typing import TYPE_CHECKING

from flowvision.words import size_of

if TYPE_CHECKING:  # OpenCV loaded from here, before all else, costs a cold run a tenth of its time
    from collections.abc import Sequence

    from flowvision.corrections import Correction
    from flowvision.image.picture import CropBox


SMALLEST = 2
"""Rows and columns of the smallest board whose size can be given."""
COLOURS_MAX = 400
"""Pairs of dots: ten times as many as on any published board."""


@dataclass(frozen=True, slots=True)
class Options:
    """Facts about a picture that its caller knows, and a limit of time.

        Options(seconds=5, crop=(0, 420, 1080, 1080))

    ``seconds``: of wall time for a picture. ``grid``: columns and rows as text, ``"8x10"``, or ``8`` for
    ``"8x8"``. ``colours``: how many there are, 1 to 400. ``crop``: x, y, width and height in pixels, the only
    part that is read. ``rotate``: degrees clockwise, before all else. ``keep_drawn``: the solution continues
    pipes already drawn. ``corrections``: changes to what was read, in order. ``trust``: what was read is
    right: doubts are warnings, and never refuse it.
    """

    seconds: float = 30.0
    grid: str | int | None = None
    colours: int | None = None
    crop: CropBox | tuple[int, int, int, int] | None = None
    rotate: float = 0.0
    keep_drawn: bool = False
    corrections: Sequence[Correction] = ()
    trust: bool = False

    def __post_init__(self) -> None:
        """Raise ``TypeError`` or ``ValueError`` with the name of the option and what to give."""
        if self.colours is not None and not 1 <= self.colours <= COLOURS_MAX:
            raise ValueError(f"colours is {self.colours}: give a number from 1 to {COLOURS_MAX}.")
        if not self.seconds > 0:
            raise ValueError(f"seconds is {self.seconds:g}: give a number above 0.")
        if not isfinite(self.rotate):
            raise ValueError(f"rotate is {self.rotate}: give degrees, such as 90.")
        if self.crop is not None and [isinstance(side, Integral) for side in self.crop] != [True] * 4:
            raise TypeError(f"crop is {self.crop!r}: give x, y, width and height in whole pixels.")
        if self.grid is not None:
            size = size_of(self.grid)
            if min(size) < SMALLEST:
                raise ValueError(f"{self.grid!r} is smaller than {SMALLEST}x{SMALLEST}.")
            object.__setattr__(self, "grid", "{}x{}".format(*size))

    @property
    def rows_and_cols(self) -> tuple[int, int] | None:
        """The given size, rows first as in arrays."""
        if self.grid is None:
            return None
        cols, rows = size_of(self.grid)
        return rows, cols
