"""One screenshot after another in one process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

from tests.systems import posix_only

RUN = """
import resource, sys
from flowvision.cli import main
try:
    main(["read", *sys.argv[1:]])
except SystemExit as left:
    print(left.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def most_memory(shots: list[str]) -> int:
    """The most memory that a run needs which refuses all of them, in units of the system's own."""
    done = subprocess.run([sys.executable, "-c", RUN, *shots], capture_output=True, text=True, check=True)
    code, most = done.stderr.splitlines()[-1].split()
    assert code == "11"
    return int(most)


@posix_only
def test_pictures_that_were_refused_are_let_go(tmp_path: Path) -> None:
    """Thirty need hardly more memory than three, though error, traceback and frames hold one another."""
    picture = np.full((2400, 1080, 3), 60, np.uint8)
    cv2.circle(picture, (500, 900), 200, (30, 200, 90), -1)
    shots = [str(tmp_path / f"{number}.png") for number in range(30)]
    for shot in shots:
        cv2.imwrite(shot, picture)
    assert most_memory(shots) < 1.5 * most_memory(shots[:3])
