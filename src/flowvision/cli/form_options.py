"""Options about the form of an answer, and about what is corrected before there is one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from flowvision.cli.params import Command, hint_kind
from flowvision.words import quoted

if TYPE_CHECKING:
    from flowvision.corrections.correction import Correction
    from flowvision.corrections.draft import Key

CELL = r"([0-9]{1,9}),([0-9]{1,9})|([0-9]{1,9})"
"""Row and column, or a cell's number: Python converts no number of thousands of digits."""
_SET = re.compile(rf"(?:{CELL})=(.)$")
_PAIR = re.compile(rf"(?:{CELL})/(?:{CELL})$")


def form_options(command: Command) -> Command:
    """What is drawn of the answer, and where it goes besides a file."""
    for option in (
        click.option(
            "--geometry",
            is_flag=True,
            help="With --json: paths, cells and the board's frame in pixels of the picture as well.",
        ),
        click.option(
            "--copy",
            is_flag=True,
            help="Put the picture on the clipboard; a file is written only where -o names one.",
        ),
        click.option(
            "--hint",
            metavar="next|flow|LETTER|N",
            callback=hint_kind,
            help="Not the answer: draw the next forced steps, one flow, the flow of a letter, or N flows in "
            "order, going on from what is drawn; and say why.",
        ),
        click.option(
            "--animate",
            is_flag=True,
            help="Write an animated PNG or SVG, in which the pipes grow. A .gif or .mp4 moves without it.",
        ),
    ):
        command = option(command)
    return command


paste_option = click.option("--paste", is_flag=True, help="Take the picture on the clipboard.")


def shots_of(shots: tuple[str, ...], paste: bool) -> tuple[str, ...]:
    """What is to be looked at: the files named, or the clipboard."""
    if paste and shots:
        raise click.UsageError("Either --paste or files, not both.")
    if not paste and not shots:
        raise click.UsageError("Missing argument 'SHOT...'.")
    return ("clipboard",) if paste else shots


def correction_options(command: Command) -> Command:
    """What was read wrongly, put right before it is solved."""
    for option in (
        click.option(
            "--board",
            metavar="FILE",
            help="Lay an edited text board over the one that was read (- for stdin).",
        ),
        _several("--warp", "warps", "R,C/R,C", "The ends of a row or column are joined."),
        _several("--no-wall", "no_walls", "R,C/R,C", "There is no wall between these two."),
        _several("--wall", "walls", "R,C/R,C", "There is a wall between these two cells."),
        _several(
            "--set",
            "cells",
            "R,C=MARK",
            "A cell, row and column from 1, shows something else: the letter of a flow, `.` nothing, "
            "`#` a hole, `+` a bridge. On a board without rows and columns: N=MARK, its number.",
        ),
    ):
        command = option(command)
    return command


def _several(flag: str, name: str, metavar: str, words: str) -> Callable[[Command], Command]:
    """An option that may be given more than once."""
    return click.option(flag, name, metavar=metavar, multiple=True, help=words)


def corrections_of(
    cells: tuple[str, ...],
    walls: tuple[str, ...],
    no_walls: tuple[str, ...],
    warps: tuple[str, ...],
    board: str | None,
) -> tuple[Correction, ...]:
    """The corrections that these options ask for: a whole board first, then its cells and sides."""
    if not (cells or walls or no_walls or warps or board):
        return ()
    # Imported only here: most boards are read rightly.
    from flowvision.corrections.correction import SetBoard, SetCell, SetWall, SetWarp

    made: list[Correction] = []
    if board:
        from flowvision.files import read_bytes
        from flowvision.puzzle.text import read_drawn

        made.append(SetBoard(read_drawn(read_bytes(board).decode("utf-8-sig", "replace"))))
    for word in cells:
        found = _SET.match(word.strip())
        if not found:
            raise click.BadParameter(
                f"{quoted(word)} is not R,C=MARK, such as 3,4=R or 1,2=.", param_hint="--set"
            )
        made.append(SetCell(_cell(found.groups()[:3], "--set"), found[4]))
    made += [SetWall(*_pair(word, "--wall")) for word in walls]
    made += [SetWall(*_pair(word, "--no-wall"), closed=False) for word in no_walls]
    made += [SetWarp(*_pair(word, "--warp")) for word in warps]
    return tuple(made)


def _pair(word: str, option: str) -> tuple[Key, Key]:
    found = _PAIR.match(word.strip())
    if not found:
        raise click.BadParameter(f"{quoted(word)} is not R,C/R,C, such as 1,1/1,2.", param_hint=option)
    return _cell(found.groups()[:3], option), _cell(found.groups()[3:], option)


def _cell(parts: tuple[Any, ...], option: str) -> Key:
    """A cell as people count, from 1, as the library does."""
    numbers = [int(part) - 1 for part in parts if part is not None]
    if min(numbers) < 0:
        raise click.BadParameter("Rows, columns and cells are counted from 1.", param_hint=option)
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
