"""What errors say of the command, as ``str`` has it for those who use the library."""

from __future__ import annotations

import pytest

from flowvision import errors
from flowvision.diagnosis.wording import TAKES, WORDS
from flowvision.library_words import in_python
from tests.error_kinds import kinds


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("`--grid 6x8`", '`Options(grid="6x8")`'),
        ("`--grid COLSxROWS`", '`Options(grid="COLSxROWS")`'),
        ("`--crop 0,420,1080,1080 --colours 7`", "`Options(crop=(0, 420, 1080, 1080), colours=7)`"),
        ("`--limit SECONDS`", "`Options(seconds=SECONDS)`"),
        ("`--set 3,4=R`", "`Options(corrections=(SetCell((2, 3), 'R'),))`"),
        ("`--set 8=K`", "`Options(corrections=(SetCell(7, 'K'),))`"),
        ("`--set ROW,COLUMN=LETTER`", "`Options(corrections=(SetCell((row, column), 'LETTER'),))`"),
        ("`--set CELL=LETTER`", "`Options(corrections=(SetCell(cell, 'LETTER'),))`"),
        (
            "say so: `--set 1,2=R --no-wall 1,1/1,2`",
            "say so: `Options(corrections=(SetCell((0, 1), 'R'), SetWall((0, 0), (0, 1), closed=False)))`",
        ),
        (
            " ".join(TAKES.values()),
            "`crop` takes left, top, width and height in pixels. `SetCell` takes row and column, from 0, and "
            "a letter; both dots of a colour have the same letter. `SetCell` takes the number of a cell, "
            "from 0, and a letter; `debug_page` shows, from 1, the numbers of the cells.",
        ),
        ("or leave `--crop` out", "or leave `crop` out"),
        (
            "Choose another place with `-o`, or replace it with `--force`.",
            "Choose another place, or replace it with `force=True`.",
        ),
        ("`--debug DIR` shows it", "`--debug DIR` shows it"),
        (
            "There is no cell 4: the board has 7 rows and 7 columns, counted from 1. Give row,column.",
            "There is no cell 3: the board has 7 rows and 7 columns, counted from 0. Give (row, column).",
        ),
        (
            "There is no cell 3,4: this board has no rows and columns, but cells 1 to 37. `--debug DIR` "
            "shows their numbers.",
            "There is no cell (2, 3): this board has no rows and columns, but cells 0 to 36. `debug_page` "
            "shows their numbers, from 1.",
        ),
        (
            "If it is a screenshot, solve it with `flowvision a.png`.",
            "If it is a screenshot, solve it with `solve_image('a.png')`.",
        ),
    ],
)
def test_options_of_the_command_in_python(command: str, python: str) -> None:
    """``str`` says what the library takes in their place."""
    assert in_python(command) == python
    assert str(errors.DotsError("It failed.", command)) == f"It failed.\n{python}"


def test_every_option_that_advice_names_is_known_to_python() -> None:
    """Of all causes; a new one needs its row in ``ARGUMENTS`` or ``CORRECTIONS``."""
    for sentence in (words.todo for words in WORDS.values()):
        assert "`--" not in in_python(sentence)
    for kind in kinds():
        assert "`-" not in str(kind("It failed."))
