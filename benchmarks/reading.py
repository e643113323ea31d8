"""Share of real screenshots read exactly: other people's labelled pictures, not part of this project.

    FLOWVISION_DATA=folder python benchmarks/reading.py [RESULTS.ndjson]

Needs ``screenshots/`` (``images``, ``labels.json``, ``score.py``) in that folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from data import options, shared_folder
from flowvision import solve_image
from flowvision.contract import Object, error_object
from flowvision.errors import FlowvisionError


def read(path: Path) -> Object:
    """The object that ``flowvision read --json`` prints."""
    try:
        return solve_image(path).to_dict(is_solved=False)
    except FlowvisionError as error:
        return error_object(str(path), error)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("results", nargs="?", type=Path, help="kept there [a temporary file]")
    given = parser.parse_args()
    shared = shared_folder()
    if shared is None or not (shared / "screenshots" / "labels.json").exists():
        sys.exit("No labelled screenshots: set FLOWVISION_DATA to the folder that holds them.")
    folder = shared / "screenshots"
    results = given.results or Path(tempfile.mkstemp(suffix=".ndjson")[1])
    start, slowest = perf_counter(), (0.0, "")
    with results.open("w") as lines:
        for path in sorted((folder / "images").iterdir()):
            begun = perf_counter()
            lines.write(json.dumps(read(path)) + "\n")
            slowest = max(slowest, (perf_counter() - begun, path.name))
    print(f"{perf_counter() - start:.1f} s; slowest {slowest[0]:.2f} s: {slowest[1]}")
    arguments = [folder / "score.py", folder / "labels.json", folder / "images", results, "--list"]
    subprocess.run([sys.executable, *arguments], check=True)


if __name__ == "__main__":
    main()
