"""Thresholds of the choice among readings: what lies beside a board, and which dots it misses."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class ReadingSettings(SettingsGroup):
    """Which reading is of the whole board."""

    part: float = threshold(
        1.5, "times the cells", "a board with this many times fewer cells than another is a part of it"
    )
    share_of_time: float = threshold(
        1 / 15,
        "of the time limit",
        "for one reading: a right one takes milliseconds, a wrong one must not use up that of the next",
    )
    doubt_left: float = threshold(
        0.1,
        "of the reader's doubt",
        "what exactly one solution leaves: of 552 wrong boards that other readers returned, 3 had just one",
    )
    without_walls: float = threshold(
        0.95, "of the reader's confidence", "for the only solution once walls that were seen are left out"
    )
    told_apart: float = threshold(
        0.8,
        "of the reader's confidence",
        "for dots that were paired by the solution: of ways to pair dots that look alike, 1 to 4 of 100 that "
        "are wrong have one solution",
    )
    ways: int = threshold(
        256, "pairings", "four colours that look alike make 105, a pair and a triple 45; each takes 4 ms"
    )
    ways_seconds: float = threshold(5.0, "s", "for all of them: five times what they take")
    repaired: float = threshold(
        0.8, "of the reader's confidence", "for a board that was changed in one thing"
    )
    one_of_several: float = threshold(
        0.8,
        "of the reader's confidence",
        "for a board with several solutions; few published levels have them",
    )
    touching_itself: float = threshold(
        0.6, "of the reader's confidence", "where a path touches itself, as in no published level"
    )
    larger: float = threshold(
        1.05, "of the area", "boards of one size are measured to within that, and then the first one is meant"
    )
    much_larger: float = threshold(
        2.0, "of the area", "a board so much larger than the one that was read was meant, if it is one"
    )
    dots_min: int = threshold(
        2, "dots", "both of a pair; one alone may be a button, or look like a dot by chance"
    )
    beside: int = threshold(
        3, "rows or columns", "the rest of a board begins this near to it; buttons are further away"
    )
    glance_px: float = threshold(
        24.0, "px", "width of a cell in the view where dots are looked for first: they have a radius of 8 px"
    )
    glance_inside: float = threshold(
        0.85, "of the radius", "a ring just inside a disc; the bend of a pipe fills a smaller one"
    )
    glance_outside: float = threshold(1.15, "of the radius", "a ring just outside a disc")
    covered: float = threshold(
        20.0, "Lab", "a hand or a banner over cells without lines; glow and faint tints differ by up to 12"
    )
    dot_radius_min: float = threshold(
        0.2, "of a narrow cell's width", "dots have their colour at least so far from their middles"
    )
