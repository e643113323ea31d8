"""Where the pictures to measure on lie."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def shared_folder() -> Path | None:
    """Other people's pictures and puzzles: FLOWVISION_DATA, or else ``shared`` beside the checkout."""
    folder = Path(os.environ.get("FLOWVISION_DATA") or ROOT.parent / "shared")
    return folder if folder.is_dir() else None
