"""Boards of copies of the game: puzzles drawn as people program them.

Grounds of any colour, lines of any width, tiles with gaps or rings instead of lines, chequered cells, dots of
any size with rims, gloss and letters, cells longer than high, pipes up to half a cell wide and tints, a title
and buttons round the board, wood, a frame or a side bar; discs or pieces of pipe in all empty cells.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

import cv2
import numpy as np

from flowvision import FlowvisionError, solve_image
from flowvision.image.picture import Bgr
from flowvision.puzzle.layout import Lattice, Place
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from flowvision.solvers import solve
from tests.boards import make_puzzle, pairs_of
from tests.seeing import AMPLE_TIME

Colour = tuple[int, int, int]
PALETTES: dict[str, tuple[Colour, ...]] = {
    "web": ((255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 0), (255, 165, 0), (0, 255, 255), (255, 0, 255),
            (128, 0, 0), (128, 0, 128), (150, 150, 150), (0, 255, 0), (210, 180, 140), (0, 0, 128),
            (255, 150, 190)),
    "chart": ((31, 119, 180), (255, 127, 14), (44, 160, 44), (214, 39, 40), (148, 103, 189), (140, 86, 75),
              (227, 119, 194), (127, 127, 127), (188, 189, 34), (23, 190, 207)),
}  # fmt: skip
GROUNDS: dict[str, Colour] = {
    "black": (0, 0, 0), "dark grey": (40, 44, 52), "slate": (60, 68, 76), "navy": (20, 20, 60),
    "cyan": (0, 230, 240), "light grey": (205, 205, 205), "cream": (250, 245, 230), "white": (255, 255, 255),
}  # fmt: skip
DARK_LINES, LIGHT_LINES = ((0, 0, 0), (90, 90, 90), (150, 150, 150)), ((255,) * 3, (110,) * 3, (70, 80, 70))
LIGHT = 380
"""Least sum of the channels of a light ground."""
WOOD: Colour = (112, 62, 34)
APART = 150
"""Least distance of a dot's colour from the ground, summed over channels."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Look of a board; sizes are shares of a cell where it is narrow, but for those in pixels."""

    ground: str
    cells: str
    line_px: int
    palette: str
    dot: float
    rim: str
    letters: bool
    played: float
    pipe: float
    tint: bool
    aspect: float
    pitch_px: int
    furniture: bool
    setting: str = "plain"
    empty: str = "nothing"
    glossy: bool = False


def random_traits(random: Random) -> Traits:
    dot = random.choice((0.22, 0.28, 0.33, 0.38, 0.43))
    traits = Traits(
        ground=random.choice(list(GROUNDS)),
        cells=random.choices(("lines", "tiles", "rings"), (6, 2, 1))[0],
        line_px=random.choice((1, 1, 2, 3)),
        palette=random.choice(list(PALETTES)),
        dot=dot,
        rim=random.choice(("none", "none", "black", "white")),
        letters=random.random() < 0.15,
        played=random.choice((0.0, 0.0, 0.5, 1.0)),
        pipe=round(random.choice((0.375, 0.75, 1.125)) * dot, 3),
        tint=random.random() < 0.25,
        aspect=random.choices((1.0, 1.25, 1.8, 2.4), (8, 1, 1, 1))[0],
        pitch_px=random.choice((30, 44, 60, 90)),
        furniture=random.random() < 0.6,
    )
    empty = random.choices(("nothing", "discs", "bars"), (8, 1, 1))[0]
    return replace(
        traits,
        setting=random.choices(("plain", "frame", "side bar", "wood"), (4, 1, 1, 1))[0],
        empty="nothing" if traits.cells == "rings" else empty,
        glossy=not traits.letters and random.random() < 0.15,
        pipe=0.5 if dot > 0.3 and random.random() < 0.2 else traits.pipe,
    )


class Page:
    def __init__(self, lattice: Lattice, traits: Traits, random: Random) -> None:
        self.traits, self.lattice = traits, lattice
        self.size = round(traits.pitch_px * traits.aspect), traits.pitch_px
        x, y = (random.randrange(20, 120), random.randrange(60, 160)) if traits.furniture else (8, 8)
        self.colour = random.choice((GROUNDS[traits.ground], random.choice(list(GROUNDS.values()))))
        below = 140 if traits.furniture else 8
        room = {"frame": traits.pitch_px // 3, "side bar": 4 * traits.pitch_px}.get(traits.setting, 0)
        self.corner = x + room, y + (room if traits.setting == "frame" else 0)
        width, height = lattice.cols * self.size[0], lattice.rows * self.size[1]
        shape = (
            height + self.corner[1] + below + room % (4 * traits.pitch_px),
            width + self.corner[0] + x + room,
            3,
        )
        self.rgb = np.full(shape, self.colour, np.uint8)

    @cached_property
    def unit(self) -> int:
        return min(self.size)

    def point(self, row: float, col: float) -> tuple[int, int]:
        return self.corner[0] + round(col * self.size[0]), self.corner[1] + round(row * self.size[1])

    def fill(self, place: Place, colour: Colour, gap: int = 0) -> None:
        (x0, y0), (x1, y1) = self.point(*place), self.point(place[0] + 1, place[1] + 1)
        cv2.rectangle(self.rgb, (x0 + gap, y0 + gap), (x1 - 1 - gap, y1 - 1 - gap), colour, -1)

    def circle(self, place: Place, colour: Colour, width_px: int) -> None:
        at = self.point(place[0] + 0.5, place[1] + 0.5)
        cv2.circle(self.rgb, at, round(self.traits.dot * self.unit), colour, width_px, cv2.LINE_AA)

    def write(self, words: str, at: tuple[int, int], size: float, colour: Colour) -> None:
        cv2.putText(self.rgb, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


def draw(text: str, traits: Traits, random: Random) -> Bgr:
    given = parse(text)
    outcome, lattice = solve(given.puzzle), given.board.lattice
    page, ground = Page(lattice, traits, random), WOOD if traits.setting == "wood" else GROUNDS[traits.ground]
    line = random.choice(DARK_LINES if sum(ground) > LIGHT else LIGHT_LINES)
    colours = [one for one in PALETTES[traits.palette] if np.abs(np.subtract(one, ground)).sum() > APART]
    random.shuffle(colours)
    ways = [[lattice.places[strand] for strand in path.vertices] for path in outcome.solution.paths]
    played = [flow for flow in range(len(ways)) if random.random() < traits.played]

    _draw_setting(page, ground, line)
    for place in () if traits.setting == "wood" else lattice.places:
        page.fill(place, ground)
    for flow in played if traits.tint else ():
        for place in ways[flow]:
            page.fill(place, _mixed(ground, colours[flow], share=0.3))
    _draw_cells(page, ground, line)
    ends = {place for way in ways for place in (way[0], way[-1])}
    for place in set(lattice.places) - ends.union(*(ways[flow] for flow in played)):
        _draw_empty(page, place)
    for flow in played:
        points = np.array([page.point(row + 0.5, col + 0.5) for row, col in ways[flow]])
        width_px = max(2, round(traits.pipe * page.unit))
        cv2.polylines(page.rgb, [points], False, colours[flow], width_px, cv2.LINE_AA)
    for flow, way in enumerate(ways):
        for place in (way[0], way[-1]):
            _draw_dot(page, place, colours[flow], chr(65 + flow) if traits.letters else "")
    if traits.furniture:
        _furnish(page, colours)
    return np.ascontiguousarray(page.rgb[:, :, ::-1])


def _draw_cells(page: Page, ground: Colour, line: Colour) -> None:
    lattice, traits = page.lattice, page.traits
    if traits.cells == "lines":
        for row in range(lattice.rows + 1):
            cv2.line(page.rgb, page.point(row, 0), page.point(row, lattice.cols), line, traits.line_px)
        for col in range(lattice.cols + 1):
            cv2.line(page.rgb, page.point(0, col), page.point(lattice.rows, col), line, traits.line_px)
    shade = _mixed(ground, (0, 0, 0) if sum(ground) > LIGHT else (255, 255, 255), share=0.2)
    for place in lattice.places:
        if traits.cells == "chequered" and sum(place) % 2:
            page.fill(place, shade)
        if traits.cells == "tiles":
            page.fill(place, shade, max(1, page.unit // 20))
        if traits.cells == "rings":
            page.circle(place, line, traits.line_px)


def _draw_setting(page: Page, ground: Colour, line: Colour) -> None:
    lattice, traits = page.lattice, page.traits
    (x0, y0), (x1, y1) = page.point(0, 0), page.point(lattice.rows, lattice.cols)
    if traits.setting == "wood":
        height, width = page.rgb.shape[:2]
        y, x = np.mgrid[:height, :width]
        grain = 9 * np.sin(y / 4 + 3 * np.sin(x / 70)) + 6 * np.sin(y / 23 + x / 200)
        page.rgb[:] = np.clip(np.array(ground) + grain[..., None], 0, 255).astype(np.uint8)
    if traits.setting == "frame":
        room = traits.pitch_px // 3
        edge = _mixed(ground, (128, 96, 64), share=0.7)
        cv2.rectangle(page.rgb, (x0 - room, y0 - room), (x1 + room, y1 + room), edge, -1)
        cv2.rectangle(page.rgb, (x0 - room, y0 - room), (x1 + room, y1 + room), line, traits.line_px)
    if traits.setting == "side bar":
        unit = traits.pitch_px
        for number in range(0, max(1, (y1 - y0) // unit - 1), 2):
            for col in range(2):
                x, y = x0 - 4 * unit + unit * 3 * col // 2, y0 + number * unit
                cv2.rectangle(page.rgb, (x, y), (x + unit, y + unit), line, traits.line_px)
                page.write(str(number + col), (x + unit // 3, y + 2 * unit // 3), unit / 80, line)


def _draw_empty(page: Page, place: Place) -> None:
    x, y = page.point(place[0] + 0.5, place[1] + 0.5)
    if page.traits.empty == "discs":
        cv2.circle(page.rgb, (x, y), round(0.5 * page.traits.dot * page.unit), (255,) * 3, -1, cv2.LINE_AA)
    if page.traits.empty == "bars":
        (_, y0), (_, y1) = page.point(*place), page.point(place[0] + 1, place[1])
        half = page.unit // 10
        cv2.rectangle(page.rgb, (x - half, y0 + 1), (x + half, y1 - 1), (173, 216, 230), -1)


def _draw_dot(page: Page, place: Place, colour: Colour, letter: str) -> None:
    rim = page.traits.rim
    page.circle(place, colour, width_px=-1)
    if rim != "none":
        page.circle(place, (0, 0, 0) if rim == "black" else (255, 255, 255), max(1, page.unit // 30))
    x, y = page.point(place[0] + 0.5, place[1] + 0.5)
    if page.traits.glossy:
        away, size = round(0.35 * page.traits.dot * page.unit), round(0.25 * page.traits.dot * page.unit)
        shine = _mixed(colour, (255, 255, 255), share=0.6)
        cv2.circle(page.rgb, (x - away, y - away), size, shine, -1, cv2.LINE_AA)
    page.write(letter, (x - page.unit // 9, y + page.unit // 9), page.unit / 100, (0, 0, 0))


def _furnish(page: Page, colours: list[Colour]) -> None:
    ink, bottom = (0, 0, 0) if sum(page.colour) > LIGHT else (235, 235, 235), page.rgb.shape[0]
    page.write("Flow  Level 7", (page.corner[0], page.corner[1] - 25), 0.8, ink)
    for number, label in enumerate(("Solve", "Reset", "Quit")):
        x = page.corner[0] + number * 90
        cv2.rectangle(page.rgb, (x, bottom - 100), (x + 75, bottom - 70), ink, 1)
        page.write(label, (x + 10, bottom - 79), 0.5, ink)
    for number, colour in enumerate(colours[:8]):
        at = page.corner[0] + 20 + 40 * number, bottom - 35
        cv2.circle(page.rgb, at, 15, colour, -1, cv2.LINE_AA)


def _mixed(first: Colour, second: Colour, share: float) -> Colour:
    red, green, blue = (round((1 - share) * a + share * b) for a, b in zip(first, second, strict=True))
    return red, green, blue


def outcome_of(text: str, bgr: Bgr) -> str:
    """``right``, ``misread``, or the code of the error."""
    given = parse(text)
    try:
        reading = solve_image(bgr, AMPLE_TIME).reading
    except FlowvisionError as error:
        return error.code
    edges = [set(map(frozenset, board.graph.edges)) for board in (reading.board, given.board)]
    same = reading.lattice == given.board.lattice and edges[0] == edges[1]
    return "right" if same and pairs_of(reading.puzzle) == pairs_of(given.puzzle) else "misread"


def case(number: int) -> tuple[str, Traits, Bgr]:
    random = Random(number)
    size = random.choice((5, 6, 7, 8, 9))
    shape = shape_of(f"{size}x{random.choice((size, size, size + 2))}")
    text, traits = make_puzzle(shape, min(size, 8), number), random_traits(random)
    return text, traits, draw(text, traits, random)
