"""How much to try, and what to believe: the choices of a caller."""

from __future__ import annotations

from dataclasses import field
from numbers import Integral, Real
from typing import TYPE_CHECKING

from flowvision.value import value_type
from flowvision.vision.settings import Settings
from flowvision.vision.settings.threshold import setting
from flowvision.words import size_of

if TYPE_CHECKING:  # OpenCV loaded from here, before all else, costs a cold run a tenth of its time
    from flowvision.corrections.correction import Correction
    from flowvision.image.pixels import CropBox


SMALLEST = 2
"""Rows and columns of the smallest board whose size can be given."""
COLOURS_MAX = 400
"""Pairs of dots: ten times as many as on any published board."""


KINDS: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
    ("seconds", Real, "a number of seconds, such as 5"),
    ("rotate", Real, "degrees, such as 90"),
    ("colours", (Integral, type(None)), "how many there are, such as 7"),
    ("crop", (tuple, list, type(None)), "x, y, width and height in pixels"),
    ("corrections", (tuple, list), 'them in a tuple, such as (SetCell((2, 3), "R"),)'),
)
"""What options must be, and what to give; ``size_of`` looks at the grid."""


@value_type
class Options:
    """How much to try, and what to believe.

        Options(seconds=5, crop=(0, 420, 1080, 1080))

    ``seconds``: of wall time for a picture. ``crop``: x, y, width and height in pixels of the picture, the
    only part that is looked at. ``grid``: columns and rows as text, ``"8x10"``, or ``8`` for
    ``"8x8"``. ``colours``: how many there are, 1 to 400. ``rotate``: degrees clockwise, before all else.
    ``keep_drawn``: the solution goes on from pipes already drawn. ``readings``: how many are tried.
    ``repair_seconds``: for finding a dot that was misplaced. Confidences are from 0 to 1. ``settings``: the
    thresholds of the reader. Every field's metadata say its unit and the reason for its default.
    """

    settings: Settings = field(default_factory=Settings)
    crop: CropBox | tuple[int, int, int, int] | None = setting(
        None, "px", "the board is looked for in this part alone"
    )
    grid: str | int | None = setting(None, "columns x rows", "boards of another size are skipped")
    colours: int | None = setting(
        None,
        "pairs of dots",
        "1 to 400: where colours look alike the solution tells which dots belong together",
    )
    keep_drawn: bool = setting(False, "", "the solution goes on from the pipes already drawn")
    corrections: tuple[Correction, ...] = setting(
        (), "changes", "made to what was read, in order, before it is solved"
    )
    rotate: float = setting(0.0, "degrees", "the picture is turned clockwise before all else")
    seconds: float = setting(30.0, "s", "a picture is given up after this long")
    readings: int = setting(40, "readings", "the right one is among the first few or not there at all")
    min_confidence_if_not_unique: float = setting(
        0.75, "0 to 1", "a reading without exactly one solution needs a reader this sure"
    )
    warn_below: float = setting(0.9, "0 to 1", "right readings with one solution have 0.95 and more")
    min_confidence: float = setting(0.6, "0 to 1", "of answers below it, on damaged pictures, none was right")
    repair_seconds: float = setting(1.0, "s", "four times what the largest boards of the game take")
    repair_doubt: float = setting(0.3, "0 to 1", "dots of undamaged screenshots have less than 0.15")
    min_reading_confidence: float = setting(
        0.55, "0 to 1", "the weakest right reading, a photograph, has 0.57"
    )

    def __post_init__(self) -> None:
        for name, kind, words in KINDS:
            value = getattr(self, name)
            if not isinstance(value, kind) or isinstance(value, bool):
                raise TypeError(f"{name} is {value!r}: give {words}.")
        if self.colours is not None and not 1 <= self.colours <= COLOURS_MAX:
            raise ValueError(f"colours is {self.colours}: give a number from 1 to {COLOURS_MAX}.")
        if not self.seconds > 0:
            raise ValueError(f"seconds is {self.seconds:g}: give a number above 0.")
        if self.crop is not None and len(self.crop) != 4:
            raise TypeError(f"crop is {self.crop!r}: give x, y, width and height.")
        if self.grid is not None:
            size = size_of(self.grid)
            if min(size) < SMALLEST:
                raise ValueError(f"{self.grid!r} is smaller than {SMALLEST}x{SMALLEST}.")
            object.__setattr__(self, "grid", "{}x{}".format(*size))

    @property
    def rows_and_cols(self) -> tuple[int, int] | None:
        """The size that was given, rows first as in arrays; ``None`` where none was."""
        if self.grid is None:
            return None
        cols, rows = size_of(self.grid)
        return rows, cols
