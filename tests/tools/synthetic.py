"""Screenshots that the game could have made: any board, any theme, any phone, with the truth beside them."""

from collections.abc import Sequence
from random import Random
from string import ascii_uppercase
from typing import Literal, NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from flowvision.colours import HIDDEN, PALETTES, contrast, ink_on, rgbs
from flowvision.image.picture import Bgr, Frame, Rgb, Screenshot
from flowvision.palette import letters_for
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.render.board_look import draw_ruling
from flowvision.render.curves import lines_of
from flowvision.render.look import NARROW_DOT, PIPE, PlacedBoard, dot_radius
from flowvision.render.paint import disc, polygon, stroke, text
from flowvision.render.ruling import BoardStyle


class Theme(Struct, frozen=True):
    """One look of the game. ``lines``: the grid line colours of its packs; ``glow``: its background bars."""

    name: str
    palette: tuple[Rgb, ...]
    lines: tuple[Rgb, ...]
    glow: tuple[Rgb, ...]
    blurred: bool = True
    """Background bars are blurred (new look) or flat with round ends (old look)."""


GLOW = rgbs("1e0000 00001c 210021 001818 181000 001400")
NEW_LINES = rgbs("3f6d3f 7f3f3f 7f623f 7a7746 425583 397573")

CURRENT = Theme("current", PALETTES["current"], NEW_LINES, GLOW)
OLD = Theme(
    "old",
    PALETTES["old"],
    rgbs("7b7b3f 7f5f3f 3f7f3f 3f5f7f 766877"),
    rgbs("1a001a 121200 001818 181818 001800"),
    blurred=False,
)
WIDE = Theme("wide", PALETTES["wide"], rgbs("4a6c44 784240 776042"), GLOW)
MUTED = Theme("muted", PALETTES["muted"], NEW_LINES, GLOW)

THEMES = {theme.name: theme for theme in (CURRENT, OLD, WIDE, MUTED)}


class Phone(Struct, frozen=True):
    """A screen in pixels. Fractions are of its width or height, as measured on real screenshots."""

    name: str
    width: int
    height: int
    dithered: bool = False
    """iPhones dither the glow pixel by pixel."""

    @property
    def line_px(self) -> int:
        """Grid lines are 0.3 % of the board's width, whatever the cell size."""
        return max(2, round(0.003 * min(self.width, self.height)))

    def place(self, rows: float, cols: float) -> tuple[float, float, float]:
        """Left, top and pitch, in pixels, of a board of this size in cell units.

        As wide as the screen but for 0.3 % on each side, or, where it is tall, between 11 % and 76 % of
        the height; its middle lies at 47 % of the height.
        """
        margin = max(1.5, 0.003 * self.width)
        pitch = min((self.width - 2 * margin) / cols, 0.65 * self.height / rows)
        top = max(0.11 * self.height, 0.47 * self.height - pitch * rows / 2)
        return (self.width - pitch * cols) / 2, top, pitch


PHONES = {
    phone.name: phone
    for phone in (
        Phone("small", 720, 1280),
        Phone("slim", 720, 1480),
        Phone("iphone-xr", 828, 1792, dithered=True),
        Phone("vivo", 864, 1872),
        Phone("full-hd", 1080, 1920),
        Phone("galaxy", 1080, 2400),
        Phone("iphone-15", 1179, 2556, dithered=True),
        Phone("iphone-max", 1242, 2688, dithered=True),
        Phone("quad-hd", 1440, 2560),
        Phone("tablet", 1392, 1994),
    )
}


HEAD_RADIUS, LETTER_SIZE = 0.25, 0.36
"""Radius of the head, and height of the letter, in pitches; measured on real screenshots."""
FINISHED_TINT, BEGUN_TINT = 0.31, 0.2
"""Tints of cells; those of finished flows are half the flow's colour and half white."""
WHITE, BLACK, YELLOW = Rgb(255, 255, 255), Rgb(0, 0, 0), Rgb(250, 224, 60)
Box = tuple[float, float, float, float]
COARSE = 8
"""Blurred bars are drawn at an eighth of the size."""
HALO_RADIUS, HALO_SHARE = 0.72, 0.4
"""Radius in pitches, and share of the flow's colour: a translucent disc 1.3 to 1.6 cells wide, over lines."""
POINTER = np.array([(0.0, 0.0), (0.0, 0.3), (0.07, 0.24), (0.2, 0.2)])
"""Outline from the tip, in pitches."""


class Style(Struct, frozen=True):
    """Look of a screenshot.

    ``dim``: brightness of a fade-in frame, 0 to 1. ``drawn``: share of the solution already played.
    ``letters``: the colour-blind letters; ``both``: white on dark dots, black on bright ones, as the game has
    them. ``scale``: the picture is resized by it; ``quality``: JPEG, 1 to 100, or ``None`` for exact pixels.
    ``chrome``: title, counters, buttons. ``tint``: how strongly finished cells are tinted, 0 to 1. ``dot``:
    the width of dots, of that of the game's. ``pipe``: the width of pipes, of the pitch. ``finger``: a halo
    round the end of a pipe that is being drawn; ``pointer``: a mouse pointer there.
    """

    theme: Theme = THEMES["current"]
    phone: Phone = PHONES["galaxy"]
    line: int = 0
    dim: float = 1.0
    drawn: float = 0.0
    letters: Literal["white", "black", "both"] | None = None
    scale: float = 1.0
    quality: int | None = None
    chrome: bool = True
    tint: float = FINISHED_TINT
    dot: float = 1.0
    pipe: float = PIPE
    finger: bool = False
    pointer: bool = False


LOOKS = {
    "plain": Style(),
    "old": Style(THEMES["old"], line=1, quality=40, scale=0.6),
    "begun": Style(THEMES["wide"], drawn=0.5, letters="white"),
    "half": Style(THEMES["wide"], drawn=0.8, quality=60, scale=0.6),
    "solved": Style(drawn=1.0, dim=0.7, phone=PHONES["iphone-15"]),
}


class PlayedPath(Struct, frozen=True):
    flow: int
    path: Path
    done: bool


class SyntheticShot(Struct, frozen=True, eq=False):
    """A screenshot and its truth: where the board lies, and a colour per flow.

    ``letters``: those on the dots, or after the colours, as a reader calls the flows.
    """

    screenshot: Screenshot
    frame: Frame
    palette: tuple[Rgb, ...]
    letters: tuple[str, ...]


def random_style(seed: int) -> Style:
    random = Random(seed)
    theme = random.choice([THEMES[name] for name in ("current", "old", "wide")])
    return Style(
        theme,
        random.choice(list(PHONES.values())),
        random.randrange(len(theme.lines)),
        random.choice((1.0, 1.0, 1.0, random.uniform(0.6, 0.87))),
        random.choice((0.0, 0.0, 0.0, random.random())),
        random.choice((None, None, "white", "black")),
        random.choice((1.0, 1.0, random.uniform(0.5, 2.0))),
        random.choice((None, None, random.randint(30, 95))),
    )


class Drawing(NamedTuple):
    """A canvas and what is drawn on it; ``size``: width of a cell of such dots, in pixels."""

    canvas: Bgr
    placed: PlacedBoard
    puzzle: Puzzle
    played: Sequence[PlayedPath]
    palette: tuple[Rgb, ...]
    style: Style
    size: float

    def heads(self, played: Sequence[PlayedPath]) -> list[list[float]]:
        ends = self.placed.middles_px(one.path.ends[1] for one in played if not one.done)
        return [[float(x), float(y)] for x, y in ends]


def draw_screenshot(
    board: Board,
    puzzle: Puzzle,
    style: Style,
    seed: int,
    solution: Solution | None = None,
    pipes: Sequence[PlayedPath] | None = None,
) -> SyntheticShot:
    """The puzzle as a phone would show it; ``solution`` is needed where ``style.drawn`` is not 0.

    ``pipes``: those that are on it, right or wrong, in place of a share of the solution.
    """
    random, flows = Random(seed), len(puzzle.terminals)
    palette = tuple(random.sample(style.theme.palette, flows))
    corners = np.array(board.layout.corners)
    low, high = corners.min(axis=0), corners.max(axis=0)
    left, top, pitch = style.phone.place(high[1] - low[1], high[0] - low[0])
    frame = Frame.of_box(left - low[0] * pitch, top - low[1] * pitch, pitch, pitch)
    (x0, y0), (x1, y1) = frame.to_px([low, high]).tolist()

    canvas = np.zeros((style.phone.height, style.phone.width, 3), np.uint8)
    draw_glow(canvas, (x0, y0, x1, y1), style.theme, style.phone.dithered, random)
    played = pipes if pipes is not None else _played(solution, style.drawn, random) if solution else []
    # Where dots are smaller, in hexagons, so is all that goes with them.
    radii = sorted(dot_radius(cell) for cell in board.layout.cells)
    size = pitch * radii[len(radii) // 2] / NARROW_DOT
    drawing = Drawing(canvas, PlacedBoard(board, frame), puzzle, played, palette, style, size)
    _draw_tints(drawing)
    line = style.theme.lines[style.line % len(style.theme.lines)]
    wall = Rgb(*(min(255, 2 * channel) for channel in line))
    draw_ruling(canvas, board, frame, BoardStyle(line=line, wall=wall), style.phone.line_px)
    _draw_pipes(drawing)
    _draw_dots(drawing)
    if style.pointer:
        for head in drawing.heads(played):
            draw_pointer(canvas, head, size)
    if not style.letters:
        _draw_checks(drawing)
    if style.chrome:
        name = "" if board.lattice is None else f"{board.lattice.cols}x{board.lattice.rows}"
        done = sum(one.done for one in played)
        draw_chrome(canvas, (x0, y0, x1, y1), (done, flows), name, palette[0], random)
    return _finished(canvas, frame, palette, style)


def _played(solution: Solution, share: float, random: Random) -> list[PlayedPath]:
    """Return that share of the flows, and the beginning of one more."""
    order = random.sample(range(len(solution.paths)), len(solution.paths))
    done = round(share * len(order))
    played = [PlayedPath(flow, solution.paths[flow], done=True) for flow in order[:done]]
    if 0 < share < 1 and done < len(order):
        path = solution.paths[order[done]]
        length = random.randint(2, max(2, len(path.vertices) - 1))
        if length < len(path.vertices):
            played.append(PlayedPath(order[done], path.part(0, length - 1), done=False))
    return played


def _draw_tints(on: Drawing) -> None:
    """Tint visited cells, finished ones more."""
    for one in on.played:
        colour, tinted = on.palette[one.flow], on.style.tint
        tint = Rgb(*(round(tinted * (c + 255) / 2) if one.done else round(BEGUN_TINT * c) for c in colour))
        for strand in one.path.vertices:
            outline = on.placed.board.layout.cell_at(strand).outline
            polygon(on.canvas, on.placed.frame.to_px(outline), tint)


def _draw_pipes(on: Drawing) -> None:
    for one in on.played:
        colour = on.palette[one.flow]
        for head in on.heads([one]):
            if on.style.finger:
                draw_halo(on.canvas, head, on.size, colour)
            disc(on.canvas, head, HEAD_RADIUS * on.style.pipe / PIPE * on.size, colour)
        for line in lines_of(on.placed.board, one.path):
            stroke(on.canvas, on.placed.frame.to_px(line), colour, on.style.pipe * on.size)


def _draw_dots(on: Drawing) -> None:
    layout, frame = on.placed.board.layout, on.placed.frame
    pitch, letters = frame.pitch_px(layout.cells[0].centre), on.style.letters
    for dot, flow in on.puzzle.dots.items():
        cell, colour = layout.cell_at(dot), on.palette[flow]
        centre = frame.to_px(cell.centre)[0].tolist()
        disc(on.canvas, centre, on.style.dot * dot_radius(cell) * pitch, colour)
        if letters:
            ink = {"white": WHITE, "black": BLACK}.get(letters, colour)
            if contrast(ink, colour) < HIDDEN:
                ink = ink_on(colour)
            text(on.canvas, centre, _letter_on(flow), LETTER_SIZE * on.size, ink, "mm")


def _letter_on(flow: int) -> str:
    return ascii_uppercase[flow % len(ascii_uppercase)]


def _draw_checks(on: Drawing) -> None:
    pitch = on.size * min(1.0, on.style.dot)
    for centre in on.placed.middles_px(end for one in on.played if one.done for end in one.path.ends):
        mark = centre + np.array([(-0.12, 0.0), (-0.03, 0.1), (0.14, -0.1)]) * pitch
        stroke(on.canvas, mark, BLACK, 0.05 * pitch)


def _finished(canvas: Bgr, frame: Frame, palette: tuple[Rgb, ...], style: Style) -> SyntheticShot:
    if style.dim < 1:
        canvas = np.round(canvas * np.float32(style.dim)).astype(np.uint8)
    if style.scale != 1:
        how = cv2.INTER_AREA if style.scale < 1 else cv2.INTER_CUBIC
        canvas = np.asarray(
            cv2.resize(canvas, None, fx=style.scale, fy=style.scale, interpolation=how), np.uint8
        )
        # Pixel centres lie at whole numbers: half a pixel is added before scaling and taken off after.
        s, shift = style.scale, (style.scale - 1) / 2
        grown = np.array([[s, 0, shift], [0, s, shift], [0, 0, 1]]) @ frame.homography
        frame = Frame.of_homography(grown)
    if style.quality is not None:
        _, packed = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, style.quality])
        canvas = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    letters = tuple(map(_letter_on, range(len(palette)))) if style.letters else letters_for(palette)
    return SyntheticShot(Screenshot(canvas, "synthetic"), frame, palette, letters)


def draw_glow(
    canvas: Bgr, board: tuple[float, float, float, float], theme: Theme, dithered: bool, random: Random
) -> None:
    """Draw bars across the screen, half as bright inside the board as around it."""
    height, width = canvas.shape[:2]
    step = COARSE if theme.blurred else 1
    bars = np.zeros((height // step + 1, width // step + 1, 3), np.uint8)
    for _ in range(random.randint(4, 7)):
        colour = random.choice(theme.glow)
        x, y, reach = random.uniform(0, width), random.uniform(0, height), random.uniform(0.3, 0.9) * width
        ends = [(x, y), (x + reach, y) if random.random() < 0.5 else (x, y + reach)]
        stroke(bars, np.array(ends) / step, colour, 0.09 * width / step)
    if theme.blurred:
        bars = np.asarray(cv2.GaussianBlur(bars, (0, 0), 0.03 * width / step))
        bars = np.asarray(cv2.resize(bars, (width, height), interpolation=cv2.INTER_LINEAR))
    bars = bars[:height, :width]
    if dithered:
        noise = np.random.default_rng(random.randrange(2**32)).integers(-1, 2, (height, width, 1))
        bars = np.where(bars > 2, np.clip(bars + noise, 0, 255), bars).astype(np.uint8)
    x0, y0, x1, y1 = (round(number) for number in board)
    canvas[:] = np.minimum(2 * bars.astype(np.uint16), 255) if theme.blurred else bars
    inner = slice(max(0, y0), y1 + 1), slice(max(0, x0), x1 + 1)
    canvas[inner] = bars[inner]


def draw_chrome(
    canvas: Bgr, board: Box, flows: tuple[int, int], size: str, title: Rgb, random: Random
) -> None:
    """Draw everything but the board."""
    height, width = canvas.shape[:2]
    left, top, right, bottom = board
    unit = width / 1080
    done, total = flows
    if top > 40 * unit:
        baseline = top - 20 * unit
        pipe = f"pipe: {100 * done // max(1, total)}%"
        text(canvas, (left + 6, baseline), f"flows: {done}/{total}", 42 * unit, WHITE, "ls")
        text(canvas, ((left + right) / 2, baseline), f"moves: {done}   best: -", 42 * unit, WHITE, "ms")
        text(canvas, (right - 6, baseline), pipe, 42 * unit, WHITE, "rs")
    if top > 220 * unit:
        y = min(0.07 * height, top - 130 * unit)
        _ring(canvas, (60 * unit, y), 34 * unit, unit)
        stroke(canvas, [(74 * unit, y), (46 * unit, y)], WHITE, 5 * unit)
        _ring(canvas, (width - 60 * unit, y), 34 * unit, unit)
        level = f"level {random.randint(1, 150)}"
        end = text(canvas, (110 * unit, y + 20 * unit), level, 62 * unit, title, "ls")
        text(canvas, (end + 12 * unit, y + 20 * unit), size, 44 * unit, Rgb(190, 190, 190), "ls")
    if bottom < height - 260 * unit:
        _buttons(canvas, bottom + 110 * unit, unit)
    if bottom < height - 520 * unit and random.random() < 0.7:
        _banner(canvas, height - 300 * unit, unit, random)


def _ring(canvas: Bgr, centre: tuple[float, float], radius: float, unit: float) -> None:
    disc(canvas, centre, radius, WHITE)
    disc(canvas, centre, radius - 5 * unit, BLACK)


def _buttons(canvas: Bgr, y: float, unit: float) -> None:
    width = canvas.shape[1]
    for x in (60 * unit, width - 60 * unit):
        _ring(canvas, (x, y), 30 * unit, unit)
    bulb = (width / 2, y)
    disc(canvas, bulb, 38 * unit, YELLOW)
    for dx, dy in ((-60, -30), (-38, -58), (0, -70), (38, -58), (60, -30)):
        ray = [(bulb[0] + share * dx * unit, y + share * dy * unit) for share in (1, 1.2)]
        stroke(canvas, ray, YELLOW, 6 * unit)
    polygon(canvas, _box(width / 2 + 90 * unit, y - 30 * unit, 90 * unit, 60 * unit), WHITE)
    polygon(canvas, _box(width / 2 + 97 * unit, y - 23 * unit, 76 * unit, 46 * unit), BLACK)


def _banner(canvas: Bgr, y: float, unit: float, random: Random) -> None:
    width = canvas.shape[1]
    ground = Rgb(*(random.randint(120, 255) for _ in range(3)))
    polygon(canvas, _box(width / 2 - 360 * unit, y, 720 * unit, 110 * unit), ground)
    for n in range(4):
        colour, x = Rgb(*(random.randint(0, 255) for _ in range(3))), width / 2 - 350 * unit + 100 * unit * n
        polygon(canvas, _box(x, y + 10 * unit, 90 * unit, 90 * unit), colour)
    text(canvas, (width / 2 + 200 * unit, y + 70 * unit), "PLAY NOW", 44 * unit, BLACK, "ms")


def _box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def draw_halo(canvas: Bgr, centre: Sequence[float], pitch_px: float, colour: Rgb) -> None:
    over = canvas.copy()
    disc(over, centre, HALO_RADIUS * pitch_px, colour)
    cv2.addWeighted(over, HALO_SHARE, canvas, 1 - HALO_SHARE, 0, dst=canvas)


def draw_pointer(canvas: Bgr, tip: Sequence[float], pitch_px: float) -> None:
    corners = np.asarray(tip) + pitch_px * POINTER
    polygon(canvas, corners[[0, 1, 2]], WHITE)
    polygon(canvas, corners[[0, 2, 3]], WHITE)
    stroke(canvas, corners[[0, 1, 2, 3, 0]], BLACK, 0.015 * pitch_px)
