"""Where a command prints: streams that may be closed, and a terminal, its colours and pictures."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flowvision.image.picture import Bgr
    from flowvision.reading.candidates import CheckedReading
    from flowvision.render.terminal import Depth

ANSWER_SECONDS = 0.3
"""How long a terminal may take to say what it can; it answers in milliseconds, or never."""


def open_closed_streams() -> None:
    """Give a process that was started with closed streams others that lead nowhere.

    Else the next file that is opened would take the stream's number, and be written to by whatever prints
    there. ``sys.stdin`` stays ``None``: nothing can be read from it.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8")


def discard_output() -> None:
    """Let the rest of stdout lead nowhere, so that Python does not complain at the end."""
    with suppress(OSError, ValueError):  # ``ValueError``: a stream without a number, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def depth() -> Depth:
    """Bits of the colours that stdout shows, 0 for none."""
    from flowvision.render.terminal import depth_of

    return depth_of(os.environ, sys.stdout.isatty())


def board_text(checked: CheckedReading, shown: Collection[int] | None = None) -> str:
    """The solved board in the colours that stdout shows; ``shown``: only these edges of its paths."""
    from flowvision.render.text import solved_text

    reading, solution = checked.reading, checked.outcome.solution
    letters, palette = reading.letters, reading.colours
    return solved_text(reading.board, reading.puzzle, solution, letters, palette, depth(), shown)


def show_picture(bgr: Bgr) -> bool:
    """Put a picture into the terminal; false where it shows none."""
    from flowvision.render.terminal import protocol_of, shown

    protocol = protocol_of(os.environ, _ask) if sys.stdout.isatty() else None
    if protocol is None:
        return False
    sys.stdout.write(shown(bgr, protocol))
    sys.stdout.flush()
    return True


def _ask(question: str) -> str:
    """What the terminal answers, up to a letter ``c``; nothing where it cannot be asked."""
    try:
        from termios import error as refused
    except ImportError:  # Windows
        return ""
    try:
        with _raw_terminal() as number:
            os.write(number, question.encode())
            return _answer(number)
    except (OSError, refused):  # no controlling terminal
        return ""


def _answer(number: int) -> str:
    import select

    answer, end = b"", monotonic() + ANSWER_SECONDS
    while not answer.endswith(b"c"):
        ready, _, _ = select.select([number], [], [], max(0.0, end - monotonic()))
        if not ready:
            break
        answer += os.read(number, 64)
    return answer.decode("ascii", "replace")


@contextmanager
def _raw_terminal() -> Iterator[int]:
    """The controlling terminal, with keys as they come and nothing echoed; as it was before, afterwards."""
    import termios
    import tty

    number = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    try:
        before = termios.tcgetattr(number)
        try:
            tty.setcbreak(number, termios.TCSANOW)
            yield number
        finally:
            termios.tcsetattr(number, termios.TCSANOW, before)
    finally:
        os.close(number)
