"""Every sentence that is said about a reading: warnings, and the errors of those that are refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flowvision.errors import DoubtfulReadingError, FlowvisionError, GaveUpError, UnsolvableError
from flowvision.puzzle.check import position_name
from flowvision.reading.result import Candidate
from flowvision.render.letters import letters_for
from flowvision.solvers import GaveUp, Outcome, Solved
from flowvision.vision.reading import Reading

if TYPE_CHECKING:  # loaded when a reading is refuted, which is seldom
    from flowvision.solvers.continuation import Continuation
    from flowvision.solvers.repairs import Repairs

MAX_REPAIRS = 3
"""Repairs that an error lists; more help nobody."""


def warnings_of(candidate: Candidate) -> tuple[str, ...]:
    """What casts doubt on a reading: every published level has one solution, and no path touches itself."""
    made = []
    if candidate.repair:
        mended = f"{candidate.repair} With that it has exactly one."
        made.append(f"As it was seen the board has no solution. {mended}")
    match candidate.outcome:
        case Solved(rules="free") if candidate.drawn:
            made.append("In every solution a path touches itself, in the one that is drawn as well.")
        case Solved(rules="free"):
            made.append("In every solution a path touches itself; the board may have been misread.")
        case Solved(unique=False):
            made.append("There is more than one solution; the board may have been misread.")
        case Solved(unique=None):
            made.append("Whether there is another solution was not settled in time.")
    return tuple(made)


def least_sure_warning(candidate: Candidate, confidence: float, least: float) -> tuple[str, ...]:
    """A warning that names what was seen least well, where ``confidence`` is below ``least``."""
    if confidence >= least or not candidate.reading.weakest:
        return ()
    return (f"I may have misread this: look at {candidate.reading.weakest}.",)


def swapped_size_warning(reading: Reading, size: tuple[int, int] | None) -> tuple[str, ...]:
    """That rows and columns were given the wrong way round, where the lines say so; ``size``: as given."""
    lattice = reading.lattice
    if size is None or lattice is None or (lattice.rows, lattice.cols) == size:
        return ()
    return (
        f"{size[1]} columns and {size[0]} rows were given; the lines show {lattice.cols} columns and "
        f"{lattice.rows} rows.",
    )


def unsolvable(reading: Reading, offered: Repairs | None = None) -> UnsolvableError:
    """The error for a reading that is refuted, with the repairs that would make it a puzzle."""
    message = f"Read {reading.size}; this board has no solution, so it was misread."
    if offered and offered.found:
        words = " ".join(repair.text for repair in offered.found[:MAX_REPAIRS])
        message += f" It would have exactly one solution with one change: {words}"
    hint = "Compare the dots with those found: `--debug DIR`, picture 04-marks.png."
    return UnsolvableError(message, hint, reading)


def not_continued(reading: Reading, found: Continuation) -> FlowvisionError:
    """The error for pipes that no solution goes on from; it names those that are wrong."""
    if isinstance(found.outcome, GaveUp):
        return gave_up(reading, found.outcome)
    letters, dots, palette = letters_for(reading.palette), reading.puzzle.terminals, reading.palette
    wrong = [
        f"{letters[flow]} ({palette[flow].hex}, {position_name(dots[flow][0], reading.board)})"
        for flow in found.wrong
    ]
    which = "this pipe is" if len(wrong) == 1 else "one of these pipes is"
    return UnsolvableError(
        f"Read {reading.size}; no solution goes on from the pipes drawn: {which} wrong: {', '.join(wrong)}.",
        "Take it back in the game, or solve without `--keep-drawn`.",
        reading,
    )


def gave_up(reading: Reading, outcome: Outcome) -> GaveUpError:
    """The error for a reading that the solver did not finish."""
    return GaveUpError(
        f"Read {reading.size}; gave up after {outcome.seconds:.1f} s without a solution. "
        "Levels of the game take milliseconds: it may have been misread.",
        None,
        reading,
    )


def doubtful(candidate: Candidate, warnings: Sequence[str]) -> FlowvisionError:
    """The error for a reading that is not believed."""
    words = " ".join(warnings)
    weakest = f" Seen least well: {candidate.reading.weakest}." if candidate.reading.weakest else ""
    reading = candidate.reading
    seen = f"Read {reading.size}, with a confidence of {reading.confidence:.2f}."
    return DoubtfulReadingError(f"{seen} {words}{weakest}", None, reading)
