"""How a solution is drawn over a picture: what of it, and with what marks."""

from __future__ import annotations

from numbers import Integral

from flowvision.value import value_type


@value_type
class Look:
    """What is drawn of a solution, and what was on the board before.

    ``flows``: only these flows, by their numbers from 0, ``None`` for all. ``edges``: only these edges of
    their paths, ``None`` for all. ``letters``: written on each flow's dots and along its pipe: ``True`` for
    those of its colours, or one a flow. ``arrows``: the direction from each flow's first dot. ``pipes``:
    ``False`` draws letters and arrows alone, over pipes that are on the board. ``drawn``: per flow, the edges
    that its colour already covers in the picture (empty: none anywhere); where that is not all of its path
    and nothing else, its cells are given back the board's ground first. ``lettered``: dots show their letters
    already.
    """

    flows: frozenset[int] | None = None
    edges: frozenset[int] | None = None
    letters: bool | tuple[str, ...] = False
    arrows: bool = False
    pipes: bool = True
    drawn: tuple[frozenset[int], ...] = ()
    lettered: bool = False

    def __post_init__(self) -> None:
        """Raises ``TypeError`` for flows that are no numbers, and for letters that are no tuple of words."""
        if self.flows is not None and not all(isinstance(flow, Integral) for flow in self.flows):
            raise TypeError("flows are numbers in the order of answer.flows, from 0: Look(flows={0, 2}).")
        is_named = isinstance(self.letters, tuple) and all(isinstance(one, str) for one in self.letters)
        if not (is_named or isinstance(self.letters, bool)):
            raise TypeError('letters is True, or a tuple with one for each flow: Look(letters=("1", "2")).')

    def named(self, usual: tuple[str, ...]) -> tuple[str, ...]:
        """What is written on each flow: its own, or the ``usual``. Raises ``ValueError`` for too few."""
        if not isinstance(self.letters, tuple):
            return usual
        if len(self.letters) != len(usual):
            raise ValueError(f"{len(self.letters)} letters were given; the board has {len(usual)} flows.")
        return self.letters


PLAIN = Look()
"""All of the solution, without letters or arrows, on an empty board."""
