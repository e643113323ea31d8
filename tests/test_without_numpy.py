"""Puzzles are solved, graded, hinted, generated and drawn as SVG without NumPy and OpenCV."""

import subprocess
import sys

SCRIPT = """
import sys, time
HEAVY = ("numpy", "cv2", "PIL", "scipy", "sklearn", "starlette")
for name in HEAVY:
    sys.modules[name] = None
del time.thread_time

from flowvision.colours import palette_for
from flowvision.puzzle.text import parse
from flowvision.render.svg import SvgBoard, svg_of
from flowvision.render.curves import pieces_of
from flowvision.web.queries import TASKS, about_object, task_named

text = b"R.RG\\n....\\n....\\nB.BG\\n"
for name, place in TASKS.items():
    if place.startswith("puzzles:"):
        assert task_named(name)(text, {"size": "5x5"} if name == "generate" else {}, 30.0), name
assert about_object(1, 1, True, False)["colours"]

from flowvision.solvers import solve
named = parse(text.decode())
solution = solve(named.puzzle).solution
still = pieces_of(solution, range(3), {edge for path in solution.paths for edge in path.edges})
palette = palette_for(named.letters)
drawn = SvgBoard(named.board, named.puzzle, palette, "rgb", named.letters, solution, still, arrows=True)
assert svg_of(drawn).count("fv-pipe") > 3
print("done")
"""


def test_puzzles_need_neither_numpy_nor_opencv() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr
