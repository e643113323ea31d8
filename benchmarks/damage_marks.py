"""What is written, stuck or scratched on a picture: watermarks, captions, pens, hairs, drops, lines."""

from __future__ import annotations

import cv2
import numpy as np

from brush import distance, mixed, somewhere
from flowvision.image.picture import Bgr
from scenes import Scene

Random = np.random.Generator


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


def pen_arrow(scene: Scene, random: Random) -> Bgr:
    """An arrow from one place to another."""
    bgr = scene.bgr.copy()
    ends = somewhere(scene, random), somewhere(scene, random)
    cv2.arrowedLine(bgr, *ends, (0, 0, 230), max(2, round(0.09 * scene.cell)), cv2.LINE_AA)
    return bgr


def sticker(scene: Scene, random: Random) -> Bgr:
    """A yellow face, as large as a cell and more."""
    bgr, (x, y), radius = (
        scene.bgr.copy(),
        somewhere(scene, random),
        round(random.uniform(0.35, 0.8) * scene.cell),
    )
    cv2.circle(bgr, (x, y), radius, (60, 200, 255), -1, cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(bgr, (x + side * radius // 3, y - radius // 4), max(1, radius // 8), (20, 40, 60), -1)
    cv2.ellipse(bgr, (x, y), (radius // 2, radius // 2), 0, 20, 160, (20, 40, 60), max(1, radius // 10))
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
            cv2.line(
                bgr,
                tuple(at.astype(int).tolist()),
                tuple(end.astype(int).tolist()),
                (190,) * 3,
                1,
                cv2.LINE_AA,
            )
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


def thirds(scene: Scene, random: Random) -> Bgr:
    """The lines by which a picture is cropped."""
    bgr, (height, width) = scene.bgr.copy(), scene.bgr.shape[:2]
    for share in (1 / 3, 2 / 3):
        cv2.line(bgr, (round(share * width), 0), (round(share * width), height), (255, 255, 255), 2)
        cv2.line(bgr, (0, round(share * height)), (width, round(share * height)), (255, 255, 255), 2)
    return bgr


def selection(scene: Scene, random: Random) -> Bgr:
    """The frame of a tool for screenshots, all else dimmed."""
    (x0, y0), (x1, y1) = scene.point(-0.5, -0.3), scene.point(scene.size[0] + 0.5, scene.size[1] + 0.3)
    bgr = (scene.bgr * 0.5).astype(np.uint8)
    box = np.s_[max(0, round(y0)) : round(y1), max(0, round(x0)) : round(x1)]
    bgr[box] = scene.bgr[box]
    cv2.rectangle(bgr, (round(x0), round(y0)), (round(x1), round(y1)), (255, 160, 0), 3)
    return bgr
