"""Pipes that grow: what lies between the first and the last picture."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.export.drawing import drawing_of_puzzle
from flowvision.puzzle.text import parse
from flowvision.render.growth import MovingPicture, clip_of
from flowvision.render.timeline import Timeline, pieces_of
from flowvision.solvers import solve
from tests.drawing import FIVE, whole_paths
from tests.made_boards import MADE

BOARDS = {"squares": FIVE} | {name: text for name, text in MADE.items() if name != "bridge"}


def moving_of(text: str) -> MovingPicture:
    """A plain board and its solution."""
    parsed = parse(text)
    solution = solve(parsed.puzzle).solution
    drawing = drawing_of_puzzle(parsed.board, parsed.puzzle, solution, parsed.letters)
    return MovingPicture(
        drawing.base, drawing.solved, drawing.board, solution, drawing.frame, drawing.with_flows
    )


@pytest.mark.parametrize("name", BOARDS)
def test_the_last_picture_is_the_answer(name: str) -> None:
    """Pixel by pixel; the first is the picture as it was, and no pixel shows anything but one of the two."""
    moving = moving_of(BOARDS[name])
    shown = [
        canvas.copy()
        for canvas, _ in clip_of(moving, Timeline(whole_paths(moving.solution)).frames()).pictures()
    ]
    assert np.array_equal(shown[0], moving.base)
    assert np.array_equal(shown[-1], moving.final)
    for canvas in shown:
        assert ((canvas == moving.base) | (canvas == moving.final)).all()


@pytest.mark.parametrize("name", BOARDS)
def test_paths_grow_one_after_the_other(name: str) -> None:
    """While a flow grows, the middles of the cells of later ones stay as they were."""
    moving = moving_of(BOARDS[name])
    order = range(len(moving.solution.paths))
    pieces = pieces_of(moving.solution, order, {e for path in moving.solution.paths for e in path.edges})
    frames = Timeline(pieces).frames()
    layout = moving.board.layout
    for (canvas, _), plan in zip(clip_of(moving, frames).pictures(), frames, strict=True):
        growing = max((piece.flow for piece in plan.grown), default=-1)
        for flow, path in enumerate(moving.solution.paths):
            x, y = (
                moving.frame.to_px(layout.cells[layout.cell_of[path.vertices[1]]].centre)[0]
                .round()
                .astype(int)
            )
            if flow > growing >= 0:
                assert np.array_equal(canvas[y, x], moving.base[y, x])
            elif flow < growing:
                assert np.array_equal(canvas[y, x], moving.final[y, x])


def test_a_flow_that_is_not_there_yet_does_not_show_at_a_bridge() -> None:
    """Neither under nor over the one that is."""
    moving = moving_of(MADE["bridge"])
    paths, bridge = moving.solution.paths, moving.board.layout.cell_of[-1]
    crossing = [
        flow
        for flow, path in enumerate(paths)
        if bridge in [moving.board.layout.cell_of[strand] for strand in path.vertices]
    ]
    assert len(crossing) == 2
    outline = moving.frame.to_px(moving.board.layout.cells[bridge].outline).round().astype(int)
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    for order in (crossing, crossing[::-1]):
        edges = {edge for path in paths for edge in path.edges}
        frames = Timeline(pieces_of(moving.solution, order, edges)).frames()
        for (canvas, _), plan in zip(clip_of(moving, frames[:-1]).pictures(), frames, strict=False):
            if plan.grown and all(piece.flow == order[0] for piece in plan.grown):
                alone = moving.solved_with(order[:1])
                cell = np.s_[top:bottom, left:right]
                assert ((canvas == moving.base) | (canvas == alone))[cell].all()


def test_nothing_to_grow_is_one_picture() -> None:
    """As on a board that is solved already."""
    moving = moving_of(FIVE)
    clip = clip_of(moving, Timeline(()).frames())
    assert len(clip.patches) == 1
