"""Flowvision: drop in a screenshot of a Flow Free board, get the solved picture back.

    from flowvision import solve_image
    answer = solve_image("shot.png")

Every public name is here, and is loaded when it is first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flowvision.version import VERSION

__version__ = VERSION

if TYPE_CHECKING:
    from flowvision.api.calls import (
        count_solutions,
        debug_page,
        draw_puzzle,
        generate_puzzle,
        parse_puzzle,
        puzzle_svg,
        read_image,
        solve_folder,
        solve_image,
        solve_puzzle,
    )
    from flowvision.api.results import Answer, Flow, HintSteps, ReadBoard, SolvedPuzzle
    from flowvision.corrections.correction import SetBoard, SetCell, SetColour, SetWall, SetWarp
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
        PhoneError,
        PlayError,
        PuzzleInvalidError,
        UnsolvableError,
    )
    from flowvision.events import Recorder, StageDone, StageFailed
    from flowvision.image.picture import Frame, Rgb, Screenshot
    from flowvision.puzzle.forms import NamedPuzzle
    from flowvision.puzzle.layout import Board, Cell, Lattice, Layout
    from flowvision.puzzle.model import Graph, Path, Puzzle, Solution
    from flowvision.puzzle.text import format_puzzle, parse
    from flowvision.reading.options import Options
    from flowvision.reading.result import CheckedReading
    from flowvision.render.look import Look
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
    "Flow",
    "FlowvisionError",
    "Frame",
    "GaveUp",
    "GaveUpError",
    "Graph",
    "GridNotFoundError",
    "HintSteps",
    "ImageUnreadableError",
    "Lattice",
    "Layout",
    "Limits",
    "Look",
    "MissingExtraError",
    "NamedPuzzle",
    "OddDotsError",
    "Options",
    "OutputError",
    "Path",
    "PhoneError",
    "PlayError",
    "Puzzle",
    "PuzzleInvalidError",
    "ReadBoard",
    "Reading",
    "Recorder",
    "Rgb",
    "Screenshot",
    "SetBoard",
    "SetCell",
    "SetColour",
    "SetWall",
    "SetWarp",
    "Settings",
    "Solution",
    "Solved",
    "SolvedPuzzle",
    "StageDone",
    "StageFailed",
    "Unsolvable",
    "UnsolvableError",
    "__version__",
    "count_solutions",
    "debug_page",
    "draw_puzzle",
    "format_puzzle",
    "generate_puzzle",
    "parse",
    "parse_puzzle",
    "puzzle_svg",
    "read_image",
    "solve",
    "solve_folder",
    "solve_image",
    "solve_puzzle",
]

_HOMES = {
    "errors": [name for name in __all__ if name.endswith("Error")] + ["ExitCode"],
    "image.picture": ["Frame", "Rgb", "Screenshot"],
    "reading.options": ["Options"],
    "api.calls": [
        "count_solutions",
        "debug_page",
        "draw_puzzle",
        "generate_puzzle",
        "parse_puzzle",
        "puzzle_svg",
        "read_image",
        "solve_folder",
        "solve_image",
        "solve_puzzle",
    ],
    "api.results": ["Answer", "Flow", "HintSteps", "ReadBoard", "SolvedPuzzle"],
    "corrections.correction": ["SetBoard", "SetCell", "SetColour", "SetWall", "SetWarp"],
    "puzzle.forms": ["NamedPuzzle"],
    "render.look": ["Look"],
    "reading.result": ["CheckedReading"],
    "puzzle.layout": ["Board", "Cell", "Lattice", "Layout"],
    "puzzle.model": ["Graph", "Path", "Puzzle", "Solution"],
    "puzzle.text": ["format_puzzle", "parse"],
    "solvers": ["GaveUp", "Limits", "Solved", "Unsolvable", "solve"],
    "vision.reading": ["Reading"],
    "vision.settings": ["Settings"],
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
    raise AttributeError(
        f"module 'flowvision' has no attribute {name!r}", name=name, obj=sys.modules[__name__]
    )
