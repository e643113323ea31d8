"""Things over a board: pointers, hands, halos, banners, glare, watermarks, pens, hairs, drops, lines."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.image.picture import Bgr
from scenes import Random, Scene

ARROW = np.array([(0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12)], np.float64)
"""A pointer, of the size that 12 x 19 pixels give it."""
HAND = np.array(
    [
        (0, 0),
        (3, 0),
        (4, 9),
        (7, 8),
        (11, 9),
        (14, 10),
        (14, 17),
        (11, 22),
        (2, 22),
        (-5, 14),
        (-3, 12),
        (0, 15),
    ],
    np.float64,
)
"""A pointing hand, to the same scale."""


def mixed(bgr: Bgr, mask: np.ndarray, colour: tuple[int, int, int], share: float) -> Bgr:
    """So much of a colour where the mask (0 to 1) is."""
    much = (share * mask)[..., None]
    return np.clip(bgr * (1 - much) + np.array(colour, np.float64) * much, 0, 255).astype(np.uint8)


def somewhere(scene: Scene, random: Random) -> tuple[int, int]:
    """Anywhere on the board: x and y in px."""
    rows, cols = scene.size
    x, y = scene.point(random.uniform(0.3, rows - 0.3), random.uniform(0.3, cols - 0.3))
    return round(x), round(y)


def distance(bgr: Bgr, x: float, y: float, stretch: float = 1.0) -> np.ndarray:
    """Return the distance of every pixel from a place, in px; ``stretch``: width over height of a circle."""
    ys, xs = np.mgrid[: bgr.shape[0], : bgr.shape[1]].astype(np.float32)
    return np.asarray(np.hypot((xs - x) / stretch, ys - y))


def _blank(bgr: Bgr) -> np.ndarray:
    return np.zeros(bgr.shape[:2], np.float32)


def _shape(scene: Scene, random: Random, points: np.ndarray, cells: float, fill: int, rim: int) -> Bgr:
    bgr, scale = scene.bgr.copy(), cells * scene.cell / 19
    at = np.round(points * scale + somewhere(scene, random)).astype(np.int32)
    cv2.fillPoly(bgr, [at], (fill,) * 3, cv2.LINE_AA)
    cv2.polylines(bgr, [at], True, (rim,) * 3, max(1, round(scale)), cv2.LINE_AA)
    return bgr


def white_pointer(scene: Scene, random: Random) -> Bgr:
    """A mouse pointer, white with a black rim."""
    return _shape(scene, random, ARROW, 0.5, 255, 0)


def black_pointer(scene: Scene, random: Random) -> Bgr:
    """The other way round, and larger."""
    return _shape(scene, random, ARROW, 0.7, 0, 255)


def hand_pointer(scene: Scene, random: Random) -> Bgr:
    """The hand that points at what can be pressed."""
    return _shape(scene, random, HAND, 0.6, 255, 0)


def touch_halo(scene: Scene, random: Random) -> Bgr:
    """The translucent disc under a finger, as the game and recorders draw it."""
    x, y = somewhere(scene, random)
    return mixed(scene.bgr, distance(scene.bgr, x, y) < 0.8 * scene.cell, (255, 255, 255), 0.3)


def soft_halo(scene: Scene, random: Random) -> Bgr:
    """One that fades outwards."""
    x, y = somewhere(scene, random)
    mask = np.clip(1 - distance(scene.bgr, x, y) / (1.3 * scene.cell), 0, 1)
    return mixed(scene.bgr, mask, (255, 255, 255), 0.6)


def coloured_halo(scene: Scene, random: Random) -> Bgr:
    """One in a colour of the game."""
    x, y = somewhere(scene, random)
    colour = tuple(int(n) for n in random.choice([0, 128, 255], 3))
    return mixed(scene.bgr, distance(scene.bgr, x, y) < 1.1 * scene.cell, colour, 0.35)


def touch_mark(scene: Scene, random: Random) -> Bgr:
    """The small grey dot of "show touches"."""
    x, y = somewhere(scene, random)
    return mixed(scene.bgr, distance(scene.bgr, x, y) < 0.25 * scene.cell, (220, 220, 220), 0.6)


def finger(scene: Scene, random: Random) -> Bgr:
    """A finger from below."""
    bgr, (x, y), wide = scene.bgr.copy(), somewhere(scene, random), round(0.9 * scene.cell)
    cv2.line(bgr, (x, y), (x + wide, bgr.shape[0]), (120, 150, 205), 2 * wide, cv2.LINE_AA)
    return bgr


def shadow(scene: Scene, random: Random) -> Bgr:
    """A soft shadow over a third of the board."""
    x, y = somewhere(scene, random)
    mask = np.exp(-((distance(scene.bgr, x, y) / (1.8 * scene.cell)) ** 2))
    return mixed(scene.bgr, mask, (0, 0, 0), 0.5)


def _rectangle(scene: Scene, box: tuple[float, float, float, float], colour: int, share: float) -> Bgr:
    """A box (row, column, height, width in cells) in grey, with two lines of text in it."""
    (x0, y0), (x1, y1) = scene.point(*box[:2]), scene.point(box[0] + box[2], box[1] + box[3])
    mask = _blank(scene.bgr)
    cv2.rectangle(mask, (round(x0), round(y0)), (round(x1), round(y1)), 1, -1)
    bgr = mixed(scene.bgr, mask, (colour,) * 3, share)
    ink = (30,) * 3 if colour > 128 else (235,) * 3
    for line, words in enumerate(("Anna", "Are you still playing?")):
        at = round(x0 + 0.2 * scene.cell), round(y0 + (0.35 + 0.35 * line) * (y1 - y0))
        cv2.putText(bgr, words, at, 0, scene.cell / 110, ink, max(1, round(scene.cell / 50)), cv2.LINE_AA)
    return bgr


def banner_above(scene: Scene, random: Random) -> Bgr:
    """A notification above the board."""
    return _rectangle(scene, (-1.4, 0.2, 1.1, scene.size[1] - 0.4), random.choice([40, 250]), 1.0)


def banner_over(scene: Scene, random: Random) -> Bgr:
    """A notification over the first row."""
    return _rectangle(scene, (-0.3, 0.1, 1.2, scene.size[1] - 0.2), random.choice([40, 250]), 1.0)


def toast(scene: Scene, random: Random) -> Bgr:
    """A translucent message over the last row but one."""
    rows, cols = scene.size
    return _rectangle(scene, (rows - 1.7, 0.5, 0.9, cols - 1.0), 50, float(random.uniform(0.4, 0.8)))


def glare(scene: Scene, random: Random) -> Bgr:
    """A soft light."""
    x, y = somewhere(scene, random)
    radius = random.uniform(0.4, 2.0) * scene.cell
    mask = np.exp(-((distance(scene.bgr, x, y, random.uniform(1, 3)) / radius) ** 2))
    lit = scene.bgr + random.uniform(60, 160) * mask[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def glare_strip(scene: Scene, random: Random) -> Bgr:
    """A band of light across the screen."""
    ys, xs = np.mgrid[: scene.bgr.shape[0], : scene.bgr.shape[1]].astype(np.float32)
    x, y = somewhere(scene, random)
    away = np.abs((xs - x) + random.uniform(0.3, 1.5) * (ys - y)) / scene.cell
    lit = scene.bgr + random.uniform(40, 110) * np.exp(-(away**2))[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def _written(scene: Scene, random: Random, size: float, step: float, share: float) -> Bgr:
    mask = np.zeros(scene.bgr.shape[:2], np.uint8)
    height, width = mask.shape
    thick, scale = max(1, round(size * scene.cell / 12)), size * scene.cell / 30
    for y in np.arange(-0.3 * height, 1.3 * height, step * scene.cell):
        for x in np.arange(-0.3 * width, width, 2.6 * step * scene.cell):
            cv2.putText(mask, "PREVIEW", (round(x), round(y)), 0, scale, (255,), thick, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), random.uniform(15, 40), 1)
    seen = cv2.warpAffine(mask, turn, (width, height)).astype(np.float32) / 255
    return mixed(scene.bgr, seen, (255, 255, 255), share)


def watermark(scene: Scene, random: Random) -> Bgr:
    """Translucent words all over the picture."""
    return _written(scene, random, 0.5, 2.0, 0.25)


def faint_watermark(scene: Scene, random: Random) -> Bgr:
    """Hardly to be seen."""
    return _written(scene, random, 0.5, 2.0, 0.1)


def large_watermark(scene: Scene, random: Random) -> Bgr:
    """Large letters."""
    return _written(scene, random, 1.5, 5.0, 0.2)


def caption(scene: Scene, random: Random) -> Bgr:
    """White words with a black rim over the board."""
    bgr, (x, y), scale = scene.bgr.copy(), somewhere(scene, random), scene.cell / 45
    at = round(min(x, scene.corner[0] + scene.cell)), y
    for colour, width in (((0, 0, 0), 5), ((255, 255, 255), 2)):
        cv2.putText(bgr, "LEVEL 42??", at, 0, scale, colour, max(1, round(width * scale)), cv2.LINE_AA)
    return bgr


def pen_circle(scene: Scene, random: Random) -> Bgr:
    """A red circle drawn by hand round something."""
    bgr, (x, y) = scene.bgr.copy(), somewhere(scene, random)
    axes = round(random.uniform(0.7, 1.5) * scene.cell), round(random.uniform(0.6, 1.2) * scene.cell)
    cv2.ellipse(bgr, (x, y), axes, 20, 5, 352, (0, 0, 230), max(2, round(0.07 * scene.cell)), cv2.LINE_AA)
    return bgr


def chat_head(scene: Scene, random: Random) -> Bgr:
    """The disc of a messenger at the right border."""
    bgr, rows = scene.bgr.copy(), scene.size[0]
    x, y = scene.point(random.uniform(0.5, rows - 0.5), scene.size[1] - 0.1)
    radius = round(0.55 * scene.cell)
    cv2.circle(bgr, (round(x), round(y)), radius, (235, 130, 20), -1, cv2.LINE_AA)
    cv2.circle(bgr, (round(x), round(y)), radius, (255, 255, 255), max(2, radius // 8), cv2.LINE_AA)
    return bgr


def hair(scene: Scene, random: Random) -> Bgr:
    """A hair on the glass."""
    bgr = scene.bgr.copy()
    points = np.array([somewhere(scene, random) for _ in range(4)], np.float64)
    t = np.linspace(0, 1, 60)[:, None]
    curve = sum(
        n * t**k * (1 - t) ** (3 - k) * point
        for (k, n), point in zip(enumerate((1, 3, 3, 1)), points, strict=True)
    )
    cv2.polylines(bgr, [np.round(curve).astype(np.int32)], False, (90, 100, 110), 2, cv2.LINE_AA)
    return bgr


def scratches(scene: Scene, random: Random) -> Bgr:
    """Ten white scratches."""
    bgr = scene.bgr.copy()
    for _ in range(10):
        x, y = somewhere(scene, random)
        dx, dy = (random.normal(0, 1.2, 2) * scene.cell).astype(int).tolist()
        cv2.line(bgr, (x, y), (x + dx, y + dy), (200, 200, 200), 1, cv2.LINE_AA)
    return bgr


def dead_lines(scene: Scene, random: Random) -> Bgr:
    """Two lines of a broken display, one upright, one level."""
    bgr = scene.bgr.copy()
    (x, _), (_, y) = somewhere(scene, random), somewhere(scene, random)
    bgr[:, x : x + 2], bgr[y : y + 2] = (0, 255, 0), (255, 0, 255)
    return bgr


def crack(scene: Scene, random: Random) -> Bgr:
    """Cracked glass."""
    bgr, (x, y) = scene.bgr.copy(), somewhere(scene, random)
    for angle in random.uniform(0, 2 * np.pi, 7):
        at = np.array((x, y), np.float64)
        for _ in range(6):
            turned = angle + random.normal(0, 0.4)
            end = at + 0.8 * scene.cell * np.array((np.cos(turned), np.sin(turned)))
            ends = np.stack((at, end)).astype(int).tolist()
            cv2.line(bgr, *ends, (190,) * 3, 1, cv2.LINE_AA)
            at = end
    return bgr


def drops(scene: Scene, random: Random) -> Bgr:
    """Drops of water: small lenses."""
    bgr, soft = scene.bgr.copy(), cv2.GaussianBlur(scene.bgr, (0, 0), 0.12 * scene.cell)
    for _ in range(6):
        x, y = somewhere(scene, random)
        inside = distance(bgr, x, y) < 0.3 * scene.cell
        bgr[inside] = np.clip(soft[inside] * 1.1 + 15, 0, 255).astype(np.uint8)
    return bgr


def smear(scene: Scene, random: Random) -> Bgr:
    """A patch that is out of focus."""
    x, y = somewhere(scene, random)
    mask = np.clip(1.6 - distance(scene.bgr, x, y) / (1.2 * scene.cell), 0, 1)[..., None]
    soft = cv2.GaussianBlur(scene.bgr, (0, 0), 0.1 * scene.cell)
    return np.asarray(scene.bgr * (1 - mask) + soft * mask).astype(np.uint8)


def selection(scene: Scene, random: Random) -> Bgr:
    """The frame of a tool for screenshots, all else dimmed."""
    (x0, y0), (x1, y1) = scene.point(-0.5, -0.3), scene.point(scene.size[0] + 0.5, scene.size[1] + 0.3)
    bgr = (scene.bgr * 0.5).astype(np.uint8)
    box = np.s_[max(0, round(y0)) : round(y1), max(0, round(x0)) : round(x1)]
    bgr[box] = scene.bgr[box]
    cv2.rectangle(bgr, (round(x0), round(y0)), (round(x1), round(y1)), (255, 160, 0), 3)
    return bgr
