"""Doubts about a reading that is believed, and the errors of those that are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from flowvision.advice import Hint, Option, Without
from flowvision.errors import DoubtfulReadingError, FlowvisionError, GaveUpError, UnsolvableError
from flowvision.image.pixels import CropBox, are_apart
from flowvision.puzzle.check import position_name
from flowvision.reading.candidates import Candidate
from flowvision.reading.doubt import Doubt
from flowvision.solvers import GaveUp, Outcome, Solved
from flowvision.vision.assembly import Reading, Wall

if TYPE_CHECKING:  # loaded when a reading is refuted, which is seldom
    from flowvision.solvers.continuation import Continuation


def solver_doubts(candidate: Candidate) -> tuple[Doubt, ...]:
    """Return the doubts that its solution raises: every published level has one that touches itself nowhere.

    A reading with one of these needs more confidence (``verdict.is_reader_unsure``).
    """
    doubts, reading, source = list[Doubt](), candidate.reading, candidate.source
    if candidate.repair:
        doubts.append(Doubt("repaired", "dots", {"change": candidate.repair}))
    if source.ignored_walls:
        doubts.append(wall_doubt(source.ignored_walls, "needed"))
    if candidate.is_assumed:
        doubts.append(Doubt("open-border", "crossings"))
    if places := candidate.self_crossings:
        doubts.append(Doubt("crossing", "crossings", {"places": places}))
    if source.resolved:
        places = [reading.board.key_of(cell) for cell in source.resolved]
        doubts.append(Doubt("paired-by-solution", "pairs", {"places": places}))
    match candidate.outcome:
        case Solved(rules="free"):
            is_drawn = candidate.is_drawn
            doubts.append(Doubt("touches-itself", "solve", {"drawn": is_drawn, "undrawn": not is_drawn}))
        case Solved(unique=False):
            doubts.append(Doubt("several-solutions", "solve", {"several": True}))
        case Solved(unique=None):
            doubts.append(Doubt("several-solutions", "solve", {"open": True}))
    return tuple(doubts)


def doubts_of(candidate: Candidate, share: float) -> tuple[Doubt, ...]:
    """Return all that casts doubt on an answer, read or corrected by hand. ``share``: see ``cut_doubt``."""
    doubts, beyond = [*solver_doubts(candidate)], candidate.beyond
    if beyond is not None and beyond.discs:
        doubts.append(Doubt("left-out", "dots", {"count": len(beyond.discs), "places": list(beyond.discs)}))
    if beyond is not None and beyond.squares:
        doubts.append(Doubt("square-dots", "dots", {"places": list(beyond.squares)}))
    return (*doubts, *cut_doubt(candidate, share))


def cut_doubt(candidate: Candidate, share: float) -> tuple[Doubt, ...]:
    """Return the doubt that rows may be missing: the picture ends there, or lines run on without a border.

    ``share``: at least so much of the lines.
    """
    source, beyond = candidate.source, candidate.beyond
    if beyond is not None and beyond.cut:
        return (Doubt("perhaps-cut", "board", {"edges": [side for side, _ in beyond.cut]}),)
    if beyond is not None and beyond.lacks is not None:
        return (Doubt("perhaps-cut", "board", {"cut": replace(beyond.lacks, is_likely=False).words}),)
    is_open = source.geometry is not None and source.geometry.fit.is_open and not source.crossings
    if not is_open or beyond is None or beyond.share < share:
        return ()
    return (Doubt("perhaps-cut", "grid", {"open": True}),)


def wall_doubt(walls: Sequence[Wall], why: str, has_others: bool = False) -> Doubt:
    """Return the doubt about walls: a solution has to do without them (``needed``), ``part`` or ``odd``.

    ``has_others``: without them there are other solutions.
    """
    facts = {"walls": [wall.places for wall in walls], why: True, "others": has_others}
    return Doubt("walls", "sides", facts, weight=float(why == "needed"))


def unsure_doubt(candidate: Candidate, confidence: float, lower: float) -> tuple[Doubt, ...]:
    """Return a doubt that names what was seen least well, where ``confidence`` is below ``lower``."""
    weakest = candidate.reading.weakest
    return (Doubt("unsure", "grid", {"weakest": weakest}),) if confidence < lower and weakest else ()


def swapped_size_doubt(reading: Reading, size: tuple[int, int] | None) -> tuple[Doubt, ...]:
    """Return the doubt that rows and columns were given the wrong way round; ``size``: as given."""
    lattice = reading.lattice
    if size is None or lattice is None or (lattice.rows, lattice.cols) == size:
        return ()
    facts = {"rows": size[0], "cols": size[1], "lines_rows": lattice.rows, "lines_cols": lattice.cols}
    return (Doubt("wrong-size", "grid", facts, weight=0.0),)


def second_board(box: CropBox) -> Doubt:
    """Return the doubt that another board, which lies in that box and was read, is the smaller one."""
    return Doubt("other-board", "board", {"other": (_crop_to(box),)}, weight=0.0)


def failed_board(box: CropBox, own: CropBox) -> Doubt:
    """Return the doubt that another board in the picture, which lies in that box, could not be read.

    ``own``: the box of the one that is answered; what it covers of the other one is nowhere in the picture.
    """
    facts = {"failed": (_crop_to(box),)} if are_apart(box, own) else {"covered": True}
    return Doubt("other-board", "board", facts)


def _crop_to(box: CropBox) -> Option:
    return Option("crop", ",".join(map(str, box)))


def unsolvable(
    reading: Reading, details: Mapping[str, Any] | None = None, doubt: Doubt | None = None
) -> UnsolvableError:
    """The error for a reading that the solver refuted."""
    said = f"Read {reading.size}; this board has no solution."
    return UnsolvableError(said, None, reading, details, doubt)


def not_continued(reading: Reading, found: Continuation) -> FlowvisionError:
    """The error for pipes that no solution goes on from; it names those that are wrong."""
    if isinstance(found.outcome, GaveUp):
        return gave_up(reading, found.outcome)

    letters, dots, names = reading.letters, reading.puzzle.terminals, reading.colour_names
    wrong = [
        f"{letters[flow]} ({names[flow]}, {position_name(dots[flow][0], reading.board)})"
        for flow in found.wrong
    ]
    which = "this pipe is" if len(wrong) == 1 else "one of these pipes is"
    return UnsolvableError(
        f"Read {reading.size}; no solution goes on from the pipes drawn: {which} wrong: {', '.join(wrong)}.",
        Hint("Take it back in the game, or solve without {}.", Without("keep-drawn")),
        reading,
    )


def gave_up(reading: Reading, outcome: Outcome) -> GaveUpError:
    """The error for a reading that the solver did not finish."""
    return GaveUpError(f"Read {reading.size}; no solution after {outcome.seconds:.1f} s.", None, reading)


def doubtful(
    reading: Reading, doubt: Doubt | None = None, doubts: Sequence[Doubt] = ()
) -> DoubtfulReadingError:
    """The error for a reading that is not believed."""
    said = f"Read {reading.size}, with a confidence of {reading.confidence:.2f}."
    return DoubtfulReadingError(said, None, reading, {"doubts": doubts}, doubt)
