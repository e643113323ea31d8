"""``flowvision solve`` and ``flowvision read``: screenshots in, solved pictures or boards as text out."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click
from msgspec import Struct
from msgspec.structs import replace

from flowvision.advice import COMMAND
from flowvision.cli import is_piped, keep_fault, show_error, show_notes
from flowvision.cli.options import (
    FILE,
    Grouped,
    force_option,
    form_options,
    look_options,
    options_of,
    quiet_option,
    reading_options,
    shots_argument,
)
from flowvision.cli.shots import Places, page_folder_of, refuse_place, screenshots_among
from flowvision.cli.terminal import depth, outlive_readers
from flowvision.errors import ExitCode, FlowvisionError, GaveUpError, crash_of, missing_library, shortage_of
from flowvision.files import STANDARD, write_bytes
from flowvision.forms import FORMS, SUFFIXES, form_of, suffix_words
from flowvision.image.mark import marked
from flowvision.log import Step

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.export.answer import Answer
    from flowvision.pipeline import Source
    from flowvision.reading.options import Options
    from flowvision.render.look import Look

LONGEST_SECONDS = 1e6
"""Longest time that a timer is set to."""
GRACE_SECONDS = 2.0
"""Clock time after the limit for finishing the attempt at work, and for explaining a refusal."""
SEEN = "Read so far, to be corrected with `--set ROW,COLUMN=MARK` or `--board FILE`"
"""Line above the board of a refused picture."""


@click.command(cls=Grouped)
@shots_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=FILE,
    help=f"A {suffix_words()} file, a folder, or - for stdout.  [default: SHOT.solved.png]",
)
@force_option
@form_options
@look_options
@click.option(
    "--keep-drawn", is_flag=True, help="Keep the pipes already drawn, or say which of them is wrong."
)
@quiet_option
@reading_options
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    shots: tuple[str, ...],
    output: str | None,
    force: bool,
    letters: bool,
    arrows: bool,
    **how: Any,
) -> None:
    """Solve screenshots of Flow Free boards.

    Every SHOT (a picture file, or - for stdin) is solved: the solution is drawn over a copy of it and
    printed as text. A failure does not stop the rest; the exit code is then 11. Solutions of earlier
    runs among the files are skipped.
    """
    from flowvision.render.look import Look

    if output != STANDARD:
        outlive_readers()
    request = Request(*(how.pop(name) for name in ("animate", "hint", "copy", "geometry", "kind")))
    request.check(len(shots), output, how["as_json"])
    run = _run_of(shots, how, Look(letters=letters, arrows=arrows))
    places = Places(run.shots, output, force, request.ending)

    def handle(shot: str) -> Output:
        place = None if request.copy and output is None else places.place_of(shot)
        form = request.form(place)
        is_still = form.content == "picture" and not request.hint
        answer = run.answer(shot, is_drawn=is_still, in_place=is_still and run.debug is None)
        hint = answer.hint(request.hint) if request.hint else None
        shown = hint or answer
        if place is not None:
            write_bytes(place, marked(shown.encoded(form)))
        if request.copy:
            from flowvision.export.clipboard import copy_picture

            copy_picture(shown.picture)
        notes = _warnings(answer)
        if hint and (wrong := ", ".join(answer.wrong)):
            notes += (f"warning: wrong pipe of {wrong}; take it back",)
        if place == STANDARD:
            return Output({}, None, notes)
        described = answer.to_dict(request.geometry, place, hint) if run.as_json else {}
        return Output(described, shown.in_colours(depth()), (*notes, request.written_in(answer, place)))

    ctx.exit(run.each(handle))


@click.command(cls=Grouped)
@shots_argument
@quiet_option
@reading_options
@click.pass_context
def read(ctx: click.Context, /, shots: tuple[str, ...], **how: Any) -> None:
    """Print the boards on screenshots, unsolved.

    Each board is printed in the text form that `flowvision puzzle` takes. The solver still checks it:
    a board without a solution is refused.
    """
    run = _run_of(shots, how)

    def handle(shot: str) -> Output:
        answer = run.answer(shot, is_drawn=False)
        described = answer.to_dict(is_solved=False) if run.as_json else {}
        return Output(described, _unsolved_text(answer), _warnings(answer))

    ctx.exit(run.each(handle))


def _unsolved_text(answer: Answer) -> str:
    """Return the puzzle in its text form; for a terminal with colours, the board with its dots."""
    from flowvision.puzzle.text import FREE

    if depth():
        return answer.in_colours(depth(), shown=())
    if answer.size is not None:
        return str(answer.named)
    note = "cells are counted from 0 here; `--set` and hints count from 1"
    return str(answer.named).replace(FREE, f"{FREE}  // {note}", 1)


def _warnings(answer: Answer) -> tuple[str, ...]:
    return tuple(f"warning: {warning}" for warning in answer.warnings_for(COMMAND))


class Output(NamedTuple):
    """Output about one screenshot: its object for ``--json``, its text, and notes for stderr."""

    described: dict[str, Any]
    text: str | None
    notes: tuple[str, ...]


class Request(Struct, frozen=True):
    """Form of the answers; ``kind``: its name in ``FORMS``, if the file does not say."""

    animate: bool
    hint: str | None
    copy: bool
    geometry: bool
    kind: str | None

    @property
    def ending(self) -> str:
        """End of the usual name of the file."""
        return f"{'.hint' if self.hint else '.solved'}{FORMS[self.kind or 'png'].suffixes[0]}"

    def form(self, place: str | None) -> Any:
        """Return the form of a file. Raises ``OutputError`` for an unknown suffix."""
        if self.kind and place in (None, STANDARD):
            place = f"answer{FORMS[self.kind].suffixes[0]}"
        return form_of(place or STANDARD, self.animate)

    def check(self, shots: int, output: str | None, as_json: bool) -> None:
        """Refuse options that contradict each other, before any work."""
        if output == STANDARD and as_json:
            raise click.UsageError("Not both on stdout: the picture (-o -) and --json.")
        if self.geometry and not as_json:
            raise click.UsageError("--geometry goes with --json.")
        suffix = os.path.splitext(output or "")[1].lower()
        if self.kind and suffix in SUFFIXES and SUFFIXES[suffix] is not FORMS[self.kind]:
            raise click.UsageError(
                f"-o {output} and --format {self.kind} name different forms: leave one out."
            )
        if self.copy:
            if shots > 1:
                raise click.UsageError("--copy takes one picture: a clipboard holds no more.")
            if self.animate:
                raise click.UsageError("--copy puts a still picture on the clipboard; leave out --animate.")
            from flowvision.export.clipboard import check_installed

            check_installed()

    def written_in(self, answer: Answer, place: str | None) -> str:
        """Return the place of the picture in words."""
        places = [*([f"in {place}"] if place else []), *(["on the clipboard"] if self.copy else [])]
        what = "hint" if self.hint else "solved"
        if answer.state == "solved":
            what = "solved already, copied as it is" if places else "solved already"
        return f"{what} {' and '.join(places)}" if places else f"{what}: nothing is written"


class Run(Struct, frozen=True):
    """A run of ``solve`` or ``read``.

    ``paste``: take the picture from the clipboard. ``debug``: the folder of debug pages; ``opened``: show
    them in the browser. ``quiet``: print neither text nor notes.
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

    def each(self, handle: Callable[[str], Output]) -> ExitCode:
        """Handle and report every screenshot in order; return the exit code of the run."""
        from flowvision.workers.memory import keep_freed

        keep_freed()
        codes = list[ExitCode]()
        for shot in self.shots:
            if codes:
                gc.collect(0)  # an error, its traceback and its frames hold one another, and the picture
            try:
                output = handle(shot)
            except FlowvisionError as error:
                codes.append(self._print_failure(shot, error))
            except BrokenPipeError:  # the reader has left: the end, and no fault
                raise
            except Exception as unforeseen:
                if isinstance(unforeseen, ImportError) and missing_library(unforeseen):
                    raise  # without it no other screenshot can be read either
                crashed = crash_of(unforeseen)
                crashed.__cause__ = unforeseen
                if not shortage_of(unforeseen):
                    keep_fault(unforeseen)
                codes.append(self._print_failure(shot, crashed))
            else:  # an error of printing is not the picture's: the run ends
                self._print(shot, output)
                codes.append(ExitCode.OK)
        if len(codes) == 1:
            return codes[0]
        return ExitCode.SOME_FAILED if any(codes) else ExitCode.OK

    def answer(self, shot: str, is_drawn: bool, in_place: bool = False) -> Answer:
        """Return the answer to a screenshot; write its debug page if requested. Raises its error."""
        from flowvision.export.answer import Answer, answer_to

        steps = list[Step]()

        def observe(step: Step) -> None:
            steps.append(step)
            if not self.verbose:
                return
            failed = f"failed: {step.error.stage_message}" if step.error else ""
            words = f"{shot}: {step.stage:9} {step.seconds * 1000:7.1f} ms  {failed}"
            click.echo(f"{words}  [{step.name}]" if step.name else words, err=True)

        try:
            if shot == STANDARD and sys.stdin is not None and sys.stdin.isatty():
                click.echo(
                    "Waiting for a picture on standard input: `flowvision - < SHOT` sends one.", err=True
                )
            with stopping_after(self.options.seconds + GRACE_SECONDS):
                source: Source = shot
                if self.paste:
                    from flowvision.export.clipboard import paste_picture

                    source = paste_picture()
                answer = answer_to(source, self.options, observe, self.look, shot, is_drawn, in_place)
        except FlowvisionError as error:  # out of time, or no picture to paste
            answer = Answer(shot, self.options, steps=tuple(steps), error=error)
        if self.debug is not None:
            self._write_page(shot, answer, self.debug)
        if answer.error is not None:
            _note_what_was_seen(answer, answer.error)
        return replace(answer.raised(), steps=())

    def _write_page(self, shot: str, answer: Answer, debug: Path) -> None:
        page = write_page(debug / page_folder_of(shot, self.shots) if len(self.shots) > 1 else debug, answer)
        if not (self.quiet or answer.error):
            click.echo(f"{shot}: every stage in {click.format_filename(page)}", err=True)
        if self.opened:
            import webbrowser

            webbrowser.open(page.resolve().as_uri())

    def _print(self, shot: str, output: Output) -> None:
        several = len(self.shots) > 1
        if self.as_json:
            from flowvision.contract import json_line

            click.echo(json_line(output.described))
        elif output.text is not None and not self.quiet:
            if several:
                click.echo(f"{click.format_filename(shot)}:")
            click.echo(output.text, color=True)
            if several:
                click.echo()
        for note in () if self.quiet else output.notes:
            click.echo(f"{click.format_filename(shot)}: {note}", err=True)

    def _print_failure(self, shot: str, error: FlowvisionError) -> ExitCode:
        if self.as_json:
            from flowvision.contract import error_object, json_line

            click.echo(json_line(error_object(shot, error)))
        if self.verbose:
            if error.code == "crashed":
                import traceback

                traceback.print_exception(error)
            if error.doubt:
                click.echo(f"{shot}: refused: {error.doubt.code}", err=True)
        show_error(error, shot)
        if error.cause and not self.debug:
            click.echo("  `--debug` shows what was seen.", err=True)
        show_notes(error)
        return error.exit_code


def _run_of(shots: tuple[str, ...], how: dict[str, Any], look: Look | None = None) -> Run:
    """Return the run that the options in ``how`` make; with a ``look``, solutions are drawn."""
    from flowvision.render.look import PLAIN

    flags = {name: how.pop(name) for name in ("as_json", "paste", "opened", "verbose", "quiet")}
    if flags["paste"] and shots:
        raise click.UsageError("Either --paste or files, not both.")
    if not (flags["paste"] or shots or is_piped()):
        raise click.UsageError("Which screenshot? Name its file, or `-` for one that comes through a pipe.")
    debug = how.pop("debug")
    if debug is not None or flags["opened"]:
        from pathlib import Path
        from tempfile import mkdtemp

        debug = Path(mkdtemp(prefix="flowvision-") if debug is None else debug)
    options = options_of(**how)
    shots = shots or (STANDARD,)
    if look:
        refuse_place(shots)
    named = ("clipboard",) if flags["paste"] else screenshots_among(shots, flags["quiet"])
    return Run(named, options, look or PLAIN, debug, **flags)


def write_page(folder: Path, answer: Answer) -> Path:
    """Write the debug folder of an answer, and note the path of its page on its error."""
    from flowvision.debug.page import story_of, write_story

    page = write_story(folder, story_of(answer))
    if answer.error is not None:
        answer.error.add_note(f"  Why: {page}")
    return page


def _note_what_was_seen(answer: Answer, error: FlowvisionError) -> None:
    """Add the board that was seen to the error, to be corrected.

    Not if an option is wrong, or a popup covers cells: rows and columns are wrong then.
    """
    cause, is_corrected = error.cause, "draft" in error.details
    is_another = cause is not None and (bool(cause.option) or bool(cause.facts.get("window")))
    if not is_corrected and (is_another or not any(step.stage == "sides" for step in error.steps)):
        return
    from flowvision.puzzle.text import format_drawn

    draft = answer.draft
    if draft is not None and draft.free is None and draft.seen:
        rows = format_drawn(draft.drawn()).rstrip("\n").replace("\n", "\n    ")
        error.add_note(f"  {'With the corrections' if is_corrected else SEEN}:\n    {rows}")


class _OutOfTime(BaseException):
    """Ends work on a picture, past every handler of errors."""


@contextmanager
def stopping_after(seconds: float) -> Iterator[None]:
    """Raise ``GaveUpError`` once so much time has passed by the clock; not on Windows, nor within C code."""

    def stop(*_: object) -> NoReturn:
        raise _OutOfTime

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, min(seconds, LONGEST_SECONDS))
        yield
    except _OutOfTime:
        raise GaveUpError(f"Stopped after {seconds:.1f} seconds: the limit has passed.") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
