"""Boards without rows and columns: their text form, and a layout from the open sides between their cells.

Distances follow those along the sides (Gansner, Koren, North, *Graph drawing by stress majorization*, 2004),
so that a flat board looks like itself. Where lines would cross cells, and on large boards, the cells lie on a
circle.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import cos, pi, sin

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell, NamedPuzzle, Point, middle_of
from flowvision.puzzle.model import LETTERS, Puzzle
from flowvision.puzzle.notation import (
    FREE,
    LARGEST,
    invalid_puzzle,
    letters_or_raise,
    open_sides,
    shown,
    without_comment,
)
from flowvision.words import times

Floats = NDArray[np.float64]
Sides = Sequence[tuple[int, int]]
"""The open sides of a board: the numbers of the cells on both sides of each."""
Dots = Sequence[tuple[str, int, int]]
"""The letter of each flow, and the cells of its two dots."""

RADIUS, CORNERS = 0.45, 24
"""Radius of a cell, in cell units, and corners of the regular polygon that is drawn."""
APART, CLEAR = 1.3, 0.6
"""Minimum distance of two centres, and of a centre from the line between two others, in cell units."""
LAID_OUT = 500
"""Cells of the largest board laid out by distances: 0.5 s; the time grows with the cube of the cells."""
ROUNDS, MAX_STEPS = 100, 4e6
"""Rounds in which places approach their distances: at most, and that times pairs of cells at most."""
FORMS = "`cells N`, `LETTER CELL CELL` nor `CELL: CELL …`"
_NUMBER = r"([0-9]{1,6})"
_CELLS = re.compile(rf"cells\s+{_NUMBER}$")
_DOTS = re.compile(rf"([{LETTERS}])\s+{_NUMBER}\s+{_NUMBER}$")
_SIDES = re.compile(rf"{_NUMBER}\s*:((?:\s*[0-9]{{1,6}}(?=\s|$))*)\s*$")


def parse_free(text: str) -> NamedPuzzle:
    """Parse a board without rows and columns. Raises ``PuzzleInvalidError`` with every fault."""
    cells = 0
    sides: list[tuple[int, int]] = []
    dots: list[tuple[str, int, int]] = []
    faults = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = without_comment(raw)
        if line in ("", "#", FREE):
            continue
        if match := _CELLS.match(line):
            cells = int(match[1])
        elif match := _DOTS.match(line):
            letter, a, b = match.groups()
            dots.append((letter, int(a), int(b)))
        elif match := _SIDES.match(line):
            cell, others = match.groups()
            sides += [(int(cell), int(other)) for other in others.split()]
        else:
            faults.append(f"Line {number} is neither {FORMS}: {line[:40]!r}.")
    if faults:
        raise invalid_puzzle(faults)
    return build_free(cells, sides, dots)


def build_free(count: int, sides: Sides, dots: Dots) -> NamedPuzzle:
    """Build a board without rows and columns, its cells laid apart with lines between them.

    Raises ``PuzzleInvalidError`` with every fault.
    """
    faults = _faults_in_free(count, sides, dots)
    if faults:
        raise invalid_puzzle(faults)
    cells, middles = lay_out(count, sides)
    at_sides = zip(sides, middles, strict=True)
    open_sides = [boards.OpenSide(a, b, middle, middle) for (a, b), middle in at_sides]
    board = boards.build(cells, open_sides)
    board = replace(board, layout=replace(board.layout, links=True))
    puzzle = Puzzle(board.graph, tuple((a, b) for _, a, b in dots))
    return NamedPuzzle("", board, puzzle, tuple(letter for letter, _, _ in dots))


def format_free(board: Board, puzzle: Puzzle, letters: Sequence[str] | None) -> str:
    """Return the text form. Raises ``PuzzleInvalidError`` beyond 62 flows, and for bridges."""
    hint = "No written form has more letters for a board without rows and columns."
    letters = letters_or_raise(puzzle, letters, hint)
    beside: dict[int, list[int]] = {}
    for a, b in open_sides(board):
        beside.setdefault(a, []).append(b)
    lines = [FREE, f"cells {len(board.layout.cells)}"]
    for letter, (a, b) in zip(letters, puzzle.terminals, strict=False):
        lines.append(f"{letter} {a} {b}")
    for cell, others in sorted(beside.items()):
        numbers = " ".join(map(str, sorted(others)))
        lines.append(f"{cell}: {numbers}")
    return "\n".join(lines) + "\n"


def _faults_in_free(count: int, sides: Sides, dots: Dots) -> list[str]:
    """Return every fault of a board without rows and columns."""
    if not 1 <= count <= LARGEST:
        return [f"The board has {count:,} cells; write `cells N` with 1 to {LARGEST:,}."]
    faults = []
    pairs = [*sides, *((a, b) for _, a, b in dots)]
    outside = {cell for pair in pairs for cell in pair if not 0 <= cell < count}
    if outside:
        last = count - 1
        faults.append(f"Cells have numbers from 0 to {last}; there is no {shown(sorted(outside))}.")
    faults += [f"Cell {a} is listed as its own neighbour." for a, b in sides if a == b]
    for letter, number in sorted(Counter(letter for letter, _, _ in dots).items()):
        if number > 1:
            faults.append(f"Letter {letter} has dots {times(number)}; write both in one line.")
    return faults if dots else [*faults, "There are no dots."]


def lay_out(count: int, sides: Sides) -> tuple[list[Cell], list[Point]]:
    """Return the cells of a board, and per side the middle of its line."""
    places = _by_distances(count, sides) if 2 < count <= LAID_OUT else None
    bend = 1.0 if places else 0.5
    if places is None:
        places = [_on_circle(number, count) for number in range(count)]
    middles = []
    for a, b in sides:
        # On the circle, lines between cells that are not neighbours bend inwards, away from other cells.
        inward = 1.0 if (a - b) % count in (1, count - 1) else bend
        x, y = middle_of(places[a], places[b])
        middles.append((inward * x, inward * y))
    corners = CORNERS if count <= LAID_OUT else 4
    turns = [2 * pi * (corner + 0.5) / corners for corner in range(corners)]
    rim = [(RADIUS * cos(turn), RADIUS * sin(turn)) for turn in turns]
    cells = []
    for x, y in places:
        outline = tuple((x + dx, y + dy) for dx, dy in rim)
        cells.append(Cell((x, y), outline))
    return cells, middles


def _on_circle(number: int, count: int) -> Point:
    """Return the place of a cell on a circle on which neighbours are ``APART``."""
    radius = APART / (2 * sin(pi / count)) if count > 1 else 0.0
    angle = 2 * pi * number / count
    return radius * sin(angle), -radius * cos(angle)


def _by_distances(count: int, sides: Sides) -> list[Point] | None:
    """Return places whose distances follow the sides; ``None`` where lines would cross cells."""
    steps = _steps_between(count, sides)
    weight = 1 / np.maximum(steps, 1) ** 2
    np.fill_diagonal(weight, 0.0)
    from_pull = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    circle = np.array([_on_circle(number, count) for number in range(count)])
    # Cells at one place would stay together.
    places = _places_at(steps) + 0.1 * circle
    for _ in range(min(ROUNDS, int(MAX_STEPS / count**2))):
        distances = np.maximum(_distances_between(places), 1e-9)
        pull = -weight * steps / distances
        np.fill_diagonal(pull, 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        places = from_pull @ (pull @ places)
    scale = _least_scale(places, sides)
    places = scale * (places - places.mean(axis=0))
    widest = APART + 4 * count**0.5
    width = np.ptp(places, axis=0).max()
    if not (np.isfinite(places).all() and width <= widest):
        return None
    return [(float(x), float(y)) for x, y in np.round(places, 3)]


def _distances_between(places: Floats) -> Floats:
    """Return the distances (count, count) of places (count, 2)."""
    steps = places[:, None] - places
    return np.asarray(np.linalg.norm(steps, axis=2))


def _steps_between(count: int, sides: Sides) -> Floats:
    """Return the steps from cell to cell (count, count); if unreachable, one more than the longest."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    pairs = np.reshape(sides, (-1, 2)).T
    joined = coo_array((np.ones(len(sides)), pairs), shape=(count, count))
    steps = np.asarray(shortest_path(joined.tocsr(), directed=False, unweighted=True))
    steps[np.isinf(steps)] = steps[np.isfinite(steps)].max() + 1
    return steps


def _places_at(distances: Floats) -> Floats:
    """Return places (count, 2) about so far from one another: classical multidimensional scaling."""
    centring = np.eye(len(distances)) - 1 / len(distances)
    products = -centring @ distances**2 @ centring / 2
    values, vectors = np.linalg.eigh(products)
    lengths = np.sqrt(np.maximum(values[-2:], 0.0))
    return np.asarray(vectors[:, -2:] * lengths)


def _least_scale(places: Floats, sides: Sides) -> float:
    """Return the smallest scale that keeps all cells apart, and away from lines between others."""
    distances = _distances_between(places)
    np.fill_diagonal(distances, np.inf)
    closest = [float(distances.min()) / APART]
    for a, b in sides:
        from_a = places - places[a]
        along = from_a[b]
        squared = max(float(along @ along), 1e-12)
        share = np.clip(from_a @ along / squared, 0, 1)
        gaps = np.linalg.norm(from_a - share[:, None] * along, axis=1)
        gaps[[a, b]] = np.inf
        closest.append(float(gaps.min()) / CLEAR)
    return 1 / max(min(closest), 1e-9)
