"""Pictures of boards with their truth: drawn by the project itself, and real ones where they are at hand."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from data import shared_folder
from flowvision import Answer
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr
from flowvision.pipeline import open_image
from flowvision.puzzle.layout import Board, NamedPuzzle, Place
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import Shape
from flowvision.solvers import Solved, solve
from tests.boards import make_puzzle
from tests.tools.synthetic import draw_screenshot, random_style

SHAPES = (
    Shape(5, 5), Shape(6, 6), Shape(7, 7), Shape(8, 8), Shape(9, 9), Shape(7, 5), Shape(9, 7), Shape(10, 8),
    Shape(11, 9), Shape(12, 10), Shape(6, 6, walls=6), Shape(8, 8, walls=9), Shape(7, 7, holes=4),
    Shape(9, 9, holes=6, walls=5),
)  # fmt: skip
"""The boards that are drawn, in turn."""
Pair = frozenset[Place]


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture of a board. ``corner``, ``pitch``: of its first cell, x and y in px."""

    name: str
    bgr: Bgr
    truth: NamedPuzzle
    corner: tuple[float, float]
    pitch: tuple[float, float]

    @property
    def size(self) -> tuple[int, int]:
        assert self.truth.board.lattice is not None
        return self.truth.board.lattice.rows, self.truth.board.lattice.cols

    @property
    def pairs(self) -> list[tuple[Place, Place]]:
        assert self.truth.board.lattice is not None
        places = self.truth.board.lattice.places
        return [(places[a], places[b]) for a, b in self.truth.puzzle.terminals]

    def point(self, row: float, col: float) -> tuple[float, float]:
        """Return the position of rows and columns from the first cell's corner: x and y in px."""
        return self.corner[0] + col * self.pitch[0], self.corner[1] + row * self.pitch[1]

    @property
    def cell(self) -> float:
        """The width of a cell in px."""
        return min(self.pitch)


Random = np.random.Generator
Change = Callable[[Scene, Random], Bgr]
"""Something that may happen to a picture."""


@cache
def drawn_scene(number: int) -> Scene:
    """The drawn board of that number, in any style."""
    text = make_puzzle(SHAPES[number % len(SHAPES)], None, number)
    truth, style = parse(text), replace(random_style(number), dim=1.0, scale=1.0, quality=None)
    # Published levels have three pairs and more; others are refused undamaged.
    if not 3 <= len(truth.puzzle.terminals) <= len(style.theme.palette):
        return drawn_scene(number + 1000)
    if number % 3:
        style = replace(style, drawn=0.0)
    outcome = solve(truth.puzzle)
    assert isinstance(outcome, Solved)
    shot = draw_screenshot(truth.board, truth.puzzle, style, number, outcome.solution)
    (x, y), (right, down) = shot.frame.to_px([(0, 0), (1, 1)]).tolist()
    return Scene(f"drawn {number}", shot.screenshot.bgr, truth, (x, y), (right - x, down - y))


@cache
def real_boards() -> tuple[tuple[Path, NamedPuzzle, tuple[int, int, int, int]], ...]:
    """Pictures of plain boards, what they show and where; none where the labelled ones are not at hand."""
    folder = shared_folder()
    if folder is None or not (folder / "screenshots" / "labels.json").exists():
        return ()
    made = []
    for label in json.loads((folder / "screenshots" / "labels.json").read_text()):
        is_plain = label["variant"] == "classic" and label["expect"] == "read" and label["origin"] != "photo"
        if not is_plain or not label.get("bbox_px"):
            continue
        walls = "".join(f"wall {a[0]},{a[1]} {b[0]},{b[1]}\n" for a, b in label.get("walls") or ())
        with suppress(FlowvisionError):
            truth = parse("\n".join(label["grid"]) + "\n" + walls)
            if isinstance(solve(truth.puzzle), Solved):
                made.append(
                    (folder / "screenshots" / "images" / label["file"], truth, tuple(label["bbox_px"]))
                )
    return tuple(made)


@cache
def real_scene(number: int) -> Scene:
    path, truth, (x0, y0, x1, y1) = real_boards()[number]
    assert truth.board.lattice is not None
    pitch = (x1 - x0) / truth.board.lattice.cols, (y1 - y0) / truth.board.lattice.rows
    return Scene(path.name, open_image(str(path)).bgr, truth, (x0, y0), pitch)


def scenes(count: int, seed: int, stride: int = 1) -> Iterator[tuple[int, Scene]]:
    """Every ``stride``-th of so many pictures: two of five are real where these are at hand, others drawn."""
    lots = random.Random(seed)
    drawn, real = list(range(60)), list(range(len(real_boards())))
    lots.shuffle(drawn)
    lots.shuffle(real)
    for number in range(count):
        made, place = (real_scene, real) if number % 5 in (1, 3) and real else (drawn_scene, drawn)
        chosen = place.pop() if place else number
        if number % stride == 0:
            yield number, made(chosen)


def is_same_board(checked: Answer, truth: NamedPuzzle) -> bool:
    """Return whether cells, open sides, bridges and dots are the true ones; empty rows round it aside."""
    reading, seen = checked.reading, _places_of(checked, truth)
    return seen is not None and _described(reading.board, reading.puzzle.terminals, seen) == _described(
        truth.board, truth.puzzle.terminals, _trimmed(truth.board)
    )


def is_right_answer(checked: Answer, truth: NamedPuzzle) -> bool:
    """Return whether the paths solve the true board: over open sides, with all pairs and cells."""
    seen = _places_of(checked, truth)
    if seen is None:
        return False
    of_strand = [seen[cell] for cell in checked.reading.board.layout.cell_of]
    paths = [[of_strand[strand] for strand in path.vertices] for path in checked.outcome.solution.paths]
    places = _trimmed(truth.board)
    cell_of = truth.board.layout.cell_of
    steps = {frozenset((places[cell_of[a]], places[cell_of[b]])) for a, b in truth.board.graph.edges}
    walked = [frozenset(step) for path in paths for step in pairwise(path)]
    pairs = {frozenset((path[0], path[-1])) for path in paths}
    true_pairs = {frozenset((places[a], places[b])) for a, b in truth.puzzle.terminals}
    covered = Counter(place for path in paths for place in path)
    return (
        pairs == true_pairs
        and steps.issuperset(walked)
        and covered == Counter(places[cell] for cell in cell_of)
    )


def _places_of(checked: Answer, truth: NamedPuzzle) -> list[Place] | None:
    """The place of every cell that was read; of cells without rows and columns, that of their order."""
    board = checked.reading.board
    if board.lattice is not None:
        return _trimmed(board)
    places = sorted(_trimmed(truth.board))
    if len(places) != len(board.layout.cells):
        return None
    centres = checked.reading.frame.to_px(board.layout.centres)
    downwards = sorted(range(len(places)), key=lambda cell: centres[cell][1])
    found: dict[int, Place] = {}
    for row in sorted({row for row, _ in places}):
        in_row = [place for place in places if place[0] == row]
        cells = sorted(downwards[len(found) : len(found) + len(in_row)], key=lambda cell: centres[cell][0])
        found |= dict(zip(cells, in_row, strict=True))
    return [found[cell] for cell in range(len(places))]


def _trimmed(board: Board) -> list[Place]:
    """The places of all cells, counted from the first row and column that hold one."""
    assert board.lattice is not None
    top = min(row for row, _ in board.lattice.places)
    left = min(col for _, col in board.lattice.places)
    return [(row - top, col - left) for row, col in board.lattice.places]


def _described(board: Board, terminals: tuple[tuple[int, int], ...], places: list[Place]) -> object:
    """Describe a board: the places of its strands, those that are joined, and the pairs of dots."""
    at = [places[cell] for cell in board.layout.cell_of]
    joined = Counter(frozenset((at[a], at[b])) for a, b in board.graph.edges)
    return Counter(at), joined, {frozenset((at[a], at[b])) for a, b in terminals}
