"""The command that goes on from a refusal, or from an answer, with what was seen filled in."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from flowvision.debug.attempts import Attempt
from flowvision.debug.choice import grid_option
from flowvision.debug.finding import Finding
from flowvision.events import Trail
from flowvision.image.picture import Screenshot
from flowvision.reading.options import Options
from flowvision.vision.board.boxes import box_of

UNNAMED = Screenshot.__dataclass_fields__["name"].default
"""What pixels without a file are called."""
PLACEHOLDERS = "COLSxROWS", "X,Y,WIDTH,HEIGHT", "ROW,COLUMN", "LETTER"
"""What options hold that only a person can say."""


def command_of(
    shot: Screenshot | None,
    options: Options,
    findings: Sequence[Finding],
    choice: Attempt | None,
    trail: Trail,
) -> str:
    """The command that goes on from here, with what was seen filled in."""
    if shot is None:
        return ""
    said = {}
    if options.rotate:
        said["--rotate"] = f"{options.rotate:g}"
    if options.crop:
        said["--crop"] = ",".join(map(str, options.crop))
    if options.grid:
        said["--grid"] = options.grid
    if trail.reading is not None and not findings:
        lattice = trail.reading.lattice
        said.setdefault("--crop", ",".join(map(str, box_of(trail.reading.board, trail.reading.frame, shot))))
        if lattice is not None and lattice.tiling == "square":
            said.setdefault("--grid", f"{lattice.cols}x{lattice.rows}")
    if option := filled_option(findings, choice, trail):
        key, value = option.split()
        said[key] = value
    name = shlex.quote(shot.name) if shot.name not in ("", UNNAMED) else "SHOT"
    return " ".join(["flowvision", name, *(f"{key} {value}" for key, value in said.items())])


def filled_option(findings: Sequence[Finding], choice: Attempt | None, trail: Trail) -> str:
    """The option to add, with what was seen in place of what is to be said, where it was seen."""
    option = findings[0].option if findings else ""
    size = grid_option(choice)
    if PLACEHOLDERS[0] in option and size:
        return option.replace(PLACEHOLDERS[0], size)
    if PLACEHOLDERS[1] in option and trail.region is not None:
        return option.replace(PLACEHOLDERS[1], ",".join(map(str, _box(trail))))
    return option


def _box(trail: Trail) -> list[int]:
    assert trail.region is not None
    low, high = trail.region.corners_px.min(axis=0), trail.region.corners_px.max(axis=0)
    return [round(number) for number in (*low.clip(0).tolist(), *(high - low).tolist())]
