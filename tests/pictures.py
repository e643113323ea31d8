"""Drawn pictures that are refused, each for one cause."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

import cv2
import numpy as np

from flowvision.image.codec import encode
from flowvision.image.picture import Bgr
from flowvision.puzzle import boards
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from flowvision.reading.options import Options
from tests.boards import generated_puzzle
from tests.drawing import FIVE, page_of, screenshot_of
from tests.tools.synthetic import PHONES, THEMES, Style, SyntheticShot, draw_screenshot

CELLS = 8
BOARDS = {
    8: (7, "...K....\n.....B.J\n..A.AEBC\nK..CE...\nD.J....F\nG.DL..L.\n.H.I.IH.\n.G.....F\n"),
    6: (3, "......\n.A.DE.\nCB....\n...D..\n.A.E..\n.BC...\n"),
    7: (4, "DE.....\n..C..AE\n..A.B..\n..FC..B\n....F.D\n.......\n.......\n"),
}
"""Seeds and random boards with exactly one solution, by the number of their rows."""


class Spoilt:
    """A picture with one thing wrong.

    ``facts``: some of its facts, and its ``stage``; ``next_code``: the cause once its advice is followed.
    """

    def __init__(
        self,
        name: str,
        draw: Callable[[], Bgr],
        code: str,
        /,
        options: Options | None = None,
        next_code: str = "",
        **facts: object,
    ) -> None:
        self.name, self.draw, self.code, self.facts = name, draw, code, facts
        self.options, self.next_code = options or Options(), next_code


@cache
def puzzle(cells: int = CELLS) -> NamedPuzzle:
    return parse(BOARDS[cells][1])


@cache
def shot(cells: int, theme: str, phone: str, drawn: float) -> SyntheticShot:
    known, style = puzzle(cells), Style(theme=THEMES[theme], phone=PHONES[phone], drawn=drawn)
    return draw_screenshot(known.board, known.puzzle, style, BOARDS[cells][0])


class Scene(NamedTuple):
    drawn: SyntheticShot
    bgr: Bgr


def scene(cells: int = CELLS, theme: str = "current", phone: str = "galaxy", drawn: float = 0.0) -> Scene:
    made = shot(cells, theme, phone, drawn)
    return Scene(made, made.screenshot.bgr.copy())


def whole() -> Bgr:
    return scene().bgr


def px(row: float, col: float, of: SyntheticShot | None = None) -> tuple[int, int]:
    """Return the pixel at a row and column from the first cell's corner."""
    x, y = (of or scene().drawn).frame.to_px([(col, row)])[0]
    return round(float(x)), round(float(y))


def ends(cells: int = CELLS) -> list[tuple[float, float]]:
    """Return row and column of each dot's middle."""
    known = puzzle(cells)
    layout = known.board.layout
    return [layout.cells[dot].centre[::-1] for pair in known.puzzle.terminals for dot in pair]


def cut(on: Scene, axis: int, start: float | None, end: float | None) -> Bgr:
    """Cut the picture at these rows (axis 0) or columns of the board."""
    first, last = (None if at is None else px(at, at, on.drawn)[1 - axis] for at in (start, end))
    return np.ascontiguousarray(on.bgr[first:last] if axis == 0 else on.bgr[:, first:last])


def banner(rows: float) -> Bgr:
    """A notification lies over the first rows."""
    bgr = whole()
    (x0, y0), (x1, y1) = px(-0.3, 0), px(rows, CELLS)
    cv2.rectangle(bgr, (x0 + 8, y0), (x1 - 8, y1 - 6), (48, 46, 44), -1)
    cv2.circle(bgr, (x0 + 70, (y0 + y1) // 2), 36, (80, 200, 90), -1, cv2.LINE_AA)
    for line, words in enumerate(("Messages", "Mum: dinner is ready, come down")):
        write(bgr, words, (x0 + 130, (y0 + y1) // 2 - 12 + 50 * line), 1.2, 235)
    return bgr


def banner_below(on: Scene) -> Bgr:
    """A bar over the last of seven rows."""
    (x0, y0), (x1, y1) = px(6, 0, on.drawn), px(7.4, 7, on.drawn)
    cv2.rectangle(on.bgr, (x0 + 6, y0 + 5), (x1 - 6, y1), (230, 230, 232), -1)
    write(on.bgr, "Screenshot saved", (x0 + 60, (y0 + y1) // 2), 1.2, 40)
    return on.bgr


def write(bgr: Bgr, words: str, at: tuple[int, int], size: float, shade: int) -> None:
    cv2.putText(bgr, words, at, 0, size, (shade,) * 3, 2 + (size > 1.3), cv2.LINE_AA)


def finger() -> Bgr:
    """A finger from below, over eight cells."""
    bgr = whole()
    wide = px(0, 1)[0] - px(0, 0)[0]
    cv2.line(bgr, px(5.2, 5.0), (px(0, 6.2)[0], bgr.shape[0]), (120, 150, 205), 2 * wide, cv2.LINE_AA)
    return cv2.GaussianBlur(bgr, (0, 0), 0.6)


def fingertip(on: Scene, at: tuple[float, float], size: float, skin: tuple[int, int, int]) -> Bgr:
    """Cover a dot by a fingertip; ``size``: radius in cells."""
    wide = px(0, 1, on.drawn)[0] - px(0, 0, on.drawn)[0]
    cv2.circle(on.bgr, px(*at, on.drawn), round(size * wide), skin, -1, cv2.LINE_AA)
    return on.bgr


def dialog(ground: int, rows: tuple[float, float], dim: float = 1.0, cells: int = CELLS) -> Bgr:
    """The game's dialog after a level, nearly as wide as the board, which is drawn full of pipes."""
    drawn, bgr = scene(cells, drawn=1.0)
    bgr, ink = cv2.convertScaleAbs(bgr, alpha=dim), 240 if ground < 128 else 30
    (x0, y0), (x1, y1) = px(rows[0], 0.6, drawn), px(rows[1], cells - 0.6, drawn)
    cv2.rectangle(bgr, (x0, y0), (x1, y1), (ground,) * 3, -1)
    cv2.rectangle(bgr, (x0, y0), (x1, y1), (150,) * 3, 4)
    cv2.putText(bgr, "Perfect!", (x0 + 250, y0 + 90), 0, 2, (ink,) * 3, 4, cv2.LINE_AA)
    cv2.putText(bgr, "You completed the level.", (x0 + 60, y0 + 190), 0, 1.2, (ink,) * 3, 2, cv2.LINE_AA)
    cv2.rectangle(bgr, (x0 + 150, y1 - 140), (x1 - 150, y1 - 50), (60, 160, 60), -1)
    return bgr


def toast(row: float) -> Bgr:
    """A toast, narrower than the board, over three quarters of a row."""
    bgr, (x0, y0), (x1, y1) = whole(), px(row, 1), px(row + 0.75, 7)
    radius = (y1 - y0) // 2
    cv2.line(bgr, (x0, y0 + radius), (x1, y0 + radius), (62, 60, 60), 2 * radius, cv2.LINE_AA)
    cv2.putText(bgr, "Screenshot saved", (x0 + 60, y0 + radius + 12), 0, 1.2, (240,) * 3, 2, cv2.LINE_AA)
    return bgr


def advertisement() -> Bgr:
    """A white advertisement over the last row and what is below it."""
    bgr = whole()
    top, width = px(7.1, 0)[1], bgr.shape[1]
    cv2.rectangle(bgr, (0, top), (width, top + 190), (250,) * 3, -1)
    cv2.putText(bgr, "Merge Kingdoms - play free", (190, top + 80), 0, 1.3, (40,) * 3, 3, cv2.LINE_AA)
    cv2.rectangle(bgr, (width - 230, top + 50), (width - 30, top + 140), (80, 170, 60), -1)
    return bgr


def header_over_nothing() -> Bgr:
    """A bright header right above a board of five rows and six columns, of which a dot is wiped away."""
    known = parse("R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n")
    drawn = draw_screenshot(known.board, known.puzzle, Style(), 3)
    bgr, (x0, y0), (x1, _) = drawn.screenshot.bgr.copy(), px(0, 0, drawn), px(0, 6, drawn)
    cell = (x1 - x0) / 6
    cv2.rectangle(bgr, (0, round(y0 - 1.15 * cell)), (bgr.shape[1], y0 - 8), (200, 120, 40), -1)
    cv2.putText(bgr, "Level 12", (60, round(y0 - 0.4 * cell)), 0, 2, (255,) * 3, 4, cv2.LINE_AA)
    cv2.circle(bgr, px(0.5, 0.5, drawn), round(0.42 * cell), (0, 0, 0), -1)
    return bgr


def seen_aside(bgr: Bgr, degrees: float) -> Bgr:
    """Photograph a screen at an angle, with noise, blur and uneven light."""
    height, width = bgr.shape[:2]
    random = np.random.default_rng(5)
    desk = cv2.GaussianBlur(random.integers(40, 130, (height, width, 3), np.uint8), (0, 0), 9)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = np.array(
        [
            (0.24 * width, 0.26 * height),
            (0.72 * width, 0.16 * height),
            (0.86 * width, 0.80 * height),
            (0.14 * width, 0.74 * height),
        ],
        np.float32,
    )
    angle, middle = np.radians(degrees), np.array((width / 2, height / 2))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    seen = ((seen - middle) @ turn + middle).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(flat, seen)
    turned = cv2.warpPerspective(bgr, matrix, (width, height))
    mask = cv2.warpPerspective(np.full(bgr.shape[:2], 255, np.uint8), matrix, (width, height))
    light = np.linspace(0.75, 1.1, width, dtype=np.float32)[:, None]
    mixed = np.where(mask[..., None] > 0, 0.85 * turned.astype(np.float32) + 18, desk) * light
    noisy = cv2.GaussianBlur(mixed, (0, 0), 1.3) + random.normal(0, 5, mixed.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def thumbnail() -> Bgr:
    bgr = whole()
    return cv2.resize(bgr, (60, round(60 * bgr.shape[0] / bgr.shape[1])), interpolation=cv2.INTER_AREA)


def grey() -> Bgr:
    return cv2.cvtColor(cv2.cvtColor(whole(), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def night_shift() -> Bgr:
    return np.clip(whole() * np.array([0.05, 0.45, 1.0]), 0, 255).astype(np.uint8)


def tinted(bgr: Bgr, tint: tuple[int, int, int]) -> Bgr:
    return np.clip(0.06 * bgr + 0.94 * np.array(tint), 0, 255).astype(np.uint8)


def dimmed(bgr: Bgr, brightness: float) -> Bgr:
    return cv2.convertScaleAbs(bgr, alpha=brightness)


def compressed() -> Bgr:
    bgr = cv2.resize(whole(), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return cv2.imdecode(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 3])[1], cv2.IMREAD_COLOR)


def menu() -> Bgr:
    bgr = np.zeros((1600, 900, 3), np.uint8)
    cv2.putText(bgr, "packs", (340, 160), 0, 2, (255,) * 3, 3, cv2.LINE_AA)
    colours = [(60, 60, 230), (60, 200, 60), (230, 120, 50), (40, 210, 240), (200, 60, 200)]
    for n, words in enumerate(("Classic Pack", "Bonus Pack", "Green Pack", "Mania Pack", "Daily")):
        top = 260 + 230 * n
        cv2.rectangle(bgr, (60, top), (840, top + 170), colours[n], 4)
        cv2.putText(bgr, words, (110, top + 80), 0, 1.6, (255,) * 3, 3, cv2.LINE_AA)
        cv2.putText(bgr, f"{n * 7} / 150", (110, top + 140), 0, 1, (170,) * 3, 2, cv2.LINE_AA)
    return bgr


def _board_alone(cells: int) -> Bgr:
    drawn = scene(cells).drawn
    (x0, y0), (x1, y1) = px(0, 0, drawn), px(cells, cells, drawn)
    return drawn.screenshot.bgr[max(0, y0 - 40) : y1 + 40, max(0, x0 - 6) : x1 + 6]


def two_boards() -> Bgr:
    """Two boards one above the other, each with a dot wiped away."""
    boards = []
    for cells in (6, 7):
        bgr = cv2.resize(_board_alone(cells), (900, 900), interpolation=cv2.INTER_AREA)
        known = puzzle(cells)
        x, y = known.board.layout.cells[known.puzzle.terminals[0][0]].centre
        edge = 40 * 900 / _board_alone(cells).shape[0]
        at = round(6 + x * (900 - 12) / cells), round(edge + y * (900 - 2 * edge) / cells)
        cv2.circle(bgr, at, round(0.4 * 900 / cells), (0, 0, 0), -1)
        boards.append(bgr)
    return np.concatenate([boards[0], np.zeros((60, 900, 3), np.uint8), boards[1]])


def two_pairs() -> Bgr:
    """A box with two pairs of dots: solvable in one way, and no level."""
    few = parse("RG...\n...G.\n..R..\n.....\n.....\n")
    return draw_screenshot(few.board, few.puzzle, Style(), 7).screenshot.bgr


def digits() -> Bgr:
    known, bgr = puzzle(), np.zeros((1600, 900, 3), np.uint8)
    for n in range(CELLS + 1):
        cv2.line(bgr, (50, 400 + 100 * n), (850, 400 + 100 * n), (110, 110, 110), 3)
        cv2.line(bgr, (50 + 100 * n, 400), (50 + 100 * n, 1200), (110, 110, 110), 3)
    for flow, pair in enumerate(known.puzzle.terminals, 1):
        for dot in pair:
            x, y = known.board.layout.cells[dot].centre
            at = round(50 + 100 * x - 24), round(400 + 100 * y + 28)
            cv2.putText(bgr, str(flow), at, 0, 2.2, (240,) * 3, 4, cv2.LINE_AA)
    return bgr


def side_bar() -> Bgr:
    """A window as wide as the board with a column of square buttons that touches it, round signs on them."""
    board = whole()
    (x0, y0), (x1, y1) = px(0, 0), px(CELLS, CELLS)
    cell = (x1 - x0) / CELLS
    bgr = np.zeros((y1 - y0 + 200, x1 - x0 + round(cell) + 120, 3), np.uint8)
    bgr[100 : 100 + y1 - y0 + 3, 60 : 60 + x1 - x0 + 3] = board[y0 - 1 : y1 + 2, max(0, x0 - 1) : x1 + 2]
    left, width = 60 + x1 - x0, round(cell)
    for n in range(CELLS):
        top = 100 + round(n * cell)
        cv2.rectangle(bgr, (left, top), (left + width, top + width), (63, 109, 63), 3)
        at = (left + width // 2, top + width // 2)
        cv2.circle(bgr, at, round(0.3 * cell), (90 + 20 * n, 200 - 20 * n, 120), -1, cv2.LINE_AA)
    return bgr


def large_popup(on: Scene) -> Bgr:
    """A dark dialog with a bright title over the middle of a board of seven rows."""
    bgr = dimmed(on.bgr, 0.5)
    (x0, y0), (x1, y1) = px(1.6, 0.8, on.drawn), px(5.3, 6.2, on.drawn)
    cv2.rectangle(bgr, (x0, y0), (x1, y1), (70, 52, 44), -1)
    write(bgr, "Level complete!", (x0 + 80, y0 + 110), 1.6, 250)
    cv2.rectangle(bgr, (x0 + 120, y1 - 150), (x1 - 120, y1 - 50), (90, 190, 80), -1)
    return bgr


def balls_in_a_line() -> Bgr:
    """A game of balls that are put into lines: nine by nine grey cells as wide as the screen."""
    bgr, random = np.full((1920, 1080, 3), (70, 60, 52), np.uint8), np.random.default_rng(11)
    colours = [(60, 60, 220), (70, 190, 70), (220, 130, 60), (50, 200, 230), (190, 70, 190)]
    for r, c in np.ndindex(9, 9):
        x, y = 120 * c, 400 + 120 * r
        cv2.rectangle(bgr, (x, y), (x + 119, y + 119), (150, 150, 150), -1)
        cv2.rectangle(bgr, (x, y), (x + 119, y + 119), (205, 205, 205), 3)
    for place in random.choice(81, 27, replace=False).tolist():
        at = 120 * (place % 9) + 60, 400 + 120 * (place // 9) + 60
        cv2.circle(bgr, at, 42, colours[int(random.integers(5))], -1, cv2.LINE_AA)
    cv2.putText(bgr, "LINES   next:      1,240", (80, 280), 0, 2, (240,) * 3, 4, cv2.LINE_AA)
    return bgr


ERASED, RECOLOURED = FIVE.replace("R", ".", 1), FIVE.replace("G", "Y", 1)
DISCS = "M.M..\n..M.M\n.M...\nM...M\n..M..\n"
COUNTERS = "RGRGR\nGRGRG\nRGRGR\nGRGRG\nRGRGG\n"
"""Other games: discs of one colour, and pieces of two colours all over the board."""
SPOILT_SEVEN = "....RB.\n....YM.\n..M....\n.....B.\n...O...\n.PO..OY\n......R\n"
"""The second level of a sample with a dot of a wrong colour: three are orange."""
LACKING = ".YR..\nYP...\n..N..\nN....\nP.R..\n"
"""All of its dots lie in the first four columns, which have no solution, and one where a dot is moved."""


def cut_hexagons(side: str, cut: float) -> Bgr:
    """A board of hexagons that ends ``cut`` pitches beyond a side of the picture."""
    board = boards.hexagonal(7, 7)
    shot = draw_screenshot(board, random_puzzle(board, 1)[0], Style(), 1)
    corners = shot.frame.to_px(board.layout.corners)
    (x0, _), (x1, y1) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    cut_px = round(cut * shot.frame.pitch_px(board.layout.cells[0].centre))
    ends = {"left": np.s_[:, x0 + cut_px :], "right": np.s_[:, : x1 - cut_px], "bottom": np.s_[: y1 - cut_px]}
    return np.ascontiguousarray(shot.screenshot.bgr[ends[side]])


def hidden_dot() -> Bgr:
    bgr = screenshot_of(FIVE, 120, (12, 300))
    cv2.rectangle(bgr, (12 + 5, 305), (12 + 114, 414), (40, 40, 40), -1)
    cv2.putText(bgr, "Mail", (30, 370), cv2.FONT_HERSHEY_SIMPLEX, 1, (200, 200, 200), 2)
    return bgr


def laid_over(picture: Bgr, pitch: int) -> Bgr:
    small, bgr = screenshot_of(FIVE, pitch, (12, 80)), picture.copy()
    y, x = ((np.array(bgr.shape) - small.shape) // 2)[:2].tolist()
    bgr[y : y + len(small), x : x + small.shape[1]] = small
    return bgr


def wallpaper() -> Bgr:
    rng = np.random.default_rng(1)
    height, width = 800, 450
    points = rng.uniform(0, 1, (90, 2)) * (width, height)
    y, x = np.mgrid[:height:2, :width:2]
    apart = np.sort(np.hypot(x[..., None] - points[:, 0], y[..., None] - points[:, 1]), axis=2)
    ground = np.stack([80 + 60 * np.sin(x / 100 + k) + 30 * np.cos(y / 75 - k) for k in range(3)], -1)
    shown = np.where((apart[..., 1] - apart[..., 0] < 3)[..., None], 230, ground).astype(np.uint8)
    return np.asarray(cv2.resize(shown, (width, height)), np.uint8)


def photo() -> Bgr:
    rng = np.random.default_rng(2)
    y, x = np.mgrid[:900, :600]
    seen = np.stack([90 + 70 * np.sin(x / 150 + k) + 40 * np.cos(y / 110 - k) for k in range(3)], -1)
    for _ in range(60):
        at, axes = rng.integers(0, (600, 900)).tolist(), rng.integers(10, 90, 2).tolist()
        colour = rng.uniform(20, 230, 3).tolist()
        cv2.ellipse(seen, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1)
    soft = cv2.GaussianBlur(seen, (0, 0), 1.2) + rng.normal(0, 7, seen.shape)
    return np.asarray(np.clip(soft, 0, 255), np.uint8)


def small_board_beside() -> Bgr:
    """A large board without a solution, and a small one beside it."""
    large, small = screenshot_of(SPOILT_SEVEN, 100, (12, 200)), screenshot_of(FIVE, 40, (20, 450))
    return page_of(large, small[: len(large)])


def without_column(side: str) -> Bgr:
    """A screenshot without the column of the board at that side, in which no dot lies."""
    bgr = screenshot_of(LACKING, 120, (12, 300))[:, : 12 + 4 * 120 + 2]
    return np.ascontiguousarray(bgr if side == "right" else bgr[:, ::-1])


SIZES = range(5, 12)
NO_ORANGE = FIVE.replace(".RBO.", ".RB..")


@dataclass(frozen=True, slots=True)
class Covered:
    """A picture, the text of the board that is on it, and the cell whose dot is covered."""

    png: bytes
    text: str
    place: tuple[int, int]

    @property
    def pairs(self) -> set[frozenset[tuple[int, int]]]:
        return places_of_pairs(parse(self.text))


def places_of_pairs(named: NamedPuzzle) -> set[frozenset[tuple[int, int]]]:
    places = named.board.lattice.places
    return {frozenset(places[dot] for dot in pair) for pair in named.puzzle.terminals}


def covered_boards(each: int) -> Iterator[Covered]:
    """Yield boards of every size, covered by a notch, a badge, a thumb or a dark spot."""
    for size in SIZES:
        for seed in range(each):
            text = generated_puzzle(shape_of(f"{size}x{size}"), size + seed % 3, seed + 100 * size, "text")
            yield _covered(text, seed, Random(31 * seed + size))


def _covered(text: str, seed: int, random: Random) -> Covered:
    named = parse(text)
    made = draw_screenshot(named.board, named.puzzle, Style(), seed)
    bgr = made.screenshot.bgr.copy()
    dot = random.choice([dot for pair in named.puzzle.terminals for dot in pair])
    cell = named.board.layout.cells[named.board.layout.cell_of[dot]]
    (x, y), a, b = made.frame.to_px([cell.centre, (0, 0), (1, 0)])
    pitch = float(np.hypot(*(a - b)))
    middle = (round(x), round(y))
    match seed % 4:
        case 0:
            cv2.circle(bgr, middle, round(0.42 * pitch), (0, 0, 0), -1, cv2.LINE_AA)
        case 1:
            corner = (round(x - pitch / 2), round(y - 0.45 * pitch))
            cv2.rectangle(bgr, corner, (round(x + pitch / 2), round(y + pitch / 2)), (255, 255, 255), -1)
        case 2:
            beside = (round(x + pitch / 10), round(y))
            cv2.circle(bgr, beside, round(0.45 * pitch), (90, 140, 220), -1, cv2.LINE_AA)
        case _:
            cv2.circle(bgr, middle, round(0.42 * pitch), (40, 40, 40), -1, cv2.LINE_AA)
    return Covered(encode(bgr), text, named.board.lattice.places[dot])


def covered(bgr: Bgr, row: int, col: int) -> Bgr:
    """Cover a cell of ``screenshot_of``."""
    x, y = 12 + 60 * col, 140 + 60 * row
    cv2.rectangle(bgr, (x + 4, y + 4), (x + 56, y + 56), (128,) * 3, -1)
    return bgr


SPOILT = (
    Spoilt("cut off below", lambda: cut(scene(), 0, None, 6.5), "cut-off", rows=6),
    Spoilt("cut off above", lambda: cut(scene(), 0, 1.4, None), "cut-off"),
    Spoilt("cut off left", lambda: cut(scene(), 1, 1.4, None), "cut-off"),
    Spoilt("cut off right", lambda: cut(scene(), 1, None, 6.3), "cut-off", cols=6),
    Spoilt("cut at a line", lambda: cut(scene(), 0, None, 6.02), "cut-off", lone=2),
    Spoilt("banner over a row", lambda: banner(1), "covered", hidden=1, where="at the top"),
    Spoilt("banner over two rows", lambda: banner(2), "covered", hidden=2, where="at the top"),
    Spoilt("finger", finger, "covered", block=((5, 4), (7, 5))),
    Spoilt("fingertip on a dot", lambda: fingertip(scene(), ends()[0], 0.58, (130, 158, 212)), "covered"),
    Spoilt("dark dialog", lambda: dialog(20, (2.5, 5.6)), "covered", where="in the middle", hidden=2),
    Spoilt("bright dialog", lambda: dialog(245, (2.5, 5.6)), "covered", where="in the middle", hidden=3),
    Spoilt("dialog over a dimmed board", lambda: dialog(245, (2.2, 5.3), 0.4, 7), "covered"),
    Spoilt("dark dialog over the first rows", lambda: dialog(20, (0.4, 3.8)), "covered"),
    Spoilt("toast over the last row", lambda: toast(7.15), "covered"),
    Spoilt("toast over the first row", lambda: toast(0.1), "covered"),
    Spoilt("advertisement", advertisement, "covered"),
    Spoilt("header over nothing", header_over_nothing, "lone-dots"),
    Spoilt("wrong grid", whole, "wrong-option", Options(grid="7x9")),
    Spoilt("wrong crop", whole, "wrong-option", Options(crop=(0, 900, 800, 700))),
    Spoilt("photograph at an angle", lambda: seen_aside(whole(), 24), "unclear"),
    Spoilt("thumbnail", thumbnail, "too-small", width=60),
    Spoilt("grey", grey, "tinted", grey=True, stage="dots"),
    Spoilt("night shift", night_shift, "tinted"),
    Spoilt("tint of 94 %", lambda: tinted(whole(), (120, 90, 60)), "faint"),
    Spoilt("dimmed", lambda: dimmed(whole(), 0.07), "faint"),
    Spoilt("JPEG 5", compressed, "unclear"),
    Spoilt("menu", menu, "no-board"),
    Spoilt("two boards", two_boards, "two-boards", next_code="lone-dots"),
    Spoilt("digits", digits, "other-game"),
    Spoilt("two pairs", two_pairs, "unsure"),
    Spoilt("side bar", side_bar, "lone-dots"),
    Spoilt("no dots", lambda: screenshot_of(".....\n" * 5, 120), "no-dots", none=True),
    Spoilt(
        "erased dot", lambda: screenshot_of(ERASED, 120), "lone-dots", stage="dots", name="red", at=(4, 1)
    ),
    Spoilt(
        "recoloured dot",
        lambda: screenshot_of(RECOLOURED, 120),
        "many-dots",
        stage="dots",
        name="yellow",
        count=3,
        one="green",
    ),
    Spoilt("photograph of no board", photo, "unclear", stage="board", photograph=True),
    Spoilt("wallpaper", wallpaper, "no-board", stage="grid"),
    Spoilt(
        "discs of one colour",
        lambda: screenshot_of(DISCS, 120),
        "other-game",
        stage="dots",
        dots=8,
        colours=1,
    ),
    Spoilt("counters", lambda: screenshot_of(COUNTERS, 120), "other-game", dots=25),
    Spoilt("six rows cut off below", lambda: cut(scene(6, "old", "iphone-xr"), 0, None, 4.5), "cut-off"),
    Spoilt("seven columns cut off right", lambda: cut(scene(7, "old", "full-hd"), 1, None, 5.5), "cut-off"),
    Spoilt(
        "banner over the last row",
        lambda: banner_below(scene(7, "wide", "galaxy")),
        "covered",
        where="at the bottom",
    ),
    Spoilt(
        "large popup",
        lambda: large_popup(scene(7, "current", "full-hd")),
        "covered",
        count=35,
        block=((1, 0), (5, 6)),
    ),
    Spoilt(
        "thumb on a dot",
        lambda: fingertip(scene(7, "old", "iphone-15"), ends(7)[5], 0.6, (110, 140, 190)),
        "covered",
    ),
    Spoilt("balls in lines", balls_in_a_line, "other-game"),
    Spoilt("seven rows dimmed", lambda: dimmed(scene(7, "old", "slim").bgr, 0.08), "faint"),
    Spoilt("green tint", lambda: tinted(scene(6, "current", "iphone-max").bgr, (90, 150, 80)), "faint"),
    # It ends at the line below the eighth row.
    Spoilt("balls at the edge", lambda: balls_in_a_line()[: 400 + 8 * 120 + 2], "other-game"),
    Spoilt(
        "photograph from the other side",
        lambda: seen_aside(scene(7, "current", "galaxy").bgr, -22),
        "unclear",
    ),
)
BY_NAME = {one.name: one for one in SPOILT}
