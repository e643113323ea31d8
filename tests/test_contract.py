import json
from typing import Any

import pytest

from flowvision import Answer
from flowvision.contract import board_object, error_object, hint_object, json_line, puzzle_object, with_hint
from flowvision.doubts import Doubt, Unknown
from flowvision.errors import BoardNotFoundError, ExitCode, UnsolvableError
from flowvision.image.picture import Frame
from flowvision.log import Log
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, NamedPuzzle
from flowvision.puzzle.model import Puzzle, letters_for
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.hints import Hint
from flowvision.vision.assembly import Reading
from tests.boards import free_of
from tests.drawing import COLOURS, LEVEL_5X5, UNSOLVABLE, reading_of

ODD_ROWS = "R.#.G\n..+..\n.....\nG...R\n"
ODD = f"{ODD_ROWS}wall 2,1/3,1\nwarp 1,1/4,1\n"
ODD_SIDES = {"holes": [[0, 2]], "bridges": [[1, 2]], "walls": [[[1, 0], [2, 0]]], "warps": [[[0, 0], [3, 0]]]}
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
    """Return the object of a board with rows and columns; ``more``: its holes, walls, bridges and warps."""
    rows = grid.split()
    sides = {"tiling": tiling, "rows": len(rows), "cols": len(rows[0]), "cells": cells, "grid": rows}
    return sides | {name: more.get(name, []) for name in ("holes", "walls", "bridges", "warps")}


FREE_BOARD = {
    "tiling": "free",
    "cells": 3,
    "centres_px": [[60, 70], [160, 70], [260, 70]],
    "sides": [[0, 1], [1, 2]],
    "bbox_px": [10, 20, 310, 120],
}


@pytest.mark.parametrize(
    ("item", "board"),
    [
        pytest.param(
            reading_of(LEVEL_5X5),
            board_of("square", LEVEL_5X5, 25) | {"bbox_px": [12, 140, 312, 440]},
            id="plain",
        ),
        pytest.param(parse(ODD), board_of("square", ODD_ROWS, 19, **ODD_SIDES), id="odd"),
        pytest.param(parse("hex\nR.\n.R\n"), board_of("hex", "R. .R", 4), id="hex"),
        pytest.param(FREE_READING, FREE_BOARD, id="free"),
    ],
)
def test_board_object(item: Reading | NamedPuzzle, board: dict[str, Any]) -> None:
    assert board_object(item) == board


def test_an_answer_to_the_letter() -> None:
    solved, read = (
        answer_to(reading_of(LEVEL_5X5)).to_dict(is_solved=is_solved) for is_solved in (True, False)
    )
    red = {"letter": "R", "rgb": "#ff0000", "ends": [[0, 0], [4, 1]], "ends_px": [[42, 170], [102, 410]]}
    assert read["flows"][0] == red
    assert solved["flows"][0] == red | {"path": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [4, 1]]}
    fields = {"file": "shot.png", "ok": True, "unique": True, "rules": "strict", "confidence": 0.9}
    assert fields.items() <= solved.items()
    assert solved["seconds"] == {"board": 0.001235}
    assert set(solved) - set(read) == {"output", "rules", "unique"}


def test_cells_without_rows_are_numbers_in_an_answer() -> None:
    (flow,) = answer_to(FREE_READING).to_dict()["flows"]
    assert (flow["ends"], flow["path"], flow["ends_px"]) == ([0, 2], [0, 1, 2], [[60, 70], [260, 70]])


@pytest.mark.parametrize(
    ("doubts", "expected"),
    [
        ((), {}),
        ((Unknown("Be careful.", weight=0.0),), {"warnings": ["Be careful."]}),
        ((Unknown("Be careful.", weight=1.0),), {"warnings": ["Be careful."], "doubtful": True}),
    ],
)
def test_warnings_and_doubts_are_there_only_when_there_are_any(doubts, expected) -> None:
    described = answer_to(reading_of(LEVEL_5X5), *doubts).to_dict()
    assert {name: described[name] for name in ("warnings", "doubtful") if name in described} == expected


@pytest.mark.parametrize("evidence", [None, "evidence of another kind"])
def test_the_object_of_an_error(evidence: object) -> None:
    log = Log()
    error = log.fail("board", BoardNotFoundError("nothing", "try again", evidence), None).ended(log)
    fields = {"code": "board-not-found", "stage": "board", "message": "nothing", "hint": "try again"}
    assert error_object("menu.png", error) == {
        "file": "menu.png",
        "ok": False,
        "error": fields | {"exit_code": ExitCode.BOARD_NOT_FOUND},
        "seconds": {"board": 0.0},
    }


def test_the_object_of_an_error_has_the_board_that_was_read() -> None:
    described = error_object("a", UnsolvableError("none", read=reading_of(UNSOLVABLE)))
    assert described["board"]["grid"] == UNSOLVABLE.split()


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


@pytest.mark.parametrize(
    ("board", "path"), [(SQUARES, [[0, 0], [0, 1], [0, 2]]), (FREE, [0, 1, 2])], ids=["rows", "free"]
)
def test_puzzles_have_the_objects_of_screenshots(board: Board, path: list[Any]) -> None:
    named = NamedPuzzle("a", board, Puzzle(board.graph, ((0, 2),)), ("R",))
    solved = puzzle_object(named, solve(named.puzzle))
    flow = {"letter": "R", "ends": [path[0], path[-1]]}
    assert solved["flows"] == [flow | {"path": path}]
    assert (solved["file"], solved["ok"], solved["rules"]) == ("a", True, "strict")
    assert set(solved["seconds"]) == {"solve"}
    hint = hint_object(board, Hint("whole-flow", (0,), (0,), starts=(1,)), ["The", "whole."])
    hinted = with_hint(solved, hint)
    assert (hinted["flows"], hinted["hint"]) == ([flow], [{"flow": 0, "cells": path[1::-1], "way": "left"}])
    assert (hinted["code"], hinted["why"]) == ("whole-flow", "The whole.")
    failed = error_object("a", UnsolvableError("no"), named)
    assert (failed["error"]["code"], failed["board"]["cells"]) == ("unsolvable", 3)
