"""Wrong arguments of the library end in ``TypeError`` or ``ValueError`` that name the argument."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowvision import (
    Look,
    Options,
    SetBoard,
    SetCell,
    debug_page,
    generate_puzzle,
    parse_puzzle,
    solve_folder,
    solve_image,
)
from flowvision.debug.page import DebugPage
from tests.drawing import LEVEL_5X5, screenshot_of

PUZZLE = parse_puzzle(LEVEL_5X5)
ANSWER = PUZZLE.solve()
PICTURE = screenshot_of(LEVEL_5X5)

VALUES: tuple[object, ...] = (
    None,
    "text",
    5,
    2.5,
    True,
    b"bytes",
    ["R"],
    (1, 2),
    {"R": 1},
    object(),
    np.zeros(3),
    Path("path"),
    len,
)
NUMBER, TEXT, FLAG, PATH = (int, float), (str,), (bool,), (str, Path)
WHOLE, WHOLE_OR_NONE, TEXT_OR_NONE = (int,), (int, type(None)), (str, type(None))
NONE = (type(None),)
CORRECTED = lambda cell: ANSWER.corrected({cell: "R"})  # noqa: E731
WORDS = dict.fromkeys(("grid", "size"), "is not a size")

OPTIONS = {
    "seconds": NUMBER,
    "grid": (str, int, tuple, type(None)),
    "colours": WHOLE_OR_NONE,
    "crop": NONE,
    "rotate": NUMBER,
    "keep_drawn": FLAG,
    "corrections": (list, tuple),
    "trust": FLAG,
}
FILE = {"format": TEXT_OR_NONE, "animate": FLAG, "force": FLAG}
COUNTS = dict.fromkeys(("holes", "walls", "bridges", "warps"), WHOLE)
SOLVE = partial(solve_image, PICTURE)
FOLDER = partial(solve_folder, ".")
TAKES: list[tuple[str, Callable[..., Any], dict[str, tuple[type, ...]]]] = [
    ("Options", Options, OPTIONS),
    ("solve_image", SOLVE, OPTIONS | {"options": NONE, "look": (), "rgb": FLAG}),
    ("solve_image", SOLVE, {"observer": (type(None), type(len))}),
    ("solve_folder", FOLDER, OPTIONS | {"options": NONE, "workers": WHOLE_OR_NONE, "recursive": FLAG}),
    ("solve_folder", solve_folder, {"folder": PATH}),
    ("parse_puzzle", parse_puzzle, {"text": (*PATH, list)}),
    ("generate_puzzle", generate_puzzle, {"size": (*TEXT, int, tuple), **COUNTS}),
    ("generate_puzzle", generate_puzzle, {"colours": WHOLE_OR_NONE, "seed": WHOLE_OR_NONE}),
    ("generate_puzzle", generate_puzzle, {"difficulty": TEXT_OR_NONE, "tiling": TEXT}),
    ("debug_page", debug_page, {"answer_or_error": ()}),
    ("DebugPage.save", partial(DebugPage("page").save, "page.html"), {"force": FLAG}),
    ("DebugPage.save", DebugPage("page").save, {"path": PATH}),
    ("Look", Look, {"letters": FLAG, "arrows": FLAG, "pipes": FLAG, "lettered": FLAG}),
    (
        "Look",
        Look,
        {"flows": (tuple, type(None)), "edges": (tuple, type(None)), "given": (tuple,), "drawn": ()},
    ),
    ("SetCell", partial(SetCell, mark="R"), {"cell": (int, tuple)}),
    ("SetCell", partial(SetCell, (0, 0)), {"mark": TEXT}),
    ("SetBoard", SetBoard, {"board": (str, list)}),
    ("Answer.save", ANSWER.save, {"path": PATH}),
    ("Answer.save", partial(ANSWER.save, "answer.png"), FILE),
    ("Answer.to_bytes", ANSWER.to_bytes, {"format": TEXT, "animate": FLAG}),
    ("Answer.to_dict", ANSWER.to_dict, {"geometry": FLAG, "is_solved": FLAG, "output": TEXT_OR_NONE}),
    ("Answer.to_dict", ANSWER.to_dict, {"hint": NONE}),
    ("Answer.hint", ANSWER.hint, {"kind": (str, int)}),
    ("Puzzle.solve", PUZZLE.solve, {"seconds": NUMBER, "look": (), "rules": NONE}),
    ("Puzzle.count", PUZZLE.count, {"at_most": WHOLE, "seconds": NUMBER, "rules": NONE}),
]
"""Each function, with the kinds of values that its arguments take."""
ARGUMENTS = [
    pytest.param(function, name, kinds, id=f"{called}-{name}")
    for called, function, arguments in TAKES
    for name, kinds in arguments.items()
]


@pytest.mark.parametrize(("function", "name", "kinds"), ARGUMENTS)
def test_an_argument_of_the_wrong_kind_is_named(function, name, kinds, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    taken = [value for value in VALUES if isinstance(value, kinds) and (value is not True or bool in kinds)]
    wrong = [value for value in VALUES if not any(value is good for good in taken)]
    assert len(wrong) > len(VALUES) / 2
    for value in wrong:
        with pytest.raises((TypeError, ValueError), match=WORDS.get(name, f"{name} is ")):
            function(**{name: value})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("function", "name", "value"),
    [
        *((Options, "seconds", seconds) for seconds in (0, -1.0, float("nan"))),
        *((Options, "rotate", degrees) for degrees in (float("inf"), float("nan"))),
        *((Options, "colours", colours) for colours in (0, 401)),
        (Options, "corrections", SetCell((0, 0), "R")),
        (Options, "crop", (1, 2, 3)),
        (Options, "crop", (1.5, 0, 5, 5)),
        (Look, "letters", (1, 2)),
        (partial(SetCell, mark="R"), "cell", (True, 1)),
        (partial(SetCell, mark="R"), "cell", (1, 2, 3)),
        (SetBoard, "board", [1, 2]),
        (SetBoard, "board", [["R", "."]]),
        *((ANSWER.corrected, "changes", changes) for changes in (None, "R", 5)),
        *((CORRECTED, "cell", cell) for cell in ("1,1", (0, "0"), (0, 1, 2), 0.5, None)),
        *((solving, "rules", "any") for solving in (PUZZLE.solve, PUZZLE.count)),
        (PUZZLE.count, "at_most", -1),
        (PUZZLE.solve, "seconds", -1),
        (FOLDER, "workers", 0),
        (FOLDER, "workers", float("nan")),
        (partial(generate_puzzle, "8x8"), "colours", 0),
        *((partial(generate_puzzle, "8x8"), name, -1) for name in ("seed", *COUNTS)),
    ],
)
def test_a_wrong_value_is_named(function: Any, name: str, value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=f"{name} is "):
        function(**{name: value})


def test_numbers_of_numpy_are_numbers() -> None:
    given = Options(
        seconds=np.float32(2.5),  # type: ignore[arg-type]
        colours=np.int64(5),  # type: ignore[arg-type]
        grid=np.int64(5),  # type: ignore[arg-type]
        trust=np.bool_(True),  # type: ignore[arg-type]
    )
    assert given.grid == "5x5"
