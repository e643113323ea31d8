"""Progress of a batch: a bar on a terminal, lines elsewhere, and a summary."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

import click

from flowvision.batch.jobs import Outcome
from flowvision.words import printable

KINDS = {
    "not a picture": ("image-unreadable",),
    "without a board": ("no-board", "board-not-found", "grid-not-found", "photograph", "no-dots"),
    "another game": ("other-game",),
    "covered by a popup": ("covered",),
    "cut off": ("cut-off", "runs-on", "wrong-crop"),
    "too small, faint or blurred": ("too-small", "faint", "blurred", "damaged", "tinted"),
    "without a solution": ("no-solution", "unsolvable"),
    "out of time": ("gave-up",),
    "not written": ("output-not-written",),
    "crashed": ("crashed", "out-of-resources"),
}
"""Kinds of failures in a summary, and the codes that each counts; others are read in doubt."""
IN_DOUBT = "read in doubt"


@dataclass(slots=True)
class Progress:
    """Counts of a run of ``total`` jobs; ``reused``: outcomes of an earlier run."""

    total: int
    solved: int = 0
    reused: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def failed(self) -> int:
        """Number of screenshots that were not solved."""
        return self.failures.total()

    @property
    def done(self) -> int:
        """Number of outcomes."""
        return self.solved + self.failed

    def add(self, outcome: Outcome, reused: bool) -> None:
        """Count an outcome."""
        self.reused += reused
        if outcome.code:
            kind = next((kind for kind, codes in KINDS.items() if outcome.code in codes), IN_DOUBT)
            self.failures[kind] += 1
        else:
            self.solved += 1

    def line(self) -> str:
        """Return the counts so far in a line."""
        return f"{self.done:,} of {self.total:,}, {self.solved:,} solved, {self.failed:,} failed"

    def summary(self) -> str:
        """Return the result of the run in a line."""
        line = f"{self.solved:,} of {self.total:,} solved"
        for kind, count in self.failures.most_common():
            line += f", {count:,} {kind}"
        if self.done < self.total:
            line += f", {self.total - self.done:,} not reached"
        if self.reused:
            line += f"; {self.reused:,} were done before"
        return line


LINE_SECONDS = 5.0
"""Seconds between two lines where there is no terminal."""

Observe = Callable[[Outcome, bool], None]


@contextmanager
def shown(progress: Progress, quiet: bool, printing: bool = False) -> Iterator[Observe]:
    """Yield a function to call with every outcome, and whether it is of an earlier run.

    No bar is drawn among objects that are being printed on the same terminal.
    """
    terminal = sys.stderr.isatty() and not (printing and sys.stdout.isatty())
    if quiet:
        yield progress.add
    elif terminal and os.environ.get("TERM") != "dumb":
        with _bar(progress) as observe:
            yield observe
    else:
        yield _lines(progress)


def _lines(progress: Progress) -> Observe:
    """Print a line for every failure, and one every few seconds."""
    last = monotonic()

    def observe(outcome: Outcome, reused: bool) -> None:
        nonlocal last
        progress.add(outcome, reused)
        if outcome.code and not reused:
            click.echo(f"{printable(outcome.source)}: {printable(outcome.message)}", err=True)
        if monotonic() - last >= LINE_SECONDS:
            last = monotonic()
            click.echo(progress.line(), err=True)

    return observe


@contextmanager
def _bar(progress: Progress) -> Iterator[Observe]:
    """Draw a bar with the time left and the counts, below the failures; it shows what is new."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
    console = Console(stderr=True, highlight=False)
    # What is printed on stdout is data.
    with Bar(*columns, console=console, refresh_per_second=4, expand=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=progress.total)

        def observe(outcome: Outcome, reused: bool) -> None:
            progress.add(outcome, reused)
            if outcome.code and not reused:
                console.print(f"{printable(outcome.source)}: {printable(outcome.message)}", markup=False)
            counts = f"[green]{progress.solved:,} solved[/]  [red]{progress.failed:,} failed[/]"
            new, left = progress.done - progress.reused, progress.total - progress.reused
            bar.update(task, completed=new, total=left, description=counts)

        yield observe
