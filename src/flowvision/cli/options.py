"""Options that several commands share: functions that add them to a command, and parsers of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from flowvision.files import FORMS
from flowvision.words import quoted

if TYPE_CHECKING:
    from flowvision.corrections import Correction
    from flowvision.reading.options import Options

Command = TypeVar("Command", bound=Callable[..., object])


class Add(Protocol):
    """Adds an option to a command."""

    def __call__(self, command: Command, /) -> Command:
        """Return the command with the option."""


MAX_SECONDS = 1e6
"""Longest time limit: the longest that a timer is set to."""
CROP = re.compile(r"([0-9]{1,6}),([0-9]{1,6}),([1-9][0-9]{0,5}),([1-9][0-9]{0,5})")
CELL = re.compile(r"([0-9]{1,9})(?:\s*,\s*([0-9]{1,9}))?\s*=\s*(?P<mark>.|[A-Za-z]+)$")
"""Row and column, or a cell's number, and a mark: Python converts no number of thousands of digits."""
FILE, FOLDER = click.Path(readable=False), click.Path(file_okay=False, readable=False)
"""Names as typed, completed by the shell; an unreadable one must not stop the others."""


def together(*options: Add) -> Add:
    """Return options as one, in the order of the help."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def flag(*names: str, text: str) -> Add:
    """Return an option without a value."""
    return click.option(*names, is_flag=True, help=text)


def output_option(text: str, **more: Any) -> Add:
    """Return the option of the place to write to; a shell completes files. ``more``: as for click."""
    return click.option("-o", "--output", metavar="OUT", help=text, **{"type": FILE, **more})


def json_option(item: str = "screenshot") -> Add:
    """Return the option of JSON in place of text."""
    return flag("--json", "as_json", text=f"Print one JSON object per {item}.")


def write_option(text: str) -> Add:
    """Return the option of a puzzle's written form."""
    from flowvision.puzzle.formats import WRITTEN_FORMS

    return click.option("--write", type=click.Choice(WRITTEN_FORMS), help=text)


def number_option(*names: str, at_least: int = 1, at_most: int | None = None, **more: Any) -> Add:
    """Return an option that is a whole number."""
    return click.option(*names, metavar="N", type=click.IntRange(at_least, at_most), **more)


def limit_option(text: str = "Give up on a screenshot after this time.") -> Add:
    """Return the option of the time limit."""
    seconds = click.FloatRange(0, MAX_SECONDS, min_open=True)
    return click.option("--limit", metavar="SECONDS", type=seconds, default=30, show_default=True, help=text)


def colours_option(text: str) -> Add:
    """Return the option of the number of colours, in both spellings."""
    return number_option("--colours", "--colors", "colours", help=text)


def _crop(_: click.Context, __: click.Parameter, word: str | None) -> tuple[int, ...] | None:
    """Return the four numbers of ``--crop``. Raises ``BadParameter`` for another form."""
    if not word:
        return None
    match = CROP.fullmatch(word.replace(" ", ""))
    if match is None:
        words = f"{quoted(word)} is not X,Y,WIDTH,HEIGHT in pixels, such as 0,420,1080,1080."
        raise click.BadParameter(words)
    return tuple(map(int, match.groups()))


def _cells(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> tuple[Correction, ...]:
    """Return the corrections of every ``--set``."""
    return tuple(map(_cell, words))


def _cell(word: str) -> Correction:
    """Return the correction of one ``--set``: its cell is counted from 1 here, from 0 in the library.

    Raises ``BadParameter`` for another form.
    """
    from flowvision.colours import letter_named
    from flowvision.corrections import SetCell

    match = CELL.match(word.strip())
    mark = match["mark"] if match else ""
    if not match or not (len(mark) == 1 or letter_named(mark)):
        raise click.BadParameter(
            f"{quoted(word)} is not ROW,COLUMN=MARK, such as 3,4=R, 3,4=red or 1,2=. (empty)."
        )
    first, second = (int(number or 1) - 1 for number in match.groups()[:2])
    if min(first, second) < 0:
        where = word.partition("=")[0].strip()
        raise click.BadParameter(f"There is no cell {where}: rows, columns and cells are counted from 1.")
    return SetCell((first, second) if match[2] else first, mark)


shots_argument = click.argument("shots", nargs=-1, metavar="SHOT…", type=FILE)
force_option = flag("--force", text="Replace a file even if Flowvision did not write it.")
quiet_option = flag("-q", "--quiet", text="Print only errors, and what -o - or --json writes to stdout.")
animate_option = flag("--animate", text="Write an animated PNG or SVG. A .gif or .mp4 moves anyway.")
hint_option = click.option(
    "--hint",
    metavar="[KIND]",
    is_flag=False,
    flag_value="next",
    help="Draw and explain a hint instead of the solution: next (the easiest step), forced (all forced "
    "steps), flow (the easiest flow), a flow's letter or colour, or a number of flows.  [bare: next]",
)
look_options = together(
    flag("--letters", text="Write each flow's letter on its dots and pipe."),
    flag("--arrows", text="Draw arrows from the first dot of each flow."),
)

place_options = together(
    click.option(
        "--crop",
        metavar="X,Y,W,H",
        callback=_crop,
        help="Search only this part of the picture, in pixels of the picture as turned.",
    ),
    colours_option("Number of colours; the solver resolves look-alikes."),
    click.option(
        "--grid", metavar="COLSxROWS", help="Columns and rows of the board, as in the title above it."
    ),
)

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

form_options = together(
    animate_option,
    hint_option,
    click.option(
        "--format",
        "kind",
        type=click.Choice([name for name, form in FORMS.items() if form.suffixes], case_sensitive=False),
        help="Form of the file, if -o does not name one.",
    ),
    flag("--copy", text="Copy the picture to the clipboard; write a file only with -o."),
    flag("--geometry", text="With --json: add paths, cells and the board's frame in pixels."),
)

reading_options = together(
    flag("--paste", text="Take the picture from the clipboard."),
    json_option(),
    click.option(
        "--debug",
        metavar="[DIR]",
        type=FOLDER,
        is_flag=False,
        flag_value="debug",
        help="Also write a page with a picture of every stage into DIR.  [bare: debug]",
    ),
    flag("--open", "opened", text="Show that page in the browser; without --debug, from a temporary folder."),
    click.option(
        "--set",
        "cells",
        metavar="R,C=MARK",
        multiple=True,
        callback=_cells,
        help="Correct a cell; rows and columns count from 1. MARK: the letter or colour of a flow, "
        "`.` empty, `#` a hole, `+` a bridge. On a board without rows and columns: N=MARK, by its number.",
    ),
    click.option(
        "--board",
        metavar="FILE",
        help="Solve this text board, with its size, walls and warps, instead of the board read "
        "(- for stdin).",
    ),
    flag("--trust", text="Accept the board as it was read: doubts become warnings."),
    aim_options,
    flag("-v", "--verbose", text="Print the time of every stage."),
)


def options_of(
    limit: float, cells: tuple[Correction, ...] = (), board: str | None = None, **more: Any
) -> Options:
    """Return the options of reading; the board, from a file, is corrected before its cells.

    ``more``: fields of ``Options``. Raises ``UsageError`` for values out of range.
    """
    from flowvision.reading.options import Options

    try:
        return Options(seconds=limit, corrections=(*_board(board), *cells), **more)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _board(file: str | None) -> tuple[Correction, ...]:
    """Return the correction that a file with a board in letters makes."""
    if not file:
        return ()
    from flowvision.corrections import SetBoard
    from flowvision.files import read_bytes

    data = read_bytes(file)
    if b"\0" in data[:1000]:
        raise click.BadParameter(f"{file} is not a text file.", param_hint="--board")
    return (SetBoard(data.decode("utf-8-sig", "replace")),)
