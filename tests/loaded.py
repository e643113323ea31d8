"""Which modules a program loads."""

from __future__ import annotations

import subprocess
import sys


def modules_after(code: str) -> set[str]:
    """The modules that are loaded after running ``code`` in a fresh interpreter, by their full names."""
    script = f"{code}\nimport sys; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())
