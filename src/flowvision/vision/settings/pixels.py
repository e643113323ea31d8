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
