"""JSON objects that ``--json`` prints.

One object per screenshot or puzzle, of plain dicts, lists, strings and numbers.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from flowvision.doubts import Doubt
from flowvision.errors import FlowvisionError
from flowvision.puzzle.free import open_sides
from flowvision.puzzle.layout import Board, Key, NamedPuzzle
from flowvision.puzzle.model import BRIDGE, HOLE, Puzzle
from flowvision.puzzle.text import Drawn, draw
from flowvision.solvers import Solved
from flowvision.words import COMMAND, Advice

if TYPE_CHECKING:  # not needed for a puzzle without a picture
    from flowvision.solvers.counting import Count
    from flowvision.solvers.deductions import Difficulty
    from flowvision.solvers.hints import Hint
    from flowvision.solvers.repairs import Repairs
    from flowvision.vision.assembly import Reading

Object = dict[str, Any]


def json_line(item: Object) -> str:
    """Return an object as one line of ASCII, safe in any terminal."""
    return json.dumps(item)


def puzzle_object(named: NamedPuzzle, outcome: Solved) -> Object:
    """Return the object of a puzzle without a picture."""
    result = board_and_flows(named.name, named, outcome)
    result["seconds"] = {"solve": round(outcome.seconds, 6)}
    if outcome.second:
        from flowvision.solvers.counting import differing_strands

        result["differs"] = cells_of(named.board, differing_strands(outcome.solution, outcome.second))
        result["second"] = [cells_of(named.board, path.vertices) for path in outcome.second.paths]
    return result


def error_object(file: str, error: FlowvisionError, named: NamedPuzzle | None = None) -> Object:
    """Return the object of a failed picture, or failed puzzle ``named``, with the board if known."""
    message, hint = error.words(COMMAND)
    described: Object = {"code": error.code, "stage": error.stage, "message": message, "hint": hint}
    described["exit_code"] = int(error.exit_code)
    if error.cause is not None:
        described["cause"] = cause_object(error.cause)
    result: Object = {"file": file, "ok": False, "error": described}
    if (item := named or error.reading) is not None:
        result["board"] = board_object(item)
    return result | ({"seconds": error.seconds} if error.seconds else {})


def cause_object(doubt: Doubt) -> Object:
    """Return a doubt with its words; places count from 0."""
    words, came = doubt.words(), "solved" if doubt.reads else None
    described = {"code": doubt.code, "says": words.says, "means": words.means, "todo": words.todo}
    advice = [_typed(item) | {"came": came} for item in doubt.advice]
    return described | {"seen": doubt.seen, "advice": advice}


def _typed(item: Advice) -> Object:
    """Return advice as typed on the command line: the option with its dashes, and its value."""
    option, _, value = COMMAND.advice((item,)).partition(" ")
    return {"option": option, "value": value}


def board_and_flows(file: str, item: Reading | NamedPuzzle, outcome: Solved | None) -> Object:
    """Return the fields that screenshots and puzzles share, with the paths of an ``outcome``."""
    board, flows = item.board, list[Object]()
    for letter, pair in zip(item.letters, item.puzzle.terminals, strict=True):
        flows.append({"letter": letter, "ends": cells_of(board, pair)})
    result: Object = {"file": file, "ok": True, "board": board_object(item), "flows": flows}
    if outcome is None:
        return result
    for flow, path in zip(flows, outcome.solution.paths, strict=True):
        flow["path"] = cells_of(board, path.vertices)
    return result | {"unique": outcome.unique, "rules": outcome.rules}


def geometry_object(reading: Reading) -> Object:
    """Return the fields of ``--geometry``, in pixels of the picture.

    ``frame``: the 3×3 homography from cell units to pixels, row by row, scaled so that neighbours in a row or
    column are 1 apart. ``cells_px``: the outline of every cell.
    """
    from flowvision.corrections import frame_of_unit_cells

    board, frame = reading.board, reading.frame
    numbers = frame_of_unit_cells(board, frame).matrix
    cells_px = [points(frame.to_px(cell.outline)) for cell in board.layout.cells]
    return {"frame": [float(f"{number:.9g}") for number in numbers], "cells_px": cells_px}


def count_object(board: Board, count: Count, shared: Collection[int] | None) -> Object:
    """Return the fields of ``--count``: the number of solutions, and the cells they share."""
    result: Object = {"count": count.number, "count_complete": count.complete}
    return result | ({"common": cells_of(board, sorted(shared))} if shared is not None else {})


def with_hint(described: Object, hint: Object) -> Object:
    """Return the object of an answer with a hint in place of its paths."""
    flows = [flow.copy() for flow in described["flows"]]
    for flow in flows:
        flow.pop("path", None)
    return described | hint | {"flows": flows}


def hint_object(board: Board, hint: Hint, words: Sequence[str]) -> Object:
    """Return the fields of ``--hint``; ``words``: the hint in sentences."""
    steps = []
    for edge, flow, start in zip(hint.edges, hint.flows, hint.starts, strict=True):
        cells = cells_of(board, (start, board.graph.other_end(edge, start)))
        steps.append({"flow": flow, "cells": cells, "way": board.direction_of(edge, start)})
    return {"hint": steps, "code": hint.code, "why": " ".join(words)}


def difficulty_object(difficulty: Difficulty) -> Object:
    """Return the fields of ``--difficulty``: the grade, the score, and the steps by kind."""
    from flowvision.solvers.deductions import Rung

    steps = {rung.code: count for rung, count in zip(Rung, difficulty.steps, strict=True)}
    return {"grade": difficulty.grade, "score": difficulty.score, "steps": steps}


def repairs_object(board: Board, repairs: Repairs) -> Object:
    """Return the fields of ``--repair``: boards one dot or one swap away with exactly one solution."""
    boards = []
    for repair in repairs.found:
        changes = []
        for change in repair.changes:
            read_cell, meant_cell = cells_of(board, (change.read, change.meant))
            changes.append({"flow": change.flow, "read": read_cell, "meant": meant_cell})
        paths = [cells_of(board, path.vertices) for path in repair.outcome.solution.paths]
        boards.append({"text": repair.text, "changes": changes, "paths": paths})
    return {"repairs": boards, "repairs_complete": repairs.complete}


def board_object(item: Reading | NamedPuzzle) -> Object:
    """Return a board: rows of letters, or else open sides; for a picture also pixels."""
    board, lattice, frame = item.board, item.board.lattice, getattr(item, "frame", None)
    result: Object = {"tiling": lattice.tiling if lattice else "free", "cells": len(board.layout.cells)}
    if lattice is not None:
        is_lettered = "?" not in item.letters  # otherwise there are more flows than letters
        puzzle = item.puzzle if is_lettered else Puzzle(board.graph, terminals=())
        drawn = draw(board, puzzle, item.letters if is_lettered else ())
        result |= {"rows": lattice.rows, "cols": lattice.cols, **places_object(drawn)}
        if is_lettered:
            result["grid"] = list(drawn.grid)
    else:
        result["sides"] = [list(pair) for pair in open_sides(board)]
    if frame is not None:
        corners = frame.to_px(board.layout.corners)
        low, high = points((corners.min(axis=0), corners.max(axis=0)), digits=0)
        result["bbox_px"] = [*low, *high]
        if lattice is None:
            result["centres_px"] = points(frame.to_px(board.layout.centres), digits=0)
    return result


def places_object(drawn: Drawn) -> Object:
    """Return the holes, walls, bridges and warps of a board with rows and columns."""
    holes, bridges = (list(map(list, drawn.places_of(mark))) for mark in (HOLE, BRIDGE))
    walls, warps = ([list(map(list, pair)) for pair in pairs] for pairs in (drawn.walls, drawn.warps))
    return {"holes": holes, "walls": walls, "bridges": bridges, "warps": warps}


def cells_of(board: Board, strands: Iterable[int]) -> list[int | list[int]]:
    """Return the cells of strands, such as a path's."""
    return [cell_named(board.key_of(strand)) for strand in strands]


def cell_named(key: Key) -> int | list[int]:
    """Return a cell: ``[row, column]``, or its number on a board without rows and columns."""
    return list(key) if isinstance(key, tuple) else key


def points(points_px: Iterable[Sequence[float]], digits: int = 1) -> list[list[float]]:
    """Return points in pixels as lists: whole numbers with 0 ``digits``."""
    return [[round(float(part), digits or None) for part in point] for point in points_px]
