"""Drawn boards of which an outer row or column is damaged: no answer may leave it out in silence.

    python benchmarks/outer_rows.py [--count 15] [--first 0] [--keep FOLDER]
    python benchmarks/outer_rows.py --pairs 150

The rest of each board has exactly one solution, so that the solver cannot tell. A third are hexagons. All
beyond an edge within half a cell of that row is damaged. A row a damage: answers that are right, refusals,
wrong answers with a warning and in silence; ``as it is``: and right ones with a warning. ``--pairs``: so many
pictures of two drawn boards instead, one 0.35 to 1 of the other's size and on any side of it: told, refused,
or one of them in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import cv2
import numpy as np

from damage import verdict
from damage_content import beside
from data import keep_picture, options
from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr, Screenshot
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import Shape
from flowvision.solvers import has_one_strict_solution, solve
from scenes import Random, Scene, drawn_scene
from tests.boards import make_puzzle
from tests.tools.synthetic import Style, draw_screenshot, random_style

Damage = Callable[[Bgr, float, Random], Bgr]
"""Changes pixels; given the width of a cell in px."""


def mixed(colour: tuple[int, int, int], share: float) -> Damage:
    """So much of a colour over all."""
    return lambda bgr, _, __: np.asarray(bgr * (1 - share) + np.array(colour) * share, np.uint8)


def blurred(cells: float, veil: float = 0.0) -> Damage:
    """Blurred by so many cells, beneath a bright veil."""

    def apply(bgr: Bgr, cell: float, random: Random) -> Bgr:
        soft = np.asarray(cv2.GaussianBlur(bgr, (0, 0), cells * cell), np.uint8)
        return mixed((235, 235, 235), veil)(soft, cell, random)

    return apply


def torn(bgr: Bgr, cell: float, random: Random) -> Bgr:
    return np.roll(bgr, round(random.uniform(0.15, 0.85) * cell), axis=1)


def faded(bgr: Bgr, cell: float, random: Random) -> Bgr:
    """Darker and darker, black after a cell."""
    left = np.clip(1 - (len(bgr) - np.arange(len(bgr))) / (1.3 * cell), 0.12, 1)
    return np.asarray(bgr * left[:, None, None], np.uint8)


def keyboard(bgr: Bgr, cell: float, random: Random) -> Bgr:
    """Keys on a translucent panel."""
    board = mixed((40, 40, 40), 0.8)(bgr, cell, random)
    key = bgr.shape[1] / 10
    for row in range(3):
        for n in range(10):
            low = round((n + 0.08) * key), round(len(bgr) - (1.25 * row + 1.2) * key)
            high = round((n + 0.92) * key), round(len(bgr) - (1.25 * row + 0.2) * key)
            cv2.rectangle(board, low, high, (95, 95, 95), -1)
    return board


def glass(bgr: Bgr, cell: float, random: Random) -> Bgr:
    """Magnified by a bar of glass as deep as the row, a little blurred and brighter."""
    height, width = bgr.shape[:2]
    deep, larger = min(height, round(1.3 * cell)), random.uniform(1.12, 1.35)
    grown = np.array([[larger, 0, (1 - larger) * width / 2], [0, larger, (1 - larger) * deep / 2]])
    bar = cv2.warpAffine(bgr[-deep:], grown, (width, deep), borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(bar, (0, 0), 0.03 * cell)
    return np.vstack((bgr[:-deep], cv2.convertScaleAbs(soft, alpha=0.85, beta=30)))


def pixelated(bgr: Bgr, cell: float, random: Random) -> Bgr:
    height, width = bgr.shape[:2]
    block = max(2, round(random.uniform(0.12, 0.4) * cell))
    few = max(1, width // block), max(1, height // block)
    coarse = cv2.resize(bgr, few, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def scrolled(bgr: Bgr, cell: float, random: Random) -> Bgr:
    return np.asarray(cv2.blur(bgr, (max(3, round(random.uniform(0.3, 1.2) * cell)), 1)), np.uint8)


def graded(bgr: Bgr, cell: float, random: Random) -> Bgr:
    """Darker and darker from the board's rest on."""
    away = (len(bgr) - np.arange(len(bgr))) / (random.uniform(0.8, 1.4) * cell)
    return np.asarray(bgr * (1 - np.sqrt(np.clip(away, 0, 1)))[:, None, None], np.uint8)


def narrow_cover(bgr: Bgr, cell: float, random: Random) -> Bgr:
    """A dark cover over this row alone."""
    deep = round(random.uniform(0.85, 1) * cell)
    return np.vstack((bgr[:-deep], cv2.convertScaleAbs(bgr[-deep:], alpha=0.15)))


def photo(bgr: Bgr, cell: float, random: Random) -> Bgr:
    """A photo shines through."""
    few = tuple(max(2, round(0.8 * size / cell)) for size in bgr.shape[:2])
    colours = random.integers(0, 255, (*few, 3)).astype(np.uint8)
    soft = cv2.resize(colours, bgr.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    share = random.uniform(0.5, 0.75)
    return np.asarray(cv2.addWeighted(soft, share, bgr, 1 - share, 0), np.uint8)


def fallen(bgr: Bgr, cell: float, random: Random) -> Bgr:
    """Moved away from the rest, with a gap between."""
    gap = round(random.uniform(0.2, 0.6) * cell)
    return np.vstack((bgr[gap:], np.zeros_like(bgr[:gap])))


def wavy(bgr: Bgr, cell: float, random: Random) -> Bgr:
    y, x = np.mgrid[: bgr.shape[0], : bgr.shape[1]].astype(np.float32)
    high, long = random.uniform(0.08, 0.2) * cell, random.uniform(0.4, 1) * cell / (2 * np.pi)
    moved = (x + high * np.sin(y / long)).astype(np.float32), (y + high * np.sin(x / long)).astype(np.float32)
    return np.asarray(cv2.remap(bgr, *moved, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


DAMAGES: dict[str, Damage] = {
    "as it is": lambda bgr, _, __: bgr,
    "frosted": blurred(0.15, 0.5),
    "blurred": blurred(0.15),
    "dimmed": mixed((0, 0, 0), 0.75),
    "greyed": mixed((128, 128, 128), 0.75),
    "tinted": mixed((150, 60, 20), 0.6),
    "torn": torn,
    "faded": faded,
    "light panel": mixed((245, 245, 245), 0.8),
    "dark panel": mixed((25, 25, 25), 0.85),
    "keyboard": keyboard,
    "glass": glass,
    "pixelated": pixelated,
    "scrolled": scrolled,
    "inverted": lambda bgr, _, __: 255 - bgr,
    "graded": graded,
    "narrow cover": narrow_cover,
    "photo": photo,
    "fallen": fallen,
    "wavy": wavy,
}


def board_of(number: int) -> tuple[str, int]:
    """Return a board in text form, and the quarter turns that bring its outer row to the top."""
    random = np.random.default_rng(number)
    is_hex = number % 3 == 2
    for seed in count(1000 * number):
        rows, cols = (int(n) for n in random.integers(4, 6 if is_hex else 9, 2))
        with suppress(FlowvisionError):
            head, *lines = make_puzzle(Shape(rows, cols, "hex" if is_hex else "square"), None, seed).split()
            lines = lines if is_hex else [head, *lines]
            turns = int(random.choice((0, 1, 2) if is_hex else range(4)))
            length, letters = (cols, rows)[turns % 2], sorted({*"".join(lines)} - {"."})
            if not 3 <= len(letters) <= 8:
                continue
            cut = int(random.integers(3, length - 2)) if length > 5 else length
            outer = "".join(
                f"{a}{'.' * (n - 2)}{a}" for a, n in zip("YZ", (cut, length - cut), strict=True) if n
            )
            match turns:
                case 0:
                    lines = [outer, *lines]
                case 2:
                    lines = [*lines, outer]
                case 1:
                    lines = [line + end for line, end in zip(lines, outer, strict=True)]
                case _:
                    lines = [end + line for line, end in zip(lines, outer, strict=True)]
            text = "\n".join(["hex", *lines] if is_hex else lines)
            if has_one_strict_solution(solve(parse(text).puzzle)):
                return text, turns
    raise AssertionError


def scene_of(number: int, damage: Damage) -> Scene:
    """The board of that number with its outer row damaged."""
    text, turns = board_of(number)
    truth, random, style = parse(text), np.random.default_rng((7, number)), random_style(number)
    # Without a title, which would name the size.
    style = Style(style.theme, style.phone, style.line, scale=float(random.uniform(0.35, 0.7)), chrome=False)
    shot = draw_screenshot(truth.board, truth.puzzle, style, number)
    bgr, corners = shot.screenshot.bgr, shot.frame.to_px(truth.board.layout.corners)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    cell = shot.frame.pitch_px(truth.board.layout.cells[0].centre)
    margin = (top, bgr.shape[1] - right, len(bgr) - bottom, left)[turns]
    # Rows of hexagons are 0.87 of their width apart and half as deep again; columns 0.75.
    is_hex = truth.board.lattice is not None and truth.board.lattice.tiling == "hex"
    depth = ((1.08, 0.87)[turns % 2] if is_hex else 1.0) - max(0, random.uniform(-0.5, 0.5))
    turned = np.ascontiguousarray(np.rot90(bgr, turns))
    edge = round(margin + depth * cell)
    turned[:edge] = damage(turned[:edge].copy(), cell, random)
    bgr = np.ascontiguousarray(np.rot90(turned, -turns))
    (x, y), (x1, y1) = shot.frame.to_px([(0, 0), (1, 1)]).tolist()
    return Scene(f"{number}", bgr, truth, (x, y), (x1 - x, y1 - y))


def measured(name: str, numbers: range, keep: Path | None) -> Iterator[str]:
    """Yield the outcome of each board with one damage; silent ones are printed, and kept on request."""
    for number in numbers:
        scene = scene_of(number, DAMAGES[name])
        what, why = verdict(scene, scene.bgr)
        if what == "wrong" or (why and name == "as it is"):
            print(f"  {what}: {name} {number}: {why}", flush=True)
            keep_picture(keep, f"{what}-{name}-{number}", scene.bgr)
        yield "right, said" if what == "right" and why else what


def of_two(number: int) -> str:
    """Return whether the answer to a picture of two boards names both.

    The second is on any side of the first, and 0.35 to 1 of its size.
    """
    random = np.random.default_rng((9, number))
    first, second = drawn_scene(number % 60), drawn_scene(int(random.integers(60)))
    bgr = beside(first, second.bgr, number % 2, float(random.uniform(0.35, 1)))
    bgr = np.rot90(bgr, 2) if random.random() < 0.5 else bgr
    try:
        doubts = solve_image(Screenshot(np.ascontiguousarray(bgr))).doubts
    except FlowvisionError:
        return "refused"
    return "told" if any(doubt.code == "two-boards" for doubt in doubts) else f"silent: {number}"


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--count", type=int, default=15, help="boards a damage [15]")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one [0]")
    parser.add_argument(
        "--keep", type=Path, help="write the pictures that were read wrongly in silence there"
    )
    parser.add_argument("--pairs", type=int, default=0, help="pictures of two boards [0]")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    if given.pairs:
        print(Counter(of_two(number) for number in range(given.first, given.first + given.pairs)))
        return
    columns, total = ("right", "right, said", "refused", "wrong, said", "wrong"), Counter[str]()
    print("damage, " + ", ".join(columns))
    for name in DAMAGES:
        found = Counter(measured(name, range(given.first, given.first + given.count), given.keep))
        total += found if name != "as it is" else Counter()
        print(f"{name:14}" + "".join(f"{found[column]:6}" for column in columns), flush=True)
    print(f"{'all damaged':14}" + "".join(f"{total[column]:6}" for column in columns))


if __name__ == "__main__":
    main()
