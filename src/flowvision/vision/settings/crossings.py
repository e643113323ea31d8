"""Thresholds of the stages ``crossings`` and ``pipes``: bridges and warps, and pipes that are drawn."""

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
        0.5, "of a grid line's brightness", "the rails of a bridge are as bright as grid lines, glow is not"
    )
    bridge_step_min: float = threshold(12.0, "brightness", "what stands out by less is noise")
    bridge_width: float = threshold(0.2, "of the pitch", "rails are thinner, pipes 0.33 wide")


@settings_group
class PipeSettings(SettingsGroup):
    """Whether a pipe is drawn through the side of a cell."""

    alike: float = threshold(
        16.0,
        "Lab",
        "a pipe is as flat as a dot and has its colour; lines and tints of the same hue are further away",
    )
    share: float = threshold(
        0.7,
        "of the points looked at",
        "the others may lie on the soft edges of the pipe or on the line below",
    )
    ground_near: float = threshold(
        0.5, "of the way to the ground", "a pipe of nearly the ground's colour is nearer to that of its flow"
    )
    ground_apart: float = threshold(
        5.0, "Lab", "how far a pipe is from the ground at least; JPEG makes dark ground vary by 2"
    )
