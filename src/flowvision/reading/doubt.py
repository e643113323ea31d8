"""A run of the reader, candidates for the board in its picture, and doubts about them as data."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from flowvision.errors import GaveUpError
from flowvision.image.picture import CropBox, Screenshot
from flowvision.log import Log, Stage
from flowvision.puzzle.model import State
from flowvision.reading.options import Options
from flowvision.solvers import Outcome, Unsolvable, solve
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.pixels.view import Floats
from flowvision.words import Advice

if TYPE_CHECKING:
    from typing import Self


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


LEAST_SECONDS = 0.01
"""Least seconds for what begins before the deadline."""


class ReadingRun(Struct, frozen=True, eq=False):
    """A picture that is being read. ``deadline``: by ``perf_counter``; nothing new is begun after it."""

    shot: Screenshot
    options: Options
    log: Log
    deadline: float

    @classmethod
    def begin(cls, shot: Screenshot, options: Options, log: Log) -> Self:
        """Return the run whose deadline is ``options.seconds`` after its picture began to be decoded."""
        left = options.seconds - log.seconds.get("decode", 0.0)
        return cls(shot, options, log, perf_counter() + left)

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline."""
        return max(LEAST_SECONDS, self.deadline - perf_counter())

    @property
    def half_way(self) -> float:
        """The middle of the time left, by ``perf_counter``."""
        return self.deadline - self.seconds_left / 2

    @property
    def is_late(self) -> bool:
        """Return whether the deadline has passed."""
        return perf_counter() > self.deadline

    @property
    def is_over(self) -> bool:
        """Return whether it is late, or dots pair in several ways, which no other attempt changes."""
        doubts = (step.error.doubt for step in self.log.failures if step.error)
        return self.is_late or any(doubt and doubt.code == "alike-dots" for doubt in doubts)

    def aside(self) -> ReadingRun:
        """Return the run, for attempts whose errors are never the most telling."""
        return replace(self, log=self.log.aside())

    def of_part(self, crop: CropBox) -> ReadingRun:
        """Return the run, looking at this part of the picture alone, where nothing is trusted."""
        return replace(self, options=dataclasses.replace(self.options, crop=crop, trust=False))

    def solve(self, interpretation: Interpretation, share: float = 1.0) -> Outcome:
        """Solve an interpretation in the time left, or in this share of all time."""
        seconds = min(self.seconds_left, share * self.options.seconds)
        with self.log.step("solve", source=interpretation) as step:
            step.result = outcome = solve(interpretation.reading.puzzle, "sat", seconds)
        return outcome


def gave_up(reading: Reading, outcome: Outcome) -> GaveUpError:
    """Return the error for a reading that the solver did not finish."""
    return GaveUpError(
        f"No solution found in {outcome.seconds:.1f} s; the board: {reading.size}.", None, reading
    )
