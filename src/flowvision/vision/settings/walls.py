"""Thresholds of the stage ``sides``: walls and holes."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class WallSettings(SettingsGroup):
    """Which sides are walls, and which places are holes."""

    strength: float = threshold(
        2.8, "of the median side", "outlines and walls have 3.3 to 9, plain lines up to 2.3"
    )
    complete: float = threshold(
        0.8,
        "of the places along a side",
        "true walls show at eight of nine and more (99.3 % in damaged pictures), glare and halos at 3 to 7",
    )
    rise: float = threshold(
        1.0,
        "of a plain line's height above its ground",
        "walls rise by 1.7 and more above theirs; in glare, which lights the ground, lines by 0.4 to 0.8",
    )
    whole: float = threshold(
        1.0, "of the places along a side", "a wall that hides a solution is doubted where any place is amiss"
    )
    few: int = threshold(4, "walls", "99 % of the published boards with walls have as many and more")
    outline_share: float = threshold(
        0.75,
        "of the sides round a gap",
        "round a hole nearly all are outline, round a lost line hardly any",
    )
    border_reach: float = threshold(
        0.01, "of the board", "how far beyond a board its border reaches; text begins at 0.016"
    )
