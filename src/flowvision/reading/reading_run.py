"""One picture that is being read: options, log, time left."""

from __future__ import annotations

import dataclasses
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import GaveUpError
from flowvision.image.picture import CropBox, Screenshot
from flowvision.log import Log
from flowvision.reading.options import Options
from flowvision.solvers import Outcome, solve
from flowvision.vision.assembly import Interpretation, Reading

if TYPE_CHECKING:
    from typing import Self

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
        """Return the run, looking at this part of the picture alone."""
        return replace(self, options=dataclasses.replace(self.options, crop=crop))

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
