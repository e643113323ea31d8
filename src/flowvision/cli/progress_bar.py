"""How far a batch is: a bar on a terminal, lines every few seconds elsewhere, or nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import click

from flowvision.batch.jobs import Failed, Outcome
from flowvision.batch.progress import Progress, duration, printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress as Bar

LINE_SECONDS = 5.0
"""Between two lines where there is no terminal."""

Observe = Callable[[Outcome, bool], None]


@contextmanager
def shown(progress: Progress, quiet: bool, printing: bool = False) -> Iterator[Observe]:
    """What is to be told every outcome, and whether it is of an earlier run.

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
        if isinstance(outcome, Failed) and not reused:
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
            if progress.last_failure:
                yield Text(progress.last_failure, "red", overflow="ellipsis", no_wrap=True)

    columns = (BarColumn(None), MofNCompleteColumn(), Counts(Column(no_wrap=True)))
    return WithFailure(
        *columns,
        console=Console(stderr=True),
        refresh_per_second=4,
        expand=True,
        redirect_stdout=False,  # what is printed there is data
    )
