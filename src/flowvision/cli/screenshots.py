"""One screenshot after another: a failure is reported and never stops the rest."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from msgspec import Struct

from flowvision.cli import is_piped, keep_fault, show_error, show_notes
from flowvision.cli.options import corrections_of
from flowvision.errors import (
    ExitCode,
    FlowvisionError,
    GaveUpError,
    ImageUnreadableError,
    crash_of,
    missing_library,
    shortage_of,
)
from flowvision.files import STANDARD, refuse_url, stem_of
from flowvision.forms import SUFFIXES
from flowvision.image.mark import is_marked
from flowvision.log import Observer, Step
from flowvision.workers.memory import keep_freed

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.debug.story import Final
    from flowvision.image.picture import Screenshot
    from flowvision.pipeline import SolvedPicture
    from flowvision.reading.candidates import CheckedReading
    from flowvision.reading.options import Options


Checked = TypeVar("Checked", bound="SolvedPicture | CheckedReading")


class Report(Struct, frozen=True):
    """Output about one screenshot: as an object of the contract, and as text."""

    described: dict[str, Any]
    text: str | None
    notes: tuple[str, ...] = ()


class Invocation(Struct, frozen=True):
    """Arguments of ``solve`` and ``read``.

    ``paste``: take the picture from the clipboard. ``debug``: the folder of debug pages; ``opened``: show
    them in the browser. ``quiet``: print neither text nor notes.
    """

    shots: tuple[str, ...]
    options: Options
    as_json: bool
    paste: bool
    debug: Path | None
    opened: bool
    verbose: bool
    quiet: bool


def invocation_of(shots: tuple[str, ...], how: dict[str, Any], is_drawn: bool = True) -> Invocation:
    """Build the invocation of the options in ``how``; those it does not name go into ``Options``."""
    from flowvision.reading.options import Options

    said = {name: how.pop(name, False) for name in ("as_json", "paste", "opened", "verbose", "quiet")}
    if said["paste"] and shots:
        raise click.UsageError("Either --paste or files, not both.")
    if not (said["paste"] or shots or is_piped()):
        raise click.UsageError("Which screenshot? Name its file, or `-` for one that comes through a pipe.")
    debug = page_folder(how.pop("debug"), said["opened"])
    fixed = corrections_of(*(how.pop(name) for name in ("cells", "board")))
    shots = shots or (STANDARD,)
    if is_drawn:
        _refuse_place(shots)
    named = ("clipboard",) if said["paste"] else tuple(screenshots_among(shots, said["quiet"]))
    options = Options(seconds=how.pop("limit"), corrections=fixed, **how)
    return Invocation(named, options, debug=debug, **said)


def _refuse_place(shots: Sequence[str]) -> None:
    """Raise ``UsageError`` for a second name meant as the place of the solution."""
    if len(shots) != 2 or STANDARD in shots or not os.path.isfile(shots[0]) or os.path.lexists(shots[1]):
        return
    if os.path.splitext(shots[1])[1].lower() in SUFFIXES:
        import shlex

        command = shlex.join(["flowvision", shots[0], "-o", shots[1]])
        raise click.UsageError(f"There is no {shots[1]}. To write the solution there: `{command}`.")


def run_shots(handle: Callable[[str], Report], given: Invocation) -> ExitCode:
    """Handle and report every screenshot in order; return the exit code of the run."""
    keep_freed()
    codes = list[ExitCode]()
    for shot in given.shots:
        if codes:
            gc.collect(0)  # the picture of an error lies in a ring: error, traceback, frame
        try:
            if not given.paste:
                check_source(shot)
            report = handle(shot)
        except FlowvisionError as error:
            codes.append(_print_failure(shot, error, given))
        except BrokenPipeError:  # nobody reads on: the end, and no fault
            raise
        except Exception as unforeseen:
            if isinstance(unforeseen, ImportError) and missing_library(unforeseen):
                raise  # without it no other screenshot can be looked at either
            crashed = crash_of(unforeseen)
            crashed.__cause__ = unforeseen
            if not shortage_of(unforeseen):
                keep_fault(unforeseen)
            codes.append(_print_failure(shot, crashed, given))
        else:  # what goes wrong with printing is not the picture's fault: the run ends
            _print_report(shot, report, given)
            codes.append(ExitCode.OK)
    if len(codes) == 1:
        return codes[0]
    return ExitCode.SOME_FAILED if any(codes) else ExitCode.OK


def observed(shot: str, read: Callable[[Any, Options, Observer], Checked], given: Invocation) -> Checked:
    """Run ``read`` on a screenshot; write the debug folder and stage times if requested."""
    steps: list[Step] = []

    def observe(step: Step) -> None:
        steps.append(step)
        if given.verbose:
            _print_step(shot, step)

    try:
        with still_looking(shot), stopping_after(given.options.seconds + GRACE_SECONDS):
            checked = read(_pasted() if given.paste else shot, given.options, observe)
    except FlowvisionError as error:
        _write_debug(shot, steps, error, given)
        _note_what_was_seen(error)
        raise
    _write_debug(shot, steps, checked, given)
    return checked


def _write_debug(shot: str, steps: Sequence[Step], final: Final, given: Invocation) -> None:
    """Write the debug folder of a screenshot if requested, and open its page."""
    if given.debug is None:
        return
    folder = given.debug / folder_name(shot, given.shots) if len(given.shots) > 1 else given.debug
    page = write_page(folder, steps, given.options, final)
    if not (given.quiet or isinstance(final, FlowvisionError)):
        click.echo(f"{shot}: every stage in {click.format_filename(page)}", err=True)
    if given.opened:
        open_page(page)


def _pasted() -> Screenshot:
    from flowvision.export.clipboard import paste_picture

    return paste_picture()


SEEN = "Read so far, to be corrected with `--set ROW,COLUMN=MARK` or `--board FILE`"
"""Line above the board of a refused picture."""


def _note_what_was_seen(error: FlowvisionError) -> None:
    """Add the board that was seen to the error, to be corrected.

    Not if an option is wrong, or a popup covers cells: rows and columns are wrong then.
    """
    cause, draft = error.cause, error.details.get("draft")
    is_another = cause is not None and (bool(cause.option) or bool(cause.facts.get("window")))
    if draft is None and (is_another or not any(step.stage == "sides" for step in error.steps)):
        return
    from flowvision.diagnosis import draft_of_error
    from flowvision.puzzle.text import format_drawn

    words = "With the corrections"
    if draft is None:
        words, draft = SEEN, draft_of_error(error)
    if draft is not None and draft.free is None and draft.seen:
        rows = format_drawn(draft.drawn()).rstrip("\n").replace("\n", "\n    ")
        error.add_note(f"  {words}:\n    {rows}")


def _print_report(shot: str, report: Report, given: Invocation) -> None:
    several = len(given.shots) > 1
    if given.as_json:
        from flowvision.contract import json_line

        click.echo(json_line(report.described))
    elif report.text is not None and not given.quiet:
        if several:
            click.echo(f"{click.format_filename(shot)}:")
        click.echo(report.text, color=True)
        if several:
            click.echo()
    for note in () if given.quiet else report.notes:
        click.echo(f"{click.format_filename(shot)}: {note}", err=True)


def _print_failure(shot: str, error: FlowvisionError, given: Invocation) -> ExitCode:
    """Print the error of a screenshot; return its exit code."""
    if given.as_json:
        from flowvision.contract import error_object, json_line

        click.echo(json_line(error_object(shot, error)))
    if given.verbose:
        if error.code == "crashed":
            import traceback

            traceback.print_exception(error)
        if error.doubt:
            facts = ", ".join(f"{name} {value}" for name, value in error.doubt.facts.items())
            click.echo(f"{shot}: refused: {facts}", err=True)
    show_error(error, shot)
    if error.cause and not given.debug:
        click.echo("  `--debug` shows what was seen.", err=True)
    show_notes(error)
    return error.exit_code


def _print_step(shot: str, step: Step) -> None:
    failed = f"failed: {step.error.stage_message}" if step.error else ""
    words = f"{shot}: {step.stage:9} {step.seconds * 1000:7.1f} ms  {failed}"
    click.echo(f"{words}  [{step.name}]" if step.name else words, err=True)


PATIENCE_SECONDS = 1.0
"""Time after which a person wonders whether anything happens."""


@contextmanager
def still_looking(shot: str, seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Tell a person at a terminal that a picture is awaited, or takes longer."""
    if shot == STANDARD and sys.stdin is not None and sys.stdin.isatty():
        click.echo("Waiting for a picture on standard input: `flowvision - < SHOT` sends one.", err=True)
        yield
        return
    if not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    words = f"{click.format_filename(shot)}: still looking …"
    timer = Timer(seconds, lambda: click.echo(words, err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


GRACE_SECONDS = 2.0
"""Clock time after the limit for finishing the attempt at work, and for explaining a refusal."""

LONGEST_SECONDS = 1e6
"""Longest time that a timer is set to."""


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


def page_folder(debug: str | None, is_opened: bool) -> Path | None:
    """Return the folder of debug pages: ``debug``, or a temporary one if they are only opened."""
    if debug is None and not is_opened:
        return None
    from pathlib import Path
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="flowvision-") if debug is None else debug)


def write_page(folder: Path, steps: Sequence[Step], options: Options, final: Final) -> Path:
    """Write the debug folder, and note the path of its page on an error."""
    from flowvision.debug.page import write_story
    from flowvision.debug.story import story_of

    story = story_of(steps, options, final)
    page = write_story(folder, story)
    if isinstance(final, FlowvisionError):
        final.add_note(f"  Why: {page}")
    return page


def open_page(page: Path) -> None:
    """Show a page in the browser."""
    import webbrowser

    webbrowser.open(page.resolve().as_uri())


def folder_name(shot: str, shots: Sequence[str]) -> str:
    """Return the file's name without suffix, numbered if several have the same."""
    stem = stem_of(shot)
    alike = [other for other in shots if stem_of(other) == stem]
    return stem if len(alike) == 1 else f"{stem}-{alike.index(shot) + 1}"


def screenshots_among(files: Sequence[str], quiet: bool = False) -> list[str]:
    """Return the files without solutions that Flowvision wrote, unless nothing else is named.

    ``flowvision *.png`` thus works twice in one folder. Skipped files are named on stderr.
    """
    files = list(dict.fromkeys(files))
    solutions = {file for file in files if file != STANDARD and is_marked(file)} if len(files) > 1 else set()
    if len(files) == 1 and not quiet and files[0] != STANDARD and is_marked(files[0]):
        click.echo(f"{click.format_filename(files[0])}: made by Flowvision, a solution or a hint", err=True)
    if not set(files) - solutions:
        return list(files)
    for file in files:
        if file in solutions and not quiet:
            click.echo(f"{click.format_filename(file)}: skipped, made by Flowvision", err=True)
    return [file for file in files if file not in solutions]


def check_source(file: str) -> None:
    """Raise ``ImageUnreadableError`` for a name that leads nowhere."""
    if not file:
        raise ImageUnreadableError("The name of a file is empty.", "Is a variable in the command empty?")
    if file == STANDARD:
        return
    refuse_url(file)
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        what, hint = f"No such file: {file}", "Check the name; `flowvision --help` lists the commands."
        if set("*?[") & set(file):
            what, hint = f"Nothing matches {file}.", "Check the folder and the suffix."
        raise ImageUnreadableError(what, hint) from None
    except (OSError, ValueError):  # reading it says why, such as a folder that may not be entered
        return
