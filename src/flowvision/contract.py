"""JSON objects that ``--json`` prints.

One object per screenshot or puzzle, of plain dicts, lists, strings and numbers. Fields are only ever added.
This is the only place that makes them, and the only one that writes them as lines.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flowvision.advice import COMMAND
from flowvision.errors import FlowvisionError
from flowvision.puzzle.layout import Board, Key
from flowvision.puzzle.model import BRIDGE, HOLE
from flowvision.puzzle.text import Drawn, draw, open_sides
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable

if TYPE_CHECKING:  # puzzles without a picture have objects too, and need no eyes
    from flowvision.reading.candidates import CheckedReading
    from flowvision.solvers.counting import Count
    from flowvision.solvers.deductions import Difficulty
    from flowvision.solvers.hints import Hint
    from flowvision.solvers.repairs import Repairs
    from flowvision.vision.assembly import Reading

Object = dict[str, Any]


def json_line(made: Object) -> str:
    """Return an object as one line of JSON, in ASCII: safe for any terminal's encoding."""
    return json.dumps(made)


def reading_object(file: str, answer: CheckedReading) -> Object:
    """Object of ``read``: the board, its flows, the confidence of the reading."""
    reading = answer.reading
    made: Object = {
        "file": file,
        "ok": True,
        "board": board_object(reading),
        "flows": [_flow(reading, flow, letter) for flow, letter in enumerate(reading.letters)],
        "state": answer.state,
        "confidence": answer.confidence,
        "reading_confidence": reading.confidence,
        "seconds": _rounded(answer.seconds),
    }
    if answer.warnings:
        made["warnings"] = list(answer.warnings)
    if answer.doubtful:
        made["doubtful"] = True
    if answer.other_board is not None:
        made["other_board_crop"] = list(answer.other_board)
    if reading.corrected:
        made["corrected"] = True
    return made


def answer_object(file: str, answer: CheckedReading, output: str | None) -> Object:
    """Object of ``solve``: the reading, the paths, the place of the picture."""
    made = reading_object(file, answer)
    for flow, path in zip(made["flows"], answer.outcome.solution.paths, strict=True):
        flow["path"] = cells_of(answer.reading.board, path.vertices)
    made["unique"] = answer.outcome.unique
    made["rules"] = answer.outcome.rules
    made["output"] = output
    return made


def error_object(file: str, error: FlowvisionError) -> Object:
    """Object of a picture that failed, with the board where one was seen."""
    message, hint = error.words(COMMAND)
    made: Object = {
        "file": file,
        "ok": False,
        "error": {
            "code": error.code,
            "stage": error.stage,
            "message": message,
            "hint": hint,
            "exit_code": int(error.exit_code),
        },
    }
    if error.cause is not None:
        from flowvision.reading.wording import cause_object

        made["error"]["cause"] = cause_object(error.cause)
    if error.reading is not None:
        made["board"] = board_object(error.reading)
    return made | ({"seconds": _rounded(error.seconds)} if error.seconds else {})


def puzzle_object(name: str, board: Board, outcome: Outcome) -> Object:
    """Object of ``puzzle``, solved or not."""
    status = {Solved: "solved", Unsolvable: "unsolvable", GaveUp: "gave-up"}[type(outcome)]
    made: Object = {"id": name, "status": status, "unique": None, "paths": []}
    if isinstance(outcome, Solved):
        made["unique"] = outcome.unique
        made["paths"] = [cells_of(board, path.vertices) for path in outcome.solution.paths]
        made["rules"] = outcome.rules
        if outcome.second:
            from flowvision.solvers.counting import differing_strands

            made["differs"] = cells_of(board, differing_strands(outcome.solution, outcome.second))
            made["second"] = [cells_of(board, path.vertices) for path in outcome.second.paths]
    elif outcome.reason:
        made["reason"] = outcome.reason
    return made | {"seconds": round(outcome.seconds, 6)}


def invalid_puzzle_object(name: str, error: FlowvisionError) -> Object:
    """Object of ``puzzle`` for a line that is no puzzle."""
    return {"id": name, "status": "invalid", "reason": error.words(COMMAND)[0]}


def count_object(board: Board, count: Count, shared: Collection[int] | None) -> Object:
    """Fields of ``--count``: the number of solutions, and the cells that are the same in all of them."""
    made: Object = {"count": count.number, "count_complete": count.complete}
    return made | ({"common": cells_of(board, sorted(shared))} if shared is not None else {})


def hinted_object(described: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Return the object of an answer with a hint in place of its paths."""
    flows = [{name: value for name, value in flow.items() if name != "path"} for flow in described["flows"]]
    return described | {name: value for name, value in hint.items() if name != "paths"} | {"flows": flows}


def hint_object(board: Board, hint: Hint | None, words: Sequence[str] = ()) -> Object:
    """Fields of ``--hint``, in place of the paths; without a hint, no paths.

    ``words``: the hint in sentences.
    """
    if hint is None:
        return {"paths": []}
    edges = board.graph.edges
    steps = [
        {"flow": flow, "cells": cells_of(board, edges[edge])}
        for edge, flow in zip(hint.edges, hint.flows, strict=True)
    ]
    return {"paths": [], "hint": steps, "code": hint.code, "why": " ".join(words)}


def difficulty_object(found: Difficulty) -> Object:
    """Fields of ``--difficulty``: the grade, the score, and the steps by kind."""
    from flowvision.solvers.deductions import Rung

    steps = {rung.code: count for rung, count in zip(Rung, found.steps, strict=True)}
    return {"grade": found.grade, "score": found.score, "steps": steps}


def repairs_object(board: Board, repairs: Repairs) -> Object:
    """Fields of ``--repair``: the boards one dot or one swap away that have exactly one solution."""
    made = [
        {
            "text": repair.text,
            "changes": [
                {
                    "flow": change.flow,
                    "read": cell_of(board, change.read),
                    "meant": cell_of(board, change.meant),
                }
                for change in repair.changes
            ],
            "paths": [cells_of(board, path.vertices) for path in repair.outcome.solution.paths],
        }
        for repair in repairs.found
    ]
    return {"repairs": made, "repairs_complete": repairs.complete}


def board_object(reading: Reading) -> Object:
    """Return the board: its rows of letters where it has rows, else the middles of its cells in pixels."""
    board, lattice, to_px = reading.board, reading.lattice, reading.frame.to_px
    corners, count = to_px(board.layout.corners), len(board.layout.cells)
    box = [*_point(corners.min(axis=0).tolist()), *_point(corners.max(axis=0).tolist())]
    if lattice is None:
        return {
            "tiling": "free",
            "cells": count,
            "centres_px": [_point(centre) for centre in to_px(board.layout.centres).tolist()],
            "sides": [list(pair) for pair in open_sides(board)],
            "bbox_px": box,
        }
    drawn = draw(board, reading.puzzle, reading.letters)
    return {
        "tiling": lattice.tiling,
        "rows": lattice.rows,
        "cols": lattice.cols,
        "cells": count,
        "grid": list(drawn.grid),
        **places_object(drawn),
        "bbox_px": box,
    }


def places_object(drawn: Drawn) -> Object:
    """Return the holes, walls, bridges and warps of a board with rows and columns."""
    return {
        "holes": [list(place) for place in drawn.places_of(HOLE)],
        "walls": [[list(a), list(b)] for a, b in drawn.walls],
        "bridges": [list(place) for place in drawn.places_of(BRIDGE)],
        "warps": [[list(a), list(b)] for a, b in drawn.warps],
    }


def cells_of(board: Board, strands: Iterable[int]) -> list[Any]:
    """Return the cells of strands, such as a path's: each as ``cell_of`` says it."""
    return [cell_of(board, strand) for strand in strands]


def cell_of(board: Board, strand: int) -> Any:
    """Return the cell of a strand, as ``cell_named`` says it."""
    return cell_named(board.key_of(strand))


def cell_named(key: Key) -> Any:
    """Return a cell: ``[row, column]``, or its number on a board without rows and columns."""
    return list(key) if isinstance(key, tuple) else key


def _flow(reading: Reading, flow: int, letter: str) -> Object:
    return {
        "letter": letter,
        "rgb": reading.palette[flow].hex,
        "ends": cells_of(reading.board, reading.puzzle.terminals[flow]),
        "ends_px": [_point(end) for end in reading.ends_px[flow]],
    }


def _point(point: Sequence[float]) -> list[int]:
    return [round(point[0]), round(point[1])]


def _rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    return {stage: round(value, 6) for stage, value in seconds.items()}
