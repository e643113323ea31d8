"""Where dots and cells are: in words, as ``--set`` takes it, and as marks in the picture."""

from __future__ import annotations

from collections.abc import Iterable

from flowvision.corrections.draft import draft_of_dots
from flowvision.debug.colour_findings import position_of
from flowvision.debug.finding import Seen
from flowvision.debug.marks import Mark

RING_GROWN = 1.35
"""Of a dot's radius: a ring round it that leaves it to be seen."""


def where_dot(seen: Seen, dot: int) -> str:
    """Where a dot is, for people."""
    return where_cell(seen, seen.scene.dots.dots[dot].cell)


def where_cell(seen: Seen, cell: int) -> str:
    """Where a cell is: its row and column, or its pixels on a board that has none."""
    if seen.scene.sides.board.lattice is None:
        x, y = _middle(seen, cell)
        return f"at {x:.0f}, {y:.0f} pixels"
    return f"in {position_of(seen, cell)}"


def place_to_set(seen: Seen, cell: int) -> str:
    """How ``--set`` says a cell."""
    lattice = seen.scene.sides.board.lattice
    return ",".join(map(str, lattice.places[cell])) if lattice else f"{cell}"


def _middle(seen: Seen, cell: int) -> tuple[float, float]:
    sides = seen.scene.sides
    x, y = sides.fit.frame.to_px([sides.board.layout.cells[cell].centre])[0].tolist()
    return x, y


def rings(seen: Seen, dots: Iterable[int]) -> tuple[Mark, ...]:
    """Rings round dots, with the names of their colours."""
    name = {n: group.name for group in seen.groups for n in group.dots}
    found = seen.scene.dots.dots
    return tuple(Mark("ring", (found[n].centre_px,), name[n], RING_GROWN * found[n].radius_px) for n in dots)


def cell_rings(seen: Seen, cells: Iterable[int]) -> tuple[Mark, ...]:
    """Rings round the middles of cells that may hold a dot."""
    narrow = seen.scene.sides.fit.frame.narrow_px(seen.scene.sides.board.layout.cells[0].centre)
    return tuple(Mark("ring", (_middle(seen, cell),), "a dot?", 0.45 * narrow) for cell in cells)


def letter_of(seen: Seen, dot: int) -> str:
    """The letter that ``--set`` calls the colour of a dot by."""
    draft = draft_of_dots(seen.scene.sides, seen.scene.dots)
    return list(draft.seen.values())[dot].letter
