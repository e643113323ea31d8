"""Thresholds of the reader by stage, each with unit and reason.

Lengths are fractions of the shorter side of the picture or of the pitch (the width of a cell);
brightness is 0–255, colour distances are CIE Lab units. A function takes the group it uses.
"""

from __future__ import annotations

from flowvision.vision.settings.dots import (
    CrossingSettings,
    DotSettings,
    PairingSettings,
    PipeSettings,
    RimSettings,
)
from flowvision.vision.settings.lines import (
    BoardSettings,
    GridSettings,
    LineSettings,
    LineWeightSettings,
    TintSettings,
    WallSettings,
)
from flowvision.vision.settings.other_kinds import (
    CircleSettings,
    FreeCellSettings,
    HexagonSettings,
    KindGroups,
)
from flowvision.vision.settings.reading import ReadingSettings
from flowvision.vision.settings.threshold import Threshold, thresholds

__all__ = [
    "SETTINGS", "BoardSettings", "CircleSettings", "CrossingSettings", "DotSettings", "FreeCellSettings",
    "GridSettings", "HexagonSettings", "LineSettings", "LineWeightSettings", "PairingSettings",
    "PipeSettings", "ReadingSettings", "RimSettings", "Settings", "Threshold", "TintSettings",
    "WallSettings", "thresholds",
]  # fmt: skip


class Settings(KindGroups, frozen=True, kw_only=True):
    """Every threshold of the reader, by stage.

    >>> Settings(dots=DotSettings(ring=0.25)).dots.ring
    0.25
    """

    dots: DotSettings = DotSettings()
    rims: RimSettings = RimSettings()
    pairing: PairingSettings = PairingSettings()
    crossings: CrossingSettings = CrossingSettings()
    pipes: PipeSettings = PipeSettings()
    reading: ReadingSettings = ReadingSettings()


SETTINGS = Settings()
"""The thresholds that every picture is read with."""
