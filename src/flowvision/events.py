"""The seams between stages: what each one found or failed at, and how long it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, ParamSpec, TypeVar, Union, cast, get_args

from flowvision.errors import Explanation, Failure, FlowvisionError
from flowvision.value import found_on_the_way, value_type

if TYPE_CHECKING:  # the types alone: a listener loads no stage
    from flowvision.image.picture import Screenshot
    from flowvision.solvers.base import Outcome
    from flowvision.vision.assembly import Interpretation, Reading
    from flowvision.vision.board import BoardEvidence, BoardRegion
    from flowvision.vision.crossings.crossings import Crossings
    from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing
    from flowvision.vision.grid.axis_lines import GridEvidence
    from flowvision.vision.kinds.fit import BoardGeometry, DotModel, Fit

Stage = Literal["decode", "board", "grid", "sides", "dots", "pairs", "crossings", "solve", "pipes", "draw"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""In order; a reading is settled after ``solve``."""

Evidence = Union["BoardEvidence", "GridEvidence", "Fit", "Dots", "Pairing", "Reading"]
"""The unfinished results that a failed stage may have."""

P = ParamSpec("P")
T = TypeVar("T")


class _Latest(Generic[T]):
    """The latest result of a type that led to a trail's; ``None`` for a stage that was not reached.

    The type is named, ``module:Class``, and imported on demand.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, trail: Trail, owner: type[Trail]) -> T | None:
        module, kind = self.name.split(":")
        return found_on_the_way(trail.result, cast("type[T]", getattr(import_module(module), kind)))


@value_type(eq=False, repr=False)
class Trail:
    """The results that led to one, looked up stage by stage; ``None`` for stages that were not reached.

    For those who look back from an event and do not know how far it came. ``tried``: the strategy for a fit
    that there is none of.
    """

    result: object = None
    tried: str = ""

    shot: ClassVar[_Latest[Screenshot]] = _Latest("flowvision.image.picture:Screenshot")
    region: ClassVar[_Latest[BoardRegion]] = _Latest("flowvision.vision.board:BoardRegion")
    fit: ClassVar[_Latest[Fit]] = _Latest("flowvision.vision.kinds.fit:Fit")
    geometry: ClassVar[_Latest[BoardGeometry]] = _Latest("flowvision.vision.kinds.fit:BoardGeometry")
    hypothesis: ClassVar[_Latest[DotHypothesis]] = _Latest("flowvision.vision.dots.detection:DotHypothesis")
    dots: ClassVar[_Latest[Dots]] = _Latest("flowvision.vision.dots.detection:Dots")
    pairing: ClassVar[_Latest[Pairing]] = _Latest("flowvision.vision.dots.detection:Pairing")
    crossings: ClassVar[_Latest[Crossings]] = _Latest("flowvision.vision.crossings.crossings:Crossings")
    interpretation: ClassVar[_Latest[Interpretation]] = _Latest("flowvision.vision.assembly:Interpretation")

    @property
    def strategy(self) -> str:
        """The name of what was tried to find the fit."""
        return self.fit.strategy if self.fit else self.tried

    @property
    def dot_strategy(self) -> str:
        """The name of what was tried to find the dots."""
        return self.hypothesis.strategy if self.hypothesis else ""

    @property
    def model(self) -> DotModel | None:
        """How the dots that were looked for look."""
        return self.hypothesis.model if self.hypothesis else None

    @property
    def reading(self) -> Reading | None:
        """The board that was read."""
        return self.interpretation.reading if self.interpretation else None

    @property
    def ignored_walls(self) -> tuple[Any, ...]:
        """The walls that were seen and are left out of the reading."""
        return self.interpretation.ignored_walls if self.interpretation else ()

    @property
    def outcome(self) -> Outcome | None:
        """The solver's outcome for the reading."""
        return getattr(self.result, "outcome", None)

    def __iter__(self) -> Iterator[object]:
        """The results of the stages, in order."""
        names = "shot", "region", "fit", "geometry", "dots", "pairing", "crossings", "reading", "outcome"
        return (found for name in names if (found := getattr(self, name)) is not None)

    def __len__(self) -> int:
        """How many results there are."""
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        """The kinds of the results."""
        return f"<Trail: {' → '.join(type(result).__name__ for result in self) or 'empty'}>"


class _FromResult:
    """An event of a stage that began with the result ``before``."""

    __slots__ = ()
    before: object
    strategy: str

    @property
    def trail(self) -> Trail:
        """The results that led to the stage."""
        return Trail(self.before, self.strategy)


@value_type(eq=False, repr=False)
class StageDone(_FromResult):
    """A stage made ``result`` of ``before``, the result that it began with; ``None``: the first stage.

    ``strategy``: what was tried, to find a fit.
    """

    stage: Stage
    result: object
    seconds: float
    before: object = None
    strategy: str = ""

    def __repr__(self) -> str:
        """The stage, what kind of result it found, and its time."""
        return f"<StageDone {self.stage}: {type(self.result).__name__}, {1000 * self.seconds:.1f} ms>"


@value_type(eq=False, repr=False)
class StageFailed(_FromResult):
    """A stage failed at ``before``, the result that it began with; ``error.evidence`` is what it had.

    ``strategy``: what was tried, where no fit was found.
    """

    stage: Stage
    error: FlowvisionError
    seconds: float
    before: object = None
    strategy: str = ""

    @property
    def evidence(self) -> Evidence | None:
        """The unfinished result of the stage, for the debug pictures."""
        return cast("Evidence | None", self.error.evidence)

    def __repr__(self) -> str:
        """The stage, why it failed, and its time."""
        return f"<StageFailed {self.stage}: {self.error.stage_message} {1000 * self.seconds:.1f} ms>"


Event = StageDone | StageFailed
Observer = Callable[[Event], None]


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

    def unranked(self) -> StageRunner:
        """A runner for attempts whose errors are never the most telling: its list of failures is its own.

        Its observer, events and times are those of this one.
        """
        return replace(self, failures=[])

    def run(self, stage: Stage, before: object, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of ``work``; its ``FlowvisionError`` passes through."""
        start = perf_counter()
        try:
            result = work(*args, **kwargs)
        except FlowvisionError as error:
            self.fail(stage, error, before, perf_counter() - start)
            raise
        self._done(stage, result, perf_counter() - start, before)
        return result

    def each(self, stage: Stage, before: object, results: Iterator[T], strategy: str = "") -> Iterator[T]:
        """The results one by one, on demand; an error is noted, and ends them."""
        while True:
            start = perf_counter()
            try:
                result = next(results)
            except StopIteration:
                self._silent[stage] = self._silent.get(stage, 0.0) + perf_counter() - start
                return
            except FlowvisionError as error:
                self.fail(stage, error, before, perf_counter() - start, strategy)
                return
            self._done(stage, result, perf_counter() - start, before, strategy)
            yield result

    def fail(
        self, stage: Stage, error: FlowvisionError, before: object, seconds: float = 0.0, strategy: str = ""
    ) -> FlowvisionError:
        """Note that a stage failed; the error, to be raised."""
        failed = StageFailed(stage, error, self._add(stage, seconds), before, strategy)
        self.failures.append(failed)
        self._tell(failed)
        return error

    def ended(
        self,
        error: FlowvisionError,
        explanation: Explanation | None = None,
        kind: type[FlowvisionError] | None = None,
    ) -> FlowvisionError:
        """The error of a stage as the one that ends the run: with its stage, and the time of all stages.

        ``kind``: what it is where that is not as the stage raised it.
        """
        failed = (one for one in reversed(self.events) if isinstance(one, StageFailed) and one.error is error)
        stage = next((one.stage for one in failed), None)
        failure = Failure(error, stage, dict(self.seconds), tuple(self.events), explanation)
        return error.ending(failure, kind).with_traceback(error.__traceback__)

    def _done(self, stage: Stage, result: object, seconds: float, before: object, strategy: str = "") -> None:
        self._tell(StageDone(stage, result, self._add(stage, seconds), before, strategy))

    def _tell(self, event: Event) -> None:
        self.events.append(event)
        if self.observer:
            self.observer(event)

    def _add(self, stage: Stage, seconds: float) -> float:
        """The seconds to announce: with those of attempts that found nothing before."""
        seconds += self._silent.pop(stage, 0.0)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
        return seconds
