"""Log of a run: each step of a stage with its result or error, and its time; ancestors of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from time import perf_counter
from typing import Literal, TypeVar, get_args

from msgspec import Struct

from flowvision.errors import CrashedError, FlowvisionError, crash_of, refusal_of

Stage = Literal["decode", "board", "grid", "sides", "dots", "pairs", "crossings", "solve", "pipes", "draw"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""In order; a reading is settled after ``solve``."""

T = TypeVar("T")


def made_of(field_name: str) -> property:
    """Return the ``source`` of a result: the field that holds the result it was made of."""
    return property(attrgetter(field_name))


def ancestors(result: object) -> Iterator[object]:
    """Yield a result, the one it was made of, and so on."""
    while result is not None:
        yield result
        result = getattr(result, "source", None)


def find_ancestor(result: object, kind: type[T]) -> T | None:
    """Return the latest result of a type among those that led to one."""
    return next((item for item in ancestors(result) if isinstance(item, kind)), None)


class Step(Struct, eq=False):
    """One step of a stage.

    ``name``: strategy, if a stage has several. ``source``: result that the step began with. ``result`` and
    ``error``: both ``None`` if nothing was found. ``seconds``: wall time.
    """

    stage: Stage
    name: str = ""
    source: object = None
    result: object = None
    error: FlowvisionError | None = None
    seconds: float = 0.0

    @property
    def own(self) -> object:
        """The result, or the unfinished one of the error."""
        return self.result if self.error is None else self.error.evidence

    def find(self, kind: type[T]) -> T | None:
        """Return the latest result of a type that led to the step, its own included."""
        result = find_ancestor(self.own, kind)
        return find_ancestor(self.source, kind) if result is None else result

    def __repr__(self) -> str:
        found = str(self.error.sentence) if self.error else type(self.result).__name__
        return f"<Step {self.stage} {self.name}: {found[:60]}, {1000 * self.seconds:.1f} ms>"


Observer = Callable[[Step], None]


class ObserverError(BaseException):
    """Carries the ``error`` of an observer past all handlers of errors of a reading."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class Log:
    """The steps of a run, in order.

    ``failures``: failed steps, the most telling of which names the error when nothing is believed.
    """

    def __init__(self, observer: Observer | None = None) -> None:
        self.observer = observer
        self.steps: list[Step] = []
        self.failures: list[Step] = []

    def aside(self) -> Log:
        """Return a log of the same steps for attempts whose errors are never the most telling."""
        log = Log(self.observer)
        log.steps = self.steps
        return log

    @contextmanager
    def step(self, stage: Stage, name: str = "", source: object = None) -> Iterator[Step]:
        """Time a step and add it; its error is noted and raised, an error of arithmetic as a refusal."""
        step, start = Step(stage, name, source), perf_counter()
        try:
            yield step
        except Exception as error:
            refusal = error if isinstance(error, FlowvisionError) else refusal_of(error, stage)
            step.error, step.seconds = refusal or crash_of(error), perf_counter() - start
            self._add(step)
            if refusal is None or refusal is error:
                raise
            raise refusal from error
        step.seconds = perf_counter() - start
        self._add(step)

    @contextmanager
    def crashes(self, *passed: type[Exception]) -> Iterator[None]:
        """Raise an unexpected exception as the failure of its stage; ``passed``: raised unchanged."""
        try:
            yield
        except Exception as error:
            if isinstance(error, (FlowvisionError, *passed)):
                raise
            last = self.steps[-1]
            if isinstance(last.error, CrashedError):
                raise last.error.ended(self) from error
            failure = refusal_of(error, last.stage) or crash_of(error)
            raise self.fail(last.stage, failure, last.source).ended(self) from error

    def each(self, stage: Stage, results: Iterator[T], name: str = "", source: object = None) -> Iterator[T]:
        """Yield results on demand, a step each; an error is noted and ends them."""
        while True:
            try:
                with self.step(stage, name, source) as step:
                    step.result = result = next(results, None)
            except FlowvisionError:
                return
            if result is None:
                return
            yield result

    def fail(self, stage: Stage, error: FlowvisionError, source: object) -> FlowvisionError:
        """Note an error, and return it to be raised."""
        self._add(Step(stage, "", source, error=error))
        return error

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by stage, to the microsecond."""
        total: dict[str, float] = {}
        for step in self.steps:
            total[step.stage] = round(total.get(step.stage, 0.0) + step.seconds, 6)
        return total

    def _add(self, step: Step) -> None:
        self.steps.append(step)
        if step.error is not None:
            self.failures.append(step)
        if self.observer:
            try:
                self.observer(step)
            except Exception as error:
                raise ObserverError(error) from error
