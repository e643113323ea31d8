"""Any small graph: two strands may be joined by several edges, and a strand with itself."""

from __future__ import annotations

from hypothesis import strategies as st

from flowvision.puzzle.model import Graph


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A graph of up to six strands."""
    size = draw(st.integers(1, 6))
    ends = st.integers(0, size - 1)
    return Graph(size, tuple(draw(st.lists(st.tuples(ends, ends), max_size=12))))
