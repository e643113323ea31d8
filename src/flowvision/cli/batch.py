"""``flowvision batch`` and ``flowvision watch``: folders of screenshots."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from flowvision.cli.options import (
    FILE,
    FOLDER,
    aim_options,
    animate_option,
    flag,
    hint_option,
    json_option,
    look_options,
    number_option,
    options_of,
    output_option,
    quiet_option,
    together,
)
from flowvision.cli.printing import end_line, tell
from flowvision.words import printable

if TYPE_CHECKING:
    from flowvision.batch.jobs import Outcome, Request


LINE_SECONDS = 5.0
"""Seconds between two lines where there is no terminal."""


def _folder(_: click.Context, __: click.Parameter, word: str) -> str:
    """Return the name of the output folder. Raises ``BadParameter`` if it is empty."""
    if not word:
        raise click.BadParameter("it is empty; `.` is the folder you are in.")
    return word


folder_option = output_option("The output folder.", required=True, callback=_folder, type=FOLDER)

request_options = together(
    flag("-r", "--recursive", text="Include subfolders; OUT gets the same tree."),
    number_option("-j", "--jobs", help="Number of processes.  [default: one per core]"),
    click.option(
        "--debug",
        type=click.Choice(("failed", "all")),
        is_flag=False,
        flag_value="failed",
        help="Write a debug page for failed or all screenshots, linked in index.html.  [bare: failed]",
    ),
    hint_option,
    animate_option,
    look_options,
    aim_options,
)


@click.command()
@click.argument("named", nargs=-1, required=True, metavar="FOLDER|PATTERN|FILE…", type=FILE)
@folder_option
@flag("--force", text="Solve everything again.")
@click.option("--dask", metavar="ADDRESS", help="Use a Dask cluster, such as tcp://scheduler:8786.")
@flag("--ship", text="With --dask: send pictures to the workers, which share no disk.")
@json_option("screenshot, in order")
@flag("-q", "--quiet", text="No progress and no summary on stderr.")
@request_options
@click.pass_context
def batch(ctx: click.Context, /, named: tuple[str, ...], output: str, **options: Any) -> None:
    """Solve many screenshots: a FOLDER, a quoted PATTERN, FILEs, or - for a list on stdin.

    OUT gets NAME.solved.png for each, index.html to look through, results.ndjson and summary.csv.
    After an interruption the same command continues. Later runs solve only new or changed screenshots, or
    all of them with --force. A failure does not stop the rest; the exit code is then 11.
    """
    from flowvision.batch.jobs import find_shots, jobs_for, kinds_in_words
    from flowvision.batch.session import Plan, run_plan
    from flowvision.errors import ExitCode, OutputError
    from flowvision.workers import cores

    def say(text: str) -> None:
        if not options["quiet"]:
            tell(printable(text), err=True)

    if options["ship"] and not options["dask"]:
        raise click.UsageError("--ship goes with --dask: processes here share the disk.")
    shots, skipped = find_shots(named, options["recursive"])
    if skipped:
        say(f"Skipped: {kinds_in_words(skipped)}.")
    todo = jobs_for(shots, output, request_of(options))
    count = min(options["jobs"] or cores(), len(todo))
    plan = Plan(todo, output, count, options["force"], options["dask"], options["ship"], say)
    progress = Progress(len(todo), options["quiet"], result_of(options))
    try:
        run_plan(plan, progress.add, tell if options["as_json"] else None)
    except KeyboardInterrupt:
        end_line()
        say(f"Interrupted: {progress.summary()}; the same command continues.")
        ctx.exit(ExitCode.INTERRUPTED)
    except OutputError:
        if progress.done:
            say(f"Stopped: {progress.summary()}; the same command continues.")
        raise
    say(f"{progress.summary()}; see {os.path.join(output, 'index.html')}")
    ctx.exit(ExitCode.SOME_FAILED if progress.failed else ExitCode.OK)


def result_of(options: dict[str, Any]) -> str:
    """Return what every screenshot gets, in words: ``solved`` or ``with a hint``."""
    return "with a hint" if options["hint"] else "solved"


def request_of(options: dict[str, Any]) -> Request:
    """Return the request that the options make."""
    from flowvision.batch.jobs import Request
    from flowvision.render.look import Look

    look = Look(letters=options["letters"], arrows=options["arrows"])
    aim = {name: options[name] for name in ("limit", "grid", "colours", "rotate", "crop")}
    chosen = options_of(**aim)
    return Request(chosen, options["debug"] or "", look, options["hint"], options["animate"])


@click.command()
@click.argument("folder", metavar="FOLDER", type=FOLDER)
@folder_option
@request_options
@quiet_option
def watch(folder: str, output: str, recursive: bool, **options: Any) -> None:
    """Solve the screenshots in FOLDER, and new ones as they appear, until Ctrl-C.

    Suits a folder that a phone's camera roll is synced to. A file is read once it is complete. OUT is the
    same as for `flowvision batch`; a restart continues.
    """
    from flowvision.batch.session import Plan, watch_folder
    from flowvision.workers import cores

    def say(outcome: Outcome) -> None:
        name = printable(outcome.source)
        if outcome.code:
            tell(f"{name}: {printable(outcome.message)}", err=True)
        elif not options["quiet"]:
            tell(f"{name}: {result_of(options)}")

    def remark(text: str) -> None:
        tell(printable(text), err=True)

    def ready() -> None:
        if not options["quiet"]:
            remark(f"Watching {folder}; Ctrl-C ends it.")

    request = request_of(options)
    plan = Plan((), output, options["jobs"] or cores(), tell=remark, request=request)
    watch_folder(folder, plan, recursive, say, ready=ready)


@dataclass(slots=True)
class Progress:
    """Progress of ``total`` jobs, printed on stderr; ``result``: a success in words.

    On a terminal one line is updated; otherwise a line is printed every few seconds. ``reused``: number of
    outcomes of an earlier run. ``codes``: number of outcomes by code, which is empty for solved screenshots.
    ``last``: the time of the last line.
    """

    total: int
    quiet: bool = False
    result: str = "solved"
    reused: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    last: float = field(default_factory=monotonic)

    @property
    def done(self) -> int:
        """Number of outcomes."""
        return self.codes.total()

    @property
    def solved(self) -> int:
        """Number of screenshots that were solved."""
        return self.codes[""]

    @property
    def failed(self) -> int:
        """Number of screenshots that were not solved."""
        return self.done - self.solved

    def add(self, outcome: Outcome, reused: bool) -> None:
        """Count an outcome and print it."""
        self.reused += reused
        self.codes[outcome.code] += 1
        if self.quiet:
            return
        is_terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        start = "\r\x1b[K" if is_terminal else ""  # replaces the line
        if outcome.code and not reused:
            failure = printable(f"{outcome.source}: {outcome.message}")
            tell(f"{start}{failure}", err=True)
        if is_terminal or monotonic() - self.last >= LINE_SECONDS:
            self.last = monotonic()
            progress = f"{self.done:,} of {self.total:,}"
            line = f"{start}{progress}, {self.solved:,} {self.result}, {self.failed:,} failed"
            tell(line, err=True, nl=not is_terminal or self.done == self.total)

    def summary(self) -> str:
        """Return the result of the run in a line, failures by their codes."""
        line = f"{self.solved:,} of {self.total:,} {self.result}"
        for code, count in self.codes.most_common():
            if code:
                line += f", {count:,} {code.replace('-', ' ')}"
        if not_reached := self.total - self.done:
            line += f", {not_reached:,} not reached"
        if self.reused:
            line += f"; {self.reused:,} were done before"
        return line
