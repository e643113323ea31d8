"""Runs in the browser's Python: read a picture, and draw its answer."""

import json
import traceback
from pathlib import Path
from typing import Any

from flowvision import FlowvisionError, solve_image
from flowvision.errors import CrashedError

SECONDS = 300.0
"""The stand-ins copy every array: large boards take fifty times as long as without them."""


def read(path: str, drawn: str) -> str:
    """Return grid and paths of the picture as JSON, or the error; ``drawn``: where to write the answer."""
    try:
        answer = solve_image(Path(path).read_bytes(), seconds=SECONDS)
    except FlowvisionError as error:
        if isinstance(error, CrashedError):
            traceback.print_exception(error)
        return json.dumps({"error": error.code})
    result: dict[str, Any] = {"grid": answer.grid, "paths": [flow.path for flow in answer.flows]}
    if drawn:
        answer.save(drawn, force=True)
    return json.dumps(result)
