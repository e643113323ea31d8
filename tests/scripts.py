"""Scripts of the project that are no modules of the package, imported by their place."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]


def script(place: str) -> ModuleType:
    """The script at a place below the project's root, such as ``samples/make.py``."""
    spec = importlib.util.spec_from_file_location(place.replace("/", "_").removesuffix(".py"), ROOT / place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses look for their module there.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
