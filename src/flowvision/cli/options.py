"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from flowvision.forms import FORMS
from flowvision.words import quoted, whole_number

if TYPE_CHECKING:
    from flowvision.corrections import Correction
    from flowvision.puzzle.layout import Key
    from flowvision.reading.options import Options

Command = TypeVar("Command", bound=Callable[..., Any])
Add = Callable[[Command], Command]

MAX_SECONDS = 1e6
"""Longest time limit: the longest that a timer is set to."""
MAX_DIGITS = 6
"""Digits of a number of pixels, rows or columns."""
CELL = re.compile(r"(?:([0-9]{1,9})\s*,\s*([0-9]{1,9})|([0-9]{1,9}))\s*=\s*(.|[A-Za-z]+)$")
"""Row and column, or a cell's number, and a mark: Python converts no number of thousands of digits."""
FILE, FOLDER = click.Path(readable=False), click.Path(file_okay=False, readable=False)
"""Names as typed, completed by the shell; an unreadable one must not stop the others."""


def together(*options: Add[Any]) -> Add[Any]:
    """Combine options, in the order of the help."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def offering(*values: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Complete these values of an option that takes others too."""
    return lambda _, __, incomplete: [value for value in values if value.startswith(incomplete)]


def number_option(*names: str, at_least: int = 1, at_most: int | None = None, **more: Any) -> Add[Any]:
    """Return an option that is a whole number."""
    return click.option(*names, metavar="N", type=click.IntRange(at_least, at_most), **more)


def limit_option(text: str = "Give up on a screenshot after this time.") -> Add[Any]:
    """Return the option of the time limit."""
    seconds = click.FloatRange(0, MAX_SECONDS, min_open=True)
    return click.option("--limit", metavar="SECONDS", type=seconds, default=30, show_default=True, help=text)


def colours_option(text: str) -> Add[Any]:
    """Return the option of the number of colours, in both spellings."""
    return number_option("--colours", "--colors", "colours", help=text)


def _crop(_: click.Context, __: click.Parameter, word: str | None) -> tuple[int, ...] | None:
    if not word:
        return None
    parts = [whole_number(part, MAX_DIGITS) for part in word.replace(" ", "").split(",")]
    known = tuple(part for part in parts if part is not None)
    if not len(known) == len(parts) == 4 or min(known[2:]) < 1:
        words = f"{quoted(word)} is not X,Y,WIDTH,HEIGHT in pixels, such as 0,420,1080,1080."
        raise click.BadParameter(words)
    return known


USUAL_SIZES = (*(f"{side}x{side}" for side in range(5, 16)), "6x8", "7x9", "8x10", "9x12", "10x14")

shots_argument = click.argument("shots", nargs=-1, metavar="SHOT…", type=FILE)
force_option = click.option(
    "--force", is_flag=True, help="Replace a file even if Flowvision did not write it."
)
quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Print only errors, and what -o - or --json writes to stdout."
)
animate_option = click.option(
    "--animate", is_flag=True, help="Write an animated PNG or SVG. A .gif or .mp4 moves anyway."
)
hint_option = click.option(
    "--hint",
    metavar="[KIND]",
    is_flag=False,
    flag_value="next",
    shell_complete=offering("next", "forced", "flow", *"RGBYOCMPWKTLSNIE", *"123"),
    help="Draw and explain a hint instead of the solution: next (the easiest step), forced (all forced "
    "steps), flow (the easiest flow), a flow's letter or colour, or a number of flows.  [bare: next]",
)
look_options = together(
    click.option("--letters", is_flag=True, help="Write each flow's letter on its dots and pipe."),
    click.option("--arrows", is_flag=True, help="Draw arrows from the first dot of each flow."),
)
"""Marks on the drawn solution."""

place_options = together(
    click.option(
        "--crop",
        metavar="X,Y,W,H",
        callback=_crop,
        help="Look for the board only in this part, in pixels of the turned picture.",
    ),
    colours_option("Number of colours; the solver resolves look-alikes."),
    click.option(
        "--grid",
        metavar="COLSxROWS",
        shell_complete=offering(*USUAL_SIZES),
        help="Columns and rows of the board, as in the title above it.",
    ),
)
"""Place and size of the board."""

aim_options = together(
    place_options,
    click.option(
        "--rotate",
        metavar="DEGREES",
        type=click.FloatRange(-360, 360),
        default=0.0,
        help="Turn the picture clockwise first.",
    ),
    limit_option(),
)
"""Place, size and rotation of the board, and the time limit."""

form_options = together(
    animate_option,
    hint_option,
    click.option(
        "--format",
        "kind",
        type=click.Choice([name for name, form in FORMS.items() if form.suffixes], case_sensitive=False),
        metavar="FORM",
        help="Form of a file that -o does not name: png, jpg, webp, pdf, gif, apng, mp4, svg or txt.",
    ),
    click.option(
        "--copy", is_flag=True, help="Copy the picture to the clipboard; write a file only with -o."
    ),
    click.option(
        "--geometry", is_flag=True, help="With --json: add paths, cells and the board's frame in pixels."
    ),
)
"""Form of the answer."""

reading_options = together(
    click.option("--paste", is_flag=True, help="Take the picture from the clipboard."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object per screenshot."),
    click.option(
        "--debug",
        metavar="[DIR]",
        type=FOLDER,
        is_flag=False,
        flag_value="debug",
        help="Write a page with a picture of every stage there.  [bare: debug]",
    ),
    click.option(
        "--open",
        "opened",
        is_flag=True,
        help="Show that page in the browser; without --debug, from a temporary folder.",
    ),
    click.option(
        "--set",
        "cells",
        metavar="R,C=MARK",
        multiple=True,
        help="A cell, row and column from 1, shows something else: the letter or colour of a flow, "
        "`.` nothing, `#` a hole, `+` a bridge. On a board without rows and columns: N=MARK, its number.",
    ),
    click.option(
        "--board",
        metavar="FILE",
        help="Solve an edited text board, with its size, walls and warps, in place of the one read "
        "(- for stdin).",
    ),
    click.option("--trust", is_flag=True, help="What was read is right: doubts become warnings."),
    aim_options,
    click.option("-v", "--verbose", is_flag=True, help="Print the time of every stage."),
)
"""Options for reading a screenshot."""


def options_of(limit: float, cells: tuple[str, ...] = (), board: str | None = None, **more: Any) -> Options:
    """Return the options of reading; the board is corrected before its cells."""
    from flowvision.reading.options import Options

    corrections = (*_board(board), *map(_cell, cells)) if cells or board else ()
    try:
        return Options(seconds=limit, corrections=corrections, **more)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _board(file: str | None) -> tuple[Correction, ...]:
    if not file:
        return ()
    from flowvision.corrections import SetBoard
    from flowvision.files import read_bytes

    data = read_bytes(file)
    if b"\0" in data[:1000]:
        raise click.BadParameter(f"{file} is not a text file.", param_hint="--board")
    return (SetBoard(data.decode("utf-8-sig", "replace")),)


def _cell(word: str) -> Correction:
    """Return a correction; its cell is counted from 1 here, from 0 in the library."""
    from flowvision.corrections import SetCell
    from flowvision.palette import letter_named

    found = CELL.match(word.strip())
    if not found or not (len(found[4]) == 1 or letter_named(found[4])):
        raise click.BadParameter(
            f"{quoted(word)} is not ROW,COLUMN=MARK, such as 3,4=R, 3,4=red or 1,2=. (empty).",
            param_hint="--set",
        )
    numbers = [int(part) - 1 for part in found.groups()[:3] if part is not None]
    if min(numbers) < 0:
        where = word.partition("=")[0].strip()
        words = f"There is no cell {where}: rows, columns and cells are counted from 1."
        raise click.BadParameter(words, param_hint="--set")
    cell: Key = numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
    return SetCell(cell, found[4])
