"""Drawn pictures that are refused, each for one cause."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import cv2
import numpy as np

from flowvision.image.codec import decode, encode
from flowvision.image.picture import Bgr
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from flowvision.reading.options import Options
from flowvision.solvers import solve
from flowvision.words import Change, Option, Without
from tests.boards import make_puzzle, places_of_pairs
from tests.drawing import LEVEL_5X5, UNSOLVABLE, collage, screenshot_of
from tests.tools.synthetic import Style, SyntheticShot, draw_screenshot

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
CELLS = 8
BOARDS = {
    8: (7, "...K....\n.....B.J\n..A.AEBC\nK..CE...\nD.J....F\nG.DL..L.\n.H.I.IH.\n.G.....F\n"),
    5: (1, LEVEL_5X5),
    6: (3, "......\n.A.DE.\nCB....\n...D..\n.A.E..\n.BC...\n"),
    7: (4, "DE.....\n..C..AE\n..A.B..\n..FC..B\n....F.D\n.......\n.......\n"),
}
"""Seeds and boards with exactly one solution, by the number of their rows."""


class Spoilt:
    """A picture with one thing wrong.

    ``facts``: some of what JSON names, its ``advice`` and whether that was ``tried``, the number of
    ``marks`` and their ``labels``.
    """

    def __init__(
        self,
        name: str,
        draw: Callable[[], Bgr],
        code: str,
        /,
        options: Options | None = None,
        **facts: object,
    ) -> None:
        self.name, self.draw, self.code, self.facts = name, draw, code, facts
        self.options = options or Options()


@cache
def puzzle(cells: int = CELLS) -> NamedPuzzle:
    return parse(BOARDS[cells][1])


@cache
def shot(cells: int, drawn: float) -> SyntheticShot:
    known = puzzle(cells)
    solution = solve(known.puzzle).solution if drawn else None
    return draw_screenshot(known.board, known.puzzle, Style(drawn=drawn), BOARDS[cells][0], solution)


class Scene(NamedTuple):
    drawn: SyntheticShot
    bgr: Bgr

    def px(self, row: float, col: float) -> tuple[int, int]:
        """Return the pixel at a row and column from the first cell's corner."""
        x, y = self.drawn.frame.to_px([(col, row)])[0]
        return round(float(x)), round(float(y))

    @property
    def cell_px(self) -> int:
        return self.px(0, 1)[0] - self.px(0, 0)[0]

    def cut(self, axis: int, start: float | None, end: float | None) -> Bgr:
        """Cut the picture at these rows (axis 0) or columns of the board."""
        first, last = (None if at is None else self.px(at, at)[1 - axis] for at in (start, end))
        return np.ascontiguousarray(self.bgr[first:last] if axis == 0 else self.bgr[:, first:last])

    def panel(self, rows: tuple[float, float], cols: tuple[float, float], shade: int, words: str = "") -> Bgr:
        """Draw a dialog, a notification or an advertisement over these rows and columns."""
        (x0, y0), (x1, y1) = self.px(rows[0], cols[0]), self.px(rows[1], cols[1])
        cv2.rectangle(self.bgr, (x0, y0), (x1, y1), (shade,) * 3, -1)
        ink = (240 if shade < 128 else 30,) * 3
        cv2.putText(self.bgr, words, (x0 + 60, (y0 + y1) // 2 + 12), 0, 1.2, ink, 2, cv2.LINE_AA)
        return self.bgr

    def disc(self, at: tuple[float, float], size: float, colour: tuple[int, int, int]) -> Bgr:
        """Draw a fingertip or a stain; ``size``: radius in cells."""
        cv2.circle(self.bgr, self.px(*at), round(size * self.cell_px), colour, -1, cv2.LINE_AA)
        return self.bgr


def scene(cells: int = CELLS, drawn: float = 0.0, dim: float = 1.0) -> Scene:
    made = shot(cells, drawn)
    return Scene(made, cv2.convertScaleAbs(made.screenshot.bgr, alpha=dim))


def whole() -> Bgr:
    return scene().bgr


def header_over_nothing() -> Bgr:
    """A bright header right above a board of five rows and six columns, of which a dot is wiped away."""
    known = parse("R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n")
    drawn = draw_screenshot(known.board, known.puzzle, Style(), seed=3)
    on = Scene(drawn, drawn.screenshot.bgr.copy())
    on.panel((-1.15, -0.05), (0, 6), 180, "Level 12")
    return on.disc((0.5, 0.5), 0.42, (0, 0, 0))


def seen_aside(bgr: Bgr, degrees: float) -> Bgr:
    """Photograph a screen at an angle, with noise, blur and uneven light."""
    height, width = bgr.shape[:2]
    random = np.random.default_rng(5)
    desk = cv2.GaussianBlur(random.integers(40, 130, (height, width, 3), np.uint8), (0, 0), 9)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = np.array([(0.24, 0.26), (0.72, 0.16), (0.86, 0.80), (0.14, 0.74)]) * (width, height)
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


def tinted(bgr: Bgr, tint: tuple[int, int, int]) -> Bgr:
    return np.clip(0.06 * bgr + 0.94 * np.array(tint), 0, 255).astype(np.uint8)


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


def two_pairs() -> Bgr:
    """A box with two pairs of dots: solvable in one way, and no level."""
    few = parse("RG...\n...G.\n..R..\n.....\n.....\n")
    return draw_screenshot(few.board, few.puzzle, Style(), seed=7).screenshot.bgr


def digits(step: int) -> Bgr:
    """Every ``step``-th cell of an empty level holds a digit."""
    known, bgr = puzzle(), screenshot_of((CELLS * "." + "\n") * CELLS, pitch=100, corner=(50, 400))
    for dot in range(0, CELLS * CELLS, step):
        x, y = known.board.layout.cells[dot].centre
        at = round(50 + 100 * x - 24), round(400 + 100 * y + 28)
        cv2.putText(bgr, str(dot % 10), at, 0, 2.2, (240,) * 3, 4, cv2.LINE_AA)
    return bgr


def squares() -> Bgr:
    """A level whose dots are squares that fill their cells."""
    bgr, known = large((5 * "." + "\n") * 5), puzzle(5)
    for dot, flow in known.puzzle.dots.items():
        x, y = known.board.layout.cells[dot].centre
        (left, top), shade = (round(12 + 120 * x - 57), round(300 + 120 * y - 57)), 50 * flow
        cv2.rectangle(bgr, (left, top), (left + 114, top + 114), (255 - shade, 60 + shade, 2 * shade), -1)
    return bgr


def table_on_a_page() -> Bgr:
    """A small table of signs on a large page."""
    bgr = np.full((1200, 1600, 3), 255, np.uint8)
    for row, col in np.ndindex(3, 3):
        x, y = 200 + 70 * col, 300 + 70 * row
        cv2.rectangle(bgr, (x, y), (x + 70, y + 70), (0, 0, 0), 2)
        cv2.putText(bgr, "ABCDEFGHI"[3 * row + col], (x + 20, y + 50), 0, 1.2, (0, 0, 0), 3)
    return bgr


def pipes_alone() -> Bgr:
    """A level without dots, full of pipes: they cross the sides of cells, unlike symbols."""
    bgr = large((5 * "." + "\n") * 5)
    for ring in range(2):
        first, last = (72 + 120 * ring, 360 + 120 * ring), (552 - 120 * ring, 840 - 120 * ring)
        cv2.rectangle(bgr, first, last, (60, 200, 250 - 90 * ring), 36)
    return bgr


def framed_below(bgr: Bgr, px: Callable[[float, float], tuple[int, int]], share: float = 1.0) -> Bgr:
    """Draw a row of buttons as wide as cells below a board of five, a ``share`` of their height."""
    for col in range(5):
        cv2.rectangle(bgr, px(5, col), px(5 + share, col + 1), (109, 109, 63), 2)
    return bgr


def row_of_buttons() -> Bgr:
    on = scene(5)
    return framed_below(on.bgr, on.px)


def buttons_at_the_edge() -> Bgr:
    """Two pairs of dots of one colour, and below the board a row of buttons that the picture cuts."""
    bgr = screenshot_of(LEVEL_5X5.replace("O", "R"), pitch=120, corner=(12, 300))
    return framed_below(bgr, lambda row, col: (round(12 + 120 * col), round(300 + 120 * row)))[: 300 + 670]


def band_over_a_sample() -> Bgr:
    """The first row of a sample lies under a white band."""
    bgr = sample("02.png").copy()
    bgr[229:386] = 255
    return bgr


def side_bar() -> Bgr:
    """A window as wide as the board with a column of square buttons that touches it, round signs on them."""
    on = scene()
    (x0, y0), (x1, y1) = on.px(0, 0), on.px(CELLS, CELLS)
    cell = (x1 - x0) / CELLS
    bgr = np.zeros((y1 - y0 + 200, x1 - x0 + round(cell) + 120, 3), np.uint8)
    bgr[100 : 100 + y1 - y0 + 3, 60 : 60 + x1 - x0 + 3] = on.bgr[y0 - 1 : y1 + 2, max(0, x0 - 1) : x1 + 2]
    left, width = 60 + x1 - x0, round(cell)
    for n in range(CELLS):
        top = 100 + round(n * cell)
        cv2.rectangle(bgr, (left, top), (left + width, top + width), (63, 109, 63), 3)
        at = (left + width // 2, top + width // 2)
        cv2.circle(bgr, at, round(0.3 * cell), (90 + 20 * n, 200 - 20 * n, 120), -1, cv2.LINE_AA)
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


RECOLOURED = LEVEL_5X5.replace("G", "Y", 1)
DISCS = "M.M..\n..M.M\n.M...\nM...M\n..M..\n"
COUNTERS = "RGRGR\nGRGRG\nRGRGR\nGRGRG\nRGRGG\n"
SEVEN_OF_TWO = "RGRGRGR\nGRGRGRG\nRGRGRGG\nGRGRGRG\n" + 3 * "RGRGGGR\n"
"""Other games: discs of one colour, and pieces of two colours all over the board."""
SPOILT_SEVEN = "....RB.\n....YM.\n..M....\n.....B.\n...O...\n.PO..OY\n......R\n"
"""The second level of a sample with a dot of a wrong colour: three are orange."""
LACKING = ".YR..\nYP...\n..N..\nN....\nP.R..\n"
"""All of its dots lie in the first four columns, which have no solution, and one where a dot is moved."""
MOVED = "R.G.Y\n....O\n.B...\n.G.Y.\n.RBO.\n"
"""A blue dot lies in another cell, and no single step of a dot puts it right."""
SIX_WIDE = "R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n"
ONE_ORANGE = LEVEL_5X5.replace(".RBO.", ".RB..")


def large(text: str) -> Bgr:
    return screenshot_of(text, pitch=120, corner=(12, 300))


def part_of_a_board() -> Bgr:
    """The last three columns of six; the others are black."""
    bgr = large("....A.\n.WN...\n..N...\n...A..\n.....P\nWP....\n")
    bgr[:, :352] = 0
    return bgr


def from_edge_to_edge() -> Bgr:
    """A board as wide as the screen, of which a dot is wiped away."""
    bgr = screenshot_of("R.G.Y\n..B.O\n.....\n.....\n.G.Y.\n.RBO.\n", pitch=140, corner=(4, 300))
    bgr[330:420, 30:120] = 0
    return bgr


def dots_in_grey() -> Bgr:
    bgr = screenshot_of(LEVEL_5X5)
    bgr[bgr.max(axis=2) > 130] = 200
    return bgr


def blurred() -> Bgr:
    return np.asarray(cv2.GaussianBlur(large(LEVEL_5X5), (0, 0), 12), np.uint8)


def sample(name: str) -> Bgr:
    return decode((SAMPLES / name).read_bytes()).bgr


def hidden_dot() -> Bgr:
    bgr = large(LEVEL_5X5)
    cv2.rectangle(bgr, (12 + 5, 305), (12 + 114, 414), (40, 40, 40), -1)
    cv2.putText(bgr, "Mail", (30, 370), cv2.FONT_HERSHEY_SIMPLEX, 1, (200, 200, 200), 2)
    return bgr


def laid_over(picture: Bgr, pitch: int) -> Bgr:
    small, bgr = screenshot_of(LEVEL_5X5, pitch, corner=(12, 80)), picture.copy()
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
    large, small = (
        screenshot_of(SPOILT_SEVEN, pitch=100, corner=(12, 200)),
        screenshot_of(LEVEL_5X5, pitch=40, corner=(20, 450)),
    )
    return collage(large, small[: len(large)])


def without_column(side: str) -> Bgr:
    """A screenshot without the column of the board at that side, in which no dot lies."""
    bgr = screenshot_of(LACKING, pitch=120, corner=(12, 300))[:, : 12 + 4 * 120 + 2]
    return np.ascontiguousarray(bgr if side == "right" else bgr[:, ::-1])


class Covered(NamedTuple):
    """A picture, the text of the board that is on it, and the cell whose dot is covered."""

    png: bytes
    text: str
    place: tuple[int, int]

    @property
    def pairs(self) -> set[frozenset[tuple[int, int]]]:
        return places_of_pairs(parse(self.text))


def covered_board(size: int, seed: int) -> Covered:
    """Cover a dot of a random board: by a notch, a badge, a thumb or a dark spot, as the seed goes up."""
    text = make_puzzle(shape_of(f"{size}x{size}"), size + seed % 3, seed + 100 * size)
    named = parse(text)
    drawn = draw_screenshot(named.board, named.puzzle, Style(), seed)
    on, dots = Scene(drawn, drawn.screenshot.bgr.copy()), sorted(named.puzzle.dots)
    place = named.board.lattice.places[Random(31 * seed + size).choice(dots)]
    x, y = place[1] + 0.5, place[0] + 0.5
    match seed % 4:
        case 0:
            on.disc((y, x), 0.42, (0, 0, 0))
        case 1:
            on.panel((y - 0.45, y + 0.5), (x - 0.5, x + 0.5), 255)
        case 2:
            on.disc((y, x + 0.1), 0.45, (90, 140, 220))
        case _:
            on.disc((y, x), 0.42, (40, 40, 40))
    return Covered(encode(on.bgr), text, place)


def covered(bgr: Bgr, row: int, col: int, share: float = 1.0) -> Bgr:
    """Cover a cell of ``screenshot_of``; ``share``: of its height."""
    x, y = 12 + 60 * col, 140 + 60 * row
    cv2.rectangle(bgr, (x + 4, y + 4), (x + 56, y + 4 + round(52 * share)), (0, 0, 0), -1)
    return bgr


FULL_CROP = Options(crop=(0, 0, 624, 840), grid="6x8")
"""It ends within the last row of a board of five cells of 120 px."""
SPOILT = (
    Spoilt("cut off below", lambda: scene().cut(0, None, 6.5), "cut-off"),
    Spoilt("cut off above", lambda: scene().cut(0, 1.4, None), "cut-off"),
    Spoilt("cut off left", lambda: scene().cut(1, 1.4, None), "cut-off"),
    Spoilt("cut off right", lambda: scene().cut(1, None, 6.3), "cut-off"),
    Spoilt("cut at a line", lambda: scene().cut(0, None, 6.02), "cut-off", lone=2),
    Spoilt("column cut off left", lambda: without_column("left"), "cut-off", sides=("left",), advice=()),
    Spoilt("column cut off right", lambda: without_column("right"), "cut-off", likely="most likely"),
    Spoilt("size of counters", lambda: laid_over(screenshot_of(SEVEN_OF_TWO, 150, (12, 300)), pitch=60),
           "covered", Options(grid="7x7")),
    Spoilt("banner over a row", lambda: scene().panel((-0.3, 0.95), (0.07, 7.93), 46, "Mum: dinner is ready"),
           "covered", cells=8),
    Spoilt("band over a row", band_over_a_sample, "covered", title_size="5x5"),
    Spoilt("header over nothing", header_over_nothing, "lone-dots"),
    Spoilt("side bar", side_bar, "lone-dots"),
    Spoilt("from edge to edge", from_edge_to_edge, "lone-dots"),
    Spoilt("fingertip", lambda: scene().disc((0.5, 3.5), 0.58, (130, 158, 212)), "lone-dots"),
    Spoilt("patch on a dot", lambda: covered(screenshot_of(LEVEL_5X5), 1, 4), "lone-dots", names=("orange",),
           places=((4, 3),), advice=(Change(None, "O"),)),
    Spoilt("dark dialog", lambda: scene(drawn=1.0).panel((2.5, 5.6), (0.6, 7.4), 20, "Perfect!"), "covered",
           cells=21),
    Spoilt("advertisement", lambda: scene().panel((7.1, 8.6), (0, 8), 250, "Play free"), "covered",
           title_size="8x8"),
    Spoilt("row of buttons", row_of_buttons, "title", size="5x6", title_size="5x5", tried=True),
    Spoilt("pipes alone", pipes_alone, "other-cells", cells=25),
    Spoilt("table on a page", table_on_a_page, "no-board"),
    Spoilt("wrong grid", whole, "wrong-option", Options(grid="7x9"), tried=True),
    Spoilt("wrong crop", whole, "wrong-option", Options(crop=(0, 900, 800, 700)), tried=True),
    Spoilt("wrong colours", whole, "wrong-option", Options(colours=7), advice=(Without("colours"),)),
    Spoilt("crop beyond the picture", whole, "wrong-option", Options(crop=(1090, 0, 100, 100)), width=1080,
           advice=(Without("crop"),)),
    Spoilt("size of five", lambda: large(LEVEL_5X5), "wrong-option", Options(grid="6x6"),
           advice=(Without("grid"),)),
    Spoilt("size of six", lambda: large(SIX_WIDE), "wrong-option", Options(grid="3x7"), lines_cols=6,
           lines_rows=5),
    Spoilt("size of no answer", lambda: screenshot_of(ONE_ORANGE), "wrong-option", Options(grid="6x5"),
           option="grid", lines_cols=5, lines_rows=5, advice=(), tried=False),
    Spoilt("size of a part", lambda: large(LEVEL_5X5), "wrong-option", FULL_CROP,
           advice=(Without("crop"), Without("grid"))),
    Spoilt("few of hexagons", lambda: sample("15-hex.png"), "wrong-option", Options(grid="3x3"),
           advice=(Without("grid"),)),
    Spoilt("part beside a board", small_board_beside, "many-dots", Options(crop=(10, 198, 704, 704))),
    Spoilt("photograph at an angle", lambda: seen_aside(whole(), degrees=24), "unclear"),
    Spoilt("photograph of no board", photo, "unclear"),
    Spoilt("blurred", blurred, "no-board", Options(grid="5x5")),
    Spoilt("thumbnail", thumbnail, "too-small", width=60),
    Spoilt("grey", grey, "tinted"),
    Spoilt("tint of 94 %", lambda: tinted(whole(), (120, 90, 60)), "faint"),
    Spoilt("dimmed", lambda: scene(dim=0.07).bgr, "faint"),
    Spoilt("black", lambda: np.zeros((300, 200, 3), np.uint8), "no-board", blank=True),
    Spoilt("menu", menu, "no-board"),
    Spoilt("wallpaper", wallpaper, "no-board"),
    Spoilt("digits", lambda: digits(2), "other-game", inked=32),
    Spoilt("few digits", lambda: digits(4), "other-cells", cells=64, marked=16),
    Spoilt("squares for dots", squares, "other-cells", cells=25, marked=10),
    Spoilt("discs of one colour", lambda: screenshot_of(DISCS, pitch=120), "other-game", dots=8, colours=1,
           labels={""}),
    Spoilt("counters", lambda: screenshot_of(COUNTERS, pitch=120), "other-game", labels={""}),
    Spoilt("balls in lines", balls_in_a_line, "other-game"),
    # It ends at the line below the eighth row.
    Spoilt("balls at the edge", lambda: balls_in_a_line()[: 400 + 8 * 120 + 2], "other-game"),
    Spoilt("no dots", lambda: large("...\n" * 5), "no-dots", dots=0, cells=15),
    Spoilt("one dot", lambda: large("..R...\n" + "......\n" * 5), "no-dots", cells=36, dots=1),
    Spoilt("three dots", lambda: large("..R...\n" + "......\n" * 4 + "G...B.\n"), "no-dots", cells=36,
           dots=3),
    Spoilt("part of a board", part_of_a_board, "no-dots", cells=18, dots=1),
    Spoilt("erased dot", lambda: screenshot_of(LEVEL_5X5.replace("R", ".", 1), pitch=120), "lone-dots",
           names=("red",), places=((4, 1),), advice=(Change(None, "R"),)),
    Spoilt("no orange", lambda: screenshot_of(ONE_ORANGE), "lone-dots", names=("orange",), places=((1, 4),),
           advice=(Change(None, "O"),)),
    Spoilt("sticker", lambda: screenshot_of(LEVEL_5X5.replace("...", "..W", 1), pitch=120), "lone-dots",
           advice=(Change((2, 2), "."),), tried=True),
    Spoilt("two pairs of red above buttons", buttons_at_the_edge, "many-dots"),
    Spoilt("two pairs of red", lambda: screenshot_of(LEVEL_5X5.replace("O", "R"), pitch=120), "many-dots",
           advice=(Option("colours", "5"),), tried=True),
    Spoilt("recoloured dot", lambda: screenshot_of(RECOLOURED, pitch=120), "many-dots",
           name="yellow", count=3, one="green"),
    Spoilt("dots in grey", dots_in_grey, "alike-dots", Options(colours=5), marks=10, advice=(Change(),)),
    Spoilt("two pairs", two_pairs, "unsure"),
    Spoilt("moved dot", lambda: screenshot_of(MOVED, pitch=120), "no-solution", weakest=""),
    Spoilt("no solution", lambda: screenshot_of(UNSOLVABLE, pitch=120), "no-solution"),
)  # fmt: skip
BY_NAME = {one.name: one for one in SPOILT}
