"""Every threshold of the reader, each a fraction of something measured, with its reason.

Lengths are fractions of the shorter side of the picture or of the pitch (the width of a cell);
brightness is 0–255, colour distances are CIE Lab units. A function takes the group it uses.
"""

from __future__ import annotations

from flowvision.vision.settings.board import BoardSettings
from flowvision.vision.settings.circles import CircleSettings
from flowvision.vision.settings.crossings import CrossingSettings, PipeSettings
from flowvision.vision.settings.dots import DotSettings, PairingSettings, RimSettings
from flowvision.vision.settings.grid import GridSettings, TintSettings
from flowvision.vision.settings.pixels import LineSettings, LineWeightSettings
from flowvision.vision.settings.reading import ReadingSettings
from flowvision.vision.settings.special import FreeCellSettings, HexagonSettings
from flowvision.vision.settings.threshold import SettingsGroup, Threshold, settings_group, thresholds
from flowvision.vision.settings.walls import WallSettings

__all__ = [
    "BoardSettings",
    "CircleSettings",
    "CrossingSettings",
    "DotSettings",
    "FreeCellSettings",
    "GridSettings",
    "HexagonSettings",
    "LineSettings",
    "LineWeightSettings",
    "PairingSettings",
    "PipeSettings",
    "ReadingSettings",
    "RimSettings",
    "Settings",
    "Threshold",
    "TintSettings",
    "WallSettings",
    "thresholds",
]


@settings_group
class Settings(SettingsGroup):
    """Every threshold of the reader, by stage; field metadata say each one's ``unit`` and ``reason``.

    >>> Settings(dots=DotSettings(ring=0.25)).dots.ring
    0.25
    """

    lines: LineSettings = LineSettings()
    line_weight: LineWeightSettings = LineWeightSettings()
    circles: CircleSettings = CircleSettings()
    board: BoardSettings = BoardSettings()
    grid: GridSettings = GridSettings()
    tints: TintSettings = TintSettings()
    hexagons: HexagonSettings = HexagonSettings()
    free_cells: FreeCellSettings = FreeCellSettings()
    walls: WallSettings = WallSettings()
    dots: DotSettings = DotSettings()
    rims: RimSettings = RimSettings()
    pairing: PairingSettings = PairingSettings()
    crossings: CrossingSettings = CrossingSettings()
    pipes: PipeSettings = PipeSettings()
    reading: ReadingSettings = ReadingSettings()
