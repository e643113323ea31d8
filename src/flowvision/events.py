"""The seams between stages: what each one found or failed at, and how long it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, fields, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, Union, cast, get_args

from flowvision.errors import FlowvisionError
from flowvision.value import value_type

if TYPE_CHECKING:  # the types alone: a listener loads no stage
    from flowvision.image.picture import Screenshot
    from flowvision.solvers.base import Outcome
    from flowvision.vision.board.region import BoardEvidence, BoardRegion
    from flowvision.vision.crossings.result import Crossings
    from flowvision.vision.dots.result import Dots, Pairing
    from flowvision.vision.grid.axis_lines import GridEvidence
    from flowvision.vision.kinds.fit import BoardGeometry, DotModel, Fit
    from flowvision.vision.reading import Reading

Stage = Literal["decode", "board", "grid", "sides", "marks", "pairs", "crossings", "solve", "pipes", "draw"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""In order; a reading is settled after ``solve``."""

Evidence = Union["BoardEvidence", "GridEvidence", "Fit", "Dots", "Pairing", "Reading"]
"""What a stage that failed may have had."""

P = ParamSpec("P")
T = TypeVar("T")


@value_type(eq=False, repr=False)
class Trail:
    """The results, stage by stage, that lead to one result; ``None`` for the stages that are still to come.

    ``strategy``: the name of what was tried to find the fit. ``model``: what dots were looked for.
    ``opened``: the walls that were seen and are left out of the reading.
    """

    shot: Screenshot | None = None
    region: BoardRegion | None = None
    strategy: str = ""
    fit: Fit | None = None
    sides: BoardGeometry | None = None
    model: DotModel | None = None
    dots: Dots | None = None
    pairing: Pairing | None = None
    crossings: Crossings | None = None
    opened: tuple[Any, ...] = ()
    reading: Reading | None = None
    outcome: Outcome | None = None

    def with_(self, **found: Any) -> Trail:
        """The trail one or more results further on."""
        return replace(self, **found)

    def __iter__(self) -> Iterator[object]:
        """The results of the stages, in order."""
        for one in fields(self):
            result = getattr(self, one.name)
            if result is not None and one.name not in ("strategy", "model", "opened"):
                yield result

    def __len__(self) -> int:
        """How many results there are."""
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        """The kinds of the results."""
        return f"<Trail: {' → '.join(type(result).__name__ for result in self) or 'empty'}>"


@value_type(eq=False, repr=False)
class StageDone:
    """A stage found ``result``, starting from the results in ``trail``."""

    stage: Stage
    result: object
    seconds: float
    trail: Trail

    def __repr__(self) -> str:
        """The stage, what kind of result it found, and its time."""
        return f"<StageDone {self.stage}: {type(self.result).__name__}, {1000 * self.seconds:.1f} ms>"


@value_type(eq=False, repr=False)
class StageFailed:
    """A stage failed; ``error.evidence`` is what it had."""

    stage: Stage
    error: FlowvisionError
    seconds: float
    trail: Trail

    @property
    def evidence(self) -> Evidence | None:
        """What the stage had when it failed, for the debug pictures."""
        return cast("Evidence | None", self.error.evidence)

    def __repr__(self) -> str:
        """The stage, why it failed, and its time."""
        return f"<StageFailed {self.stage}: {self.error.raised} {1000 * self.seconds:.1f} ms>"


Event = StageDone | StageFailed
Observer = Callable[[Event], None]


@value_type(eq=False)
class Recorder:
    """An observer that keeps all that it is told, for ``debug_page``; nothing is written to disk.

    answer = solve_image("shot.png", observer=Recorder())
    debug_page(answer)
    """

    events: list[Event] = field(default_factory=list, repr=False)

    def __call__(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(event)


@value_type(eq=False)
class StageRunner:
    """Runs stages, times them, keeps their errors and tells the observer.

    ``failures``: the errors among which the most telling one is chosen when nothing is believed. ``events``:
    all that happened, for the diagnosis of a refusal.
    """

    observer: Observer | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    failures: list[StageFailed] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    _silent: dict[Stage, float] = field(default_factory=dict)
    """Seconds of attempts that found nothing, which no event has told of yet."""

    @property
    def recorder(self) -> Recorder | None:
        """The observer, where it keeps what it is told."""
        return self.observer if isinstance(self.observer, Recorder) else None

    def unranked(self) -> StageRunner:
        """The same with a list of failures of its own: told and timed, but never the most telling ones."""
        return replace(self, failures=[])

    def run(self, stage: Stage, trail: Trail, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What ``work`` returns; its ``FlowvisionError`` passes through, with the stage filled in."""
        start = perf_counter()
        try:
            result = work(*args, **kwargs)
        except FlowvisionError as error:
            self.fail(stage, error, trail, perf_counter() - start)
            raise
        self._done(stage, result, perf_counter() - start, trail)
        return result

    def each(self, stage: Stage, trail: Trail, results: Iterator[T]) -> Iterator[T]:
        """The results one by one, as long as they are asked for; an error is noted, and ends them."""
        while True:
            start = perf_counter()
            try:
                result = next(results)
            except StopIteration:
                self._silent[stage] = self._silent.get(stage, 0.0) + perf_counter() - start
                return
            except FlowvisionError as error:
                self.fail(stage, error, trail, perf_counter() - start)
                return
            self._done(stage, result, perf_counter() - start, trail)
            yield result

    def fail(
        self, stage: Stage, error: FlowvisionError, trail: Trail, seconds: float = 0.0
    ) -> FlowvisionError:
        """Note that a stage failed; the error, to be raised."""
        error.stage = stage
        error.recorder = self.recorder
        # Not a copy: what is tried after this failure counts too, where this one is told in the end.
        error.seconds = self.seconds
        seconds = self._add(stage, seconds)
        failed = StageFailed(stage, error, seconds, trail)
        self.failures.append(failed)
        self._tell(failed)
        return error

    def _done(self, stage: Stage, result: object, seconds: float, trail: Trail) -> None:
        self._tell(StageDone(stage, result, self._add(stage, seconds), trail))

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        if self.observer:
            self.observer(event)

    def _add(self, stage: Stage, seconds: float) -> float:
        """The seconds to announce: with those of attempts that found nothing before."""
        seconds += self._silent.pop(stage, 0.0)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
        return seconds
