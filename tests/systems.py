"""Marks for tests of what only some systems have."""

from __future__ import annotations

import signal
import sys

import pytest

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals, pipes, limits and rights of POSIX")
interruptible = pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
    reason="Ctrl-C is ignored in processes that a script starts in the background",
)
