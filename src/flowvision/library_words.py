"""What an error says of the command and its options, in the words of the library.

Messages and hints are written once, for the command: options in backticks, cells counted from 1. ``str`` of
an error, which Python shows, names the arguments and values that take their place, and counts from 0.
"""

from __future__ import annotations

import re

SAID_IN_PYTHON = (
    (
        "`--set` takes row,column=letter, counted from 1",
        "`SetCell` takes row and column, from 0, and a letter",
    ),
    (
        "`--set` takes cell=letter; `--debug` shows",
        "`SetCell` takes the number of a cell, from 0, and a letter; `debug_page` shows, from 1,",
    ),
    (r"`flowvision batch (\S+) -o OUT`", r"`solve_folder('\1')`"),
    (r"`flowvision read`", "`read_image`"),
    (
        r"If it is a puzzle: `flowvision puzzle FILE`",
        "If it is a puzzle, `solve_puzzle` takes the file's name",
    ),
    (r"`flowvision (\S+\.\w+)`", r"`solve_image('\1')`"),
    (r"Write a record instead: `--write record`", "`draw_puzzle` and `puzzle_svg` draw it, with numbers"),
    (r"`--debug DIR` shows their numbers", "`debug_page` shows their numbers, from 1"),
    (r" with `-o`", ""),
    (r"; a folder ends with /, as `[^`]*`", ""),
    (r"`mkdir -p (\S+)`", r"`os.makedirs('\1')`"),
    (r"`--force`", "`force=True`"),
    (r"`--tiling hex`", '`tiling="hex"`'),
    (r"(There is no cell .* columns), counted from 1", r"\1, counted from 0"),
    (r"Give row,column", "Give (row, column)"),
)
"""Patterns, and what stands there in Python."""
ARGUMENTS = {
    "--grid": 'grid="{}"',
    "--colours": "colours={}",
    "--crop": "crop=({})",
    "--rotate": "rotate={}",
    "--limit": "seconds={}",
    "--keep-drawn": "keep_drawn=True",
}
"""The argument of ``Options`` for each option."""
CORRECTIONS = {
    "--set": "SetCell({}, '{}')",
    "--wall": "SetWall({}, {})",
    "--no-wall": "SetWall({}, {}, closed=False)",
    "--warp": "SetWarp({}, {})",
}
"""The value in ``Options.corrections`` for each option."""


def in_python(text: str) -> str:
    """A sentence about options of the command, about what the library takes in their place."""
    for pattern, words in SAID_IN_PYTHON:
        text = re.sub(pattern, words, text)
    text = re.sub(r"(?<=but cells )1 to (\d+)", lambda last: f"0 to {int(last[1]) - 1}", text)
    text = re.sub(
        r"(?<=no cell )\d+(?:,\d+)?|\d+,\d+(?= is one cell| and \d+,\d+ are no)|(?<= and )\d+,\d+(?= are no)",
        lambda cell: _index_of(cell[0]),
        text,
    )
    return re.sub(r"`(--[^`]+)`", lambda found: f"`{_call_of(found[1])}`", text)


def _call_of(options: str) -> str:
    """Options of the command as ``Options``; one without a value by its name alone."""
    words = options.split()
    if len(words) == 1:
        return ARGUMENTS[words[0]].split("=")[0] if words[0] in ARGUMENTS else options
    given, changes = list[str](), list[str]()
    for option, value in zip(words[::2], words[1::2], strict=False):
        if option in ARGUMENTS:
            given.append(ARGUMENTS[option].format(value.replace(",", ", ")))
        elif option in CORRECTIONS:
            changes.append(CORRECTIONS[option].format(*map(_index_of, re.split("[=/]", value, maxsplit=1))))
        else:
            return options
    if changes:
        given.append(f"corrections=({', '.join(changes)}{',' * (len(changes) == 1)})")
    return f"Options({', '.join(given)})"


def _index_of(place: str) -> str:
    """A cell that is counted from 1 as an index; a mark, or a word for what is not known, as it is."""
    if not re.fullmatch(r"\w+,\w+|\d+|CELL", place):
        return place
    parts = [str(int(part) - 1) if part.isdecimal() else part.lower() for part in place.split(",")]
    return f"({', '.join(parts)})" if len(parts) > 1 else parts[0]
