"""Flowvision: drop in a screenshot of a Flow Free board, get the solved picture back.

    from flowvision import FlowvisionError, solve_image
    answer = solve_image("shot.png")     # or bytes, an open file, a Pillow image, pixels
    print(answer)                        # the solved board in letters
    answer.save("solved.png")            # or .gif, .svg, .pdf, …: the suffix says the form

solve_image(source, grid="5x5")          an Answer
solve_folder(folder)                     (path, Answer) of every picture in it; some have an error
debug_page(answer or error)              the page that shows how a picture was read; .save("why.html")
parse_puzzle(text), generate_puzzle()    a Puzzle without a picture

Answer          grid, solution, size, flows, unique, confidence, warnings, image, save(), hint(), corrected()
Puzzle          grid, size, flows, image, save(), solve(), count()
Flow            letter, colour, rgb, ends, path, path_px: cells are (row, column) from 0
Options         keywords of solve_image: seconds, grid, colours, crop, rotate, keep_drawn, corrections, trust
Look            what is drawn: letters, arrows
SetCell, SetBoard                        corrections of what was read
FlowvisionError                          the parent of all errors (flowvision.errors): code, stage, str(error)

Recipes: docs/library.md. help(flowvision.Answer) and the like describe the classes.
"""

from __future__ import annotations

import sys

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all else here
if TYPE_CHECKING:
    from types import ModuleType

    from flowvision.api import *  # noqa: F403
else:  # type checkers would take a module with `__getattr__` to have any name

    def __getattr__(name: str) -> object:
        """Load the public names when one is used (PEP 562): ``import flowvision`` loads nothing else."""
        if name == "__all__" or (not name.startswith("_") and name in _api().__all__):
            return getattr(_api(), name)
        words, here = f"module 'flowvision' has no attribute {name!r}", sys.modules[__name__]
        raise AttributeError(words, name=name, obj=here)


def __dir__() -> list[str]:
    """Return the public names, for tab completion and ``help``."""
    return sorted(["__version__", *_api().__all__])


def _api() -> ModuleType:
    from importlib import import_module

    return import_module("flowvision.api")
