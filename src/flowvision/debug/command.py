"""The command that goes on from a refusal, or from an answer, with what was seen filled in."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from flowvision.diagnosis.cause import Advice
from flowvision.events import Trail
from flowvision.image.picture import Screenshot
from flowvision.reading.options import Options
from flowvision.vision.board import box_of

UNNAMED = Screenshot.__dataclass_fields__["name"].default
"""What pixels without a file are called."""


def command_of(
    shot: Screenshot | None, options: Options, trail: Trail, advice: Sequence[Advice] | None
) -> str:
    """The command that goes on from here, with the advice about a refusal, or with what was read."""
    if shot is None:
        return ""
    said = {}
    if options.rotate:
        said["--rotate"] = f"{options.rotate:g}"
    if options.crop:
        said["--crop"] = ",".join(map(str, options.crop))
    if options.grid:
        said["--grid"] = options.grid
    if options.colours:
        said["--colours"] = f"{options.colours}"
    if trail.reading is not None and advice is None:
        lattice = trail.reading.board.squares
        said.setdefault("--crop", ",".join(map(str, box_of(trail.reading.board, trail.reading.frame, shot))))
        if lattice is not None:
            said.setdefault("--grid", f"{lattice.cols}x{lattice.rows}")
    for one in advice or ():
        said.pop(one.option, None)
    parts = [f"{key} {value}" for key, value in said.items()]
    parts += [one.text for one in advice or () if one.value]
    name = shlex.quote(shot.name) if shot.name not in ("", UNNAMED) else "SHOT"
    return " ".join(["flowvision", name, *parts])
