"""Options of a caller: what is known of a picture, and how long to try."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from flowvision.arguments import (
    check_finite,
    check_flags,
    check_names,
    check_seconds,
    check_type,
    check_whole,
    wrong_type,
)
from flowvision.words import size_of

if TYPE_CHECKING:  # OpenCV loaded from here, before all else, costs a cold run a tenth of its time
    from collections.abc import Sequence
    from typing import Self

    from flowvision.corrections import Correction
    from flowvision.image.picture import CropBox


SMALLEST = 2
"""Rows and columns of the smallest board whose size can be given."""
CROP = "x, y, width and height in whole pixels"
CORRECTIONS = 'a list of corrections, such as [SetCell((2, 3), "R")]'
COLOURS_MAX = 400
"""Pairs of dots: ten times as many as on any published board."""


@dataclass(frozen=True, slots=True)
class Options:
    """Facts about a picture that its caller knows, and a limit of time.

        Options(seconds=5, crop=(0, 420, 1080, 1080))

    ``seconds``: of wall time for a picture. ``grid``: columns and rows as text, ``"8x10"``, or a pair; ``8``
    is ``"8x8"``. ``colours``: how many there are, 1 to 400. ``crop``: x, y, width and height in pixels, the
    only part that is read. ``rotate``: degrees clockwise, before all else. ``keep_drawn``: the solution
    continues pipes already drawn. ``corrections``: changes to what was read, in order. ``trust``: what was
    read is right: doubts are warnings, and never refuse it.
    """

    seconds: float = 30.0
    grid: str | int | tuple[int, int] | None = None
    colours: int | None = None
    crop: CropBox | tuple[int, int, int, int] | None = None
    rotate: float = 0.0
    keep_drawn: bool = False
    corrections: Sequence[Correction] = ()
    trust: bool = False

    def __new__(cls, *_: object, **fields: object) -> Self:
        """Raise ``TypeError`` for an unknown option; it names all there are."""
        check_names(fields, cls.__annotations__)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        """Raise ``TypeError`` or ``ValueError`` with the name of the option and what to give."""
        check_seconds("seconds", self.seconds)
        check_finite("rotate", self.rotate, "degrees, such as 90")
        check_flags(keep_drawn=self.keep_drawn, trust=self.trust)
        if self.colours is not None:
            check_whole("colours", self.colours, lower=1, upper=COLOURS_MAX)
        check_type("crop", self.crop, (tuple, list, type(None)), CROP)
        if self.crop is not None:
            whole_numbers = [side for side in self.crop if isinstance(side, Integral)]
            if not len(whole_numbers) == len(self.crop) == 4:
                raise wrong_type("crop", self.crop, CROP)
        check_type("corrections", self.corrections, (tuple, list), CORRECTIONS)
        for correction in self.corrections:
            if not hasattr(type(correction), "applied"):  # its class would load OpenCV
                raise wrong_type("corrections", self.corrections, CORRECTIONS)
        if self.grid is not None:
            size = size_of(self.grid)
            if min(size) < SMALLEST:
                raise ValueError(f"{self.grid!r} is smaller than {SMALLEST}x{SMALLEST}.")
            object.__setattr__(self, "grid", "{}x{}".format(*size))

    @property
    def given(self) -> dict[str, str]:
        """The given crop, grid and colours, each with its value as typed."""
        crop = ",".join(map(str, self.crop or ()))
        options_given = {"crop": crop, "grid": self.grid, "colours": self.colours}
        return {name: str(value) for name, value in options_given.items() if value}

    @property
    def rows_and_cols(self) -> tuple[int, int] | None:
        """The given size, rows first as in arrays."""
        if self.grid is None:
            return None
        cols, rows = size_of(self.grid)
        return rows, cols
