"""A run of the reader, and the candidates for the board in its picture."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import AbstractContextManager
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from flowvision.doubts import AlikeDots, Doubt
from flowvision.errors import FlowvisionError, GaveUpError
from flowvision.image.picture import CropBox, Screenshot
from flowvision.log import Log, Stage, Step
from flowvision.puzzle.model import State
from flowvision.reading.options import Options
from flowvision.solvers import Outcome, Solved, Unsolvable, solve
from flowvision.vision.assembly import Interpretation, Reading

if TYPE_CHECKING:
    from typing import Self

T = TypeVar("T")
LEAST_SECONDS = 0.01
"""Smallest ``seconds_left``: what began before the deadline may end."""


class Candidate(Struct, frozen=True, eq=False):
    """One way to read a board, with the solver's outcome.

    ``doubts``: those that the picture raises; ``about_solution``: those that its solution raises.
    """

    source: Interpretation
    outcome: Outcome
    doubts: tuple[Doubt, ...] = ()
    about_solution: tuple[Doubt, ...] = ()

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


class Believed(Struct, frozen=True, eq=False):
    """The board that a picture shows, and its solution.

    ``doubts``: all that are left, as warnings. ``confidence``: 0 to 1. ``other_board``: the box of another
    board that was read; a crop to it reads that. ``state``: how far the board is played. ``pipes``: per flow,
    the edges that pipes on the board lie on; the outcome of a solved board is the solution on it.
    """

    source: Interpretation
    outcome: Solved
    doubts: tuple[Doubt, ...]
    confidence: float
    other_board: CropBox | None = None
    state: State = "empty"
    pipes: tuple[frozenset[int], ...] = ()

    @property
    def reading(self) -> Reading:
        """The reading."""
        return self.source.reading


class ReadingRun(Struct, frozen=True, eq=False):
    """A picture that is being read.

    ``deadline``: by ``perf_counter``; nothing new is begun after it. ``is_telling``: its errors may name the
    one to raise; those of second attempts at a board would only hide it.
    """

    shot: Screenshot
    options: Options
    log: Log
    deadline: float
    is_telling: bool = True

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
    def is_late(self) -> bool:
        """Return whether the deadline has passed."""
        return perf_counter() > self.deadline

    @property
    def is_over(self) -> bool:
        """Return whether it is late, or dots pair in several ways, which no other attempt changes."""
        return self.is_late or self.alike_dots is not None

    @property
    def alike_dots(self) -> FlowvisionError | None:
        """The error that dots pair in several ways, if it occurred."""
        errors = (step.error for step in self.log.failures if step.error)
        return next((error for error in errors if isinstance(error.doubt, AlikeDots)), None)

    def step(self, stage: Stage, name: str = "", source: object = None) -> AbstractContextManager[Step]:
        """Return a context that times a step and adds it to the log (``Log.step``)."""
        return self.log.step(stage, name, source, is_telling=self.is_telling)

    def each(self, stage: Stage, results: Iterator[T], name: str = "", source: object = None) -> Iterator[T]:
        """Yield results on demand, each a timed step; a ``FlowvisionError`` ends them (``Log.each``)."""
        return self.log.each(stage, results, name, source, is_telling=self.is_telling)

    def trial(self, options: Options) -> ReadingRun:
        """Return a run with other options, in half of the time left, with a log of its own."""
        half_way = self.deadline - self.seconds_left / 2
        return replace(self, options=options, log=self.log.trial(), deadline=half_way)

    def of_part(self, crop: CropBox) -> ReadingRun:
        """Return the run for this part of the picture alone, without ``trust``; it shares the log."""
        return replace(self, options=dataclasses.replace(self.options, crop=crop, trust=False))

    def solve(self, interpretation: Interpretation, share: float = 1.0) -> Outcome:
        """Solve an interpretation in the time left, at most in this share of ``options.seconds``."""
        seconds = min(self.seconds_left, share * self.options.seconds)
        with self.step("solve", source=interpretation) as step:
            step.result = outcome = solve(interpretation.reading.puzzle, "sat", seconds)
        return outcome


def gave_up(reading: Reading, outcome: Outcome) -> GaveUpError:
    """Return the error for a reading that the solver did not finish."""
    return GaveUpError(
        f"No solution found in {outcome.seconds:.1f} s; the board: {reading.size}.", read=reading
    )
