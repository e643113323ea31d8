"""OpenCV's extension without the Python files beside it, which serve parts of OpenCV that are not used here.

``import cv2`` loads its extension, copies all names of it, and looks for Python files of each of 25 parts,
most of which have none: 7 ms of a cold run.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import module_from_spec


def load_extension() -> None:
    """Make the extension in OpenCV's package the module ``cv2``; its other parts can still be imported.

    Where there is no such file, or it does not load, nothing is done: ``import cv2`` works, or says why not.
    """
    package = None if "cv2" in sys.modules or os.name != "posix" else PathFinder.find_spec("cv2")
    for folder in (package and package.submodule_search_locations) or ():
        for suffix in EXTENSION_SUFFIXES:
            if os.path.isfile(file := os.path.join(folder, f"cv2{suffix}")):
                spec = ModuleSpec("cv2", ExtensionFileLoader("cv2", file), origin=file)
                spec.submodule_search_locations = [folder]
                _load(spec)
                return


def _load(spec: ModuleSpec) -> None:
    """Import a module as the import system does once it has found it."""
    assert spec.loader is not None
    try:
        sys.modules[spec.name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:
        sys.modules.pop(spec.name, None)
