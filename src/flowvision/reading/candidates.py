"""Candidates: ways to read a board, with the solver's outcome and their doubts; one is believed."""

from __future__ import annotations

from msgspec import Struct

from flowvision.image.pixels import CropBox
from flowvision.puzzle.check import crosses_itself_at
from flowvision.puzzle.layout import Key
from flowvision.puzzle.model import State
from flowvision.reading.doubt import Doubt
from flowvision.solvers import Outcome, Solved, Unsolvable
from flowvision.vision.assembly import Interpretation, Reading


class Candidate(Struct, frozen=True, eq=False):
    """One way to read a board, with the solver's outcome.

    ``is_drawn``: the outcome is a solution drawn on the board. ``doubts``: those that the picture raises.

    Set on the believed one: ``confidence``, 0 to 1, and all ``doubts``. ``other_board``: the box of another
    board that was read; a crop to it reads that. ``state``: how far the board is played. ``pipes``: per flow,
    the edges that pipes on the board lie on; the outcome of a solved board is the solution on it.
    """

    source: Interpretation
    outcome: Outcome
    is_drawn: bool = False
    doubts: tuple[Doubt, ...] = ()
    confidence: float = 0.0
    other_board: CropBox | None = None
    state: State = "empty"
    pipes: tuple[frozenset[int], ...] = ()

    @property
    def reading(self) -> Reading:
        """The reading."""
        return self.source.reading

    @property
    def refusal(self) -> Doubt | None:
        """The first of its doubts that refutes it, whatever its outcome."""
        return next((doubt for doubt in self.doubts if doubt.weight >= 1), None)

    @property
    def is_refuted(self) -> bool:
        """Return whether it has no solution, or a doubt refutes it."""
        return self.refusal is not None or isinstance(self.outcome, Unsolvable)

    @property
    def self_crossings(self) -> list[Key]:
        """The bridges at which a path of its solution crosses itself."""
        board = self.reading.board
        if not isinstance(self.outcome, Solved) or not board.layout.bridges:
            return []
        return [key for path in self.outcome.solution.paths for key in crosses_itself_at(board, path)]
