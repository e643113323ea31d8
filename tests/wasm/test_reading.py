"""Reading in WebAssembly gives the native board, paths and pixels; `just wasm` fetches what it takes."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.codec import decode
from tests.commands import ROOT
from tests.web.static_files import PYODIDE

FOLDER = Path(os.environ.get("FLOWVISION_WASM", ROOT / "build" / "wasm"))
SHARED = 20
"""Labelled screenshots, where they are, spread evenly."""
LARGEST = 100
"""Cells of their boards: the stand-ins copy every array, and larger boards take minutes."""

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(
        not (FOLDER / "package").exists(), reason=f"nothing in {FOLDER}: `just wasm` fills it"
    ),
    pytest.mark.skipif(shutil.which("node") is None, reason="no Node"),
]


def pictures() -> list[Path]:
    own = sorted(path for path in (ROOT / "samples").iterdir() if path.suffix in (".png", ".jpg"))
    folder = Path(os.environ.get("FLOWVISION_DATA", "")) / "screenshots"
    if not (folder / "labels.json").exists():
        return own
    labels = json.loads((folder / "labels.json").read_text())
    boards = [one for one in labels if one["expect"] == "read" and one["rows"] * one["cols"] <= LARGEST]
    chosen = boards[:: max(1, len(boards) // SHARED)][:SHARED]
    return own + [folder / "images" / one["file"] for one in chosen]


def native(path: Path) -> dict[str, Any]:
    try:
        answer = solve_image(path)
    except FlowvisionError as error:
        return {"error": error.code}
    return json.loads(json.dumps({"grid": answer.grid, "paths": [flow.path for flow in answer.flows]}))


def test_boards_paths_and_pixels_are_the_native_ones(tmp_path: Path) -> None:
    paths, drawn = pictures(), tmp_path / "drawn.png"
    queries = [{"path": str(path), "drawn": str(drawn) if n == 0 else ""} for n, path in enumerate(paths)]
    (tmp_path / "list.json").write_text(json.dumps(queries))
    command = ["node", ROOT / "tests/wasm/run.mjs", FOLDER, ROOT / "src", PYODIDE, tmp_path / "list.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(paths)
    print(
        "\n".join(f"{one.pop('seconds'):6.2f} s {Path(one.pop('path')).name}" for one in found), done.stderr
    )
    assert [path.name for path, one in zip(paths, found, strict=True) if one != native(path)] == []
    solve_image(paths[0]).save(tmp_path / "native.png")
    pixels, expected = (decode(path.read_bytes()).bgr for path in (drawn, tmp_path / "native.png"))
    assert np.array_equal(pixels, expected)
