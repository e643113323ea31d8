"""The stages in order, from a screenshot to the solved picture.

Vision offers readings best first; the solver chooses among them: a wrong reading hardly ever has
exactly one solution. Nothing here draws or prints; an observer is told what every stage found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flowvision.codec import as_bgr, decode, encode
from flowvision.errors import DoubtfulReadingError, FlowvisionError, GaveUpError, UnsolvableError
from flowvision.files import read_bytes
from flowvision.picture import Bgr, Screenshot
from flowvision.render.overlay import draw_solution
from flowvision.solvers import GaveUp, Limits, Outcome, Solved, Unsolvable, solve
from flowvision.vision.board import find_boards
from flowvision.vision.colours import pair_dots
from flowvision.vision.crossings import find_crossings
from flowvision.vision.marks import find_marks
from flowvision.vision.reading import assemble, fits_of
from flowvision.vision.results import Reading
from flowvision.vision.settings import Settings
from flowvision.vision.sides import read_sides
from flowvision.watch import STAGES, Observer, Trail, Watch

Source = str | os.PathLike[str] | bytes | NDArray[np.uint8] | Screenshot
"""A path (``-``: standard input), an encoded picture, an array of BGR pixels, or a ``Screenshot``."""


@dataclass(frozen=True, slots=True)
class Options:
    """How much to try, and what to believe."""

    settings: Settings = field(default_factory=Settings)
    seconds: float = field(
        default=30.0, metadata={"unit": "s", "reason": "a picture is given up after this long"}
    )
    readings: int = field(
        default=12,
        metadata={"unit": "readings", "reason": "the right one is among the first few or not there at all"},
    )
    sure: float = field(
        default=0.75,
        metadata={
            "unit": "0 to 1",
            "reason": "a reading without exactly one solution needs a reader this sure",
        },
    )
    least: float = field(
        default=0.55,
        metadata={"unit": "0 to 1", "reason": "the weakest right reading, a photograph, has 0.57"},
    )


@dataclass(frozen=True, slots=True, eq=False)
class CheckedReading:
    """A reading that the solver was asked about. ``seconds`` per stage; ``confidence`` 0 to 1."""

    name: str
    reading: Reading
    outcome: Outcome
    seconds: dict[str, float]
    warnings: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Answer(CheckedReading):
    """A checked reading, its solution, and the ``picture`` with the solution drawn on it."""

    outcome: Solved
    picture: Bgr

    def _repr_png_(self) -> bytes:
        """What a notebook shows."""
        return encode(self.picture)


def solve_image(source: Source, options: Options | None = None, observer: Observer | None = None) -> Answer:
    """The solved picture of a screenshot.

    Raises a ``FlowvisionError`` that says which stage failed and what it saw.
    """
    watch = Watch(observer)
    shot = _open(source, watch)
    checked, trail = _read(shot, options or Options(), watch)
    reading, outcome = checked.reading, checked.outcome
    if not isinstance(outcome, Solved):
        raise _failed(watch, trail, _gave_up(reading, outcome))
    picture = watch.run(
        "draw",
        (*trail, outcome),
        draw_solution,
        shot.bgr,
        reading.board,
        outcome.solution,
        reading.frame,
        reading.palette,
    )
    return Answer(
        checked.name, reading, outcome, checked.seconds, checked.warnings, checked.confidence, picture
    )


def read_image(
    source: Source, options: Options | None = None, observer: Observer | None = None
) -> CheckedReading:
    """What a screenshot shows, checked by the solver; nothing is drawn. Raises as ``solve_image`` does."""
    watch = Watch(observer)
    return _read(_open(source, watch), options or Options(), watch)[0]


def open_image(source: Source) -> Screenshot:
    """The decoded picture. Raises ``ImageUnreadableError``."""
    if isinstance(source, Screenshot):
        return source
    if isinstance(source, np.ndarray):
        return Screenshot(as_bgr(source))
    if isinstance(source, bytes):
        return decode(source)
    return decode(read_bytes(source), os.fspath(source))


def _open(source: Source, watch: Watch) -> Screenshot:
    return watch.run("decode", (), open_image, source)


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """A reading, what the solver made of it, and the results that led to it."""

    reading: Reading
    outcome: Outcome
    trail: Trail


def _read(shot: Screenshot, options: Options, watch: Watch) -> tuple[CheckedReading, Trail]:
    """The reading to believe. Raises the most telling error when there is none."""
    end = perf_counter() + options.seconds
    tried: list[_Tried] = []
    for trail, reading in islice(_readings(shot, options.settings, watch), options.readings):
        left = max(0.01, end - perf_counter())
        # A right reading is solved in milliseconds; a wrong one must not use up the time of the next.
        limits = Limits(min(left, options.seconds / 6))
        outcome = watch.run("solve", trail, solve, reading.puzzle, "sat", limits)
        tried.append(_Tried(reading, outcome, trail))
        if _settled(outcome) or perf_counter() > end:
            break
    best = _most_credible(tried, watch, options)
    outcome, warnings = best.outcome, _warnings(best.outcome)
    touches = isinstance(outcome, Solved) and outcome.rules == "free"
    if touches or best.reading.confidence < (options.sure if warnings else options.least):
        raise _failed(watch, best.trail, _doubtful(best.reading, warnings))
    confidence = _confidence(best.reading, outcome)
    return CheckedReading(shot.name, best.reading, outcome, watch.seconds, warnings, confidence), best.trail


def _readings(shot: Screenshot, settings: Settings, watch: Watch) -> Iterator[tuple[Trail, Reading]]:
    """Readings and how they came about, best first: every fit of a region, region by region."""
    for region in watch.each("board", (shot,), find_boards(shot, settings)):
        for fit in watch.each("grid", (shot, region), fits_of(region, settings)):
            trail: Trail = (shot, region, fit)
            with suppress(FlowvisionError):  # noted by the watch; the next fit may do better
                sides = watch.run("sides", trail, read_sides, fit, settings)
                marks = watch.run("marks", (*trail, sides), find_marks, sides, settings)
                pairing = watch.run("pairs", (*trail, sides, marks), pair_dots, marks, settings)
                trail = (*trail, sides, marks, pairing)
                reading = assemble(sides, marks, pairing)
                yield (*trail, reading), reading
                # Whoever asks on was not content: is something missing over which paths cross?
                seen = find_crossings(sides, marks, pairing, settings)
                for crossings in watch.each("crossings", trail, seen):
                    reading = assemble(sides, marks, pairing, crossings)
                    yield (*trail, crossings, reading), reading


def _settled(outcome: Outcome) -> bool:
    """Whether the only solution there is was found, as for every published level."""
    return isinstance(outcome, Solved) and outcome.unique is True and outcome.rules == "strict"


def _most_credible(tried: list[_Tried], watch: Watch, options: Options) -> _Tried:
    """The first settled reading, else the first solvable one, else the first not refuted.

    A settled reading gives way to a solvable one of half as many cells again, read surely: a part of a
    board may have one solution where the whole has several. Raises the error of the stage that came
    furthest when all are refuted.
    """
    whole = max(
        (_cells(one) for one in tried if _is_strict(one.outcome) and one.reading.confidence >= options.sure),
        default=0,
    )

    def rank(one: _Tried) -> tuple[bool, ...]:
        part = 1.5 * _cells(one) <= whole
        return not part, _settled(one.outcome), _is_strict(one.outcome), isinstance(one.outcome, Solved)

    open_ones = [one for one in tried if not isinstance(one.outcome, Unsolvable)]
    if open_ones:
        return max(open_ones, key=rank)
    for one in tried:
        watch.fail("solve", _unsolvable(one.reading), 0.0, one.trail)
    furthest = max(watch.failures, key=lambda failed: STAGES.index(failed.stage))
    raise furthest.error


def _cells(one: _Tried) -> int:
    return len(one.reading.board.layout.cells)


def _is_strict(outcome: Outcome) -> bool:
    """Whether it is solved, and no path touches itself."""
    return isinstance(outcome, Solved) and outcome.rules == "strict"


def _failed(watch: Watch, trail: Trail, error: FlowvisionError) -> FlowvisionError:
    watch.fail("solve", error, 0.0, trail)
    return error


def _seen(reading: Reading) -> str:
    """The board in numbers, as error messages name it."""
    lattice, flows = reading.lattice, len(reading.puzzle.terminals)
    cells = f"{len(reading.board.layout.cells)} cells"
    size = cells if lattice is None else f"{lattice.rows} rows and {lattice.cols} columns"
    return f"Read {size} with {flows} pair{'s' if flows != 1 else ''} of dots"


def _unsolvable(reading: Reading) -> UnsolvableError:
    return UnsolvableError(
        f"{_seen(reading)}; this board has no solution, so it was misread.",
        "Compare the dots with those found: `--debug DIR`, picture 04-marks.png.",
        reading,
    )


def _gave_up(reading: Reading, outcome: Outcome) -> GaveUpError:
    return GaveUpError(f"{_seen(reading)}; no solution found within {outcome.seconds:.1f} s.", None, reading)


def _doubtful(reading: Reading, warnings: tuple[str, ...]) -> DoubtfulReadingError:
    return DoubtfulReadingError(
        f"{_seen(reading)}, with a confidence of {reading.confidence:.2f}. {' '.join(warnings)}",
        None,
        reading,
    )


def _warnings(outcome: Outcome) -> tuple[str, ...]:
    """What casts doubt on the reading: every published level has one solution, and no path touches itself."""
    match outcome:
        case GaveUp(seconds):
            return (f"Not checked: the solver found no answer within {seconds:.1f} s.",)
        case Solved(rules="free"):
            return ("In every solution a path touches itself; the board may have been misread.",)
        case Solved(unique=False):
            return ("There is more than one solution; the board may have been misread.",)
        case Solved(unique=None):
            return ("Whether there is another solution was not settled in time.",)
    return ()


def _confidence(reading: Reading, outcome: Outcome) -> float:
    """The reader's confidence, strengthened by a unique solution or weakened by what casts doubt.

    Of 552 wrong boards that other readers returned, 3 had exactly one solution.
    """
    if _settled(outcome):
        return round(1 - 0.1 * (1 - reading.confidence), 3)
    weight = 0.8 if isinstance(outcome, Solved) and outcome.rules == "strict" else 0.6
    return round(weight * reading.confidence, 3)
