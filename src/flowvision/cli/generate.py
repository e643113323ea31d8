"""``flowvision generate``: new puzzles."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from flowvision.cli.options import (
    colours_option,
    force_option,
    limit_option,
    number_option,
    output_option,
    quiet_option,
    write_option,
)
from flowvision.errors import PuzzleInvalidError
from flowvision.files import STANDARD, SUFFIXES, form_of, refuse_replacing, suffix_words, write_text
from flowvision.puzzle.formats import written
from flowvision.puzzle_tools.generator import TILINGS, new_puzzle, shape_of
from flowvision.solvers.deductions import GRADES

MAX_SEED = 10**9
"""Random seeds are below this: short enough to be typed again."""


def _size_and_grade(_: click.Context, __: click.Parameter, words: Sequence[str]) -> tuple[str, str | None]:
    grades = [word.lower() for word in words if word.lower() in GRADES]
    sizes = [word for word in words if word.lower() not in GRADES]
    if len(grades) > 1 or len(sizes) > 1:
        raise click.BadParameter(
            f"{' '.join(words)!r} is not one size and one difficulty ({', '.join(GRADES)}), such as 9x9 hard."
        )
    return sizes[0] if sizes else "7x7", grades[0] if grades else None


@click.command()
@click.argument("plain", nargs=-1, metavar="[COLSxROWS] [DIFFICULTY]", callback=_size_and_grade)
@colours_option("Pairs of dots.  [default: as in a level of the game]")
@number_option(
    "--seed",
    at_least=0,
    help="The same seed makes the same puzzle; without it every puzzle is new, and its seed is printed.",
)
@click.option(
    "--tiling", type=click.Choice(TILINGS), default="square", show_default=True, help="Shape of cells."
)
@number_option("--holes", at_least=0, default=0, help="Cells left out.")
@number_option("--walls", at_least=0, default=0, help="Closed sides.")
@number_option("--bridges", at_least=0, default=0, help="Cells that paths cross.")
@number_option("--warps", at_least=0, default=0, help="Rows or columns whose ends are joined.")
@write_option("Written form, as for `flowvision puzzle`; text by default.")
@number_option(
    "-n",
    "--number",
    at_most=200,
    default=1,
    help="Number of puzzles; above 1 only with --write record or level.",
)
@output_option(
    "Output file: .txt, or with --write any other name; to print on paper, "
    f"{suffix_words(unsolved=True)}, drawn without the answer.  [default: stdout]",
    default="-",
)
@force_option
@quiet_option
@limit_option("Give up after this long.")
def generate(
    plain: tuple[str, str | None],
    colours: int | None,
    seed: int | None,
    number: int,
    write: str | None,
    output: str,
    force: bool,
    quiet: bool,
    limit: float,
    **shape: Any,
) -> None:
    """Make a puzzle with exactly one solution, in which no path touches itself.

    DIFFICULTY is easy, medium, hard or expert. Without arguments the puzzle is 7x7, of any difficulty.
    """
    from random import SystemRandom
    from time import monotonic

    from flowvision.export.board import Puzzle

    is_text = write is not None or output == STANDARD
    if not is_text:
        form_of(output)
    elif write and os.path.splitext(output)[1].lower() in SUFFIXES.keys() - {".txt"}:
        raise click.UsageError("--write writes text: give -o a .txt file, or leave out --write.")
    if number > 1 and write in (None, "text"):
        raise click.UsageError("Several puzzles need --write record or level, and cannot be drawn.")
    try:
        board = shape_of(plain[0], **shape)
    except PuzzleInvalidError as error:
        raise click.UsageError(f"{error.sentence} {error.stage_hint}") from None
    if not force:
        refuse_replacing(output)
    first = SystemRandom().randrange(MAX_SEED) if seed is None else seed
    end = monotonic() + limit
    seeds = range(first, first + number)
    puzzles = [new_puzzle(board, seed, colours, plain[1], end - monotonic()) for seed in seeds]
    try:
        if is_text:
            write_text(
                output, "".join(f"{written(named, write or 'text', more)}\n" for named, more in puzzles)
            )
        else:
            Puzzle(puzzles[0][0]).save(output, force=True)
    except PuzzleInvalidError as error:  # the form cannot express it; a record can
        hint = f"Add `--seed {first} --write record`: the same puzzle as a record."
        raise PuzzleInvalidError(error.sentence, hint) from None
    if not quiet and (seed is None or output != STANDARD):
        place = "" if output == STANDARD else f" in {output}"
        click.echo(f"Made{place}. To make the same again: --seed {first}.", err=True)
