"""Repairs of a reading without a solution: one dot is moved by a cell, or two dots are swapped."""

from __future__ import annotations

from dataclasses import replace

from flowvision.reading.result import Candidate
from flowvision.solvers import Limits
from flowvision.solvers.repairs import Repair, Repairs, repairs
from flowvision.vision.reading import Reading


def repairs_of(reading: Reading, seconds: float) -> Repairs:
    """The changes of one or two dots that give a reading exactly one solution, the doubtful dots first."""
    return repairs(reading.board, reading.puzzle, _doubts(reading), Limits(seconds))


def _doubts(reading: Reading) -> dict[int, float]:
    """How doubtful the dot on each strand is, 0 to 1."""
    return {
        dot: doubt
        for pair, doubts in zip(reading.puzzle.terminals, reading.dot_doubts, strict=False)
        for dot, doubt in zip(pair, doubts, strict=True)
    }


def repaired(refuted: Candidate, offered: Repairs, min_doubt: float) -> Candidate | None:
    """The refuted reading with its only repair; ``None`` where there are several, or dots were seen well.

    ``min_doubt``: how doubtful every changed dot must be, 0 to 1.
    """
    if len(offered.found) != 1 or not offered.complete:
        return None
    repair, reading = offered.found[0], refuted.reading
    doubt_of = _doubts(reading)
    if min(doubt_of.get(change.read, 0.0) for change in repair.changes) < min_doubt:
        return None
    changed = replace(reading, puzzle=repair.puzzle, ends_px=_ends(reading, repair))
    return Candidate(replace(refuted.source, reading=changed), repair.outcome, repair.text)


def _ends(reading: Reading, repair: Repair) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """Where the dots of each flow lie, in pixels; those that are moved, in the middles of their cells."""
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
