"""Half-played boards of the game itself: published levels drawn in every state of play, and read.

    FLOWVISION_DATA=folder python benchmarks/played.py [COUNT [SEED]] [-v] [--keep FOLDER]

The levels are other people's and never part of this project. Flows are finished, begun or led astray; tints
are faint, as on new phones, to strong, as on old tablets; a finger may lie on a pipe. Counts boards that are
right, refused, wrong with a warning and in silence, by every trait; names wrong ones, or all with ``-v``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import cv2

from data import keep_picture, levels, options
from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Path as FlowPath
from flowvision.solvers import Solved, solve
from scenes import is_same_board
from tests.tools.synthetic import PHONES, THEMES, Phone, PlayedPath, Style, draw_screenshot

SCREENS = (
    *PHONES.values(),
    Phone("small tablet", 800, 1280), Phone("desktop", 1920, 1080), Phone("window", 1280, 960),
)  # fmt: skip
LOOKS = ("current", "old", "wide")
TINTS = (0.15, 0.31, 0.4, 0.5, 0.62, 0.7)
SIDES_PX = (260, 400, 640, 1000, 1600, 2560)
"""Longer sides of pictures, unless the screen itself is smaller or cells would be."""
LEAST_CELL_PX = 12
LARGEST = 12, 14
"""Rows, and pairs of dots."""


@dataclass(frozen=True)
class Traits:
    """Look of a board, and how its flows are drawn."""

    tint: float
    drawn: float
    astray: bool
    finger: bool
    look: str
    screen: str
    quality: int | None
    cells: str = ""
    side: str = ""


def drawn_flows(record: NamedPuzzle, traits: Traits, random: Random) -> list[PlayedPath]:
    """Draw a share of the flows, in any order: finished, begun, or astray, round those already drawn."""
    outcome = solve(record.puzzle)
    assert isinstance(outcome, Solved)
    paths = outcome.solution.paths
    order = random.sample(range(len(paths)), max(1, round(traits.drawn * len(paths))))
    taken, played = set(record.puzzle.dots), list[PlayedPath]()
    for flow in order:
        path = paths[flow]
        state = random.choice(("finished", "finished", "finished", "begun", "astray"))
        if state == "astray" and traits.astray:
            path = _walk(record, path.vertices[0], taken, random)
        if taken.intersection(path.vertices[1:-1]) or len(path.vertices) < 2:
            continue
        is_done = set(path.ends) == set(record.puzzle.terminals[flow])
        if is_done and state == "begun" and len(path.vertices) > 2:
            path, is_done = path.part(0, random.randint(1, len(path.vertices) - 2)), False
        taken.update(path.vertices)
        played.append(PlayedPath(flow, path, is_done))
    return played


def _walk(record: NamedPuzzle, start: int, taken: set[int], random: Random) -> FlowPath:
    graph, walked, edges = record.board.graph, [start], list[int]()
    for _ in range(random.randint(2, 12)):
        ways = [(end, edge) for edge in graph.incident[walked[-1]] for end in graph.edges[edge]]
        free = [(end, edge) for end, edge in ways if end not in taken and end not in walked]
        if not free:
            break
        end, edge = random.choice(free)
        walked.append(end)
        edges.append(edge)
    return FlowPath(tuple(walked), tuple(edges))


def case(records: list[NamedPuzzle], number: int) -> tuple[NamedPuzzle, Traits, Bgr] | None:
    """The board of that number; ``None`` where the look has too few colours."""
    random = Random(number)
    record, screen, look = random.choice(records), random.choice(SCREENS), random.choice(LOOKS)
    assert record.board.lattice is not None
    if len(record.puzzle.terminals) > len(THEMES[look].palette):
        return None
    traits = Traits(
        TINTS[number % len(TINTS)], random.choice((0.2, 0.5, 0.8, 1.0)), random.random() < 0.4,
        random.random() < 0.25, look, screen.name, random.choice((None, None, 90, 70)),
    )  # fmt: skip
    _, _, cell = screen.place(record.board.lattice.rows, record.board.lattice.cols)
    longer = max(screen.width, screen.height)
    scale = min(1.0, max(random.choice(SIDES_PX) / longer, LEAST_CELL_PX / cell))
    style = Style(
        THEMES[look], screen, random.randrange(6), tint=traits.tint, finger=traits.finger, scale=scale,
        quality=traits.quality,
    )  # fmt: skip
    pipes = drawn_flows(record, traits, random)
    shot = draw_screenshot(record.board, record.puzzle, style, number, pipes=pipes)
    cells = "under 16 px" if scale * cell < 16 else "16 to 24 px" if scale * cell < 24 else "24 px and more"
    side = next((f"to {side} px" for side in SIDES_PX if scale * longer <= side + 1), "larger")
    return record, replace(traits, cells=cells, side=side), shot.screenshot.bgr


def verdict(record: NamedPuzzle, bgr: Bgr) -> tuple[str, str]:
    """``right``, ``refused``, ``wrong`` (in silence) or ``warned``; and the cause of a refusal."""
    try:
        answer = solve_image(bgr)
    except FlowvisionError as error:
        return "refused", error.code
    lattice, true = answer.reading.lattice, record.board.lattice
    assert true is not None
    is_right = lattice is not None and (lattice.rows, lattice.cols) == (true.rows, true.cols)
    if is_right and is_same_board(answer, record):
        return "right", ""
    return ("warned" if answer.warnings else "wrong"), f"{answer.reading.size}, {answer.confidence:.3f}"


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("count", nargs="?", type=int, default=200)
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("-v", action="store_true", dest="verbose")
    parser.add_argument("--keep", type=Path, help="keep pictures that are not right here")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    records = [
        record
        for kind in ("square", "rect")
        for record in levels(f"official_{kind}")
        if record.board.lattice is not None
        and record.board.lattice.rows <= LARGEST[0]
        and len(record.puzzle.terminals) <= LARGEST[1]
    ]
    by: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for number in range(chosen.seed, chosen.seed + chosen.count):
        drawn = case(records, number)
        if drawn is None:
            continue
        record, traits, bgr = drawn
        found, cause = verdict(record, bgr)
        for name, value in {"all": "", **asdict(traits)}.items():
            by[name][str(value)][found] += 1
        if found != "right":
            keep_picture(chosen.keep, f"{number}", bgr)
        if chosen.verbose or found in ("wrong", "warned"):
            lattice = record.board.lattice
            print(found, number, lattice and f"{lattice.rows}x{lattice.cols}", traits, cause, flush=True)
    for name, values in by.items():
        print(
            f"{name}:", *(f"{value} {dict(found.most_common())}" for value, found in sorted(values.items()))
        )


if __name__ == "__main__":
    main()
