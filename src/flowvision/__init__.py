"""Flowvision: drop in a screenshot of a Flow Free board, get the solved picture back.

    from flowvision import solve_image
    answer = solve_image("shot.png")

Every public name is here, and is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from flowvision.debug import debug_page
    from flowvision.errors import (
        AmbiguousColoursError,
        BoardNotFoundError,
        ClusterError,
        CrashedError,
        DotsError,
        DoubtfulReadingError,
        ExitCode,
        FlowvisionError,
        GaveUpError,
        GridNotFoundError,
        ImageUnreadableError,
        MissingExtraError,
        OddDotsError,
        OutputError,
        PuzzleInvalidError,
        UnsolvableError,
    )
    from flowvision.events import Recorder, StageDone, StageFailed
    from flowvision.image.picture import Frame, Rgb, Screenshot
    from flowvision.pipeline import Answer, read_image, solve_image
    from flowvision.puzzle.layout import Board, Cell, Lattice, Layout
    from flowvision.puzzle.model import Graph, Path, Puzzle, Solution
    from flowvision.puzzle.text import format_puzzle, parse
    from flowvision.reading.options import Options
    from flowvision.reading.result import CheckedReading
    from flowvision.solvers import GaveUp, Limits, Solved, Unsolvable, solve
    from flowvision.vision.reading import Reading
    from flowvision.vision.settings import Settings

__all__ = [
    "AmbiguousColoursError",
    "Answer",
    "Board",
    "BoardNotFoundError",
    "Cell",
    "CheckedReading",
    "ClusterError",
    "CrashedError",
    "DotsError",
    "DoubtfulReadingError",
    "ExitCode",
    "FlowvisionError",
    "Frame",
    "GaveUp",
    "GaveUpError",
    "Graph",
    "GridNotFoundError",
    "ImageUnreadableError",
    "Lattice",
    "Layout",
    "Limits",
    "MissingExtraError",
    "OddDotsError",
    "Options",
    "OutputError",
    "Path",
    "Puzzle",
    "PuzzleInvalidError",
    "Reading",
    "Recorder",
    "Rgb",
    "Screenshot",
    "Settings",
    "Solution",
    "Solved",
    "StageDone",
    "StageFailed",
    "Unsolvable",
    "UnsolvableError",
    "__version__",
    "debug_page",
    "format_puzzle",
    "parse",
    "read_image",
    "solve",
    "solve_image",
]

_HOMES = {
    "errors": [name for name in __all__ if name.endswith("Error")] + ["ExitCode"],
    "image.picture": ["Frame", "Rgb", "Screenshot"],
    "reading.options": ["Options"],
    "pipeline": ["Answer", "read_image", "solve_image"],
    "reading.result": ["CheckedReading"],
    "puzzle.layout": ["Board", "Cell", "Lattice", "Layout"],
    "puzzle.model": ["Graph", "Path", "Puzzle", "Solution"],
    "puzzle.text": ["format_puzzle", "parse"],
    "solvers": ["GaveUp", "Limits", "Solved", "Unsolvable", "solve"],
    "vision.reading": ["Reading"],
    "vision.settings": ["Settings"],
    "debug": ["debug_page"],
    "events": ["Recorder", "StageDone", "StageFailed"],
}


def __dir__() -> list[str]:
    """The public names, for tab completion and ``help``."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Load the module that a public name lives in (PEP 562): ``import flowvision`` loads nothing else."""
    for module, names in _HOMES.items():
        if name in names:
            try:
                return getattr(import_module(f"flowvision.{module}"), name)
            except ImportError as error:
                from flowvision.errors import missing_library

                if missing := missing_library(error):
                    raise missing from error
                raise
    raise AttributeError(f"module 'flowvision' has no attribute {name!r}")
