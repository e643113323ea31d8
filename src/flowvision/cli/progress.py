"""How far a batch is: counted, and shown as a bar on a terminal, as lines elsewhere, or not at all."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import click

from flowvision.batch.jobs import Outcome
from flowvision.words import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar


RECENT_SECONDS = 60.0
"""The rate is that of about the last minute: a folder may change from small pictures to large ones."""


@dataclass(slots=True)
class Progress:
    """Counts of a run of ``total`` jobs; ``clock`` gives seconds."""

    total: int
    clock: Callable[[], float] = monotonic
    solved: int = 0
    reused: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    last_failure: tuple[str, str] = ("", "")
    rate: float = 0.0
    _since: tuple[float, int] = (0.0, 0)
    _before: tuple[float, int] = (0.0, 0)

    def __post_init__(self) -> None:
        self._since = self._before = (self.clock(), 0)

    @property
    def failed(self) -> int:
        """How many screenshots were not solved."""
        return self.codes.total()

    @property
    def done(self) -> int:
        """How many have an outcome."""
        return self.solved + self.failed

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take; ``None`` while nothing says how fast it goes."""
        return (self.total - self.done) / self.rate if self.rate else None

    def add(self, outcome: Outcome, reused: bool) -> None:
        """Count an outcome; one of an earlier run says nothing about the rate, nor does the look at it."""
        self.reused += reused
        if self.done < self.reused:  # nothing is new so far
            self._since = self._before = (self.clock(), 0)
        if outcome.code:
            self.codes[outcome.code] += 1
            self.last_failure = printable(outcome.source), printable(outcome.message)
        else:
            self.solved += 1
        self._measure()

    def _measure(self) -> None:
        """Screenshots a second, since between one and two times the recent seconds ago."""
        now, fresh = self.clock(), self.done - self.reused
        if now - self._since[0] > RECENT_SECONDS:
            self._before, self._since = self._since, (now, fresh)
        start, count = self._before
        self.rate = (fresh - count) / (now - start) if now > start else 0.0

    def failure(self, width: int) -> str:
        """The last failure in a line; a long path loses its beginning, so that the reason fits."""
        path, message = self.last_failure
        room = max(12, width // 3)
        shown = path if len(path) <= room else f"…{path[1 - room :]}"
        return f"{shown}: {message}" if message else ""

    def line(self) -> str:
        """Where the run stands, in one line."""
        parts = [f"{self.done:,} of {self.total:,}", f"{self.solved:,} solved", f"{self.failed:,} failed"]
        if self.rate:
            parts.append(f"{self.rate:.1f} a second")
        if self.seconds_left and self.done < self.total:
            parts.append(f"{duration(self.seconds_left)} left")
        return ", ".join(parts)

    def summary(self) -> str:
        """What came of it, in one line."""
        line = f"{self.solved:,} of {self.total:,} solved"
        if self.failed:
            counts = ", ".join(
                f"{count:,} {code.replace('-', ' ')}" for code, count in self.codes.most_common()
            )
            line += f", {self.failed:,} failed ({counts})"
        if self.done < self.total:
            line += f", {self.total - self.done:,} not reached"
        if self.reused:
            line += f"; {self.reused:,} were done before"
        return line


def duration(seconds: float) -> str:
    """``9 s``, ``3 min 20 s``, ``5 h 07 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02} min"


LINE_SECONDS = 5.0
"""Between two lines where there is no terminal."""

Observe = Callable[[Outcome, bool], None]


@contextmanager
def shown(progress: Progress, quiet: bool, printing: bool = False) -> Iterator[Observe]:
    """A function to call with every outcome, and whether it is of an earlier run.

    A bar is not drawn among objects that are being printed on the same terminal.
    """
    terminal = sys.stderr.isatty() and not (printing and sys.stdout.isatty())
    if quiet:
        yield progress.add
    elif terminal and os.environ.get("TERM") != "dumb":
        with _bar(progress) as bar:
            task = bar.add_task("", total=progress.total)

            def advance(outcome: Outcome, reused: bool) -> None:
                progress.add(outcome, reused)
                bar.update(task, completed=progress.done)

            yield advance
    else:
        yield _Lines(progress)


class _Lines:
    """A line for every failure, and one every few seconds."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.said = monotonic()

    def __call__(self, outcome: Outcome, reused: bool) -> None:
        self.progress.add(outcome, reused)
        if outcome.code and not reused:
            click.echo(f"{printable(outcome.source)}: {printable(outcome.message)}", err=True)
        if monotonic() - self.said >= LINE_SECONDS:
            self.said = monotonic()
            click.echo(self.progress.line(), err=True)


def _bar(progress: Progress) -> Bar:
    """A bar with rate, time left and counts; below it the last failure."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task
    from rich.progress import Progress as Bar
    from rich.table import Column
    from rich.text import Text

    class Counts(ProgressColumn):
        def render(self, task: Task) -> Text:
            left = progress.seconds_left
            return Text.assemble(
                f"{progress.rate:.1f}/s  ",
                "" if left is None else f"{duration(left)} left  ",
                (f"{progress.solved:,} solved", "green"),
                (f"  {progress.failed:,} failed", "red" if progress.failed else "dim"),
            )

    class WithFailure(Bar):
        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            if failure := progress.failure(console.width):
                yield Text(failure, "red", overflow="ellipsis", no_wrap=True)

    console = Console(stderr=True)
    columns = (BarColumn(None), MofNCompleteColumn(), Counts(Column(no_wrap=True)))
    return WithFailure(
        *columns,
        console=console,
        refresh_per_second=4,
        expand=True,
        redirect_stdout=False,  # what is printed there is data
    )
