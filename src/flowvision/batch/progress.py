"""How far a run is, in numbers and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from flowvision.batch.jobs import Failed, Outcome

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
    last_failure: str = ""
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
        """Count an outcome; one of an earlier run says nothing about the rate."""
        self.reused += reused
        if isinstance(outcome, Failed):
            self.codes[outcome.code] += 1
            self.last_failure = f"{printable(outcome.source)}: {printable(outcome.message)}"
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
            codes = ", ".join(f"{count:,} {code}" for code, count in self.codes.most_common())
            line += f", {self.failed:,} failed ({codes})"
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


def printable(text: str) -> str:
    """Text without what would move a terminal's cursor or cannot be encoded: such signs are spelt out."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )
