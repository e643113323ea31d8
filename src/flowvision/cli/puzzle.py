"""``flowvision puzzle``: puzzles written as text."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from flowvision.cli.options import (
    FILE,
    WholeNumber,
    force_option,
    hint_option,
    limit_option,
    look_options,
    quiet_option,
)
from flowvision.cli.shots import is_folder
from flowvision.errors import ExitCode, FlowvisionError, ImageUnreadableError, OutputError
from flowvision.files import STANDARD, make_folder, refuse_replacing, write_bytes
from flowvision.forms import form_of, suffix_words
from flowvision.image.mark import is_marked, marked

if TYPE_CHECKING:
    from flowvision.forms import Form
    from flowvision.puzzle.layout import NamedPuzzle
    from flowvision.puzzle_tools.report import PuzzleOptions, PuzzleReport
    from flowvision.render.look import Look

SOLVERS = ("sat", "search", "cpsat", "cpsat-mtz", "milp")
WRITTEN_FORMS = ("text", "record", "level")


def _sat_solvers(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Complete names of SAT solvers."""
    from flowvision.solvers.sat import SAT_SOLVERS

    return [name for name in SAT_SOLVERS if name.startswith(incomplete)]


@click.command()
@click.argument("named", nargs=-1, required=True, metavar="FILE…", type=FILE)
@click.option(
    "--solver",
    type=click.Choice(SOLVERS),
    default="sat",
    show_default=True,
    help="The engine. Slow, to compare with: search beyond 10x10, cpsat and cpsat-mtz beyond 15x15, "
    "milp beyond 9x9.",
)
@click.option(
    "--sat",
    metavar="NAME",
    shell_complete=_sat_solvers,
    help="The PySAT solver behind sat, such as cadical195.",
)
@limit_option("Give up on a puzzle after this long.")
@click.option("--count", type=WholeNumber(1), metavar="N", help="Count solutions, up to N.")
@hint_option
@click.option("--difficulty", is_flag=True, help="Say how hard it is for a person: easy to expert, and why.")
@click.option(
    "--repair",
    is_flag=True,
    help="Without exactly one solution, say which dot may be one cell off, or which two swapped.",
)
@click.option(
    "--write",
    type=click.Choice(WRITTEN_FORMS),
    help="No solution: the puzzle in another form (level, the game's own line, has the solution in it).",
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    help=f"Draw it as well: a {suffix_words()} file; a folder for several puzzles.",
)
@force_option
@click.option(
    "--animate", is_flag=True, help="With -o: an animated PNG or SVG; a .gif or .mp4 moves without."
)
@look_options
@click.option(
    "--unsolved",
    is_flag=True,
    help="Without the answer: the board with its dots; with -o on white, to be printed.",
)
@click.option("--watch", is_flag=True, help="First draw the backtracking search in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per puzzle.")
@quiet_option
@click.pass_context
def puzzle(
    ctx: click.Context,
    /,
    named: tuple[str, ...],
    output: str | None,
    force: bool,
    watch: bool,
    as_json: bool,
    quiet: bool,
    **how: Any,
) -> None:
    """Solve puzzles written as text (- for stdin).

    A FILE holds one puzzle as text, or many as JSON records or level lines. The solution is printed, and
    whether it is the only one. One puzzle exits with its own code; several with 11 if some failed.
    """
    _check_combination(output, watch, as_json, how)
    letters, arrows, animate = (how.pop(name) for name in ("letters", "arrows", "animate"))
    pictures = None
    if output is not None:
        from flowvision.render.look import Look

        look = Look(letters=letters, arrows=arrows)
        pictures = PuzzlePictures(output, look, animate, force, how["unsolved"], several=len(named) > 1)
    options = _options(**how)
    printing = _Printing(len(named) > 1, as_json, not options.write, quiet or output == STANDARD)
    codes = [code for file in named for code in _solve_file(file, options, watch, printing, pictures)]
    bad = [code for code in codes if code]
    ctx.exit(0 if not bad else int(bad[0]) if len(codes) == 1 else int(ExitCode.SOME_FAILED))


def _check_combination(output: str | None, watch: bool, as_json: bool, how: dict[str, Any]) -> None:
    """Refuse options that contradict each other."""
    if watch and (as_json or not sys.stdout.isatty()):
        raise click.UsageError("--watch draws in a terminal, and standard output is not one here.")
    instead = [f"--{name}" for name in ("hint", "write", "count") if how[name]]
    if len(instead) > 1:
        raise click.UsageError(f"{' and '.join(instead)} do not go together.")
    if as_json and how["write"]:
        raise click.UsageError("--write record is the JSON form; --json goes with solving.")
    if output == STANDARD and (as_json or how["write"]):
        raise click.UsageError("Not both on stdout: the picture (-o -) and --json or --write.")
    if output is None:
        if any(how[name] for name in ("letters", "arrows", "animate")):
            raise click.UsageError("--letters, --arrows and --animate go with -o.")
        if how["unsolved"] and as_json:
            raise click.UsageError("--unsolved is a board to look at; with --json it goes with -o.")


class _Printing(Struct, frozen=True):
    """Form of the output: names of ``several`` files, JSON, titles, or only errors."""

    several: bool
    as_json: bool
    titled: bool
    quiet: bool


def _options(solver: str, sat: str | None, limit: float, **how: Any) -> PuzzleOptions:
    """Build the options of solving, with the name of the SAT solver."""
    from flowvision.cli.terminal import depth
    from flowvision.puzzle_tools.report import PuzzleOptions
    from flowvision.solvers.sat import SAT_SOLVERS

    if sat and (sat not in SAT_SOLVERS or solver != "sat"):
        raise click.UsageError(f"--sat goes with the solver sat, and is one of {', '.join(SAT_SOLVERS)}.")
    return PuzzleOptions(f"sat:{sat}" if sat else solver, seconds=limit, depth=depth(), **how)


def _solve_file(
    file: str, options: PuzzleOptions, watch: bool, printing: _Printing, pictures: PuzzlePictures | None
) -> Iterator[ExitCode]:
    """Solve and print the puzzles of a file; yield the exit code of each."""
    from flowvision.cli import show_error
    from flowvision.puzzle.layout import NamedPuzzle
    from flowvision.puzzle_tools.animation import watch_search
    from flowvision.puzzle_tools.report import read_puzzles, report

    try:
        if os.path.isdir(file):
            hint = f"Give the files in it: `flowvision puzzle {file}/*`."
            raise ImageUnreadableError(f"{file} is a folder.", hint)
        for item in read_puzzles(file):
            if watch:
                watch_search(item, options.seconds, partial(click.echo, nl=False))
            made = report(item, options)
            _show(made, file, printing)
            if pictures and made.solution and isinstance(item, NamedPuzzle):
                place = pictures.draw(item, made, file)
                if place != STANDARD and not printing.quiet:
                    click.echo(f"{made.name or file}: drawn in {place}", err=True)
            yield made.error.exit_code if made.error else ExitCode.OK
    except FlowvisionError as error:
        show_error(error, file)
        yield error.exit_code


def _show(made: PuzzleReport, file: str, printing: _Printing) -> None:
    """Print the report of a puzzle."""
    from flowvision.cli import show_error
    from flowvision.contract import json_line

    if printing.as_json:
        click.echo(json_line(made.described))
    if made.error:
        show_error(made.error, made.name or file)
    if made.text and not printing.as_json and not printing.quiet:
        is_named = made.name not in ("", Path(file).name)
        if (printing.several or is_named) and printing.titled:
            click.echo(f"{made.name if is_named else file}:")
        click.echo(made.text, color=True)


class PuzzlePictures:
    """Pictures of a run: one in a file, or any number in a folder."""

    def __init__(
        self, output: str, look: Look, animate: bool, force: bool, unsolved: bool, several: bool
    ) -> None:
        self.output, self.look, self.animate = output, look, animate
        self.force, self.unsolved = force, unsolved
        self.in_folder = is_folder(output)
        self.taken: dict[str, str] = {}
        if several and not self.in_folder:
            raise click.UsageError(
                "Several puzzles cannot all be drawn in one file: give -o a folder, such as out/."
            )

    def draw(self, item: NamedPuzzle, made: PuzzleReport, file: str) -> str:
        """Draw a puzzle solved, with a hint, or unsolved; return the place of the picture.

        Raises ``OutputError`` if it cannot be written there, or another puzzle was.
        """
        name = made.name or ("stdin" if file == STANDARD else os.path.basename(file))
        place = self._free_place(_plain_name(name)) if self.in_folder else self.output
        if place in self.taken:
            raise OutputError(
                f"{place} already shows the puzzle {self.taken[place]}.",
                "Give `-o` a folder, such as `out/`: each has a picture there.",
            )
        if not self.force:
            refuse_replacing(place, is_marked)
        write_bytes(place, marked(self._data(item, made, form_of(place, self.animate))))
        self.taken[place] = name
        return place

    def _free_place(self, name: str) -> str:
        """Return a file in the folder, numbered if several puzzles of the run have one name."""
        folder, number = make_folder(self.output), 1
        while (place := str(folder / f"{name}{f'-{number}' if number > 1 else ''}.png")) in self.taken:
            number += 1
        return place

    def _data(self, item: NamedPuzzle, made: PuzzleReport, form: Form) -> bytes:
        """Return the bytes of the picture."""
        if self.unsolved:
            from flowvision.export.pictures import on_paper

            return on_paper(item, form)
        from flowvision.export.drawing import drawing_of_puzzle
        from flowvision.export.pictures import encoded

        assert made.solution is not None
        return encoded(drawing_of_puzzle(item, made.solution, self.look), form, made.hint)


def _plain_name(name: str) -> str:
    """Return a puzzle's name as that of a file: letters, digits, dots and dashes, no text suffix."""
    plain = re.sub(r"[^\w.-]+", "-", re.sub(r"\.(txt|jsonl?)$", "", name))
    return plain.strip(".-") or "puzzle"
