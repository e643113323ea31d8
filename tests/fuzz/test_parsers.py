"""Damaged puzzles and journals: puzzles, or errors that say why; nothing outside the folder is touched."""

import json
from contextlib import suppress
from random import Random

import pytest

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import check, free
from flowvision.puzzle.formats import InvalidPuzzle, puzzles_in, written
from flowvision.puzzle.layout import NamedPuzzle
from tests.drawing import LEVEL_5X5
from tests.fuzz.driver import changed, damaged, random_cases

MOST = 1_000

RECORD = {
    "id": "7", "rows": 5, "cols": 5, "topology": "square", "pairs": [[[0, 0], [4, 1]], [[0, 2], [3, 1]]],
    "holes": [[2, 2]], "walls": [[[0, 0], [0, 1]]], "bridges": [[1, 1]], "wrap": "both", "warps": [],
}  # fmt: skip
READ = {
    "file": "a.png", "ok": True, "flows": [{"letter": "R", "ends": [0, 4]}],
    "board": {"tiling": "square", "grid": LEVEL_5X5.split(), "walls": [[[0, 0], [0, 1]]], "warps": []},
}  # fmt: skip
FREE = {**READ, "board": {"tiling": "free", "cells": 5, "sides": [[0, 1], [1, 2], [2, 3], [3, 4]]}}
TEXTS = [
    LEVEL_5X5 + "wall 1,1/1,2\nwarp 1,1/5,1\n",
    "hex\n" + LEVEL_5X5.replace("+", "."),
    "R.+.R\n#...#\n..B.B\n",
    "5,1,1,2,,,0|1:3|4;0,1,2,3,4;5,6,7,8,9\n" * 2,
    "W_4:3,2,9,1,5,7:8,0|1;0,1,2,3\nX_3+BC,1,2,1;0,3,6\n",
    "3 3\n1 . 2\n. . .\n1 # 2\n2 2\n1 1\n2 2\n0 0\n",
    "1 0 2\n0 0 0\n1 - 2\n",
    "free\ncells 5\nR 0 4\n0: 1 2\n1: 3\n2: 3 4\n3: 4\n",
    *("\n".join([json.dumps(one)] * 2) for one in (RECORD, READ, FREE)),
]


def text_of(random: Random) -> str:
    if random.random() < 0.03:
        return '{"a":' + "[" * random.choice((100, 10_000, 200_000)) + "\n" + json.dumps(RECORD)
    if random.random() < 0.35:
        made = changed(random.choice((RECORD, READ, FREE)), random)
        return json.dumps(made) + "\n" + json.dumps(RECORD)
    data = random.choice(TEXTS).encode()
    return damaged(data, random, random.choice(TEXTS).encode()).decode("utf-8-sig", "replace")


@random_cases()
def test_a_damaged_text_is_a_puzzle_or_refused(monkeypatch: pytest.MonkeyPatch, random: Random) -> None:
    # The largest boards take seconds to build.
    monkeypatch.setattr(check, "LARGEST", MOST)
    monkeypatch.setattr(free, "LARGEST", MOST)
    found = list[NamedPuzzle | InvalidPuzzle]()
    with suppress(PuzzleInvalidError):
        found = list(puzzles_in(text_of(random), "file"))
    for one in found:
        if isinstance(one, InvalidPuzzle):
            assert isinstance(one.error, PuzzleInvalidError)
            assert one.error.message
            continue
        assert len(one.board.layout.cells) <= MOST
        if one.board.lattice is not None:
            (again,) = puzzles_in(written(one, "record"))
            assert again.puzzle == one.puzzle
