"""``flowvision solve`` and ``flowvision read``: screenshots in, solved pictures or boards as text out.

A shot is the name of a screenshot as typed; a place is the path of a file to write, or ``-`` for stdout.
"""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec import Struct
from msgspec.structs import replace

from flowvision.cli import depth, is_piped
from flowvision.cli.options import (
    flag,
    force_option,
    form_options,
    look_options,
    options_of,
    output_option,
    quiet_option,
    reading_options,
    shots_argument,
)
from flowvision.cli.printing import plain, show_error, show_notes, tell
from flowvision.cli.shots import Places, page_folder_of, screenshots_among
from flowvision.errors import ExitCode, FlowvisionError, crash_of, missing_library
from flowvision.files import FORMS, STANDARD, form_of, marked, suffix_words, write_bytes
from flowvision.log import Step
from flowvision.words import COMMAND, printable

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.contract import Object
    from flowvision.export.answer import Answer
    from flowvision.pipeline import Source
    from flowvision.reading.options import Options
    from flowvision.render.look import Look


@click.command()
@shots_argument
@output_option(f"A {suffix_words()} file, a folder, or - for stdout.  [default: SHOT.solved.png]")
@force_option
@form_options
@look_options
@flag("--keep-drawn", text="Keep the pipes already drawn, or say which of them is wrong.")
@quiet_option
@reading_options
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    shots: tuple[str, ...],
    output: str | None,
    force: bool,
    animate: bool,
    hint: str | None,
    kind: str | None,
    copy: bool,
    geometry: bool,
    letters: bool,
    arrows: bool,
    **fields: Any,
) -> None:
    """Solve screenshots of Flow Free boards.

    Every SHOT (a picture file, or - for stdin) is solved: the solution is drawn over a copy of it and
    printed as text. A failure does not stop the rest; the exit code is then 11. Pictures that
    Flowvision solved earlier are skipped.
    """
    from flowvision.render.look import Look

    _check_combination(output, fields["as_json"], copy, len(shots))
    run = _run_of(shots, fields, Look(letters=letters, arrows=arrows))
    usual = FORMS[kind or "png"].suffixes[0]
    places = Places(run.shots, output, force, f"{'.hint' if hint else '.solved'}{usual}")

    def handle(shot: str) -> Output:
        """Solve a screenshot, and write the answer."""
        place = None if copy and output is None else places.place_of(shot)  # ``None``: no file is written
        # The clipboard and standard output have no suffix: they get the usual form.
        file_name = f"answer{usual}" if place in (None, STANDARD) else place
        form = form_of(file_name, animate)
        is_still = form.content == "picture" and not hint
        # A debug page shows the picture as it was: only without one, the solution is drawn on it.
        answer = run.answer(shot, is_drawn=is_still, in_place=is_still and run.debug is None)
        steps = answer.hint(hint) if hint else None
        result = steps or answer
        if place is not None:
            write_bytes(place, marked(result._encoded(form)))
        if copy:
            from flowvision.export.clipboard import copy_picture

            copy_picture(result.picture)
        notes = _warnings(answer) + (_wrong_pipes(answer) if steps else ())
        if place == STANDARD:
            return Output({}, text=None, notes=notes)
        described = answer.to_dict(geometry, place, steps) if run.as_json else {}
        notes += (_written(answer, hint, place, copy),)
        return Output(described, result._in_colours(depth()), notes)

    ctx.exit(run.each(handle))


def _check_combination(output: str | None, as_json: bool, copy: bool, count: int) -> None:
    """Raise ``UsageError`` for options that exclude one another; ``count``: of screenshots."""
    if output == STANDARD and as_json:
        raise click.UsageError("Not both on stdout: the picture (-o -) and --json.")
    if copy and count > 1:
        raise click.UsageError("--copy takes one picture.")


def _wrong_pipes(answer: Answer) -> tuple[str, ...]:
    """Return a note that names the flows whose drawn pipes are wrong; none without them."""
    wrong = ", ".join(answer.wrong)
    return (f"warning: wrong pipes to erase: {wrong}",) if wrong else ()


def _written(answer: Answer, hint: str | None, place: str | None, copy: bool) -> str:
    """Return a note that names the result and where it is now; ``copy``: on the clipboard too."""
    places = [f"in {place}"] if place else []
    if copy:
        places.append("on the clipboard")
    result = "hint" if hint else "solved already" if answer.state == "solved" else "solved"
    return f"{result} {' and '.join(places)}" if places else f"{result}: nothing is written"


@click.command()
@shots_argument
@quiet_option
@reading_options
@click.pass_context
def read(ctx: click.Context, /, shots: tuple[str, ...], **fields: Any) -> None:
    """Print the boards on screenshots, unsolved.

    Each board is printed in the text form that `flowvision puzzle` takes. The solver still checks it:
    a board without a solution is refused.
    """
    run = _run_of(shots, fields)

    def handle(shot: str) -> Output:
        """Read a screenshot."""
        answer = run.answer(shot, is_drawn=False)
        described = answer.to_dict(is_solved=False) if run.as_json else {}
        return Output(described, _unsolved_text(answer), _warnings(answer))

    ctx.exit(run.each(handle))


def _unsolved_text(answer: Answer) -> str:
    """Return the board as it was read, as text; on a terminal with colours."""
    from flowvision.puzzle.free import FREE

    if depth():
        return answer._in_colours(depth(), shown_edges=())
    if answer.size is not None:
        return answer.text.rstrip("\n")
    note = "cells are counted from 0 here; `--set` and hints count from 1"
    # The text of a board without rows and columns begins with this word; the note is a comment behind it.
    return answer.text.rstrip("\n").replace(FREE, f"{FREE}  // {note}", 1)


def _warnings(answer: Answer) -> tuple[str, ...]:
    """Return a note for every doubt about an answer."""
    return tuple(f"warning: {warning}" for warning in answer._warnings_for(COMMAND))


class Output(NamedTuple):
    """Output about one screenshot: its object for ``--json``, its text, and notes for stderr."""

    described: Object
    text: str | None
    notes: tuple[str, ...]


class Run(Struct, frozen=True):
    """A run of ``solve`` or ``read``.

    ``paste``: take the picture from the clipboard. ``debug``: the folder of debug pages; ``opened``: show
    them in the browser. ``quiet``: print neither text nor notes. ``is_text``: the text is the only output.
    """

    shots: tuple[str, ...]
    options: Options
    look: Look
    debug: Path | None
    as_json: bool
    paste: bool
    opened: bool
    verbose: bool
    quiet: bool
    is_text: bool

    @property
    def say(self) -> Callable[..., None]:
        """Prints text; where there are no files, a lost stream ends the run."""
        return click.echo if self.is_text else tell

    def each(self, handle: Callable[[str], Output]) -> ExitCode:
        """Handle and report every screenshot in order; return the exit code of the run."""
        codes = list[ExitCode]()
        for shot in self.shots:
            if codes:
                gc.collect(0)  # an error, its traceback and its frames hold one another, and the picture
            try:
                output = handle(shot)
            except FlowvisionError as error:
                codes.append(self._print_failure(shot, error))
            except BrokenPipeError:  # nothing reads the output any more
                raise
            except Exception as bug:
                if isinstance(bug, ImportError) and missing_library(bug):
                    raise  # without it no other screenshot can be read either
                crashed = crash_of(bug)
                crashed.__cause__ = bug
                codes.append(self._print_failure(shot, crashed))
            else:  # outside ``try``: an error of printing ends the run
                self._print(shot, output)
                codes.append(ExitCode.OK)
        return ExitCode.of(codes)

    def answer(self, shot: str, is_drawn: bool, in_place: bool = False) -> Answer:
        """Return the answer to a screenshot; write its debug page if requested. Raises its error."""
        from flowvision.export.answer import answer_to

        def observe(step: Step) -> None:
            """Print a step of the run."""
            failed = f"failed: {step.error.sentence}" if step.error else ""
            milliseconds = f"{1000 * step.seconds:7.1f} ms"
            name = f"  [{step.name}]" if step.name else ""
            tell(printable(f"{shot}: {step.stage:9} {milliseconds}  {failed}{name}"), err=True)

        source: Source = shot
        if self.paste:
            from flowvision.export.clipboard import paste_picture

            source = paste_picture()
        observer = observe if self.verbose else None
        answer = answer_to(source, self.options, observer, self.look, shot, is_drawn, in_place)
        if self.debug is not None:
            self._write_page(shot, answer, self.debug)
        if answer.error is not None:
            _note_what_was_seen(answer.error)
        return replace(answer._raised(), steps=())

    def _write_page(self, shot: str, answer: Answer, debug: Path) -> None:
        """Write the debug page of a screenshot, and open it with ``--open``."""
        folder = debug / page_folder_of(shot, self.shots) if len(self.shots) > 1 else debug
        page = write_page(folder, answer)
        if not (self.quiet or answer.error):
            tell(f"{plain(shot)}: every stage in {plain(page)}", err=True)
        if self.opened:
            import webbrowser

            webbrowser.open(page.resolve().as_uri())

    def _print(self, shot: str, output: Output) -> None:
        """Print the output about a screenshot, under its name if there are several."""
        several, say = len(self.shots) > 1, self.say
        if self.as_json:
            from flowvision.contract import json_line

            say(json_line(output.described))
        elif output.text is not None and not self.quiet:
            if several:
                say(f"{plain(shot)}:")
            say(output.text, color=True)
            if several:
                say()
        for note in () if self.quiet else output.notes:
            tell(printable(f"{shot}: {note}"), err=True)

    def _print_failure(self, shot: str, error: FlowvisionError) -> ExitCode:
        """Print the error of a screenshot; return its exit code."""
        if error.code == "crashed":
            tell("".join(traceback.format_exception(error.__cause__ or error)).rstrip(), err=True)
        if self.as_json:
            from flowvision.contract import error_object, json_line

            self.say(json_line(error_object(shot, error)))
        if self.verbose and error.doubt:
            tell(f"{plain(shot)}: refused: {error.doubt.code}", err=True)
        show_error(error, shot)
        if error.cause and not self.debug:
            tell("  `--debug` shows what was seen.", err=True)
        show_notes(error)
        return error.exit_code


def _run_of(shots: tuple[str, ...], fields: dict[str, Any], look: Look | None = None) -> Run:
    """Return the run that the options make; only ``solve`` has a ``look``.

    ``fields``: the reading options by name, which are removed from it. Raises ``UsageError`` for options that
    do not go together.
    """
    from flowvision.render.look import PLAIN

    flags = {name: fields.pop(name) for name in ("as_json", "paste", "opened", "verbose", "quiet")}
    if flags["paste"] and shots:
        raise click.UsageError("Either --paste or files, not both.")
    if not (flags["paste"] or shots or is_piped()):
        raise click.UsageError("Name a screenshot before the options, or `-` for standard input.")
    debug = fields.pop("debug")
    if debug is not None or flags["opened"]:
        from pathlib import Path
        from tempfile import mkdtemp

        debug = Path(mkdtemp(prefix="flowvision-") if debug is None else debug)
    options = options_of(**fields)
    shots = shots or (STANDARD,)
    named = ("clipboard",) if flags["paste"] else screenshots_among(shots, flags["quiet"])
    return Run(named, options, look or PLAIN, debug, is_text=look is None and debug is None, **flags)


def write_page(folder: Path, answer: Answer) -> Path:
    """Write the debug folder of an answer, and note the path of its page on its error."""
    from flowvision.debug.page import story_of, write_story

    page = write_story(folder, story_of(answer))
    if answer.error is not None:
        answer.error.add_note(f"  Why: {plain(page)}")
    return page


def _note_what_was_seen(error: FlowvisionError) -> None:
    """Add the board as far as it was read, to be corrected, to the notes of an error."""
    is_corrected = error.draft is not None
    is_wrong_option = error.cause is not None and bool(error.cause.option)
    has_cells = any(step.stage == "sides" for step in error.steps)
    if not is_corrected and (is_wrong_option or not has_cells):
        return
    from flowvision.diagnosis import draft_of_error
    from flowvision.puzzle.text import format_drawn

    draft = draft_of_error(error)
    if draft is not None and draft.free is None and draft.seen:
        rows = format_drawn(draft.drawn()).rstrip("\n").replace("\n", "\n    ")
        headline = (
            "The board as far as it was read; correct it with `--set ROW,COLUMN=MARK` or `--board FILE`"
        )
        error.add_note(f"  {'With the corrections' if is_corrected else headline}:\n    {rows}")
