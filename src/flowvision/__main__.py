"""The command, installed or as ``python -m flowvision``."""

from __future__ import annotations

import os

INTERRUPTED = 130
"""The exit code after Ctrl-C; ``errors.ExitCode`` is not loaded yet."""
TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all that comes before Ctrl-C is taken

try:
    import signal
except KeyboardInterrupt:
    os._exit(INTERRUPTED)

if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn


def _on_interrupt(number: int, frame: FrameType | None) -> None:
    """Ctrl-C: while a module is being imported the process ends at once, otherwise ``KeyboardInterrupt``.

    Raised within an import it would end in a traceback of imports, or be swallowed by C code that leaves a
    module half made; and nothing has been begun that would have to be put away.
    """
    here = frame
    while here is not None:
        if here.f_code.co_filename.startswith("<frozen importlib"):
            os._exit(INTERRUPTED)
        here = here.f_back
    signal.default_int_handler(number, frame)


# Not where Ctrl-C is to be ignored, as in the background of a shell.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _on_interrupt)


def run() -> NoReturn:
    """Load the command line and run it."""
    try:
        import flowvision.cli  # `from flowvision import cli` first asks the package for a name like it

        flowvision.cli.run()
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
