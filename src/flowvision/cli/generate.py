"""``flowvision generate`` and ``flowvision sample``: new puzzles, and screenshots of puzzles."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flowvision.cli.options import (
    FILE,
    USUAL_SIZES,
    Number,
    WholeNumber,
    checked_size,
    colours_option,
    force_option,
    limit_option,
    meant,
    offering,
    quiet_option,
    size_option,
)
from flowvision.cli.puzzle import WRITTEN_FORMS
from flowvision.files import STANDARD, refuse_existing, write_bytes, write_text
from flowvision.forms import SUFFIXES, form_of, still_words

if TYPE_CHECKING:
    from flowvision.puzzle.formats import NamedPuzzle
    from flowvision.puzzle.model import Solution
    from flowvision.puzzle_tools.generator import Wanted

BOOKLET = ".html"
"""The suffix of booklets."""

MOST_SEEDS = 10**9
"""Seeds that are chosen where none is given: short enough to be typed again."""


GRADES = ("easy", "medium", "hard", "expert")
"""How hard a puzzle is for a person."""


def split_words(
    ctx: click.Context, param: click.Parameter, words: Sequence[str]
) -> tuple[str | None, str | None]:
    """The size and the difficulty that are given as plain words, in either order."""
    grades = [word.lower() for word in words if word.lower() in GRADES]
    sizes = [word for word in words if word.lower() not in GRADES]
    if len(grades) > 1 or len(sizes) > 1:
        near = next(filter(None, (meant(word, GRADES) for word in sizes)), "")
        raise click.BadParameter(
            f"{' '.join(words)!r} is not one size and one difficulty ({', '.join(GRADES)}), such as 9x9 hard."
            f"{near}"
        )
    size = checked_size(ctx, param, sizes[0] if sizes else None)
    return size, grades[0] if grades else None


@click.command()
@click.argument(
    "plain",
    nargs=-1,
    metavar="[COLSxROWS] [DIFFICULTY]",
    callback=split_words,
    shell_complete=offering(*USUAL_SIZES, *GRADES),
)
@size_option("The same as an option.")
@colours_option("Pairs of dots; as they come when left out.")
@click.option(
    "--seed",
    metavar="N",
    type=WholeNumber(0),
    help="The same seed makes the same puzzle; without it every puzzle is new, and its seed is said.",
)
@click.option(
    "--tiling", type=click.Choice(("square", "hex")), default="square", show_default=True, help="The cells."
)
@click.option("--holes", type=WholeNumber(0), default=0, metavar="N", help="Cells left out.")
@click.option("--walls", type=WholeNumber(0), default=0, metavar="N", help="Closed sides.")
@click.option("--bridges", type=WholeNumber(0), default=0, metavar="N", help="Cells that paths cross.")
@click.option(
    "--warps", type=WholeNumber(0), default=0, metavar="N", help="Rows or columns whose ends are joined."
)
@click.option(
    "--write", type=click.Choice(WRITTEN_FORMS), help="The form, as for flowvision puzzle; text by default."
)
@click.option(
    "--difficulty",
    type=click.Choice(GRADES, case_sensitive=False),
    help="How hard it is for a person: as --difficulty of flowvision puzzle says.",
)
@click.option(
    "-n",
    "--number",
    type=WholeNumber(1, 200),
    default=1,
    metavar="N",
    help="So many puzzles: a booklet with -o OUT.html, or with --write record, level or grid.",
)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="OUT",
    type=FILE,
    help=f"Where to write it: text (stdout by default), for paper a {still_words()} without the answer, "
    "or a .html booklet with the solutions at its end.",
)
@force_option
@quiet_option
@limit_option("Give up after this long.")
def generate(
    plain: tuple[str | None, str | None],
    size: str,
    colours: int | None,
    seed: int | None,
    difficulty: str | None,
    number: int,
    write: str | None,
    output: str,
    force: bool,
    quiet: bool,
    limit: float,
    **shape: Any,
) -> None:
    """Make a puzzle of that size with exactly one solution, in which no path touches itself."""
    from random import SystemRandom

    from flowvision.errors import PuzzleInvalidError
    from flowvision.puzzle_tools.generator import Wanted, new_puzzles, shape_of

    size, grade = plain[0] or size, plain[1] or difficulty
    _check_output(output, write, number)
    try:
        wanted = Wanted(shape_of(size, **shape), colours, grade)
    except PuzzleInvalidError as error:
        raise click.UsageError(f"{error.stage_message} {error.stage_hint}") from None
    if not force:
        refuse_existing(output)
    first = SystemRandom().randrange(MOST_SEEDS) if seed is None else seed
    made = new_puzzles(wanted, range(first, first + number), limit)
    try:
        _write(made, output, write or "text", wanted, size)
    except PuzzleInvalidError as error:  # the form cannot say it; a record can
        hint = f"Add `--seed {first} --write record`: the same puzzle as a record."
        raise PuzzleInvalidError(error.stage_message, hint) from None
    place = "" if output == STANDARD else f" in {output}"
    if quiet:
        return
    if seed is None:
        click.echo(f"Made{place}; the same again: --seed {first}.", err=True)
    elif place:
        click.echo(f"Made{place}.", err=True)


def _check_output(output: str, write: str | None, number: int) -> None:
    """Refuse a form that cannot hold what is wanted."""
    suffix, is_drawn = os.path.splitext(output)[1].lower(), _is_drawn(output)
    if suffix in SUFFIXES and not SUFFIXES[suffix].unsolved:
        words = SUFFIXES[suffix].words
        raise click.UsageError(f"A puzzle is not written as {words}: give -o a {still_words()} file.")
    if write and (is_drawn or suffix == BOOKLET):
        raise click.UsageError(f"Not both: --write {write} and a drawing in {output}.")
    if number > 1 and suffix != BOOKLET and (is_drawn or write in (None, "text")):
        raise click.UsageError("Several puzzles take -o OUT.html, or --write record, level or grid.")


def _is_drawn(output: str) -> bool:
    """Whether a file of this name is a drawing, no text."""
    form = SUFFIXES.get(os.path.splitext(output)[1].lower())
    return form is not None and form.content != "text"


def _write(
    made: Sequence[tuple[NamedPuzzle, Solution]], output: str, form: str, wanted: Wanted, size: str
) -> None:
    """The puzzles as text, the only one without its answer, or all as a booklet."""
    if os.path.splitext(output)[1].lower() == BOOKLET:
        from flowvision.puzzle_tools.booklet import booklet_of, title_of

        write_text(output, booklet_of(made, title_of(len(made), size, wanted.grade)))
    elif _is_drawn(output):
        from flowvision.export.pictures import on_paper
        from flowvision.image.mark import marked

        write_bytes(output, marked(on_paper(made[0][0], form_of(output))))
    else:
        from flowvision.puzzle.formats import written

        write_text(output, "".join(f"{written(named, form, solution)}\n" for named, solution in made))


THEMES = ("current", "old", "wide", "muted")
PHONES = (
    "small", "slim", "iphone-xr", "vivo", "full-hd", "galaxy", "iphone-15", "iphone-max", "quad-hd", "tablet",
)  # fmt: skip


@click.command()
@click.argument("puzzle", required=False, metavar="[PUZZLE.txt]", type=FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT.png",
    type=FILE,
    help="The picture; its puzzle is written beside it as OUT.txt.",
)
@size_option("Size of a random board.")
@colours_option("Pairs of dots on a random board.", 16)
@click.option(
    "--seed", type=WholeNumber(0), default=0, show_default=True, help="The same seed draws the same picture."
)
@click.option(
    "--theme", type=click.Choice(THEMES), default="current", show_default=True, help="The game's look."
)
@click.option("--phone", type=click.Choice(PHONES), default="galaxy", show_default=True, help="The screen.")
@click.option(
    "--line", type=WholeNumber(0), default=0, show_default=True, help="Which of the theme's line colours."
)
@click.option("--dim", type=Number(0.1, 1), default=1.0, help="Brightness, as in a fade-in frame.")
@click.option("--drawn", type=Number(0, 1), default=0.0, help="Share of the solution already played.")
@click.option(
    "--letters", type=click.Choice(("white", "black", "both")), help="Colour-blind letters in the dots."
)
@click.option("--scale", type=Number(0.1, 4), default=1.0, help="Resize the picture.")
@click.option("--quality", type=WholeNumber(1, 100), help="Damage the picture by JPEG compression.")
@click.option(
    "--tint",
    type=Number(0, 1),
    default=0.31,
    help="How strongly finished cells are tinted; old tablets: 0.5.",
)
@click.option(
    "--dot", type=Number(0.2, 1.35), default=1.0, help="Width of the dots, as a share of the game's own."
)
@click.option(
    "--oval", type=Number(0.4, 1), default=1.0, help="Height of the dots, as a share of their width."
)
@click.option(
    "--pipe", type=Number(0.01, 0.6), default=0.333, help="Width of the pipes, as a share of a cell."
)
@click.option("--finger", is_flag=True, help="A halo round the end of a pipe that is being drawn.")
@click.option("--pointer", is_flag=True, help="A mouse pointer there.")
@click.option("--bare", is_flag=True, help="The board alone, without title, counters and buttons.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@quiet_option
@click.pass_context
def sample(
    ctx: click.Context,
    /,
    puzzle: str | None,
    output: str,
    size: str,
    colours: int | None,
    seed: int,
    theme: str,
    phone: str,
    bare: bool,
    force: bool,
    quiet: bool,
    **look: Any,
) -> None:
    """Draw a screenshot of a puzzle as the game would show it.

    The puzzle comes from PUZZLE.txt (the text form), or is random and has a solution. The picture is
    PNG or JPEG by its suffix; OUT.txt beside it holds the puzzle.
    """
    from flowvision.puzzle_tools.generator import write_sample
    from flowvision.render.synthetic import Style
    from flowvision.render.themes import PHONES, THEMES

    if puzzle is not None and re.fullmatch(r"\d+([xX×]\d+)?", puzzle) and not Path(puzzle).exists():
        size, puzzle = checked_size(ctx, ctx.command.params[0], puzzle) or size, None  # as for `generate`
    style = Style(THEMES[theme], PHONES[phone], chrome=not bare, **look)
    written = write_sample(output, puzzle, size, colours, style, seed, force)
    if output != STANDARD and not quiet:
        click.echo(f"Drawn in {' and '.join(written)}.", err=True)
