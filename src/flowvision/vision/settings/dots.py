"""Thresholds of the stages ``marks`` and ``pairs``: dots, and which belong together."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class DotSettings(SettingsGroup):
    """Which cells hold a dot."""

    ring: float = threshold(
        0.283,
        "of the pitch",
        "inside a dot (0.35) but outside a pipe (0.17) and its head (0.25), clear of letters",
    )
    small_ring: float = threshold(
        0.19, "of the pitch", "tried second: dots of copies of the game are as small as 0.24, their pipes 0.1"
    )
    free_ring: float = threshold(
        0.2,
        "of a narrow cell's width",
        "dots of hexagons and mixed boards are smaller: 0.26 of the cell's width",
    )
    hexagon_ring: float = threshold(
        0.25, "of a hexagon's width", "inside a dot (0.285), outside the head of a pipe (0.205) and letters"
    )
    circle_ring: float = threshold(
        0.6,
        "of a circle's radius",
        "inside the rim of a dot and the blurred one of a small ring, outside a pipe half as wide",
    )
    copy_ring: float = threshold(
        0.75, "of a dot's radius", "a pipe through the cell is 0.6 of a dot wide and must not fill the ring"
    )
    outer_ring: float = threshold(0.41, "of the pitch", "outside a dot (0.35), inside the cell's lines (0.5)")
    cover: float = threshold(
        0.8,
        "of the ring",
        "a pipe through the cell covers 0.4 of the ring, the head of one 0.2, a dot all of it",
    )
    contrast: float = threshold(
        9.0,
        "Lab",
        "the darkest dot (navy) on a faded board stands out by 14, glow and tints inside a cell by 3",
    )
    clear: float = threshold(
        0.74, "of the outer ring", "the pipe of a dot covers 0.13 of it, the round end of a glow bar 0.28"
    )
    value: float = threshold(
        0.2, "of the brightest dot", "navy under night shift has 0.28, a letter's or line's shadow less"
    )
    count_min: int = threshold(4, "dots", "no published level has a single pair; parts of boards often do")
    alike: float = threshold(
        16.0,
        "Lab",
        "a pipe is as flat as a dot and has its colour; lines and tints of the same hue are further away",
    )


@settings_group
class PairingSettings(SettingsGroup):
    """Which dots belong together."""

    margin: float = threshold(
        1.5, "Lab", "below this, the next dot looks as good a partner; undamaged screenshots have 10 and more"
    )
    letters_below: float = threshold(
        8.0, "Lab", "undamaged colours are 10 apart and more: letters are looked at only below this"
    )
    letters_weight: float = threshold(
        100.0, "Lab", "the most alike letters, E and F, differ by 0.1, one letter from itself by half of that"
    )
