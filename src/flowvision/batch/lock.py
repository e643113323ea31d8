"""One run at a time in an output folder."""

from __future__ import annotations

import sys
from pathlib import Path

from flowvision.errors import OutputError


class Lock:
    """A lock on a file, which the system lets go when its process ends, however that happens.

    Raises ``OutputError`` when another process holds it.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("ab")
        except OSError as error:
            raise OutputError(f"Cannot write {path}: {error.strerror}.") from None
        try:
            _lock(self._file.fileno())
        except OSError:
            self._file.close()
            raise OutputError(
                f"Another run is writing to {path.parent.parent}.",
                "Wait for it, or choose another folder with `-o`.",
            ) from None

    def release(self) -> None:
        """Let others in."""
        self._file.close()


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
