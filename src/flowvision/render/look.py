"""How a solution is drawn over a picture: what of it, and with what marks."""

from __future__ import annotations

from flowvision.value import value_type


@value_type
class Look:
    """What is drawn of a solution, and what was on the board before.

    ``flows``: only these flows, ``None`` for all. ``edges``: only these edges of their paths, ``None`` for
    all. ``letters``: written on each flow's dots and along its pipe: ``True`` for those of its colours, or
    one a flow. ``arrows``: the direction from each flow's first dot. ``pipes``: ``False`` draws letters and
    arrows alone, over pipes that are on the board. ``drawn``: per flow, the edges that its colour already
    covers in the picture (empty: none anywhere); where that is not all of its path and nothing else, its
    cells are given back the board's ground first.
    """

    flows: frozenset[int] | None = None
    edges: frozenset[int] | None = None
    letters: bool | tuple[str, ...] = False
    arrows: bool = False
    pipes: bool = True
    drawn: tuple[frozenset[int], ...] = ()


PLAIN = Look()
"""All of the solution, without letters or arrows, on an empty board."""
