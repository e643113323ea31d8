"""Log of a run: each step of a stage with its result or error, and its time; ancestors of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from operator import attrgetter
from time import perf_counter
from typing import Literal, TypeVar, get_args

from msgspec import Struct

from flowvision.errors import CrashedError, FlowvisionError, crash_of, refusal_of

Stage = Literal[
    "decode", "board", "grid", "sides", "dots", "pairs", "crossings", "solve", "doubts", "pipes", "draw"
]
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
    ``error``: both ``None`` if nothing was found. ``seconds``: wall time, with what led to it since the step
    before, without that of steps within it.
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
        outcome = str(self.error.sentence) if self.error else type(self.result).__name__
        milliseconds = 1000 * self.seconds
        return f"<Step {self.stage} {self.name}: {outcome[:60]}, {milliseconds:.1f} ms>"


Observer = Callable[[Step], None]


class ObserverError(BaseException):
    """Carries the ``error`` of an observer past all handlers of errors of a reading."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class Clock(Struct):
    """End of the last step of a run and its trials, by ``perf_counter``."""

    last_end: float


class Log:
    """The steps of a run, in order. Their times add up to that of the run.

    ``failures``: failed steps that are telling; the furthest names the error when nothing is believed.
    ``trials``: logs of other ways to read the picture, of which only the time counts until they are adopted.
    ``open_steps``: number of steps that have begun; ``inner_seconds``: of the ended ones in the innermost.
    """

    def __init__(self, observer: Observer | None = None, clock: Clock | None = None) -> None:
        self.observer = observer
        self.clock = clock or Clock(perf_counter())
        self.steps: list[Step] = []
        self.failures: list[Step] = []
        self.trials: list[Log] = []
        self.open_steps = 0
        self.inner_seconds = 0.0

    def trial(self) -> Log:
        """Return a log for another way to read the picture."""
        log = Log(self.observer, self.clock)
        self.trials.append(log)
        return log

    def adopt(self, trial: Log) -> None:
        """Add the steps of a trial that succeeded."""
        self.trials.remove(trial)
        self.trials += trial.trials
        self.steps += trial.steps

    @contextmanager
    def step(
        self, stage: Stage, name: str = "", source: object = None, *, is_telling: bool = True
    ) -> Iterator[Step]:
        """Time a step and add it; its error is noted and raised, an error of arithmetic as a refusal.

        ``is_telling``: its error may name that of the run.
        """
        step = Step(stage, name, source)
        start = perf_counter() if self.open_steps else self.clock.last_end
        seconds_beside, self.inner_seconds = self.inner_seconds, 0.0
        self.open_steps += 1
        try:
            yield step
        except Exception as error:
            refusal = error if isinstance(error, FlowvisionError) else refusal_of(error, stage)
            step.error = refusal or crash_of(error)
            self._end(step, start, seconds_beside, is_telling)
            if refusal is None or refusal is error:
                raise
            raise refusal from error
        self._end(step, start, seconds_beside)

    @contextmanager
    def crashes(self, *passed: type[Exception]) -> Iterator[None]:
        """Raise an unexpected exception as the failure of its stage; ``passed``: raised unchanged."""
        try:
            yield
        except Exception as error:
            if isinstance(error, (FlowvisionError, *passed)):
                raise
            last = self.steps[-1]
            if isinstance(last.error, CrashedError):  # the step itself has noted it
                raise last.error.ended(self) from error
            failure = refusal_of(error, last.stage) or crash_of(error)
            raise self.fail(last.stage, failure, last.source).ended(self) from error

    def each(
        self,
        stage: Stage,
        results: Iterator[T],
        name: str = "",
        source: object = None,
        *,
        is_telling: bool = True,
    ) -> Iterator[T]:
        """Yield results on demand, a step each; a ``FlowvisionError`` is noted and ends them."""
        while True:
            try:
                with self.step(stage, name, source, is_telling=is_telling) as step:
                    step.result = result = next(results, None)
            except FlowvisionError:
                return
            if result is None:
                return
            yield result

    def fail(self, stage: Stage, error: FlowvisionError, source: object) -> FlowvisionError:
        """Note an error as a step, and return it to be raised."""
        self._add(Step(stage, name="", source=source, error=error))
        return error

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by stage, to the microsecond."""
        of_steps = ((step.stage, step.seconds) for step in self.steps)
        total = dict[str, float]()
        for stage, seconds in chain(of_steps, *(trial.seconds.items() for trial in self.trials)):
            total[stage] = total.get(stage, 0.0) + seconds
        return {stage: round(seconds, 6) for stage, seconds in total.items()}

    def _end(self, step: Step, start: float, seconds_beside: float, is_telling: bool = True) -> None:
        """Add a step, with its time since ``start`` without that of the steps in it.

        ``seconds_beside``: of the steps that ended before it within the same outer one.
        """
        self.open_steps -= 1
        self.clock.last_end = perf_counter()
        elapsed = self.clock.last_end - start
        step.seconds = elapsed - self.inner_seconds
        self.inner_seconds = seconds_beside + elapsed  # of the outer step, which is now the innermost
        self._add(step, is_telling)

    def _add(self, step: Step, is_telling: bool = True) -> None:
        """Add a step that has ended, and tell the observer."""
        self.steps.append(step)
        if step.error is not None and is_telling:
            self.failures.append(step)
        if self.observer:
            try:
                self.observer(step)
            except Exception as error:
                raise ObserverError(error) from error
