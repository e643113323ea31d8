"""A candidate for the board in a picture, and doubts about it as data; ``wording`` has their sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec import Struct, field

from flowvision.image.picture import CropBox
from flowvision.log import Stage
from flowvision.puzzle.model import State
from flowvision.solvers import Outcome, Unsolvable
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.pixels.view import Floats
from flowvision.words import Advice

SEARCHED = "searched here"
"""Label of a part searched without success."""


class Mark(NamedTuple):
    """A place in the picture that a doubt is about. All lengths are in pixels of the picture.

    ``kind``: a ``ring`` round its one point, a ``box`` with its points as corners, a ``line`` along them.
    ``label``: the words beside it.
    """

    kind: Literal["ring", "box", "line"]
    points_px: tuple[tuple[float, float], ...]
    label: str = ""
    radius_px: float = 0.0

    @classmethod
    def of(cls, kind: Literal["box", "line"], points_px: Floats, label: str = "") -> Mark:
        """Return a mark along an array (N, 2) of points."""
        return cls(kind, tuple((x, y) for x, y in np.asarray(points_px, np.float64).tolist()), label)


def corners_of(low: Sequence[float] | Floats, high: Sequence[float] | Floats) -> Floats:
    """Return the corners (4, 2) of a box, clockwise from its upper left one."""
    (x0, y0), (x1, y1) = low, high
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)


class Doubt(Struct, frozen=True, eq=False):
    """One reason not to believe a reading, or not to find a board.

    ``code``: a row of ``wording.WORDS``. ``stage``: the first one whose picture shows it. ``facts``: what was
    seen, by the names in the sentences; cells count from 0. ``marks``: where it is in the picture.
    ``advice``: options that are given together; ``reads``: the size of the board with exactly one solution
    that they give, if they were tried.
    ``weight``: the share of the confidence that it takes: 0 for a mere remark on an answer, 1 to refuse it.
    """

    code: str
    stage: Stage
    facts: Mapping[str, Any] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    advice: tuple[Advice, ...] = ()
    reads: str = ""
    weight: float = 1.0

    @property
    def option(self) -> str:
        """The option that does not fit the picture, or empty."""
        return str(self.facts.get("option", ""))


class Candidate(Struct, frozen=True, eq=False):
    """One way to read a board, with the solver's outcome.

    ``doubts``: those that the picture raises.

    Set on the believed one: ``confidence``, 0 to 1, and all ``doubts``. ``other_board``: the box of another
    board that was read; a crop to it reads that. ``state``: how far the board is played. ``pipes``: per flow,
    the edges that pipes on the board lie on; the outcome of a solved board is the solution on it.
    """

    source: Interpretation
    outcome: Outcome
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
