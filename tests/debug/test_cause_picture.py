"""Words beside marks: where they hide nothing, as long as there is such a place."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.debug.cause_picture import free_place

CELL, SIDE = 90, 900


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=60), st.integers(10, 200)
)
def test_words_hide_no_dot(cells: set[tuple[int, int]], width: int) -> None:
    """On a crowded board they move beside the dots; where no place is free, they stand above their ring."""
    centres = {cell: np.array(cell) * CELL + CELL / 2 for cell in sorted(cells)}
    taken = [np.concatenate((centre - 30, centre + 30)) for centre in centres.values()]
    anchor = next(iter(centres.values()))
    found = free_place(anchor, 30, (width, 14), taken, (SIDE, SIDE))
    half = np.array((width, 14)) / 2
    assert ((found - half >= 0) & (found + half <= SIDE)).all()
    hidden = [cell for cell, centre in centres.items() if (np.abs(centre - found) < half + 30).all()]
    is_right_above = abs(found[1] - max(13, anchor[1] - 43)) < 1e-6
    assert not hidden or is_right_above


def test_words_that_find_no_room_beside_their_ring_go_further() -> None:
    """Between full rows above and below they stand in the free row beyond."""
    rows = [(x, y) for y in (1, 2, 3) for x in range(10)]
    taken = [np.array((x * CELL, y * CELL, (x + 1) * CELL, (y + 1) * CELL)) for x, y in rows]
    x, y = free_place(np.array((405.0, 225.0)), 30, (200, 14), taken, (SIDE, SIDE))
    assert y < CELL or y > 4 * CELL
    assert 100 <= x <= SIDE - 100
