"""Damage to pixels: sizes, colours, noise, compression, bends."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.image.picture import Bgr
from scenes import Change, Random, Scene


def _clipped(values: np.ndarray) -> Bgr:
    return np.clip(values, 0, 255).astype(np.uint8)


def wide(px: int) -> Change:
    """So many pixels wide: a thumbnail."""

    def shrink(scene: Scene, random: Random) -> Bgr:
        height, width = scene.bgr.shape[:2]
        size = px, max(32, round(px * height / width))
        return np.asarray(cv2.resize(scene.bgr, size, interpolation=cv2.INTER_AREA), np.uint8)

    return shrink


def pixelated(scene: Scene, random: Random) -> Bgr:
    """Squares of a ninth of a cell."""
    height, width = scene.bgr.shape[:2]
    block = scene.cell / 9
    small = cv2.resize(scene.bgr, (round(width / block), round(height / block)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def resampled(scene: Scene, random: Random) -> Bgr:
    """Made smaller and larger again."""
    height, width = scene.bgr.shape[:2]
    share = random.uniform(0.3, 0.6)
    small = cv2.resize(scene.bgr, None, fx=share, fy=share, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def stretched(across: float, down: float) -> Change:
    return lambda scene, _: np.asarray(cv2.resize(scene.bgr, None, fx=across, fy=down), np.uint8)


def posterised(levels: int) -> Change:
    """So many levels of each channel."""
    step = 255 / (levels - 1)
    return lambda scene, _: _clipped(np.round(scene.bgr / step) * step)


def halftone(scene: Scene, random: Random) -> Bgr:
    """Printed in dots of 4 px."""
    ys, xs = np.mgrid[: scene.bgr.shape[0], : scene.bgr.shape[1]]
    screen = 127.5 + 63.75 * (np.cos(2 * np.pi * xs / 4) + np.cos(2 * np.pi * ys / 4))
    return np.where(scene.bgr > screen[..., None], 255, 0).astype(np.uint8)


def dithered(scene: Scene, random: Random) -> Bgr:
    """Four levels of each channel, with ordered noise."""
    matrix = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 - 0.5
    height, width = scene.bgr.shape[:2]
    noise = np.tile(matrix, (height // 4 + 1, width // 4 + 1))[:height, :width, None]
    return _clipped(np.round(scene.bgr / 85 + noise) * 85)


def without_channel(channel: int) -> Change:
    """Blue, green or red lost."""

    def lose(scene: Scene, random: Random) -> Bgr:
        bgr = scene.bgr.copy()
        bgr[..., channel] = 0
        return bgr

    return lose


def _with_hue(bgr: Bgr, turn: np.ndarray | float) -> Bgr:
    hsv = cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + turn) % 180
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def hue_turned(scene: Scene, random: Random) -> Bgr:
    """All hues turned alike."""
    return _with_hue(scene.bgr, float(random.uniform(20, 160)))


def hue_gradient(degrees: float) -> Change:
    """Hues turned from left to right by so many degrees in all."""

    def turn(scene: Scene, random: Random) -> Bgr:
        return _with_hue(scene.bgr, np.linspace(0, degrees / 2, scene.bgr.shape[1], dtype=np.float32)[None])

    return turn


def grey(scene: Scene, random: Random) -> Bgr:
    return np.repeat(cv2.cvtColor(scene.bgr, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)


def sepia(scene: Scene, random: Random) -> Bgr:
    """Nearly without colours, brownish."""
    faint = 0.25 * scene.bgr + 0.75 * grey(scene, random)
    return _clipped(faint * np.array((0.75, 0.95, 1.1)))


def inverted(scene: Scene, random: Random) -> Bgr:
    """The negative."""
    return 255 - scene.bgr


def gamma(power: float) -> Change:
    """Dark parts darker or brighter."""
    return lambda scene, _: _clipped(255 * (scene.bgr / 255) ** power)


def washed_out(scene: Scene, random: Random) -> Bgr:
    """Little contrast, black is grey."""
    return _clipped(70 + 0.45 * scene.bgr)


def light_gradient(scene: Scene, random: Random) -> Bgr:
    """Bright above, dark below."""
    return _clipped(scene.bgr * np.linspace(1.2, 0.35, scene.bgr.shape[0])[:, None, None])


def vignette(scene: Scene, random: Random) -> Bgr:
    """Dark corners."""
    height, width = scene.bgr.shape[:2]
    ys, xs = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return _clipped(scene.bgr * (1 - 0.45 * (xs**2 + ys**2) / 1.2).clip(0.2)[..., None])


def noisy(sigma: float) -> Change:
    """Noise of every pixel."""
    return lambda scene, random: _clipped(scene.bgr + random.normal(0, sigma, scene.bgr.shape))


def strewn(share: float) -> Change:
    """A share of the pixels white or black."""

    def strew(scene: Scene, random: Random) -> Bgr:
        bgr, dice = scene.bgr.copy(), random.random(scene.bgr.shape[:2])
        bgr[dice < share / 2], bgr[dice > 1 - share / 2] = 0, 255
        return bgr

    return strew


def jpeg_twice(scene: Scene, random: Random) -> Bgr:
    """Compressed, moved by three pixels, compressed again."""
    bgr = scene.bgr
    for quality in (20, 15):
        packed = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        bgr = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)[3:, 3:], np.uint8)
    return bgr


def webp(scene: Scene, random: Random) -> Bgr:
    """Compressed as the web does it, badly."""
    packed = cv2.imencode(".webp", scene.bgr, [cv2.IMWRITE_WEBP_QUALITY, 5])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def soft_colours(scene: Scene, random: Random) -> Bgr:
    lab = cv2.cvtColor(scene.bgr, cv2.COLOR_BGR2YCrCb)
    lab[..., 1:] = cv2.GaussianBlur(lab, (0, 0), 0.1 * scene.cell)[..., 1:]
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_YCrCb2BGR), np.uint8)


def scan_lines(scene: Scene, random: Random) -> Bgr:
    """Every third row dark."""
    bgr = scene.bgr.copy()
    bgr[::3] = bgr[::3] // 2
    return bgr


def stripes(scene: Scene, random: Random) -> Bgr:
    """Broad slanted waves of brightness, as photographs of screens have."""
    ys, xs = np.mgrid[: scene.bgr.shape[0], : scene.bgr.shape[1]]
    wave = 1 + 0.15 * np.sin((xs + 0.4 * ys) * 2 * np.pi / (0.37 * scene.cell))
    return _clipped(scene.bgr * wave[..., None])


def blurred(share: float) -> Change:
    """Out of focus by this share of a cell."""
    return lambda scene, _: np.asarray(cv2.GaussianBlur(scene.bgr, (0, 0), share * scene.cell), np.uint8)


def moved(scene: Scene, random: Random) -> Bgr:
    """Blurred by a movement of a twelfth of a cell."""
    length = max(3, round(scene.cell / 12))
    kernel = np.eye(length, dtype=np.float32) / length
    return np.asarray(cv2.filter2D(scene.bgr, -1, kernel), np.uint8)


def sharpened(scene: Scene, random: Random) -> Bgr:
    """Sharpened far too much."""
    return _clipped(3.0 * scene.bgr - 2.0 * cv2.GaussianBlur(scene.bgr, (0, 0), 2))


def painted(scene: Scene, random: Random) -> Bgr:
    """Smoothed as by a filter that makes paintings."""
    return np.asarray(cv2.medianBlur(scene.bgr, 2 * max(1, round(scene.cell / 60)) + 1), np.uint8)


def interlaced(scene: Scene, random: Random) -> Bgr:
    """Every other row moved by two pixels."""
    bgr = scene.bgr.copy()
    bgr[1::2] = np.roll(bgr[1::2], 2, axis=1)
    return bgr


def colour_fringes(scene: Scene, random: Random) -> Bgr:
    """Red and blue two pixels apart."""
    bgr = scene.bgr.copy()
    bgr[..., 0], bgr[..., 2] = np.roll(bgr[..., 0], 2, axis=1), np.roll(bgr[..., 2], -2, axis=1)
    return bgr


def few_colours(scene: Scene, random: Random) -> Bgr:
    """A palette of 256 colours, as GIF has: 3, 3 and 2 bits."""
    steps = np.array((85.0, 255 / 7, 255 / 7))
    return _clipped(np.round(scene.bgr / steps) * steps)


def barrel(scene: Scene, random: Random) -> Bgr:
    """Bent outwards as by a lens."""
    height, width = scene.bgr.shape[:2]
    ys, xs = np.mgrid[:height, :width].astype(np.float32)
    x, y = (xs - width / 2) / width, (ys - height / 2) / width
    bend = 1 + 0.03 * (x**2 + y**2)
    where = (
        (x * bend * width + width / 2).astype(np.float32),
        (y * bend * width + height / 2).astype(np.float32),
    )
    return np.asarray(cv2.remap(scene.bgr, *where, cv2.INTER_LINEAR), np.uint8)


def sheared(scene: Scene, random: Random) -> Bgr:
    """Leaning by a degree and a half."""
    height, width = scene.bgr.shape[:2]
    lean = float(np.tan(np.radians(1.5)))
    matrix = np.array([[1, lean, 0], [0, 1, 0]], np.float64)
    return np.asarray(cv2.warpAffine(scene.bgr, matrix, (round(width + lean * height), height)), np.uint8)


def tilted_away(scene: Scene, random: Random) -> Bgr:
    """Seen from slightly below."""
    height, width = scene.bgr.shape[:2]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = flat + np.array([(0.04, 0.03), (-0.04, 0.03), (0, 0), (0, 0)], np.float32) * (width, height)
    matrix = cv2.getPerspectiveTransform(flat, seen.astype(np.float32))
    return np.asarray(cv2.warpPerspective(scene.bgr, matrix, (width, height)), np.uint8)
