"""Random puzzles as text, for whatever a benchmark draws or solves."""

from __future__ import annotations

from flowvision.puzzle.formats import written
from flowvision.puzzle_tools.generator import Shape, Wanted, new_puzzle


def make_puzzle(shape: Shape, colours: int | None, seed: int) -> str:
    """A puzzle with exactly one solution in the text form; the same for the same seed."""
    named, solution = new_puzzle(Wanted(shape, colours), seed)
    return written(named, "text", solution) + "\n"
