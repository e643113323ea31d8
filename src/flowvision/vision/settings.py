"""Every threshold of the reader, each a fraction of something measured, with its reason.

Lengths are fractions of the shorter side of the picture or of the pitch (the width of a cell);
brightness is 0–255, colour distances are CIE Lab units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import NamedTuple


def _value(default: float, unit: str, reason: str) -> float:
    """A threshold with its unit and the reason for its value, kept as field metadata."""
    made: float = field(default=default, metadata={"unit": unit, "reason": reason})
    return made


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How thin bright lines are told from all else in a view."""

    view_px: float = _value(
        540, "px", "shorter side of the working picture: grid lines of a phone are still 1.5 px wide there"
    )
    width: float = _value(
        0.011,
        "of the view's shorter side",
        "grid lines are 0.3 %, outlines up to 0.9 %, pipes of a 15×15 2.2 %",
    )
    step: float = _value(
        14.0,
        "brightness × 4",
        "the weakest line seen is 24 above its cell at half size; blurred glow stays below 8",
    )
    noise: float = _value(
        4.0,
        "of the median response",
        "noise of a photograph exceeds 4 times its median in 1 of 100 pixels",
    )
    share: float = _value(
        0.16, "of the median line response", "a border line on a bright glow keeps a quarter of its contrast"
    )
    run_length: float = _value(
        0.012, "of the view's shorter side", "shorter pieces are text and dot rims, not grid lines"
    )


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Which groups of lines may be a board."""

    size: float = _value(
        0.14, "of the picture's shorter side", "a board on a landscape desktop takes a third of the height"
    )
    margin: float = _value(
        0.06, "of the region's size", "room to see a border line that lies just outside the contour"
    )
    margin_wide: float = _value(
        0.35, "of the region's size", "two columns of a small board whose lines a photograph lost"
    )
    regions: int = field(
        default=4,
        metadata={"unit": "boards", "reason": "beyond the four largest contours there are only buttons"},
    )
    cell_alike: float = _value(0.25, "of a cell's area", "cells of one board are equal but for line widths")


@dataclass(frozen=True, slots=True)
class GridSettings:
    """Which lattice of squares explains a region."""

    pitch_min_px: float = _value(
        7.0, "px", "a dot of a smaller cell has too few pixels to be told from a pipe"
    )
    cells_min: int = field(
        default=3, metadata={"unit": "cells", "reason": "the smallest published boards are 3 cells high"}
    )
    hough_share: float = _value(
        0.25, "of the view's length", "half a board's height; text and buttons are far shorter"
    )
    tilt_small: float = _value(0.053, "radians", "3°: tilts the upright fit may still be asked about")
    tilt_least: float = _value(0.006, "radians", "0.35°: a line leans over by its own width across a board")
    tilt_large: float = _value(0.26, "radians", "15°: a photograph taken by hand; more needs `--rotate`")
    tilt_alike: float = _value(0.012, "radians", "lines of a family follow their common tilt to within 0.7°")
    peak_share: float = _value(
        0.15, "of the longest lines", "the outermost lines of a round board are a fifth of the longest"
    )
    spacing: float = _value(0.07, "of the pitch", "lines lie on the lattice to within 1 px in 16")
    closure: float = _value(
        0.25, "of the pitch", "a cell cut off by the picture's rim counts from here on: its dot would show"
    )
    side_cover: float = _value(
        0.45,
        "of a side beside a pipe",
        "one of its two parts may be lost; text and buttons rarely frame a cell",
    )
    open_cover: float = _value(
        0.7, "of a side beside a pipe", "lines run through outer cells without border; text covers half"
    )
    reach_cover: float = _value(
        0.85, "of a side beside a pipe", "cells without a border show whole lines; pieces of buttons 0.8"
    )
    score: float = _value(
        0.15, "0 to 1", "the right lattice scores 0.4 even in a photograph, every other one below 0.12"
    )
    fits: int = field(
        default=4,
        metadata={"unit": "lattices", "reason": "the right one is first or second in all that was seen"},
    )


@dataclass(frozen=True, slots=True)
class HexagonSettings:
    """Which lattice of hexagons explains a region."""

    side: float = _value(
        0.33, "of a plain line", "the faintest side of a tinted hexagon; glow bars are parted by the outline"
    )
    sides: int = field(
        default=5,
        metadata={
            "unit": "of six sides",
            "reason": "a letter or the rim may hide one; a pipe, seen itself, another",
        },
    )
    wall: float = _value(2.13, "of a plain line", "outlines have 2.3 and more, plain sides up to 1.96")
    outline: float = _value(
        0.62, "of the outline", "walls have 0.79 of the fainter parts of it and more, plain sides up to 0.49"
    )
    quality: float = _value(
        0.75, "of the sides", "hexagons have 0.9 and more; laid over squares or glow, 0.6 at most"
    )
    match: float = _value(
        0.2, "of a perfect match", "hexagons have 0.3 and more when placed roughly, other lines below 0.2"
    )
    border: float = _value(
        0.6, "of a side", "outer sides show 0.76 and more of their length, letters beside the board 0.41"
    )


@dataclass(frozen=True, slots=True)
class FreeCellSettings:
    """Which regions between lines are cells."""

    line_width: float = _value(
        0.02, "of the view's shorter side", "outlines of free boards are up to 1.5 % thick; their dots 5 %"
    )
    line_step: float = _value(18.0, "brightness", "slanted lines are softer: 40 above their cells at least")
    side: float = _value(
        0.2, "of a cell's width", "cells that only touch at a corner meet over a line's width"
    )
    cell_px: float = _value(6.0, "px", "the root of the area of the smallest region that counts as a cell")


@dataclass(frozen=True, slots=True)
class WallSettings:
    """Which sides are walls, and which places are holes."""

    strength: float = _value(
        2.8, "of the median side", "outlines and walls have 3.3 to 9, plain lines up to 2.3"
    )
    outline_share: float = _value(
        0.75,
        "of the sides round a gap",
        "round a hole nearly all are outline, round a lost line hardly any",
    )


@dataclass(frozen=True, slots=True)
class DotSettings:
    """Which cells hold a dot."""

    ring: float = _value(
        0.283,
        "of the pitch",
        "inside a dot (0.35) but outside a pipe (0.17) and its head (0.25), clear of letters",
    )
    small_ring: float = _value(
        0.19, "of the pitch", "tried second: dots of copies of the game are as small as 0.24, their pipes 0.1"
    )
    free_ring: float = _value(
        0.2,
        "of a narrow cell's width",
        "dots of hexagons and mixed boards are smaller: 0.26 of the cell's width",
    )
    hexagon_ring: float = _value(
        0.25, "of a hexagon's width", "inside a dot (0.285), outside the head of a pipe (0.205) and letters"
    )
    circle_ring: float = _value(
        0.6,
        "of a circle's radius",
        "inside the rim of a dot and the blurred one of a small ring, outside a pipe half as wide",
    )
    copy_ring: float = _value(
        0.75, "of a dot's radius", "a pipe through the cell is 0.6 of a dot wide and must not fill the ring"
    )
    outer_ring: float = _value(0.41, "of the pitch", "outside a dot (0.35), inside the cell's lines (0.5)")
    cover: float = _value(
        0.8,
        "of the ring",
        "a pipe through the cell covers 0.4 of the ring, the head of one 0.2, a dot all of it",
    )
    contrast: float = _value(
        9.0,
        "Lab",
        "the darkest dot (navy) on a faded board stands out by 14, glow and tints inside a cell by 3",
    )
    clear: float = _value(
        0.74, "of the outer ring", "the pipe of a dot covers 0.13 of it, the round end of a glow bar 0.28"
    )
    value: float = _value(
        0.2, "of the brightest dot", "navy under night shift has 0.28, a letter's or line's shadow less"
    )
    count_min: int = field(
        default=4,
        metadata={"unit": "dots", "reason": "no published level has a single pair; parts of boards often do"},
    )


@dataclass(frozen=True, slots=True)
class PairingSettings:
    """Which dots belong together."""

    margin: float = _value(
        1.5, "Lab", "below this, the next dot looks as good a partner; undamaged screenshots have 10 and more"
    )
    letters_below: float = _value(
        8.0, "Lab", "undamaged colours are 10 apart and more: letters are looked at only below this"
    )
    letters_weight: float = _value(
        100.0, "Lab", "the most alike letters, E and F, differ by 0.1, one letter from itself by half of that"
    )


@dataclass(frozen=True, slots=True)
class CrossingSettings:
    """Where bridges and warps are."""

    border_open: float = _value(
        0.5, "of the strongest border", "an opening shows nothing but the ends of the lines beside it"
    )
    border_missing: float = _value(
        0.6, "of a plain grid line", "below this there is no border to see an opening in"
    )
    bridge_ink: float = _value(
        0.02, "of the inside of a cell", "the rails of a bridge cover 0.05, JPEG noise and glow nothing"
    )
    bridge_step: float = _value(
        0.5, "of a grid line's brightness", "the marks of a bridge are as bright as grid lines, glow is not"
    )
    bridge_width: float = _value(0.2, "of the pitch", "marks are thinner, pipes 0.33 wide")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every threshold of the reader, by stage; field metadata say each one's ``unit`` and ``reason``."""

    lines: LineSettings = field(default_factory=LineSettings)
    board: BoardSettings = field(default_factory=BoardSettings)
    grid: GridSettings = field(default_factory=GridSettings)
    hexagons: HexagonSettings = field(default_factory=HexagonSettings)
    free_cells: FreeCellSettings = field(default_factory=FreeCellSettings)
    walls: WallSettings = field(default_factory=WallSettings)
    dots: DotSettings = field(default_factory=DotSettings)
    pairing: PairingSettings = field(default_factory=PairingSettings)
    crossings: CrossingSettings = field(default_factory=CrossingSettings)


class Threshold(NamedTuple):
    """One threshold, for people: ``name`` as in ``dots.ring``."""

    name: str
    value: float
    unit: str
    reason: str


def thresholds(settings: Settings) -> Iterator[Threshold]:
    """Every threshold, stage by stage."""
    for group in fields(settings):
        values = getattr(settings, group.name)
        for one in fields(values):
            yield Threshold(
                f"{group.name}.{one.name}",
                getattr(values, one.name),
                one.metadata["unit"],
                one.metadata["reason"],
            )
