"""What to believe: readings that the solver was asked about, weighed against one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flowvision.errors import DoubtfulReadingError, FlowvisionError, GaveUpError, UnsolvableError
from flowvision.events import Trail
from flowvision.puzzle.check import position_name
from flowvision.render.letters import letters_for
from flowvision.solvers import GaveUp, Limits, Outcome, Solved, Unsolvable
from flowvision.vision.reading import Reading

if TYPE_CHECKING:  # loaded when a reading is refuted, which is seldom
    from flowvision.solvers.continuation import Continuation
    from flowvision.solvers.repairs import Repair, Repairs

PART = 1.5
"""A reading with this many times fewer cells than another is a part of it."""
NAMED = 3
"""Repairs that an error lists; more help nobody."""


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A reading, what the solver made of it, and the results that led to it.

    ``repair``: the change that was made to what was seen, in words. ``drawn``: the outcome is a solution
    that somebody drew on the board.
    """

    reading: Reading
    outcome: Outcome
    trail: Trail
    repair: str = ""
    drawn: bool = False


def strictly(outcome: Outcome) -> Outcome:
    """The outcome, where a search for paths that touch themselves was cut short: that refutes a reading."""
    if isinstance(outcome, GaveUp) and outcome.rules == "free":
        return Unsolvable(outcome.seconds, "in every solution a path would touch itself")
    return outcome


def is_settled(outcome: Outcome) -> bool:
    """Whether the only solution there is was found, as for every published level."""
    return isinstance(outcome, Solved) and outcome.unique is True and outcome.rules == "strict"


def most_credible(tried: Sequence[Tried], sure: float) -> Tried | None:
    """The first settled reading, else the first solvable one, else the first not refuted, if any.

    A settled reading gives way to a solvable one of half as many cells again that was read surely: a part
    of a board may have one solution where the whole has several.
    """
    whole = max(
        (_cells(one) for one in tried if _is_strict(one.outcome) and one.reading.confidence >= sure),
        default=0,
    )

    def rank(one: Tried) -> tuple[bool, ...]:
        part = PART * _cells(one) <= whole
        return not part, is_settled(one.outcome), _is_strict(one.outcome), isinstance(one.outcome, Solved)

    open_ones = [one for one in tried if not isinstance(one.outcome, Unsolvable)]
    return max(open_ones, key=rank, default=None)


def _cells(one: Tried) -> int:
    return len(one.reading.board.layout.cells)


def _is_strict(outcome: Outcome) -> bool:
    """Whether it is solved, and no path touches itself."""
    return isinstance(outcome, Solved) and outcome.rules == "strict"


def repairs_of(reading: Reading, seconds: float) -> Repairs:
    """What small misreading would explain that a reading has no solution, the doubtful dots first."""
    from flowvision.solvers.repairs import repairs

    return repairs(reading.board, reading.puzzle, _doubts(reading), Limits(seconds))


def _doubts(reading: Reading) -> dict[int, float]:
    """How doubtful the dot on each strand is, 0 to 1."""
    return {
        dot: doubt
        for pair, doubts in zip(reading.puzzle.terminals, reading.dot_doubts, strict=False)
        for dot, doubt in zip(pair, doubts, strict=True)
    }


def mended(refuted: Tried, offered: Repairs, least: float) -> Tried | None:
    """The refuted reading with its one repair; ``None`` unless there is just one, of dots read doubtfully.

    ``least``: how doubtful every changed dot must be, 0 to 1.
    """
    if len(offered.found) != 1 or not offered.complete:
        return None
    repair, reading = offered.found[0], refuted.reading
    doubt_of = _doubts(reading)
    if min(doubt_of.get(change.read, 0.0) for change in repair.changes) < least:
        return None
    changed = replace(reading, puzzle=repair.puzzle, ends_px=_ends(reading, repair))
    return Tried(changed, repair.outcome, refuted.trail, repair.text)


def _ends(reading: Reading, repair: Repair) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """Where the dots lie once they are moved: in the middle of their cells."""
    layout = reading.board.layout
    seen = {
        dot: place
        for pair, places in zip(reading.puzzle.terminals, reading.ends_px, strict=True)
        for dot, place in zip(pair, places, strict=True)
    }

    def place(dot: int) -> tuple[float, float]:
        if dot in seen:
            return seen[dot]
        x, y = reading.frame.to_px([layout.cells[layout.cell_of[dot]].centre])[0].tolist()
        return x, y

    return tuple((place(a), place(b)) for a, b in repair.puzzle.terminals)


def warnings_of(one: Tried) -> tuple[str, ...]:
    """What casts doubt on a reading: every published level has one solution, and no path touches itself."""
    made = []
    if one.repair:
        made.append(f"As it was seen the board has no solution. {one.repair} With that it has exactly one.")
    match one.outcome:
        case Solved(rules="free") if one.drawn:
            made.append("In every solution a path touches itself, in the one that is drawn as well.")
        case Solved(rules="free"):
            made.append("In every solution a path touches itself; the board may have been misread.")
        case Solved(unique=False):
            made.append("There is more than one solution; the board may have been misread.")
        case Solved(unique=None):
            made.append("Whether there is another solution was not settled in time.")
    return tuple(made)


def look_at(one: Tried, confidence: float, least: float) -> tuple[str, ...]:
    """A warning that names what was seen least well, where ``confidence`` is below ``least``."""
    if confidence >= least or not one.reading.weakest:
        return ()
    return (f"I may have misread this: look at {one.reading.weakest}.",)


def confidence_of(one: Tried) -> float:
    """0 to 1: the reader's confidence, strengthened by a unique solution or weakened by what casts doubt.

    Of 552 wrong boards that other readers returned, 3 had exactly one solution. But a wall that was not
    seen often leaves it so: there the reader alone is believed.
    """
    reading = one.reading
    if one.repair:
        return round(0.8 * reading.confidence, 3)
    if is_settled(one.outcome):
        return round(min(1 - 0.1 * (1 - reading.confidence), reading.walls_confidence), 3)
    weight = 0.8 if _is_strict(one.outcome) or one.drawn else 0.6
    return round(weight * reading.confidence, 3)


def seen(reading: Reading) -> str:
    """The board in numbers, as error messages name it."""
    lattice, flows = reading.lattice, len(reading.puzzle.terminals)
    cells = f"{len(reading.board.layout.cells)} cells"
    size = cells if lattice is None else f"{lattice.rows} rows and {lattice.cols} columns"
    return f"Read {size} with {flows} pair{'s' if flows != 1 else ''} of dots"


def unsolvable(reading: Reading, offered: Repairs | None = None) -> UnsolvableError:
    """The error for a reading that is refuted, with the repairs that would make it a puzzle."""
    message = f"{seen(reading)}; this board has no solution, so it was misread."
    if offered and offered.found:
        words = " ".join(repair.text for repair in offered.found[:NAMED])
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
        f"{seen(reading)}; no solution goes on from the pipes drawn: {which} wrong: {', '.join(wrong)}.",
        "Take it back in the game, or solve without `--keep-drawn`.",
        reading,
    )


def gave_up(reading: Reading, outcome: Outcome) -> GaveUpError:
    """The error for a reading that the solver did not finish."""
    return GaveUpError(
        f"{seen(reading)}; gave up after {outcome.seconds:.1f} s without a solution. Levels of the game take "
        "milliseconds: it may have been misread.",
        None,
        reading,
    )


def doubtful(one: Tried, warnings: Sequence[str]) -> FlowvisionError:
    """The error for a reading that is not believed."""
    words = " ".join(warnings)
    weakest = f" Seen least well: {one.reading.weakest}." if one.reading.weakest else ""
    return DoubtfulReadingError(
        f"{seen(one.reading)}, with a confidence of {one.reading.confidence:.2f}. {words}{weakest}",
        None,
        one.reading,
    )
