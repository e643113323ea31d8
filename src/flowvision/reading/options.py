"""How much to try, and what to believe: the choices of whoever asks for a picture to be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowvision.vision.settings import Settings

if TYPE_CHECKING:  # OpenCV loaded from here, before all else, costs a cold run a tenth of its time
    from flowvision.image.crop import CropBox


@dataclass(frozen=True, slots=True)
class Options:
    """How much to try, and what to believe."""

    settings: Settings = field(default_factory=Settings)
    crop: CropBox | tuple[int, int, int, int] | None = field(
        default=None, metadata={"unit": "px", "reason": "the board is looked for in this part alone"}
    )
    grid: tuple[int, int] | None = field(
        default=None, metadata={"unit": "rows, columns", "reason": "boards of another size are passed over"}
    )
    keep_drawn: bool = field(
        default=False, metadata={"unit": "", "reason": "the solution goes on from the pipes already drawn"}
    )
    rotate: float = field(
        default=0.0, metadata={"unit": "degrees", "reason": "the picture is turned clockwise before all else"}
    )
    seconds: float = field(
        default=30.0, metadata={"unit": "s", "reason": "a picture is given up after this long"}
    )
    readings: int = field(
        default=40,
        metadata={"unit": "readings", "reason": "the right one is among the first few or not there at all"},
    )
    sure: float = field(
        default=0.75,
        metadata={
            "unit": "0 to 1",
            "reason": "a reading without exactly one solution needs a reader this sure",
        },
    )
    warn: float = field(
        default=0.9,
        metadata={"unit": "0 to 1", "reason": "right readings with one solution have 0.95 and more"},
    )
    believe: float = field(
        default=0.6,
        metadata={"unit": "0 to 1", "reason": "of answers below it, on damaged pictures, none was right"},
    )
    repair_seconds: float = field(
        default=1.0, metadata={"unit": "s", "reason": "four times what the largest boards of the game take"}
    )
    repair_doubt: float = field(
        default=0.3,
        metadata={"unit": "0 to 1", "reason": "dots of undamaged screenshots have less than 0.15"},
    )
    least: float = field(
        default=0.55,
        metadata={"unit": "0 to 1", "reason": "the weakest right reading, a photograph, has 0.57"},
    )
