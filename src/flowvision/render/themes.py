"""How the game has looked: its palettes and line colours, as measured on real screenshots."""

from __future__ import annotations

from flowvision.image.picture import Rgb
from flowvision.value import value_type


@value_type
class Theme:
    """One look of the game. ``lines``: the grid line colours of its packs; ``glow``: its background bars."""

    name: str
    palette: tuple[Rgb, ...]
    lines: tuple[Rgb, ...]
    glow: tuple[Rgb, ...]
    blurred: bool = True
    """Background bars are blurred (new look) or flat with round ends (old look)."""


def _colours(*values: tuple[int, int, int]) -> tuple[Rgb, ...]:
    return tuple(Rgb(*value) for value in values)


GLOW = _colours((30, 0, 0), (0, 0, 28), (33, 0, 33), (0, 24, 24), (24, 16, 0), (0, 20, 0))
NEW_LINES = _colours(
    (63, 109, 63), (127, 63, 63), (127, 98, 63), (122, 119, 70), (66, 85, 131), (57, 117, 115)
)

CURRENT = Theme(
    "current",
    _colours(
        (255, 0, 0), (12, 41, 254), (0, 141, 0), (234, 224, 0), (251, 137, 0), (0, 255, 255), (255, 10, 201),
        (165, 42, 42), (128, 0, 128), (255, 255, 255), (159, 159, 189), (0, 255, 0), (161, 138, 81),
        (9, 25, 159), (0, 128, 128), (255, 125, 238),
    ),
    NEW_LINES,
    GLOW,
)  # fmt: skip
OLD = Theme(
    "old",
    _colours(
        (255, 0, 0), (0, 0, 255), (0, 128, 0), (238, 238, 0), (255, 127, 0), (0, 255, 255), (255, 0, 255),
        (165, 42, 42), (128, 0, 128), (255, 255, 255), (166, 166, 166), (0, 255, 0), (189, 183, 107),
        (0, 0, 139), (0, 128, 128), (255, 20, 148),
    ),
    _colours((123, 123, 63), (127, 95, 63), (63, 127, 63), (63, 95, 127), (118, 104, 119)),
    _colours((26, 0, 26), (18, 18, 0), (0, 24, 24), (24, 24, 24), (0, 24, 0)),
    blurred=False,
)  # fmt: skip
WIDE = Theme(
    "wide",
    _colours(
        (234, 51, 35), (20, 40, 244), (61, 139, 38), (232, 224, 74), (236, 142, 52), (117, 251, 254),
        (234, 53, 194), (151, 52, 47), (116, 20, 123), (255, 255, 255), (159, 159, 187), (117, 251, 76),
        (157, 138, 89),
    ),
    _colours((74, 108, 68), (120, 66, 64), (119, 96, 66)),
    GLOW,
)  # fmt: skip
MUTED = Theme(
    "muted",
    _colours((197, 24, 27), (0, 98, 46), (0, 80, 139), (107, 25, 101), (179, 95, 20)),
    NEW_LINES,
    GLOW,
)

THEMES = {theme.name: theme for theme in (CURRENT, OLD, WIDE, MUTED)}
"""Every look, by name."""
