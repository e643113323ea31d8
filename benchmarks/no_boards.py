"""Pictures without a board, drawn here: what camera rolls hold, as hard as it gets for who looks for lines.

Each is drawn for a height and a width from a random generator: the same seed draws the same picture.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator

from flowvision.image.picture import Bgr

Draw = Callable[[Generator, int, int], Bgr]
WORDS = (
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "a",
    "lazy",
    "dog",
    "while",
    "five",
    "wizards",
    "see",
)


def _plain(random: Generator, height: int, width: int, low: int = 0, high: int = 255) -> Bgr:
    """One colour all over."""
    return np.full((height, width, 3), random.integers(low, high, 3), np.uint8)


def _photographed(random: Generator, bgr: Bgr) -> Bgr:
    """As a phone's camera has it: uneven light, a slight blur, noise."""
    height, width = bgr.shape[:2]
    light = np.linspace(random.uniform(0.6, 0.9), random.uniform(0.9, 1.15), width, dtype=np.float32)
    noise = cv2.resize(random.normal(0, 5, (height // 2, width // 2, 3)).astype(np.float32), (width, height))
    seen = cv2.GaussianBlur(bgr, (0, 0), 1 + width / 3000).astype(np.float32) * light[:, None] + noise
    return np.clip(seen, 0, 255).astype(np.uint8)


def _in_perspective(random: Generator, bgr: Bgr, by: float = 0.12) -> Bgr:
    """Seen from aside: each corner moved by up to a share of the width."""
    height, width = bgr.shape[:2]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = flat + random.uniform(-by, by, (4, 2)).astype(np.float32) * width
    matrix = cv2.getPerspectiveTransform(flat, seen.astype(np.float32))
    return cv2.warpPerspective(bgr, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)


def foliage(random: Generator, height: int, width: int) -> Bgr:
    """Leaves of any size and green, one over the other."""
    bgr = _plain(random, height, width, 10, 60)
    for _ in range(1500):
        size = int(width * random.uniform(0.005, 0.05))
        centre = int(random.integers(width)), int(random.integers(height))
        green = (int(random.integers(10, 90)), int(random.integers(50, 220)), int(random.integers(10, 130)))
        axes = size, max(1, size // 3)
        cv2.ellipse(bgr, centre, axes, random.uniform(0, 180), 0, 360, green, -1, cv2.LINE_AA)
    return _photographed(random, bgr)


def bricks(random: Generator, height: int, width: int) -> Bgr:
    """A wall: rows of bricks, each half a brick on, with light joints."""
    bgr = _plain(random, height, width, 150, 200)
    long, high, joint = width // 9, width // 26, max(2, width // 200)
    for row, y in enumerate(range(0, height, high)):
        for x in range(-long // 2 * (row % 2), width, long):
            red = (np.array((50, 70, 160)) + random.integers(-25, 25, 3)).tolist()
            cv2.rectangle(bgr, (x + joint, y + joint), (x + long - joint, y + high - joint), red, -1)
    return _photographed(random, _in_perspective(random, bgr))


def facade(random: Generator, height: int, width: int) -> Bgr:
    """A house: rows of windows with frames, some of them lit."""
    bgr = _plain(random, height, width, 90, 200)
    cols, rows = random.integers(5, 10, 2).tolist()
    across, down = width // cols, height // rows
    for row in range(rows):
        for col in range(cols):
            x, y = int((col + 0.2) * across), int((row + 0.15) * down)
            right, low = int((col + 0.8) * across), int((row + 0.8) * down)
            pane = (60, 200, 240) if random.random() < 0.2 else random.integers(20, 90, 3).tolist()
            cv2.rectangle(bgr, (x, y), (right, low), pane, -1)
            for frame in ((x, y, right, low), (x, y, (x + right) // 2, low)):
                cv2.rectangle(bgr, frame[:2], frame[2:], (240, 240, 240), max(2, width // 180))
    return _photographed(random, _in_perspective(random, bgr))


def keyboard(random: Generator, height: int, width: int) -> Bgr:
    """Rows of keys with letters, seen a little from aside."""
    bgr = _plain(random, height, width, 10, 50)
    key = width // 13
    for row in range(5):
        for col in range(12):
            x, y = int((col + 0.3 * (row % 3)) * key), height // 3 + row * key
            cv2.rectangle(bgr, (x + 4, y + 4), (x + key - 4, y + key - 4), (75, 70, 70), -1)
            letter, at = chr(65 + int(random.integers(26))), (x + key // 3, y + 2 * key // 3)
            cv2.putText(bgr, letter, at, 0, key / 60, (230,) * 3, max(1, key // 40), cv2.LINE_AA)
    return _photographed(random, _in_perspective(random, bgr, 0.05))


def text_page(random: Generator, height: int, width: int) -> Bgr:
    """A page of a book."""
    bgr = np.full((height, width, 3), 245, np.uint8)
    size = width / 1400
    for y in range(height // 14, height - height // 14, int(34 * size) + 6):
        line = " ".join(random.choice(WORDS, 14).tolist())
        cv2.putText(bgr, line, (width // 12, y), cv2.FONT_HERSHEY_COMPLEX, size, (25, 20, 20), 1 + int(size))
    return bgr


def tiles(random: Generator, height: int, width: int) -> Bgr:
    """A tiled floor."""
    bgr = _plain(random, height, width, 60, 110)
    tile = width // int(random.integers(5, 12))
    for y in range(0, height, tile):
        for x in range(0, width, tile):
            grey = (np.array((185, 195, 200)) + random.integers(-18, 18, 3)).tolist()
            cv2.rectangle(bgr, (x + 3, y + 3), (x + tile - 3, y + tile - 3), grey, -1)
    return _photographed(random, _in_perspective(random, bgr, 0.1))


def fence(random: Generator, height: int, width: int) -> Bgr:
    """Thin bright wires crossing before something dark."""
    bgr = cv2.GaussianBlur(foliage(random, height, width), (0, 0), width / 60) // 2
    gap = width // int(random.integers(14, 30))
    for offset in range(-height, width, gap):
        for start, end in (
            ((offset, 0), (offset + height, height)),
            ((offset + height, 0), (offset, height)),
        ):
            cv2.line(bgr, start, end, (190, 195, 200), max(1, width // 400), cv2.LINE_AA)
    return _photographed(random, bgr)


def mesh(random: Generator, height: int, width: int) -> Bgr:
    """Upright and level wires: a net."""
    bgr = cv2.GaussianBlur(foliage(random, height, width), (0, 0), width / 60) // 2
    gap, wire = width // int(random.integers(10, 30)), max(1, width // 500)
    for at in range(gap // 2, max(height, width), gap):
        cv2.line(bgr, (at, 0), (at, height), (200, 200, 190), wire)
        cv2.line(bgr, (0, at), (width, at), (200, 200, 190), wire)
    return _photographed(random, _in_perspective(random, bgr))


def crowd(random: Generator, height: int, width: int) -> Bgr:
    """Discs of about one size everywhere: heads, balls, fruit."""
    bgr = _plain(random, height, width, 20, 120)
    for _ in range(420):
        centre = int(random.integers(width)), int(random.integers(height))
        radius = int(width * random.uniform(0.02, 0.026))
        cv2.circle(bgr, centre, radius, random.integers(40, 255, 3).tolist(), -1, cv2.LINE_AA)
    return _photographed(random, bgr)


def chessboard(random: Generator, height: int, width: int) -> Bgr:
    """Eight by eight, with round pieces of two colours on some squares."""
    bgr = _plain(random, height, width, 20, 220)
    side = int(0.11 * min(height, width))
    left, top = (width - 8 * side) // 2, (height - 8 * side) // 2
    for row in range(8):
        for col in range(8):
            x, y, is_dark = left + col * side, top + row * side, (row + col) % 2
            square = (99, 136, 181) if is_dark else (181, 217, 240)
            cv2.rectangle(bgr, (x, y), (x + side - 1, y + side - 1), square, -1)
            if is_dark and row not in (3, 4):
                piece = (40, 40, 40) if row < 3 else (235, 235, 235)
                cv2.circle(bgr, (x + side // 2, y + side // 2), int(0.36 * side), piece, -1, cv2.LINE_AA)
    return bgr


def spreadsheet(random: Generator, height: int, width: int) -> Bgr:
    """Rows and columns of numbers between thin lines."""
    bgr = np.full((height, width, 3), 255, np.uint8)
    row, col = max(18, height // 48), width // 8
    for y in range(0, height, row):
        cv2.line(bgr, (0, y), (width, y), (205, 205, 205), 1)
        for x in range(0, width, col):
            cv2.line(bgr, (x, y), (x, y + row), (205, 205, 205), 1)
            number = f"{random.uniform(0, 9999):.1f}"
            cv2.putText(bgr, number, (x + 6, y + 3 * row // 4), 0, row / 50, (40, 40, 40), 1, cv2.LINE_AA)
    return bgr


def sudoku(random: Generator, height: int, width: int) -> Bgr:
    """Another puzzle of squares."""
    bgr = np.full((height, width, 3), 250, np.uint8)
    side = min(height, width) // 10
    left, top = (width - 9 * side) // 2, (height - 9 * side) // 2
    for at in range(10):
        wide = 5 if at % 3 == 0 else 1
        cv2.line(bgr, (left + at * side, top), (left + at * side, top + 9 * side), (30, 30, 30), wide)
        cv2.line(bgr, (left, top + at * side), (left + 9 * side, top + at * side), (30, 30, 30), wide)
    for place in random.permutation(81)[:30].tolist():
        at = left + place % 9 * side + side // 3, top + place // 9 * side + 2 * side // 3
        cv2.putText(bgr, str(int(random.integers(1, 10))), at, 0, side / 50, (160, 60, 20), 2, cv2.LINE_AA)
    return bgr


def home_screen(random: Generator, height: int, width: int) -> Bgr:
    """A phone's icons over a wallpaper."""
    ramp = np.linspace(0, 1, height)[:, None, None]
    ends = random.integers(20, 230, (2, 3))
    bgr = np.broadcast_to(ends[0] * (1 - ramp) + ends[1] * ramp, (height, width, 3)).astype(np.uint8).copy()
    cell = width // 4
    for y in range(cell // 2, height - cell, int(1.25 * cell)):
        for x in range(0, width - cell // 2, cell):
            low, high = (x + cell // 5, y), (x + 4 * cell // 5, y + 3 * cell // 5)
            cv2.rectangle(bgr, low, high, random.integers(30, 255, 3).tolist(), -1)
            middle = (x + cell // 2, y + 3 * cell // 10)
            cv2.circle(bgr, middle, cell // 6, random.integers(30, 255, 3).tolist(), -1, cv2.LINE_AA)
            at, size = (x + cell // 4, y + 4 * cell // 5), cell / 500
            cv2.putText(bgr, str(random.choice(WORDS)), at, 0, size, (255,) * 3, 1, cv2.LINE_AA)
    return bgr


def chat(random: Generator, height: int, width: int) -> Bgr:
    """A conversation: bubbles left and right."""
    bgr, y = _plain(random, height, width, 215, 250), height // 20
    while y < height - height // 8:
        tall, long = int(height * random.uniform(0.03, 0.08)), int(width * random.uniform(0.3, 0.7))
        x, colour = (20, (255, 255, 255)) if random.random() < 0.5 else (width - long - 20, (198, 248, 220))
        cv2.rectangle(bgr, (x, y), (x + long, y + tall), colour, -1)
        for line in range(y + tall // 3, y + tall, 28):
            words = " ".join(random.choice(WORDS, 5).tolist())
            cv2.putText(bgr, words[: long // 14], (x + 12, line), 0, 0.7, (30, 30, 30), 1, cv2.LINE_AA)
        y += tall + height // 60
    return bgr


def street(random: Generator, height: int, width: int) -> Bgr:
    """Boxes, lines and discs of any size and colour, one over the other."""
    bgr = _plain(random, height, width)
    for number in range(260):
        (x, y), colour = random.integers((width, height)).tolist(), random.integers(0, 255, 3).tolist()
        dx, dy = (int(width * random.uniform(0.01, 0.2)) for _ in range(2))
        match number % 3:
            case 0:
                cv2.rectangle(bgr, (x, y), (x + dx, y + dy), colour, -1)
            case 1:
                cv2.line(bgr, (x, y), (x + 2 * dx, y + int(random.normal()) * dy), colour, 1 + width // 400)
            case _:
                cv2.circle(bgr, (x, y), dx // 4, colour, -1, cv2.LINE_AA)
    return _photographed(random, bgr)


def grain(random: Generator, height: int, width: int) -> Bgr:
    """Noise of several sizes: sand, cloth, a lawn."""
    bgr = np.full((height, width, 3), 110, np.float32)
    for size in (2, 6, 20, 80):
        some = random.normal(0, 22, (height // size + 1, width // size + 1, 3)).astype(np.float32)
        bgr += cv2.resize(some, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(bgr, 0, 255).astype(np.uint8)


def sky(random: Generator, height: int, width: int) -> Bgr:
    """Hardly anything: a gradient, and clouds."""
    some = random.normal(0, 25, (9, 7, 3)).astype(np.float32)
    clouds = cv2.resize(some, (width, height), interpolation=cv2.INTER_CUBIC)
    ramp = np.linspace(60, 200, height, dtype=np.float32)[:, None, None]
    return np.clip(ramp + clouds + (40, 10, 0), 0, 255).astype(np.uint8)


DRAWN: tuple[Draw, ...] = (
    foliage, bricks, facade, keyboard, text_page, tiles, fence, mesh, crowd, chessboard, spreadsheet, sudoku,
    home_screen, chat, street, grain, sky,
)  # fmt: skip
"""What there is, in turn."""
SCREENSHOTS: tuple[Draw, ...] = (text_page, chessboard, spreadsheet, sudoku, home_screen, chat)
"""Those that are as sharp as a phone's own pictures of its screen; the others are photographs."""
