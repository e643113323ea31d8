"""Thresholds of the pixels: lines and circles in the working picture."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class LineSettings(SettingsGroup):
    """How thin bright lines are told from all else in a view."""

    view_px: float = threshold(
        540, "px", "shorter side of the working picture: grid lines of a phone are still 1.5 px wide there"
    )
    width: float = threshold(
        0.011,
        "of the view's shorter side",
        "grid lines are 0.3 %, outlines up to 0.9 %, pipes of a 15×15 2.2 %",
    )
    step: float = threshold(
        14.0,
        "brightness × 4",
        "the weakest line seen is 24 above its cell at half size; blurred glow stays below 8",
    )
    noise: float = threshold(
        4.0,
        "of the median response",
        "noise of a photograph exceeds 4 times its median in 1 of 100 pixels",
    )
    share: float = threshold(
        0.16, "of the median line response", "a border line on a bright glow keeps a quarter of its contrast"
    )
    run_length: float = threshold(
        0.012, "of the view's shorter side", "shorter pieces are text and dot rims, not grid lines"
    )
    width_min_px: int = threshold(
        3, "px", "a line of 1 px on the smallest views, with a blurred pixel on both sides"
    )
    run_min_px: int = threshold(7, "px", "on small views a letter is as long as the fraction above")
    run_tilted_px: int = threshold(
        5, "px", "a slanted line is a staircase: its upright pieces are short, and Hough joins them"
    )
    sharpness_max: float = threshold(
        8.0,
        "of the weakest line",
        "where a line lies is told by many of its pixels, not by a few bright ones",
    )


@settings_group
class LineWeightSettings(SettingsGroup):
    """How thick and bright one side of a cell is, which tells walls from plain lines."""

    step: float = threshold(6.0, "brightness", "what a line stands above its surroundings at least")
    share: float = threshold(
        0.12,
        "of its own brightness",
        "JPEG leaves waves of 0.09 on a pipe, a line on a bright tint stands out by 0.27",
    )
    brightness_max: float = threshold(
        4.0,
        "times its height above its surroundings",
        "a line on the brightest tint stands out by 0.27 of its brightness; JPEG leaves what does so less",
    )
    thick: float = threshold(
        2.0, "of the usual strength", "plain lines hardly reach it; what does is looked at again without JPEG"
    )
    places_min: int = threshold(3, "places along a short side", "as many show beside a pipe that crosses it")
    strength_min: float = threshold(
        1.0, "brightness × share of the width", "a side below it is hidden by a pipe or not there"
    )
    clear: float = threshold(
        1.2, "times, between a side and a wall", "a fifth is as far as JPEG moves the strength of a side"
    )
