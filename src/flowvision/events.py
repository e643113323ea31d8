"""The seams between stages: what each one found or failed at, and how long it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, ParamSpec, TypeVar, get_args

from flowvision.errors import FlowvisionError

Stage = Literal["decode", "board", "grid", "sides", "marks", "pairs", "crossings", "solve", "pipes", "draw"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""In order; a reading is settled after ``solve``."""

Trail = tuple[object, ...]
"""The results, stage by stage, that lead to one result."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class StageDone:
    """A stage found ``result``, starting from the results in ``trail``."""

    stage: Stage
    result: object
    seconds: float
    trail: Trail


@dataclass(frozen=True, slots=True, eq=False)
class StageFailed:
    """A stage failed; ``error.evidence`` is what it had."""

    stage: Stage
    error: FlowvisionError
    seconds: float
    trail: Trail


Event = StageDone | StageFailed
Observer = Callable[[Event], None]


@dataclass(slots=True)
class Watch:
    """Runs stages, times them, keeps their errors and tells the observer."""

    observer: Observer | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    failures: list[StageFailed] = field(default_factory=list)

    def run(self, stage: Stage, trail: Trail, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``work`` returns; its ``FlowvisionError`` passes through, with the stage filled in."""
        start = perf_counter()
        try:
            result = work(*args, **kwargs)
        except FlowvisionError as error:
            self.fail(stage, error, perf_counter() - start, trail)
            raise
        self._done(stage, result, perf_counter() - start, trail)
        return result

    def each(self, stage: Stage, trail: Trail, results: Iterator[T]) -> Iterator[T]:
        """The results one by one, as long as they are asked for; an error ends them quietly."""
        while True:
            start = perf_counter()
            try:
                result = next(results)
            except StopIteration:
                return
            except FlowvisionError as error:
                self.fail(stage, error, perf_counter() - start, trail)
                return
            self._done(stage, result, perf_counter() - start, trail)
            yield result

    def fail(self, stage: Stage, error: FlowvisionError, seconds: float, trail: Trail) -> None:
        """Note that a stage failed."""
        error.stage = stage
        self._add(stage, seconds)
        failed = StageFailed(stage, error, seconds, trail)
        self.failures.append(failed)
        if self.observer:
            self.observer(failed)

    def _done(self, stage: Stage, result: object, seconds: float, trail: Trail) -> None:
        self._add(stage, seconds)
        if self.observer:
            self.observer(StageDone(stage, result, seconds, trail))

    def _add(self, stage: Stage, seconds: float) -> None:
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
