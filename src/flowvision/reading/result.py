"""Readings on their way to be believed: candidates that the solver was asked about, and the one that is."""

from __future__ import annotations

from dataclasses import field

from flowvision.errors import Refusal
from flowvision.events import Recorder
from flowvision.reading.state import State
from flowvision.solvers import Outcome, Solved
from flowvision.value import value_type
from flowvision.vision.reading import Interpretation, Reading

AMBIGUOUS_PAIRING = Refusal("colours not told apart", "of several ways to pair the dots one is right")
"""Dots that look alike can be paired in several ways: why no other look at the board is believed either."""
FEW_PAIRS = Refusal("few pairs", "every level of more than 16 cells has three pairs and more")
"""Of 10,011 published levels; parts of boards, and boxes of other pictures, often show two."""


@value_type
class Beyond:
    """What goes on beyond the border of a lattice.

    ``share``: of the inner lines that cross a border, where it is largest, 0 to 1. ``has_cells``: whether
    there are cells beyond. ``dots``: places, on the board too, that look like dots that were not read.
    ``reaches_out``: whether lines beside assumed openings reach out, as they do beside true ones.
    """

    share: float = 0.0
    has_cells: bool = False
    dots: int = 0
    reaches_out: bool = False


@value_type(eq=False)
class Candidate:
    """One way to read a board, and what the solver made of it.

    ``repair``: the change that was made to what was seen, in words. ``drawn``: the outcome is a solution
    that somebody drew on the board. ``refusal``: the check that refuted it, where that was no solver.
    ``beyond``: what goes on beyond its lattice, where that was looked for.
    """

    source: Interpretation
    outcome: Outcome
    repair: str = ""
    drawn: bool = False
    refusal: Refusal | None = None
    beyond: Beyond | None = None

    @property
    def reading(self) -> Reading:
        """What was read."""
        return self.source.reading

    @property
    def is_assumed(self) -> bool:
        """Whether openings of the border are assumed: neither a gap in it nor lines beside them are seen."""
        reaches_out, crossings = self.beyond is not None and self.beyond.reaches_out, self.source.crossings
        return crossings is not None and not (crossings.seen or reaches_out)


@value_type(eq=False, repr=False)
class CheckedReading:
    """A reading that is believed. ``seconds`` per stage; ``confidence`` 0 to 1.

    ``state``: how far the board is played. ``drawn``: per flow, the edges that pipes on the board lie on. The
    outcome of a board that is solved is the solution that is on it.
    """

    name: str
    reading: Reading
    outcome: Solved
    seconds: dict[str, float]
    warnings: tuple[str, ...]
    confidence: float
    state: State = field(default="empty", kw_only=True)
    drawn: tuple[frozenset[int], ...] = field(default=(), kw_only=True)
    recorder: Recorder | None = field(default=None, kw_only=True)
    """What watched, where it keeps what it is told: ``debug_page`` shows it."""

    def __repr__(self) -> str:
        """The same in a line."""
        unique = {True: "unique", False: "not unique", None: "perhaps unique"}[self.outcome.unique]
        warned = f", {len(self.warnings)} warnings" if self.warnings else ""
        return (
            f"<{type(self).__name__} {self.name!r}: {self.reading.size}, {unique}, "
            f"confidence {self.confidence:g}{warned}>"
        )
