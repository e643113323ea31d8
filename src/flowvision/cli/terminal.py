"""Standard streams, which may be closed, and the colours of a terminal."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from flowvision.render.text import Depth


def open_closed_streams() -> None:
    """Open closed standard streams on the null device.

    Otherwise the next opened file gets the stream's number, and what is printed is written into it.
    ``sys.stdin`` stays ``None``.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


class _Courtesy(io.FileIO):
    """An output stream that drops what is written once its reader has gone."""

    def write(self, data: ReadableBuffer) -> int:
        """Write, or drop, all of it."""
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return super().write(data)


def outlive_readers() -> None:
    """Go on without a reader of stdout and stderr: files are the job, the text is a courtesy."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if type(stream) is io.TextIOWrapper and not stream.isatty():  # as Python opens it
            buffer = io.BufferedWriter(_Courtesy(stream.fileno(), "w", closefd=False))
            lines = stream.line_buffering
            setattr(sys, name, io.TextIOWrapper(buffer, stream.encoding, stream.errors, line_buffering=lines))


def discard_output() -> None:
    """Send the rest of stdout to the null device, so that Python reports no error at the end."""
    with suppress(OSError, ValueError):  # ``ValueError``: a stream without a number, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def depth() -> Depth:
    """Return the bits of the colours that stdout shows, 0 for none."""
    from flowvision.render.text import depth_of

    return depth_of(os.environ, sys.stdout.isatty())
