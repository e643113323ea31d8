"""Every sentence that is said about a reading that is believed, and the errors of those that are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flowvision.errors import DoubtfulReadingError, FlowvisionError, GaveUpError, Refusal, UnsolvableError
from flowvision.image.pixels import CropBox, are_apart
from flowvision.puzzle.check import key_name, position_name, wall_name
from flowvision.reading.candidates import Candidate
from flowvision.solvers import GaveUp, Outcome, Solved
from flowvision.vision.assembly import Reading, Wall
from flowvision.words import listed

if TYPE_CHECKING:  # loaded when a reading is refuted, which is seldom
    from flowvision.solvers.continuation import Continuation

MAX_WALLS = 6
"""Walls that a sentence names; of more it says how many."""


def warnings_of(candidate: Candidate) -> tuple[str, ...]:
    """What its solution casts doubt on: every published level has one, and in it no path touches itself.

    A reading with one of these needs more confidence (``verdict.is_reader_unsure``); with others it does not.
    """
    made = []
    if candidate.repair:
        mended = f"{candidate.repair} With that it has exactly one."
        made.append(f"As it was seen the board has no solution. {mended}")
    if candidate.source.ignored_walls:
        walls = candidate.source.ignored_walls
        what = f"{'a wall' if len(walls) == 1 else 'walls'} that may be none ({wall_names(walls)})"
        made.append(f"As it was seen the board has no solution. Without {what} it has exactly one.")
    if candidate.is_assumed:
        made.append("No border is seen: every row and column is taken as open at both ends.")
    if at := candidate.self_crossings:
        where = listed([key_name(key) for key in at])
        made.append(
            f"A path crosses itself in {where}, as on no published level: what was read as "
            f"{'a bridge' if len(at) == 1 else 'bridges'} there may be something else."
        )
    if candidate.source.resolved:
        dots = listed([position_name(cell, candidate.reading.board) for cell in candidate.source.resolved])
        made.append(
            f"The dots in {dots} look alike; the solution told which belong together: no other way to pair "
            "them has exactly one."
        )
    match candidate.outcome:
        case Solved(rules="free") if candidate.is_drawn:
            made.append("In every solution a path touches itself, in the one that is drawn as well.")
        case Solved(rules="free"):
            made.append("In every solution a path touches itself; the board may have been misread.")
        case Solved(unique=False):
            made.append("There is more than one solution; the board may have been misread.")
        case Solved(unique=None):
            made.append("Whether there is another solution was not settled in time.")
    return tuple(made)


def doubts_of(candidate: Candidate, share: float) -> tuple[str, ...]:
    """All that casts doubt on an answer, read or corrected by hand. ``share``: see ``cut_warning``."""
    about_dots = discs_warning(candidate) + squares_warning(candidate)
    return warnings_of(candidate) + about_dots + cut_warning(candidate, share)


def wall_names(walls: Sequence[Wall]) -> str:
    """Where walls are, for people: by the rows and columns that they part, counted from 1."""
    return listed([wall_name(wall.places) for wall in walls], MAX_WALLS)


def left_out_warning(walls: Sequence[Wall], is_only: bool) -> str:
    """That these walls, of which too little was seen, are left out of the board."""
    one = len(walls) == 1
    made = (
        f"{'A wall was' if one else 'Walls were'} seen in part only ({wall_names(walls)}). The solution does "
        f"not need {'it' if one else 'them'}, and {'it is' if one else 'they are'} left out of the board."
    )
    return made if is_only else f"{made} Without {'it' if one else 'them'} there are other solutions."


def unlikely_warning(walls: Sequence[Wall], is_only: bool) -> str:
    """That published boards hardly have such walls, and what it means for the solution."""
    one = len(walls) == 1
    return (
        f"{'This wall' if one else 'These walls'} may be none: {wall_names(walls)}. The solution is right "
        f"without {'it' if one else 'them'} too{'' if is_only else ', but not the only one'}."
    )


def least_sure_warning(candidate: Candidate, confidence: float, lower: float) -> tuple[str, ...]:
    """A warning that names what was seen least well, where ``confidence`` is below ``lower``."""
    if confidence >= lower or not candidate.reading.weakest:
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


def cut_warning(candidate: Candidate, share: float) -> tuple[str, ...]:
    """That rows may be missing: the picture ends before the border or at it, or lines go on without one.

    ``share``: at least so much of the lines.
    """
    source, beyond = candidate.source, candidate.beyond
    if beyond is not None and beyond.cut:
        sides = listed([side for side, _ in beyond.cut], between=", ")
        return (f"The picture ends before the border of the board ({sides}): is all of the board in it?",)
    if beyond is not None and beyond.lacks is not None:
        return (replace(beyond.lacks, is_likely=False).words,)
    is_open = source.geometry is not None and source.geometry.fit.is_open and not source.crossings
    if not is_open or beyond is None or beyond.share < share:
        return ()
    return (
        "On one side the board has no border, and its lines go on beyond it: is all of it in the picture, as "
        "the game shows it?",
    )


def discs_warning(candidate: Candidate) -> tuple[str, ...]:
    """That discs stand on the board which were read as no dots."""
    discs = candidate.beyond.discs if candidate.beyond else ()
    if not discs:
        return ()
    where = listed([key_name(place) for place in discs], MAX_WALLS)
    one = len(discs) == 1
    return (
        f"{'A disc' if one else 'Discs'} in {where} {'was' if one else 'were'} not read as "
        f"{'a dot' if one else 'dots'}: no dot of the game stands alone or has another size. Compare "
        f"{'it' if one else 'them'} with the screen.",
    )


def squares_warning(candidate: Candidate) -> tuple[str, ...]:
    """That two dots are squares, and all others round."""
    if candidate.beyond is None or not candidate.beyond.squares:
        return ()
    where = listed([key_name(place) for place in candidate.beyond.squares])
    return (
        f"The dots in {where} are square, all others are round: something may lie over them. Compare them "
        "with the screen.",
    )


def second_warning(box: CropBox) -> str:
    """That another board in the picture, which lies in that box and was read, is the smaller one."""
    where = ",".join(map(str, box))
    return f"There are two boards in the picture; this is the larger one. For the other: `--crop {where}`."


def other_warning(box: CropBox, own: CropBox) -> str:
    """That another board in the picture, which lies in that box, could not be read.

    ``own``: the box of the one that is answered; what it covers of the other one is nowhere in the picture.
    """
    where, said = ",".join(map(str, box)), "There is another board in the picture that could not be read"
    if are_apart(box, own):
        return f"{said}. To see why: `--crop {where}`."
    return (
        f"{said}: a larger one, of which this one covers a part. If you mean the larger one, take its "
        "screenshot with nothing in front of it: no crop helps."
    )


def unsolvable(
    reading: Reading, details: Mapping[str, Any] | None = None, refusal: Refusal | None = None
) -> UnsolvableError:
    """The error for a reading that the solver refuted."""
    said = f"Read {reading.size}; this board has no solution."
    return UnsolvableError(said, None, reading, details, refusal)


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
        "Take it back in the game, or solve without `--keep-drawn`.",
        reading,
    )


def gave_up(reading: Reading, outcome: Outcome) -> GaveUpError:
    """The error for a reading that the solver did not finish."""
    return GaveUpError(f"Read {reading.size}; no solution after {outcome.seconds:.1f} s.", None, reading)


def doubtful(
    reading: Reading, refusal: Refusal | None = None, warnings: Sequence[str] = ()
) -> DoubtfulReadingError:
    """The error for a reading that is not believed."""
    said = f"Read {reading.size}, with a confidence of {reading.confidence:.2f}."
    return DoubtfulReadingError(said, None, reading, {"warnings": warnings}, refusal)
