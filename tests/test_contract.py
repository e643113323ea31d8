import json
from typing import Any

import pytest
from msgspec.structs import replace

from flowvision import Answer
from flowvision.contract import board_object, error_object, hint_object, json_line, puzzle_object, with_hint
from flowvision.doubts import Doubt, Unknown
from flowvision.errors import BoardNotFoundError, UnsolvableError
from flowvision.image.picture import Frame
from flowvision.log import Log
from flowvision.puzzle import boards
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Puzzle, letters_for
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.hints import Hint
from flowvision.vision.assembly import Reading
from tests.boards import free_of
from tests.drawing import COLOURS, FIVE, reading_of

ODD = "R.#.G\n..+..\n.....\nG...R\nwall 2,1/3,1\nwarp 1,1/4,1\n"
SQUARES = boards.square(1, 3)
FREE = free_of(SQUARES)
FREE_READING = Reading(
    FREE,
    Puzzle(FREE.graph, ((0, 2),)),
    Frame.of_box(10, 20, 100, 100),
    (COLOURS["R"],),
    0.9,
    (((60.0, 70.0), (260.0, 70.0)),),
)


def answer_to(reading: Reading, *doubts: Doubt) -> Answer:
    solved, seconds = solve(reading.puzzle), {"board": 0.001235}
    return Answer("shot.png", _seen=reading, _solved=solved, doubts=doubts, confidence=0.9, seconds=seconds)


def board_of(tiling: str, grid: str, cells: int, **more: Any) -> dict[str, Any]:
    rows = grid.split()
    sides = {"tiling": tiling, "rows": len(rows), "cols": len(rows[0]), "cells": cells, "grid": rows}
    return sides | {name: more.get(name, []) for name in ("holes", "walls", "bridges", "warps")}


@pytest.mark.parametrize(
    ("item", "board"),
    [
        (reading_of(FIVE), board_of("square", FIVE, 25) | {"bbox_px": [12, 140, 312, 440]}),
        (
            parse(ODD),
            board_of(
                "square",
                ODD[:23],
                19,
                holes=[[0, 2]],
                bridges=[[1, 2]],
                walls=[[[1, 0], [2, 0]]],
                warps=[[[0, 0], [3, 0]]],
            ),
        ),
        (parse("hex\nR.\n.R\n"), board_of("hex", "R. .R", 4)),
        (
            FREE_READING,
            {
                "tiling": "free",
                "cells": 3,
                "centres_px": [[60, 70], [160, 70], [260, 70]],
                "sides": [[0, 1], [1, 2]],
                "bbox_px": [10, 20, 310, 120],
            },
        ),
    ],
    ids=["plain", "odd", "hex", "free"],
)
def test_board_object(item: Reading | NamedPuzzle, board: dict[str, Any]) -> None:
    assert board_object(item) == board


def test_an_answer_to_the_letter() -> None:
    described, read = (answer_to(reading_of(FIVE)).to_dict(is_solved=solved) for solved in (True, False))
    red = {"letter": "R", "rgb": "#ff0000", "ends": [[0, 0], [4, 1]], "ends_px": [[42, 170], [102, 410]]}
    assert read["flows"][0] == red
    assert described["flows"][0] == red | {"path": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [4, 1]]}
    answered = {"file": "shot.png", "ok": True, "unique": True, "rules": "strict", "confidence": 0.9}
    assert answered.items() <= described.items()
    assert described["seconds"] == {"board": 0.001235}
    assert set(described) - set(read) == {"output", "rules", "unique"}
    (flow,) = answer_to(FREE_READING).to_dict()["flows"]
    assert (flow["ends"], flow["path"], flow["ends_px"]) == ([0, 2], [0, 1, 2], [[60, 70], [260, 70]])


def test_warnings_and_doubts_are_there_only_when_there_are_any() -> None:
    warning = Unknown("Be careful.", weight=0.0)
    sure, warned, doubtful = (
        answer_to(reading_of(FIVE), *doubts).to_dict()
        for doubts in ((), (warning,), (replace(warning, weight=1.0),))
    )
    assert {"warnings", "doubtful"}.isdisjoint(sure)
    assert (warned["warnings"], warned.get("doubtful")) == (["Be careful."], None)
    assert doubtful["doubtful"] is True


@pytest.mark.parametrize("seen", [None, "evidence of another kind"])
def test_error_object(seen: object) -> None:
    log = Log()
    error = log.fail("board", BoardNotFoundError("nothing", "try again", seen), None).ended(log)
    fields = {"code": "board-not-found", "stage": "board", "message": "nothing", "hint": "try again"}
    assert error_object("menu.png", error) == {
        "file": "menu.png",
        "ok": False,
        "error": fields | {"exit_code": 4},
        "seconds": {"board": 0.0},
    }
    described = error_object("a", UnsolvableError("none", read=reading_of("R.G\n...\nG.R\n")))
    assert described["board"]["grid"] == ["R.G", "...", "G.R"]


def test_json_line_is_one_line_of_ascii() -> None:
    line = json_line(error_object("pîp\udcff😀\n.png", BoardNotFoundError("none")))
    assert line.isascii()
    assert "\n" not in line
    assert json.loads(line)["file"] == "pîp\udcff😀\n.png"


def test_a_board_of_more_flows_than_letters_has_no_rows_of_letters() -> None:
    board = boards.square(70, 2)
    puzzle = Puzzle(board.graph, tuple((2 * row, 2 * row + 1) for row in range(70)))
    described = puzzle_object(NamedPuzzle("a", board, puzzle, letters_for(70)), solve(puzzle))
    assert (described["board"]["rows"], len(described["flows"])) == (70, 70)
    assert "grid" not in described["board"]


def test_puzzles_have_the_objects_of_screenshots() -> None:
    for board, path in ((SQUARES, [[0, 0], [0, 1], [0, 2]]), (FREE, [0, 1, 2])):
        named = NamedPuzzle("a", board, Puzzle(board.graph, ((0, 2),)), ("R",))
        described = puzzle_object(named, solve(named.puzzle))
        flow = {"letter": "R", "ends": [path[0], path[2]]}
        assert described["flows"] == [flow | {"path": path}]
        assert (described["file"], described["ok"], described["rules"]) == ("a", True, "strict")
        assert set(described["seconds"]) == {"solve"}
        hinted = with_hint(described, hint_object(board, Hint("whole-flow", (0,), (0,)), ["The", "whole."]))
        assert (hinted["flows"], hinted["hint"]) == ([flow], [{"flow": 0, "cells": path[:2]}])
        assert (hinted["code"], hinted["why"]) == ("whole-flow", "The whole.")
        failed = error_object("a", UnsolvableError("no"), named)
        assert (failed["error"]["code"], failed["board"]["cells"]) == ("unsolvable", 3)
