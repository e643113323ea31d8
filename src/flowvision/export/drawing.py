"""Drawing of an answer: the picture before and after, the place of the board, hints on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.corrections.draft import frame_of_unit_cells
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.palette import palette_for, undimmed
from flowvision.puzzle.layout import Board, NamedPuzzle
from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.render.board_look import draw_board
from flowvision.render.curves import lines_of
from flowvision.render.look import PLAIN, Look
from flowvision.render.overlay import draw_solution
from flowvision.render.paint import disc, ink_on, text
from flowvision.render.text import Depth, solved_text
from flowvision.solvers.hints import Hint, strands_named
from flowvision.vision.assembly import Reading

MAX_CELLS = 40_000
"""Cells of the largest board that is drawn without a screenshot: 200 by 200, 10 million pixels."""
MAX_LINKED = 480
"""Cells of the largest such board whose cells lie apart: on a circle they take as large a picture."""


class Drawing(Struct, frozen=True, eq=False):
    """A solved board and its picture: ``base`` as it was, ``solved`` with the solution on it.

    ``look``: how the solution is drawn; its ``drawn`` are, per flow, the edges that pipes in ``base`` lie on.
    """

    base: Bgr
    solved: Bgr
    board: Board
    puzzle: Puzzle
    solution: Solution
    frame: Frame
    palette: tuple[Rgb, ...]
    letters: tuple[str, ...]
    look: Look = PLAIN

    @property
    def colours(self) -> tuple[Rgb, ...]:
        """The colour of each flow on a board that is not dimmed."""
        return undimmed(self.palette)

    @property
    def known(self) -> frozenset[int]:
        """The edges of the solution that are drawn already."""
        return frozenset[int]().union(*(edges & set(path.edges) for edges, path in self._pipes))

    @property
    def finished(self) -> frozenset[int]:
        """The edges of the flows that are drawn from dot to dot as in the solution."""
        return frozenset[int]().union(*(edges for edges, path in self._pipes if edges == set(path.edges)))

    @property
    def wrong(self) -> tuple[str, ...]:
        """Letters of the flows that are drawn otherwise than in the solution."""
        pipes = zip(self.letters, self._pipes, strict=False)
        return tuple(letter for letter, (edges, path) in pipes if not edges.issubset(path.edges))

    @property
    def _pipes(self) -> Iterable[tuple[frozenset[int], Path]]:
        return zip(self.look.drawn, self.solution.paths, strict=False)

    def in_colours(self, depth: Depth, shown: Collection[int] | None = None) -> str:
        """Return the board as text, ``depth``: bits of its colours; ``shown``: these edges alone."""
        item = self.board, self.puzzle, self.solution, self.letters
        return solved_text(*item, self.colours, depth, shown)

    def with_flows(self, flows: Collection[int]) -> Bgr:
        """Draw these flows on the base, without halos and pipes that the solution does not have."""
        return self._drawn_as(replace(self.look, flows=frozenset(flows)))

    def with_edges(self, edges: Collection[int]) -> Bgr:
        """Draw these edges of the solution on the base as it was."""
        return self._drawn_as(replace(self.look, edges=frozenset(edges), drawn=()))

    def _drawn_as(self, look: Look) -> Bgr:
        return draw_solution(self.base, self.board, self.solution, self.frame, self.palette, look)


def drawing_of_puzzle(named: NamedPuzzle, solution: Solution, look: Look = PLAIN) -> Drawing:
    """Return the drawing of a solved puzzle without a picture, on a plain board.

    Raises ``PuzzleInvalidError`` when there are more cells than a picture can show.
    """
    board, puzzle, letters = named.board, named.puzzle, named.letters
    most = MAX_LINKED if board.layout.links else MAX_CELLS
    if (cells := len(board.layout.cells)) > most:
        kind = " by number alone" if board.layout.links else ""
        raise PuzzleInvalidError(
            f"The board has {cells:,} cells{kind}; up to {most:,} are drawn.", "Read the solution as text."
        )
    palette = palette_for(letters)
    base, frame = draw_board(board, puzzle, palette)
    solved = draw_solution(base, board, solution, frame, palette, look)
    return Drawing(base, solved, board, puzzle, solution, frame, palette, tuple(letters), look)


def add_geometry(described: dict[str, Any], reading: Reading, solution: Solution | None) -> None:
    """Add the fields of ``--geometry`` to the JSON object of an answer, in pixels of its picture.

    ``frame``: the 3×3 homography from cell units to pixels, row by row; cells of rows and columns are 1
    apart. ``cells_px``: the outline of every cell. ``path_px``, of a flow: its polylines, a new one after
    every warp.
    """
    board, frame = reading.board, reading.frame
    described["frame"] = [float(f"{number:.9g}") for number in frame_of_unit_cells(board, frame).matrix]
    described["cells_px"] = [_points(frame.to_px(cell.outline)) for cell in board.layout.cells]
    for flow, path in zip(described["flows"], solution.paths, strict=True) if solution else ():
        flow["path_px"] = [_points(frame.to_px(line)) for line in lines_of(board, path)]


def _points(points_px: Iterable[Any]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in np.asarray(points_px)]


NUMBER, NUMBER_AT = 0.26, 0.34
"""Height of the numbers beside dots, and their distance from the middle, in cell widths."""
MIN_PX, RING_PX = 14, 2
"""Numbers are no lower; the width of the ring round those beside dots."""
CELL_NUMBER = 0.3
"""Height of the number of a cell without row and column, in cell widths."""


def draw_numbers(canvas: Bgr, drawing: Drawing, hint: Hint) -> None:
    """Draw the number of every flow beside its dots, where flows have an order, and of every cell named.

    Cells with rows and columns are named by these, and get no numbers.
    """
    cells, cell_of = drawing.board.layout.cells, drawing.board.layout.cell_of

    def write(cell: int, words: str, height: float, away: float, colour: Rgb | None) -> None:
        x, y = cells[cell].centre
        at = drawing.frame.to_px((x + away, y + away))[0].tolist()
        size = max(MIN_PX, height * drawing.frame.cell_width_px((x, y)))
        if colour is None:
            column, row = (min(max(0, round(c)), n - 1) for c, n in zip(at, canvas.shape[1::-1], strict=True))
            ground = Rgb(*canvas[row, column, ::-1].tolist())
        else:
            # Whole within the picture, with a ring that parts it from its dot.
            reach, ground = 0.75 * size + RING_PX, colour
            at = [min(max(reach, c), n - 1 - reach) for c, n in zip(at, canvas.shape[1::-1], strict=True)]
            disc(canvas, at, reach, ink_on(ground))
            disc(canvas, at, reach - RING_PX, ground)
        text(canvas, at, words, size, ink_on(ground), "mm")

    for flow, number in numbers_of(hint).items():
        for dot in drawing.puzzle.terminals[flow]:
            write(cell_of[dot], number, NUMBER, NUMBER_AT, drawing.colours[flow])
    if drawing.board.lattice is None:
        for strand in sorted(strands_named(hint, drawing.puzzle)):
            write(cell_of[strand], str(cell_of[strand] + 1), CELL_NUMBER, 0.0, None)


def numbers_of(hint: Hint) -> dict[int, str]:
    """Return the place of each flow in the order; nothing where the order does not matter."""
    flows = dict.fromkeys(hint.flows) if hint.code == "several-flows" else ()
    return {flow: str(number) for number, flow in enumerate(flows, 1)}
