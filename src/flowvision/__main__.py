"""The command, installed or as ``python -m flowvision``."""

from __future__ import annotations

import os

INTERRUPTED = 130
"""Exit code after Ctrl-C; ``errors.ExitCode`` may not be loaded yet."""


def run() -> None:
    """Load the command line and run it; it does not return."""
    try:
        import flowvision.cli  # `from flowvision import cli` first asks the package for a name like it

        flowvision.cli.run()
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
