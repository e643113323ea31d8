"""The command, installed or as ``python -m flowvision``."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

INTERRUPTED = 130
"""Exit code after Ctrl-C; ``errors.ExitCode`` may not be loaded yet."""


def run() -> NoReturn:
    """Load and run the command line, and exit at once.

    Shutting down OpenCV, numpy and their threads takes 25 ms, a tenth of a cold run; everything is written
    by then. One thread is faster for the small matrices of a board than starting a pool.
    """
    for name in ("stdout", "stderr"):  # a closed stream; the next file opened would get its number
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000, *gc.get_threshold()[1:])  # more objects than one solve makes: saves 10 ms
    try:
        from flowvision.cli import main

        main()
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    except SystemExit as end:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(end.code if isinstance(end.code, int) else 0)


if __name__ == "__main__":
    run()
