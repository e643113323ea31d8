import json

import pytest
from msgspec.structs import replace

from flowvision import Answer
from flowvision.contract import error_object, hint_object, json_line, puzzle_object, with_hint
from flowvision.errors import BoardNotFoundError, UnsolvableError
from flowvision.image.picture import Frame
from flowvision.log import Log
from flowvision.puzzle import boards
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Puzzle, letters_for
from flowvision.puzzle.text import parse
from flowvision.reading.doubt import Doubt
from flowvision.solvers import solve
from flowvision.solvers.hints import Hint
from flowvision.vision.assembly import Reading
from tests.boards import free_of
from tests.drawing import COLOURS, FIVE, reading_of

ODD_BOARD = "R.#.G\n..+..\n.....\nG...R\nwall 2,1/3,1\nwarp 1,1/4,1\n"


def checked(reading: Reading, warnings: tuple[str, ...] = ()) -> Answer:
    doubts = tuple(Doubt("unknown", "decode", {"message": warning}, weight=0.0) for warning in warnings)
    seconds = {"board": 0.001235}
    return Answer(
        "shot.png", seen=reading, solved=solve(reading.puzzle), doubts=doubts, confidence=0.9, seconds=seconds
    )


def test_a_plain_board_to_the_letter() -> None:
    described = checked(reading_of(FIVE)).to_dict()
    red = next(flow for flow in described["flows"] if flow["letter"] == "R")
    assert described["board"] == {
        "tiling": "square",
        "rows": 5,
        "cols": 5,
        "cells": 25,
        "grid": ["R.G.Y", "..B.O", ".....", ".G.Y.", ".RBO."],
        "holes": [],
        "walls": [],
        "bridges": [],
        "warps": [],
        "bbox_px": [12, 140, 312, 440],
    }
    assert red == {
        "letter": "R",
        "rgb": "#ff0000",
        "ends": [[0, 0], [4, 1]],
        "ends_px": [[42, 170], [102, 410]],
        "path": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [4, 1]],
    }
    assert {key: described[key] for key in ("file", "ok", "unique", "confidence")} == {
        "file": "shot.png",
        "ok": True,
        "unique": True,
        "confidence": 0.9,
    }


def test_a_reading_leaves_out_the_solution() -> None:
    described = json.loads(json.dumps(checked(reading_of(FIVE)).to_dict(is_solved=False)))
    assert {"unique", "rules"}.isdisjoint(described)
    assert all(set(flow) == {"letter", "rgb", "ends", "ends_px"} for flow in described["flows"])
    assert described["seconds"] == {"board": 0.001235}


def test_warnings_are_there_only_when_there_are_any() -> None:
    assert "warnings" not in checked(reading_of(FIVE)).to_dict()
    assert checked(reading_of(FIVE), ("Be careful.",)).to_dict()["warnings"] == ["Be careful."]
    told = checked(reading_of(FIVE), ("Be careful.",))
    assert "doubtful" not in told.to_dict()
    weighed = tuple(replace(doubt, weight=1.0) for doubt in told.doubts)
    assert replace(told, doubts=weighed).to_dict()["doubtful"] is True


def test_holes_walls_bridges_and_warps() -> None:
    board = checked(reading_of(ODD_BOARD)).to_dict(is_solved=False)["board"]
    assert board["grid"] == ["R.#.G", "..+..", ".....", "G...R"]
    assert board["holes"] == [[0, 2]]
    assert board["bridges"] == [[1, 2]]
    assert board["walls"] == [[[1, 0], [2, 0]]]
    assert board["warps"] == [[[0, 0], [3, 0]]]
    assert board["cells"] == 19


def test_a_hexagonal_board() -> None:
    puzzle = parse("hex\nR.\n.R\n")
    frame = Frame.of_box(0, 0, 100, 100)
    ends = (((0.0, 0.0), (1.0, 1.0)),)
    reading = Reading(puzzle.board, puzzle.puzzle, frame, (COLOURS["R"],), 0.9, ends)
    board = checked(reading).to_dict(is_solved=False)["board"]
    assert (board["tiling"], board["rows"], board["cols"], board["cells"]) == ("hex", 2, 2, 4)
    assert board["grid"] == ["R.", ".R"]


def test_a_board_off_any_lattice() -> None:
    free = free_of(boards.square(1, 3))
    reading = Reading(
        free,
        Puzzle(free.graph, ((0, 2),)),
        Frame.of_box(10, 20, 100, 100),
        (COLOURS["R"],),
        0.9,
        (((60.0, 70.0), (260.0, 70.0)),),
    )
    described = checked(reading).to_dict()
    assert described["board"] == {
        "tiling": "free",
        "cells": 3,
        "centres_px": [[60, 70], [160, 70], [260, 70]],
        "sides": [[0, 1], [1, 2]],
        "bbox_px": [10, 20, 310, 120],
    }
    assert described["flows"][0]["ends"] == [0, 2]
    assert described["flows"][0]["path"] == [0, 1, 2]
    assert described["flows"][0]["ends_px"] == [[60, 70], [260, 70]]


@pytest.mark.parametrize("seen", [None, "evidence of another kind"])
def test_a_failure(seen: object) -> None:
    log = Log()
    error = log.fail("board", BoardNotFoundError("nothing", "try again", seen), None).ended(log)
    made = error_object("menu.png", error)
    assert made.pop("seconds") == {"board": 0.0}
    assert made == {
        "file": "menu.png",
        "ok": False,
        "error": {
            "code": "board-not-found",
            "stage": "board",
            "message": "nothing",
            "hint": "try again",
            "exit_code": 4,
        },
    }


def test_a_failure_shows_the_board_that_was_seen() -> None:
    described = error_object("a", UnsolvableError("none", None, reading_of("R.G\n...\nG.R\n")))
    assert described["board"]["grid"] == ["R.G", "...", "G.R"]


def test_a_line_is_ascii() -> None:
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
    squares = boards.square(1, 3)
    for board, path in ((squares, [[0, 0], [0, 1], [0, 2]]), (free_of(squares), [0, 1, 2])):
        named = NamedPuzzle("a", board, Puzzle(board.graph, ((0, 2),)), ("R",))
        described = puzzle_object(named, solve(named.puzzle))
        assert described["flows"] == [{"letter": "R", "ends": [path[0], path[2]], "path": path}]
        assert (described["file"], described["ok"], described["rules"]) == ("a", True, "strict")
        assert set(described["seconds"]) == {"solve"}
        hinted = with_hint(described, hint_object(board, Hint("whole-flow", (0,), (0,)), ["The", "whole."]))
        assert hinted["flows"] == [{"letter": "R", "ends": [path[0], path[2]]}]
        assert hinted["hint"] == [{"flow": 0, "cells": path[:2]}]
        assert (hinted["code"], hinted["why"]) == ("whole-flow", "The whole.")
        failed = error_object("a", UnsolvableError("no"), named)
        assert (failed["error"]["code"], failed["board"]["cells"]) == ("unsolvable", 3)
