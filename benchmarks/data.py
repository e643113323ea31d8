"""Pictures to measure on, and the bare cost of decoding and encoding them."""

from __future__ import annotations

import argparse
import os
import resource
import sys
from pathlib import Path

import cv2
import numpy as np

from flowvision.image.picture import Bgr
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle.layout import NamedPuzzle

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
"""The checkout: benchmarks import the tools of its tests."""


def options(doc: str) -> argparse.ArgumentParser:
    """A parser whose ``--help`` is the docstring of a benchmark, as it stands there."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawTextHelpFormatter)


def shared_folder() -> Path | None:
    """Other people's pictures and puzzles: FLOWVISION_DATA, or else ``shared`` beside the checkout."""
    folder = Path(os.environ.get("FLOWVISION_DATA") or ROOT.parent / "shared")
    return folder if folder.is_dir() else None


def levels(name: str) -> list[NamedPuzzle]:
    """The puzzles of one file of the shared folder. Exits when it is not here."""
    folder = shared_folder()
    if folder is None:
        raise SystemExit("The shared puzzles are not here: set FLOWVISION_DATA.")
    puzzles = puzzles_in((folder / "puzzles" / f"{name}.jsonl").read_text())
    return [puzzle for puzzle in puzzles if isinstance(puzzle, NamedPuzzle)]


def as_opencv(data: bytes) -> bytes:
    """The picture as PNG at OpenCV's defaults: what reading and writing it costs anybody."""
    return cv2.imencode(".png", cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))[1].tobytes()


def keep_picture(folder: Path | None, name: str, bgr: Bgr) -> None:
    """Write a picture to a folder, which is made; not without one."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"{name}.png".replace(" ", "_").replace("/", "-")), bgr)


def busy_seconds() -> float:
    """Return the processor time of this process and of those that it waited for."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
