"""``flowvision puzzle`` and ``flowvision generate``: puzzles written as text, and new ones."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import click
from msgspec import Struct

from flowvision.cli import depth
from flowvision.cli.options import (
    FILE,
    animate_option,
    colours_option,
    flag,
    force_option,
    hint_option,
    json_option,
    limit_option,
    look_options,
    number_option,
    output_option,
    quiet_option,
    write_option,
)
from flowvision.cli.printing import show_error, tell
from flowvision.cli.shots import Taken, is_folder
from flowvision.errors import ExitCode, FlowvisionError, ImageUnreadableError, PuzzleInvalidError
from flowvision.files import (
    STANDARD,
    SUFFIXES,
    form_of,
    make_folder,
    marked,
    refuse_replacing,
    stem_of,
    suffix_words,
    write_bytes,
    write_text,
)
from flowvision.puzzle.formats import written
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle_tools.generator import TILINGS, new_puzzle, shape_of
from flowvision.solvers import ENGINES, Rules
from flowvision.solvers.deductions import GRADES
from flowvision.words import printable

if TYPE_CHECKING:
    from flowvision.puzzle_tools.report import PuzzleOptions, PuzzleReport
    from flowvision.render.look import Look


DRAWN = SUFFIXES.keys() - {".txt"}
"""Suffixes of files that are not text."""


def _size_and_grade(_: click.Context, __: click.Parameter, words: Sequence[str]) -> tuple[str, str | None]:
    """Return the size and the difficulty among the words, in any order."""
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

    size, difficulty = plain
    is_text = write is not None or output == STANDARD
    _check_output(output, write, is_text, number)
    try:
        board = shape_of(size, **shape)
    except PuzzleInvalidError as error:
        raise click.UsageError(f"{error.sentence} {error.stage_hint}") from None
    if not force:
        refuse_replacing(output, keeps_ours=True)  # it cannot be made again without its seed
    first = SystemRandom().randrange(10**9) if seed is None else seed  # short enough to be typed again
    end = monotonic() + limit
    seeds = range(first, first + number)
    puzzles = [new_puzzle(board, seed, colours, difficulty, end - monotonic()) for seed in seeds]
    try:
        if is_text:
            lines = (f"{written(named, write or 'text', solution)}\n" for named, solution in puzzles)
            write_text(output, "".join(lines))
        else:
            from flowvision.export.answer import Puzzle

            ((named, _),) = puzzles
            Puzzle(named).save(output, force=True)
    except PuzzleInvalidError as error:  # the form cannot express it; a record can
        hint = f"Add `--seed {first} --write record`: the same puzzle as a record."
        raise PuzzleInvalidError(error.sentence, hint) from None
    if not quiet and (seed is None or output != STANDARD):
        place = "" if output == STANDARD else f" in {output}"
        tell(f"Made{printable(place)}. To make the same again: --seed {first}.", err=True)


def _check_output(output: str, write: str | None, is_text: bool, number: int) -> None:
    """Raise ``UsageError`` if ``-o`` and ``--write`` ask for different kinds of file, or ``-n`` for too many.

    ``is_text``: the puzzles are written as text, not drawn; ``number``: of puzzles.
    """
    if not is_text:
        form_of(output)  # raises for a suffix of no picture
    elif write and os.path.splitext(output)[1].lower() in DRAWN:
        raise click.UsageError("--write writes text: give -o a .txt file, or leave out --write.")
    if number > 1 and write in (None, "text"):
        raise click.UsageError("-n above 1 needs --write record or level; a drawing holds one puzzle.")


@click.command()
@click.argument("named", nargs=-1, required=True, metavar="FILE…", type=FILE)
@click.option(
    "--solver",
    type=click.Choice(list(ENGINES)),
    default="sat",
    show_default=True,
    help="The engine. search, a second opinion by backtracking, is slow beyond 10x10.",
)
@limit_option("Give up on a puzzle after this long.")
@number_option("--count", help="Count solutions, up to N.")
@click.option(
    "--rules",
    type=click.Choice(get_args(Rules)),
    help="Solutions that count: strict, in which no path touches itself, or free, all of them.  "
    "[default: strict, else free]",
)
@hint_option
@flag("--difficulty", text="Say how hard it is for a person: easy to expert, and why.")
@flag(
    "--repair",
    text="If there is not exactly one solution, find a dot that is one cell off, or two that are swapped.",
)
@write_option("Print the puzzle in another form instead (level, the game's own line, includes the solution).")
@output_option(f"Draw it as well: a {suffix_words()} file; a folder for several puzzles.")
@force_option
@animate_option
@look_options
@flag("--unsolved", text="Show the board without its solution; with -o, on white for printing.")
@flag("--watch", text="First draw the backtracking search in the terminal.")
@json_option("puzzle")
@quiet_option
@click.pass_context
def puzzle(
    ctx: click.Context,
    /,
    named: tuple[str, ...],
    output: str | None,
    force: bool,
    animate: bool,
    letters: bool,
    arrows: bool,
    watch: bool,
    as_json: bool,
    quiet: bool,
    **fields: Any,
) -> None:
    """Solve puzzles written as text (- for stdin).

    A FILE holds one puzzle as text, or many as JSON records or level lines. The solution is printed, and
    whether it is the only one. The exit code is that of the error, or 11 if some of several puzzles failed.
    """
    from flowvision.puzzle_tools.report import PuzzleOptions
    from flowvision.render.look import Look

    _check_combination(output, watch, as_json, fields)
    _check_place(output, len(named))
    options = PuzzleOptions(seconds=fields.pop("limit"), depth=depth(), **fields)
    drawings = None
    if output is not None:
        look = Look(letters=letters, arrows=arrows)
        is_silent = quiet or output == STANDARD
        drawings = _Drawings(output, Taken(force), options, look, animate, is_silent)
    say = click.echo if output is None else tell
    has_text = not (as_json or quiet or output == STANDARD)
    headed = None if options.write else len(named) > 1
    show = partial(_print, say, as_json, has_text, headed)
    codes = list[ExitCode]()
    for file in named:
        for item, report in _reports(file, options, watch):
            codes.append(report.error.exit_code if report.error else ExitCode.OK)
            show(file, report)
            if drawings is not None and item is not None and report.outcome:
                drawings.write(file, item, report)
    ctx.exit(ExitCode.of(codes))


def _print(
    say: Callable[..., None],
    as_json: bool,
    has_text: bool,
    headed: bool | None,
    file: str,
    report: PuzzleReport,
) -> None:
    """Print the report of a puzzle in a file.

    ``say``: prints text. ``has_text``: the report's text is shown, ``headed`` with a name above it: true
    always, false only a puzzle's own name, ``None`` never.
    """
    if as_json:
        from flowvision.contract import json_line

        say(json_line(report.described))
    if report.error:
        show_error(report.error, printable(report.name or file))
    if report.text and has_text:
        is_named = report.name not in ("", os.path.basename(file))
        if headed or (headed is False and is_named):
            say(f"{printable(report.name if is_named else file)}:")
        say(report.text, color=True)


class _Drawings(Struct, frozen=True):
    """Files of drawn puzzles, in a folder if ``output`` is one. ``is_silent``: do not print their places."""

    output: str
    taken: Taken
    options: PuzzleOptions
    look: Look
    animate: bool
    is_silent: bool

    def write(self, file: str, item: NamedPuzzle, report: PuzzleReport) -> None:
        """Write the drawing of a puzzle from a file: solved, unsolved or with a hint, by the options."""
        from flowvision.export.answer import Answer, Puzzle
        from flowvision.export.pictures import encoded

        name = report.name or stem_of(file)
        place = _place_in(self.output, name, self.taken) if is_folder(self.output) else self.output
        self.taken.claim(place, printable(report.name or file))
        form = form_of(place, self.animate)
        if self.options.unsolved:
            data = Puzzle(item)._encoded(form)
        else:
            answer = Answer(item.name, look=self.look, _given=item, _solved=report.outcome)
            data = encoded(answer, form, report.hint)
        write_bytes(place, marked(data))
        if not self.is_silent:
            tell(printable(f"{name}: drawn in {place}"), err=True)


def _check_combination(output: str | None, watch: bool, as_json: bool, fields: dict[str, Any]) -> None:
    """Raise ``UsageError`` for options that exclude one another; ``fields``: other options by name."""
    if watch and (as_json or not sys.stdout.isatty()):
        raise click.UsageError("--watch draws in a terminal; standard output is not one.")
    instead = [f"--{name}" for name in ("hint", "write", "count") if fields[name]]
    if len(instead) > 1:
        raise click.UsageError(f"{' and '.join(instead)} do not go together.")
    if fields["rules"] and fields["repair"]:
        raise click.UsageError("--repair finds boards with one strict solution: leave out --rules.")
    if as_json and fields["write"]:
        raise click.UsageError("Either --json or --write; --write record prints JSON too.")
    if output == STANDARD and (as_json or fields["write"]):
        raise click.UsageError("Not both on stdout: the picture (-o -) and --json or --write.")


def _check_place(output: str | None, files: int) -> None:
    """Raise ``UsageError`` if several files would be drawn in one."""
    if output is not None and files > 1 and not is_folder(output):
        raise click.UsageError(
            "Several puzzles cannot all be drawn in one file: give -o a folder, such as out/."
        )


def _reports(
    file: str, options: PuzzleOptions, watch: bool
) -> Iterator[tuple[NamedPuzzle | None, PuzzleReport]]:
    """Yield the puzzles of a file with their reports, ``None`` for one that is invalid.

    The report of an error of the file is the last.
    """
    from flowvision.contract import error_object
    from flowvision.puzzle_tools.report import PuzzleReport, read_puzzles, report, watch_search

    try:
        if os.path.isdir(file):
            hint = f"Give the files in it: `flowvision puzzle {file}/*`."
            raise ImageUnreadableError(f"{file} is a folder.", hint)
        for item in read_puzzles(file):
            if watch:
                watch_search(item, options.seconds, partial(click.echo, nl=False))
            yield item if isinstance(item, NamedPuzzle) else None, report(item, options)
    except FlowvisionError as error:
        yield None, PuzzleReport("", error_object(file, error), error=error)


def _place_in(folder: str, name: str, claimed: Taken) -> str:
    """Return a place for a picture in a folder, after the name of its puzzle, that is not claimed yet."""
    stem = re.sub(r"\.(txt|jsonl?)$", "", name)
    safe_stem = re.sub(r"[^\w.-]+", "-", stem).strip(".-")
    start = str(make_folder(folder) / (safe_stem or "puzzle"))
    place, number = f"{start}.png", 1
    while place in claimed.by_place:
        number += 1
        place = f"{start}-{number}.png"
    return place
