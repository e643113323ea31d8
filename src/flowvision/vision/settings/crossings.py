"""Thresholds of the stage ``crossings``: bridges and warps."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class CrossingSettings(SettingsGroup):
    """Where bridges and warps are."""

    border_open: float = threshold(
        0.5, "of the strongest border", "an opening shows nothing but the ends of the lines beside it"
    )
    border_missing: float = threshold(
        0.6, "of a plain grid line", "below this there is no border to see an opening in"
    )
    bridge_ink: float = threshold(
        0.02, "of the inside of a cell", "the rails of a bridge cover 0.05, JPEG noise and glow nothing"
    )
    bridge_step: float = threshold(
        0.5, "of a grid line's brightness", "the marks of a bridge are as bright as grid lines, glow is not"
    )
    bridge_width: float = threshold(0.2, "of the pitch", "marks are thinner, pipes 0.33 wide")
