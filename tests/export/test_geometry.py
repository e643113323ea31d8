"""Answers in pixels."""

from __future__ import annotations

import numpy as np

from flowvision.export.geometry import geometry_object
from flowvision.image.picture import Frame
from flowvision.solvers import solve
from tests.drawing import FIVE, reading_of
from tests.made_boards import MADE


def test_a_plain_board_to_the_letter() -> None:
    """The frame maps cell units to pixels; outlines are corners; paths go from middle to middle."""
    reading = reading_of(FIVE, pitch=60, corner=(12, 140))
    made = geometry_object(reading, solve(reading.puzzle).solution)
    assert made["frame"] == [60, 0, 12, 0, 60, 140, 0, 0, 1]
    assert made["cells_px"][1] == [[72, 140], [132, 140], [132, 200], [72, 200]]
    assert made["flows"][0]["path_px"][0][:3] == [[42, 170], [42, 200], [42, 230]]


def test_a_warp_begins_another_line() -> None:
    """One polyline for each stretch of a path on the board."""
    reading = reading_of(MADE["warp"].replace("A", "R"))
    solution = solve(reading.puzzle).solution
    lines = [flow["path_px"] for flow in geometry_object(reading, solution)["flows"]]
    crossed = [sum(len(reading.board.layout.strokes[e]) > 1 for e in path.edges) for path in solution.paths]
    assert [len(line) for line in lines] == [1 + count for count in crossed]
    assert max(crossed) > 0


def test_cells_are_where_the_frame_says() -> None:
    """The nine numbers alone give the outlines back, turned boards too."""
    reading = reading_of(FIVE)
    turned = Frame((50.0, -20.0, 300.0, 20.0, 50.0, 100.0, 1e-4, 0.0, 1.0))
    made = geometry_object(
        type(reading)(reading.board, reading.puzzle, turned, reading.palette, 1.0, reading.ends_px)
    )
    matrix = np.reshape(made["frame"], (3, 3))
    for cell, outline in zip(reading.board.layout.cells, made["cells_px"], strict=True):
        mapped = np.column_stack((cell.outline, np.ones(len(cell.outline)))) @ matrix.T
        assert np.abs(mapped[:, :2] / mapped[:, 2:] - outline).max() < 0.06
    assert "flows" not in made
