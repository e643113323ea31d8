"""Options that several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click

from flowvision.forms import FORMS
from flowvision.words import quoted, size_of, whole_number

if TYPE_CHECKING:
    from flowvision.corrections.correction import Correction
    from flowvision.puzzle.layout import Key


Command = TypeVar("Command", bound=Callable[..., Any])

DIGITS = 6
"""Digits of a number of pixels, rows or columns, at most."""


class Name(click.Path):
    """A file or folder, completed by the shell.

    It is not checked here: an unreadable one must not stop the others.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name as typed."""
        if not self.file_okay and os.path.isfile(value):
            self.fail(f"{value} is a file; a folder is expected.", param, ctx)
        return str(value)


FILE, FOLDER = Name(), Name(file_okay=False)


HEADINGS = {
    "Where to write": ("output", "force", "kind", "animate", "copy", "as_json", "geometry", "quiet"),
    "Hints and looks": ("hint", "keep_drawn", "letters", "arrows"),
    "Corrections": ("cells", "board"),
    "Where to look": ("paste", "crop", "grid", "colours", "rotate"),
    "When it fails": ("debug", "opened", "limit", "verbose"),
}
"""Headings of the help, and the options below them."""


class Grouped(click.Command):
    """A command whose help lists its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings."""
        records = {
            one.name: row
            for one in self.get_params(ctx)
            if isinstance(one, click.Option) and (row := one.get_help_record(ctx))
        }
        for heading, names in HEADINGS.items():
            if rows := [records.pop(name) for name in names if name in records]:
                with formatter.section(heading):
                    formatter.write_dl(rows)
        with formatter.section("Other"):
            formatter.write_dl([*records.values()])


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Combine options, in the order of the help."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


shots_argument = click.argument("shots", nargs=-1, metavar="SHOT…", type=FILE)


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "whole number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return its name in the help."""
        return "N"


class Number(click.FloatRange):
    """A number in a range; ``nan`` and the infinities are none."""

    name = "number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return its name in the help."""
        return "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def limit_option(text: str = "Give up on a screenshot after this time.") -> Callable[[Command], Command]:
    """Return the option of the time limit."""
    seconds = Number(min=0, min_open=True)
    return click.option("--limit", metavar="SECONDS", type=seconds, default=30, show_default=True, help=text)


quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Print only errors, and what -o - or --json writes to stdout."
)


def _numbers(word: str, between: str, count: int) -> tuple[int, ...] | None:
    parts = [whole_number(part, DIGITS) for part in word.replace(" ", "").split(between)]
    known = tuple(part for part in parts if part is not None)
    return known if len(known) == len(parts) == count else None


def _crop(_: click.Context, __: click.Parameter, word: str | None) -> tuple[int, ...] | None:
    box = _numbers(word, ",", 4) if word else None
    if word and (box is None or min(box[2:]) < 1):
        raise click.BadParameter(
            f"{quoted(word)} is not X,Y,WIDTH,HEIGHT in pixels, such as 0,420,1080,1080."
        )
    return box


def point(_: click.Context, __: click.Parameter, word: str | None) -> tuple[int, ...] | None:
    """Check a place in pixels, ``X,Y``."""
    place = _numbers(word, ",", 2) if word else None
    if word and place is None:
        raise click.BadParameter(f"{quoted(word)} is not X,Y in pixels, such as 540,1800.")
    return place


def colours_option(text: str, most: int | None = None) -> Callable[[Command], Command]:
    """Return the option of the number of colours, in both spellings."""
    return click.option("--colours", "--colors", "colours", metavar="N", type=WholeNumber(1, most), help=text)


def offering(*values: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Complete these values of an option that takes others too."""
    return lambda _, __, incomplete: [value for value in values if value.startswith(incomplete)]


HINTS = offering("next", "forced", "flow", *"RGBYOCMPWKTLSNIE", *"123")
USUAL_SIZES = (*(f"{side}x{side}" for side in range(5, 16)), "6x8", "7x9", "8x10", "9x12", "10x14")
SIZES = offering(*USUAL_SIZES)


def hint_kind(_: click.Context, __: click.Parameter, word: str | None) -> str | None:
    """Check a kind of hint; which letters there are depends on the board."""
    if word and word.lower() in ("next", "forced", "flow"):
        return word.lower()
    if word and len(word) > 1 and not whole_number(word):
        from flowvision.palette import letter_named

        if not letter_named(word):
            raise click.BadParameter(
                f"{quoted(word)} is not next, forced, flow, a flow's letter or colour, or a number of flows."
            )
    return word


def _grid(_: click.Context, __: click.Parameter, word: str | None) -> str | None:
    """Check COLSxROWS, as in the game's titles."""
    if word is None:
        return None
    try:
        cols, rows = size_of(word)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if min(cols, rows) < 2:
        raise click.BadParameter(f"{quoted(word)} is smaller than 2x2.")
    return f"{cols}x{rows}"


def checked_size(_: click.Context, __: click.Parameter, word: str | None) -> str | None:
    """Check that a board can have this size."""
    from flowvision.errors import PuzzleInvalidError
    from flowvision.puzzle_tools.generator import shape_of

    if word is None:
        return None
    try:
        shape = shape_of(word)
    except PuzzleInvalidError as error:
        raise click.BadParameter(f"{error.stage_message} {error.stage_hint}") from None
    return f"{shape.cols}x{shape.rows}"


def size_option(text: str) -> Callable[[Command], Command]:
    """Return the option of the size of a board to make."""
    return click.option(
        "--size",
        default="7x7",
        show_default=True,
        metavar="COLSxROWS",
        callback=checked_size,
        shell_complete=SIZES,
        help=text,
    )


place_options = together(
    click.option(
        "--crop",
        metavar="X,Y,W,H",
        callback=_crop,
        help="Look for the board only in this part, in pixels of the turned picture.",
    ),
    colours_option("Number of colours; the solver resolves look-alikes.", 400),
    click.option(
        "--grid",
        metavar="COLSxROWS",
        callback=_grid,
        shell_complete=SIZES,
        help="Columns and rows of the board, as in the title above it.",
    ),
)
"""Place and size of the board."""

aim_options = together(
    place_options,
    click.option(
        "--rotate",
        metavar="DEGREES",
        type=Number(-360, 360),
        default=0.0,
        help="Turn the picture clockwise first.",
    ),
)
"""Place, size and rotation of the board."""

look_options = together(
    click.option("--letters", is_flag=True, help="Write each flow's letter on its dots and pipe."),
    click.option("--arrows", is_flag=True, help="Draw arrows from the first dot of each flow."),
)
"""Marks on the drawn solution."""

force_option = click.option(
    "--force", is_flag=True, help="Replace a file even if Flowvision did not write it."
)

CELL = r"([0-9]{1,9})\s*,\s*([0-9]{1,9})|([0-9]{1,9})"
"""Row and column, or a cell's number: Python converts no number of thousands of digits."""
_SET = rf"(?:{CELL})\s*=\s*(.|[A-Za-z]+)$"


hint_option = click.option(
    "--hint",
    metavar="[KIND]",
    is_flag=False,
    flag_value="next",
    callback=hint_kind,
    shell_complete=HINTS,
    help="Draw and explain a hint instead of the solution: next (the easiest step), forced (all forced "
    "steps), flow (the easiest flow), a flow's letter or colour, or a number of flows.  [bare: next]",
)
animate_option = click.option(
    "--animate", is_flag=True, help="Write an animated PNG or SVG. A .gif or .mp4 moves anyway."
)


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
"""The form of the answer, and its way to the clipboard."""


def corrections_of(cells: tuple[str, ...], board: str | None) -> tuple[Correction, ...]:
    """Build the corrections of these options: the board first, then its cells."""
    if not (cells or board):
        return ()
    # Imported lazily: most boards need no correction.
    from flowvision.corrections.correction import SetBoard, SetCell
    from flowvision.palette import letter_named

    made: list[Correction] = []
    if board:
        from flowvision.files import read_bytes

        data = read_bytes(board)
        if b"\0" in data[:1000]:
            raise click.BadParameter(f"{board} is not a text file.", param_hint="--board")
        made.append(SetBoard(data.decode("utf-8-sig", "replace")))
    for word in cells:
        found = re.match(_SET, word.strip())
        if not found or not (len(found[4]) == 1 or letter_named(found[4])):
            raise click.BadParameter(
                f"{quoted(word)} is not ROW,COLUMN=MARK, such as 3,4=R, 3,4=red or 1,2=. (empty).",
                param_hint="--set",
            )
        made.append(SetCell(_cell(found.groups()[:3]), found[4]))
    return tuple(made)


def _cell(parts: tuple[Any, ...]) -> Key:
    """Return a cell, counted from 1, as the library counts it."""
    numbers = [int(part) - 1 for part in parts if part is not None]
    if min(numbers) < 0:
        cell = ",".join(part for part in parts if part is not None)
        said = f"There is no cell {cell}: rows, columns and cells are counted from 1."
        raise click.BadParameter(said, param_hint="--set")
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


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
    aim_options,
    limit_option(),
    click.option(
        "-v", "--verbose", is_flag=True, help="Print the time of every stage, and tracebacks of bugs."
    ),
)
"""Options for reading a screenshot."""
