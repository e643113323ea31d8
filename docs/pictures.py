"""Draw the pictures of the docs again, from the project's own samples: ``python docs/pictures.py``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import cos, pi, sin
from pathlib import Path as File
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from msgspec.structs import replace

sys.path.insert(0, str(File(__file__).resolve().parents[1]))

from benchmarks.fewest_colours import FREE, spiral

from flowvision import api, parse_puzzle, solve_image
from flowvision.files import write_bytes
from flowvision.image.codec import encode
from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.boards import build, hexagonal, shared_sides, square
from flowvision.puzzle.layout import Board, Cell
from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.look import PLAIN, Look
from flowvision.render.overlay import draw_solution
from flowvision.render.paint import disc, stroke, text
from flowvision.solvers import Rules, Solved, solve
from tests.tools.synthetic import CURRENT, PHONES, Style, draw_screenshot

HERE = File(__file__).parent
SAMPLES = HERE.parent / "samples"
TILE, MARGIN, CAPTION, COLUMNS = 360, 14, 34, 4
"""Pixels: a picture of the contact sheet, the space round it, the line below it; pictures a row."""
PAGE, INK = Rgb(32, 33, 38), Rgb(222, 224, 230)


def level() -> Bgr:
    """Draw a level of nine by nine as a phone shows it, without the bars above and below."""
    board = square(9, 9)
    puzzle, _, seed = _unique(board, 9)
    nine = replace(CURRENT, palette=CURRENT.palette[:9])
    shot = draw_screenshot(board, puzzle, Style(theme=nine, phone=PHONES["small"], scale=0.75), seed)
    return np.ascontiguousarray(shot.screenshot.bgr[30:810])


def before_after() -> Bgr:
    """Draw the level beside its answer."""
    before = level()
    after = solve_image(before).picture
    gap = np.full((len(before), MARGIN, 3), 255, np.uint8)
    return np.concatenate((before, gap, after), axis=1)


def solving() -> bytes:
    """Draw the level and its growing pipes as GIF."""
    with TemporaryDirectory() as folder:
        place = File(folder) / "solving.gif"
        api.solve_image(level()).save(place)
        return place.read_bytes()


@dataclass(frozen=True, slots=True)
class Tile:
    """A picture of the contact sheet, and what it shows."""

    caption: str
    draw: Callable[[], Bgr]


def gallery() -> Bgr:
    """Every kind of board, and every way it is drawn, on one sheet."""
    rows = -(-len(TILES) // COLUMNS)
    wide, high = TILE + 2 * MARGIN, TILE + 2 * MARGIN + CAPTION
    sheet = np.full((rows * high + MARGIN, COLUMNS * wide, 3), PAGE[::-1], np.uint8)
    for number, tile in enumerate(TILES):
        left, top = number % COLUMNS * wide + MARGIN, number // COLUMNS * high + MARGIN
        picture = _fitted(tile.draw())
        x, y = left + (TILE - picture.shape[1]) // 2, top + (TILE - picture.shape[0]) // 2
        sheet[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
        text(sheet, (left + TILE / 2, top + TILE + 22), tile.caption, 20, INK, "ms")
    return sheet


def _resized(bgr: Bgr, height: int) -> Bgr:
    width = round(bgr.shape[1] * height / bgr.shape[0])
    return np.asarray(cv2.resize(bgr, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _fitted(bgr: Bgr) -> Bgr:
    """As large as a tile holds."""
    return _resized(bgr, round(bgr.shape[0] * min(TILE / bgr.shape[0], TILE / bgr.shape[1])))


def _solved_part(source: File | Bgr, look: Look) -> Bgr:
    answer = solve_image(source, look=look)
    corners = answer.reading.frame.to_px(answer.reading.board.layout.corners)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = answer.reading.pitch_px / 12
    (left, top), (right, bottom) = np.array((low - margin, high + margin)).astype(int).clip(0)
    return answer.picture[top:bottom, left:right]


def sample(name: str, look: Look = PLAIN) -> Callable[[], Bgr]:
    """Return a drawing of a solved sample."""
    return lambda: _solved_part(next(SAMPLES.glob(f"{name}.[pj]*g")), look)


def misplayed(board: Board, flows: int) -> Callable[[], Bgr]:
    """Return a drawing of a synthetic screenshot with wrong pipes, solved."""

    def draw() -> Bgr:
        puzzle, solution, seed = _unique(board, flows)
        dots = {dot for pair in puzzle.terminals for dot in pair}
        paths = tuple(_strayed(board, path, dots) for path in solution.paths)
        style = Style(phone=PHONES["small"], drawn=0.01)
        shot = draw_screenshot(board, puzzle, style, seed, Solution(paths))
        return _solved_part(shot.screenshot.bgr, PLAIN)

    return draw


def _strayed(board: Board, path: Path, dots: set[int]) -> Path:
    """Return a path from the same dot that goes another way as far as it can, and never ends at a dot."""
    vertices, edges = [path.vertices[0]], list[int]()
    while True:
        ways = [
            (edge, board.graph.other_end(edge, vertices[-1]))
            for edge in board.graph.incident[vertices[-1]]
            if edge not in path.edges
        ]
        ways = [(edge, strand) for edge, strand in ways if strand not in dots and strand not in vertices]
        if not ways:
            return Path((*vertices, vertices[-1]), (*edges, edges[-1])) if edges else path
        edges.append(ways[-1][0])
        vertices.append(ways[-1][1])


def by_itself(board: Board, flows: int, ground: Rgb, line: Rgb) -> Callable[[], Bgr]:
    """Return a drawing of a board on a plain ground, with its solution."""

    def draw() -> Bgr:
        _, solution, _ = _unique(board, flows)
        corners = np.array(board.layout.corners)
        (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        pitch = 2 * (TILE - 16) / max(right - left, bottom - top)
        frame = Frame.of_box(16 - left * pitch, 16 - top * pitch, pitch, pitch)
        size = round((bottom - top) * pitch) + 32, round((right - left) * pitch) + 32
        canvas = np.full((*size, 3), ground[::-1], np.uint8)
        for cell in board.layout.cells:
            stroke(canvas, frame.to_px((*cell.outline, cell.outline[0])), line, 4)
        for colour, path in zip(CURRENT.palette, solution.paths, strict=False):
            for end in (path.vertices[0], path.vertices[-1]):
                middle = frame.to_px(board.layout.cells[end].centre)[0].tolist()
                disc(canvas, middle, 0.3 * pitch, colour)
        return draw_solution(canvas, board, solution, frame, CURRENT.palette[: len(solution.paths)])

    return draw


def _unique(board: Board, flows: int) -> tuple[Puzzle, Solution, int]:
    """Return the puzzle of the first seed from 0 that has exactly one solution."""
    for seed in range(1000):
        puzzle, solution = random_puzzle(board, seed, flows)
        outcome = solve(puzzle)
        if isinstance(outcome, Solved) and outcome.unique and outcome.rules == "strict":
            return puzzle, solution, seed
    raise RuntimeError("no seed gives exactly one solution")


def cube(size: int) -> Board:
    """Three faces of a cube, each of ``size`` by ``size`` rhombs."""
    ways = [(0.0, -1.0), (cos(pi / 6), 0.5), (-cos(pi / 6), 0.5)]
    cells = []
    for (ax, ay), (bx, by) in zip(ways, ways[1:] + ways[:1], strict=True):
        for i in range(size):
            for j in range(size):
                corners = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
                outline = tuple((a * ax + b * bx, a * ay + b * by) for a, b in corners)
                x, y = np.mean(outline, axis=0).tolist()
                cells.append(Cell((x, y), outline))
    return build(cells, shared_sides(cells))


def rings(rings: int, steps: int) -> Board:
    """Rings of cells round a hole."""
    cells = []
    inner = 0.8 * steps / (2 * pi)
    for ring in range(rings):
        for step in range(steps):
            places = ((step, ring), (step + 1, ring), (step + 1, ring + 1), (step, ring + 1))
            outline = tuple(
                ((inner + r) * cos(2 * pi * s / steps), (inner + r) * sin(2 * pi * s / steps))
                for s, r in places
            )
            turn, away = 2 * pi * (step + 0.5) / steps, inner + ring + 0.5
            cells.append(Cell((away * cos(turn), away * sin(turn)), outline))
    return build(cells, shared_sides(cells))


TILES = (
    Tile("5 by 5", sample("02")),
    Tile("18 by 15, JPEG", sample("06")),
    Tile("holes", sample("11-holes")),
    Tile("walls", sample("12-walls")),
    Tile("a bridge", sample("13-bridge")),
    Tile("warps", sample("14-warp")),
    Tile("hexagons", sample("15-hex")),
    Tile("a cube", by_itself(cube(4), 5, Rgb(0, 0, 0), Rgb(127, 63, 63))),
    Tile("rings", by_itself(rings(3, 14), 5, Rgb(0, 0, 0), Rgb(122, 119, 70))),
    Tile("a light ground", by_itself(square(6, 6), 6, Rgb(255, 255, 255), Rgb(150, 150, 150))),
    Tile("coloured ground", by_itself(hexagonal(5, 5), 6, Rgb(40, 60, 110), Rgb(90, 120, 180))),
    Tile("half played", sample("08")),
    Tile("a wrong pipe taken off", misplayed(square(6, 6), 5)),
    Tile("solved already", sample("09")),
    Tile("a fade-in frame", sample("10")),
    Tile("colour-blind letters", sample("07")),
    Tile("--letters", sample("04", Look(letters=True))),
    Tile("--arrows", sample("03", Look(arrows=True))),
    Tile("one flow", sample("01", Look(flows=frozenset({2})))),
    Tile("--letters --arrows", sample("15-hex", Look(letters=True, arrows=True))),
)

STEP_HEIGHT = 360
"""Pixels of a picture in `how-it-works.md`."""
STEPS = {
    "crop": ("01-board",),
    "sobel": ("02-sobel-x", "02b-sobel-y"),
    "hough": ("03-grid", "03b-sides"),
    "kmeans": ("04-dots", "05-clusters"),
    "clauses": ("06-cnf",),
    "answer": ("07-solution",),
}
"""Pictures of the debug folder that show a step, by the name of the step."""


@cache
def debug_pictures() -> dict[str, Bgr]:
    """Pictures that `--debug` writes for a sample."""
    with TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "flowvision", SAMPLES / "02.png", "--debug", folder)
        subprocess.run([*command, "-o", File(folder) / "solved.png", "-q"], check=True)
        return {
            place.stem: np.asarray(cv2.imread(str(place)), np.uint8) for place in File(folder).glob("*.png")
        }


def step(name: str) -> Bgr:
    """Join the debug pictures of a step, side by side."""
    shown = [_resized(debug_pictures()[picture], STEP_HEIGHT) for picture in STEPS[name]]
    gap = np.full((STEP_HEIGHT, MARGIN, 3), 255, np.uint8)
    return np.concatenate([part for picture in shown for part in (gap, picture)][1:], axis=1)


EXAMPLE, EXAMPLE_GAP = 150, 12
"""Pixels: a solved board of `notes/fewest-colours.md`, and the space between two."""


def examples(lines: Sequence[str], rules: Rules) -> Bgr:
    """Draw solved boards side by side, in red, blue and yellow."""
    shown = []
    for line in lines:
        solved = parse_puzzle(line.translate(str.maketrans("ABC/", "RBY\n"))).solve(rules=rules)
        shown += [_resized(solved.picture, EXAMPLE), np.full((EXAMPLE, EXAMPLE_GAP, 3), 255, np.uint8)]
    return np.concatenate(shown[:-1], axis=1)


PICTURES: dict[str, Callable[[], Bgr]] = {
    "before-after.png": before_after,
    "gallery.png": gallery,
    **{f"how-{name}.webp": partial(step, name) for name in STEPS},
    "notes/fewest-strict.webp": partial(examples, [spiral(size) for size in range(3, 9)], "strict"),
    "notes/fewest-free.webp": partial(examples, [FREE[size, size] for size in range(4, 10)], "free"),
}
"""The pictures of the docs, by file name."""

if __name__ == "__main__":
    write_bytes(HERE / "solving.gif", solving())
    for name, draw in PICTURES.items():
        write_bytes(HERE / name, encode(draw(), File(name).suffix))
