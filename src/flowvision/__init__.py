"""Flowvision: drop in a screenshot of a Flow Free board, get the solved picture back.

    from flowvision import FlowvisionError, solve_image
    answer = solve_image("shot.png")     # or bytes, an open file, a Pillow image, pixels
    print(answer)                        # the solved board in letters
    answer.save("solved.png")            # or .gif, .svg, .pdf, … : the suffix says the form

solve_image(source, Options(…))          an Answer; read_image: a ReadBoard, not solved
solve_folder(folder)                     (path, Answer or error) of every picture in it
debug_page(answer or error)              the page that shows how a picture was read; .save("why.html")
solve_puzzle(text)                       a SolvedPuzzle; text in any written form, or a file of it
parse_puzzle, count_solutions, generate_puzzle, draw_puzzle, puzzle_svg     puzzles without a picture

Answer          grid, solution, flows, unique, confidence, warnings, image, hint(), corrected(), to_dict()
Flow            letter, colour, rgb, ends, path, path_px: cells are (row, column) from 0
Options         what is known and allowed: seconds, grid="6x8", colours, crop, rotate, corrections
Look            what is drawn: letters, arrows
SetCell, SetBoard                                   corrections of what was read
FlowvisionError                                     the parent of all errors: code, stage, str(error)

Recipes: docs/library.md. Every public name is in dir(flowvision), and is loaded when it is first used;
help(flowvision.Answer) and the like describe the classes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import chain

from flowvision.version import VERSION

__version__ = VERSION

TYPE_CHECKING = (
    False  # as in `typing`: half of the time before the command can take a Ctrl-C went into loading it
)
if TYPE_CHECKING:
    from typing import Any

    from flowvision.api.calls import (
        count_solutions as count_solutions,
        debug_page as debug_page,
        draw_puzzle as draw_puzzle,
        generate_puzzle as generate_puzzle,
        parse_puzzle as parse_puzzle,
        puzzle_svg as puzzle_svg,
        read_image as read_image,
        solve_folder as solve_folder,
        solve_image as solve_image,
        solve_puzzle as solve_puzzle,
    )
    from flowvision.api.results import (
        Answer as Answer,
        Flow as Flow,
        HintSteps as HintSteps,
        ReadBoard as ReadBoard,
        SolvedPuzzle as SolvedPuzzle,
    )
    from flowvision.corrections.correction import SetBoard as SetBoard, SetCell as SetCell
    from flowvision.errors import (
        AmbiguousColoursError as AmbiguousColoursError,
        BoardNotFoundError as BoardNotFoundError,
        ClusterError as ClusterError,
        CrashedError as CrashedError,
        DotsError as DotsError,
        DoubtfulReadingError as DoubtfulReadingError,
        ExitCode as ExitCode,
        FlowvisionError as FlowvisionError,
        GaveUpError as GaveUpError,
        GridNotFoundError as GridNotFoundError,
        ImageUnreadableError as ImageUnreadableError,
        MissingExtraError as MissingExtraError,
        OddDotsError as OddDotsError,
        OutputError as OutputError,
        PhoneError as PhoneError,
        PlayError as PlayError,
        PuzzleInvalidError as PuzzleInvalidError,
        ShortageError as ShortageError,
        UnsolvableError as UnsolvableError,
    )
    from flowvision.log import Step as Step
    from flowvision.image.picture import Frame as Frame, Rgb as Rgb, Screenshot as Screenshot
    from flowvision.puzzle.formats import NamedPuzzle as NamedPuzzle
    from flowvision.puzzle.layout import Board as Board, Cell as Cell, Lattice as Lattice, Layout as Layout
    from flowvision.puzzle.model import Graph as Graph, Path as Path, Puzzle as Puzzle, Solution as Solution
    from flowvision.puzzle.text import format_puzzle as format_puzzle, parse as parse
    from flowvision.reading.options import Options as Options
    from flowvision.reading.candidates import CheckedReading as CheckedReading
    from flowvision.render.look import Look as Look
    from flowvision.solvers import (
        GaveUp as GaveUp,
        Limits as Limits,
        Solved as Solved,
        Unsolvable as Unsolvable,
        solve as solve,
    )
    from flowvision.vision.assembly import Reading as Reading
    from flowvision.vision.settings import Settings as Settings

_HOMES = {
    "errors": [
        "AmbiguousColoursError",
        "BoardNotFoundError",
        "ClusterError",
        "CrashedError",
        "DotsError",
        "DoubtfulReadingError",
        "ExitCode",
        "FlowvisionError",
        "GaveUpError",
        "GridNotFoundError",
        "ImageUnreadableError",
        "MissingExtraError",
        "OddDotsError",
        "OutputError",
        "PhoneError",
        "PlayError",
        "PuzzleInvalidError",
        "ShortageError",
        "UnsolvableError",
    ],
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
    "corrections.correction": ["SetBoard", "SetCell"],
    "puzzle.formats": ["NamedPuzzle"],
    "render.look": ["Look"],
    "reading.candidates": ["CheckedReading"],
    "puzzle.layout": ["Board", "Cell", "Lattice", "Layout"],
    "puzzle.model": ["Graph", "Path", "Puzzle", "Solution"],
    "puzzle.text": ["format_puzzle", "parse"],
    "solvers": ["GaveUp", "Limits", "Solved", "Unsolvable", "solve"],
    "vision.assembly": ["Reading"],
    "vision.settings": ["Settings"],
    "log": ["Step"],
}


class _Exported(list[str]):
    """The names that ``import *`` brings.

    ``help`` asks nothing but ``name in __all__`` to know what it is to describe: with the calls alone it fits
    three screens, with every member of every class it takes a hundred.
    """

    def __contains__(self, name: object) -> bool:
        return name in _HOMES["api.calls"]


if not TYPE_CHECKING:  # which takes all names that are imported as themselves above
    # Without `Path`, which would hide that of pathlib.
    __all__ = _Exported(name for name in chain.from_iterable(_HOMES.values()) if name != "Path")  # noqa: PLE0605

INSTEAD = {
    "read": "read_image",
    "load": "read_image",
    "open": "read_image",
    "hint": "solve_image(…).hint()",
    "save": "solve_image(…).save(…)",
    "svg": "solve_image(…).svg()",
    "correct": "solve_image(…).corrected(…)",
    "draw": "draw_puzzle",
    "generate": "generate_puzzle",
    "count": "count_solutions",
    "solve_all": "solve_folder",
    "batch": "solve_folder",
    "read_screenshot": "read_image",
    "hints": "solve_image(…).hints()",
    "explain": "debug_page",
    "SetDot": "SetCell",
    "Correction": "SetCell and SetBoard",
    "solve_picture": "solve_image",
    "solve_screenshot": "solve_image",
    "solve_board": "solve_image",
    "Error": "FlowvisionError",
}
"""What there is, by names that people try; others are compared letter by letter."""


def __dir__() -> list[str]:
    """The public names, for tab completion and ``help``."""
    return sorted(["__version__", *chain.from_iterable(_HOMES.values())])


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
    from flowvision.words import meant_by

    meant = meant_by(name, INSTEAD, __dir__())
    raise AttributeError(
        f"module 'flowvision' has no attribute {name!r}{f'; it has {meant}' if meant else ''}",
        name=name,
        obj=sys.modules[__name__],
    )
