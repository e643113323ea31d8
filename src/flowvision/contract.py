"""The objects that other programs rely on: what ``--json`` prints.

One object per screenshot or puzzle, of plain dicts, lists, strings and numbers. Fields are only ever added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flowvision.errors import FlowvisionError
from flowvision.pipeline import Answer
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Path
from flowvision.puzzle.text import BRIDGE, HOLE, draw
from flowvision.reading.result import CheckedReading
from flowvision.render.letters import letters_for
from flowvision.vision.reading import Reading

Object = dict[str, Any]


def reading_object(file: str, answer: CheckedReading) -> Object:
    """What ``read`` prints: the board, its flows and how sure the reading is."""
    reading = answer.reading
    made: Object = {
        "file": file,
        "ok": True,
        "board": board_object(reading),
        "flows": [_flow(reading, flow, letter) for flow, letter in enumerate(letters_for(reading.palette))],
        "state": answer.state,
        "confidence": answer.confidence,
        "seconds": _rounded(answer.seconds),
    }
    if answer.warnings:
        made["warnings"] = list(answer.warnings)
    return made


def answer_object(file: str, answer: Answer, output: str | None) -> Object:
    """What ``solve`` prints: the reading, the paths, and where the picture was written."""
    made = reading_object(file, answer)
    for flow, path in zip(made["flows"], answer.outcome.solution.paths, strict=True):
        flow["path"] = cells_of(answer.reading.board, path)
    made["unique"] = answer.outcome.unique
    made["rules"] = answer.outcome.rules
    made["output"] = output
    return made


def error_object(file: str, error: FlowvisionError) -> Object:
    """What is printed for a picture that failed; with what was seen, where that is known."""
    made: Object = {
        "file": file,
        "ok": False,
        "error": {
            "code": error.code,
            "stage": error.stage,
            "message": error.message,
            "hint": error.hint,
            "exit_code": int(error.exit_code),
        },
    }
    if isinstance(error.evidence, Reading):
        made["board"] = board_object(error.evidence)
    return made


def board_object(reading: Reading) -> Object:
    """The board: its rows of letters where it has rows, else the middles of its cells in pixels."""
    board, lattice = reading.board, reading.lattice
    count = len(board.layout.cells)
    corners = reading.frame.to_px([point for cell in board.layout.cells for point in cell.outline])
    if lattice is None:
        centres = reading.frame.to_px([cell.centre for cell in board.layout.cells])
        return {
            "tiling": "free",
            "cells": count,
            "centres_px": [_point(centre) for centre in centres.tolist()],
            "bbox_px": _box(corners.min(axis=0).tolist(), corners.max(axis=0).tolist()),
        }
    drawn = draw(board, reading.puzzle, letters_for(reading.palette))
    return {
        "tiling": lattice.tiling,
        "rows": lattice.rows,
        "cols": lattice.cols,
        "cells": count,
        "grid": list(drawn.grid),
        "holes": [list(place) for place in drawn.places_of(HOLE)],
        "walls": [[list(a), list(b)] for a, b in drawn.walls],
        "bridges": [list(place) for place in drawn.places_of(BRIDGE)],
        "warps": [[list(a), list(b)] for a, b in drawn.warps],
        "bbox_px": _box(corners.min(axis=0).tolist(), corners.max(axis=0).tolist()),
    }


def cells_of(board: Board, path: Path) -> list[Any]:
    """A path as [row, column] pairs, or as cell numbers on a board without rows."""
    return [_cell(board, strand) for strand in path.vertices]


def _cell(board: Board, strand: int) -> Any:
    cell = board.layout.cell_of[strand]
    return cell if board.lattice is None else list(board.lattice.places[cell])


def _flow(reading: Reading, flow: int, letter: str) -> Object:
    return {
        "letter": letter,
        "rgb": reading.palette[flow].hex,
        "ends": [_cell(reading.board, dot) for dot in reading.puzzle.terminals[flow]],
        "ends_px": [_point(end) for end in reading.ends_px[flow]],
    }


def _point(point: Sequence[float]) -> list[int]:
    return [round(point[0]), round(point[1])]


def _box(low: Sequence[float], high: Sequence[float]) -> list[int]:
    return [*_point(low), *_point(high)]


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {stage: round(value, 6) for stage, value in seconds.items()}
