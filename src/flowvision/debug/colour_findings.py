"""What may be wrong with the colours of the dots, and the pairs that they make."""

from __future__ import annotations

from flowvision.debug.finding import Finding, Seen
from flowvision.puzzle.check import position_name

SOME_CELLS = 4
"""Cells or dots: fewer say nothing of a board."""


def are_alike(seen: Seen) -> Finding | None:
    """Two pairs are nearly of one colour."""
    pairing, settings = seen.scene.trail.pairing or seen.error.evidence, seen.scene.settings
    margin = getattr(pairing, "margin", None)
    if margin is None or margin >= settings.pairing.margin:
        return None
    return Finding(
        "05-clusters.png",
        "The colours of some dots are too alike to say which belong together.",
        "A filter, night shift or strong compression does that; which of them it was is not known.",
        "",
        "pairing.margin",
        margin,
        "Take the screenshot again without a filter, or say which dots belong together (`--set "
        "ROW,COLUMN=LETTER`).",
        f"The closest call has a margin of {margin:.1f} (Lab), {settings.pairing.margin:g} wanted.",
    )


def position_of(seen: Seen, cell: int) -> str:
    """Where a cell of the board is, for people."""
    return position_name(cell, seen.scene.sides.board)
