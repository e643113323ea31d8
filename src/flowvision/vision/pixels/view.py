"""Working picture: a part of the screenshot, small and upright; sampled in cell units."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.image.picture import Bgr, Frame, Screenshot, brightest_channel
from flowvision.vision.settings import LINES


def median(values: NDArray[np.generic]) -> float:
    """Return the median of at least one value; NumPy's imports masked arrays, which takes 5 ms."""
    middle = [(values.size - 1) // 2, values.size // 2]
    low, high = np.partition(values, middle, axis=None)[middle].tolist()
    return float(low + high) / 2


Gray = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Numbers = NDArray[np.intp]
Mask = NDArray[np.bool_]
Channel = Literal["brightest", "negative", "thin", "green", "steps"]
"""Channels in which lines are searched.

The largest of the three channels at every pixel; its negative, for lines darker than their cells; or what is
thin in the picture's luminance, for lines that are brighter than some cells and darker than others: played
cells have tints of any brightness. Then green alone, for lines as bright as their ground. Last, and only
where no board was solved, the steps between areas, for cells that only their colours tell apart.
"""
CHANNELS: tuple[Channel, ...] = get_args(Channel)
"""Channels in the order in which they are tried."""
STEPS: Channel = "steps"
LINE_CHANNELS = CHANNELS[: CHANNELS.index(STEPS)]
"""Channels that show lines, not steps between areas."""

STEP_GAIN = 4.0
"""Brightness of a line per step between areas: the fields of a chessboard may differ by 6."""


class PixelBox(NamedTuple):
    """A part of a picture, in pixels: upper left corner, and lower right one (exclusive)."""

    x0: int
    y0: int
    x1: int
    y1: int


class View(Struct, frozen=True, eq=False):
    """The pixels that a stage works on: ``bgr`` (h, w, 3) and ``gray`` (h, w), in which lines are searched.

    ``to_picture`` (3, 3): homography from view pixels to picture pixels. A view is upright if that only
    scales and shifts.
    """

    bgr: Bgr
    gray: Gray
    to_picture: Floats
    rims: tuple[tuple[bool, bool], tuple[bool, bool]] = ((True, True), (True, True))
    """True where the view ends with the picture: left and right, top and bottom."""
    channel: Channel = "brightest"  # the channel that ``gray`` is of
    cut_from: tuple[View, PixelBox] | None = None
    """The view whose pixels it shares, and its part of that view."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.gray.shape[1], self.gray.shape[0]

    @property
    def scale(self) -> float:
        """Picture pixels per view pixel: the root of the map's determinant."""
        (across, shear, _), (slant, down, _) = self.to_picture[:2].tolist()
        return float(abs(across * down - shear * slant) ** 0.5)

    def in_channel(self, channel: Channel) -> View:
        """Return the view with ``gray`` of a channel, cut from no other view.

        Also a cut view that has this channel already is made new: what is found in the result comes of its
        own pixels alone, where ``thin_lines`` takes the lines of a cut view from the whole one.
        """
        if channel == self.channel and self.cut_from is None:
            return self
        return View(self.bgr, _gray_of(self.bgr, channel), self.to_picture, self.rims, channel)

    def with_pixels(self, bgr: Bgr, gray: Gray) -> View:
        """Return the view with other pixels, which it shares with no other view."""
        return replace(self, bgr=bgr, gray=gray, cut_from=None)

    def placed(self, to_view: Floats) -> Frame:
        """Return the frame in the picture of a map (3, 3) from cell units to pixels of the view."""
        return Frame.of_homography(self.to_picture @ to_view)

    def part_in(self, box: PixelBox) -> PixelBox:
        """Return the pixels of an upright view that ``box`` (of picture pixels) touches."""
        factor, (left, top) = self.to_picture[0, 0], self.to_picture[:2, 2]
        (width, height), (x0, y0, x1, y1) = self.size, box
        return PixelBox(
            max(0, int((x0 - left) / factor)),
            max(0, int((y0 - top) / factor)),
            min(width, int((x1 - left) / factor) + 1),
            min(height, int((y1 - top) / factor) + 1),
        )

    def cut(self, part: PixelBox) -> View:
        """Return a part of an upright view, in its pixels."""
        x0, y0, x1, y1 = part
        to_picture = self.to_picture @ shift(x0, y0)
        (left, right), (top, bottom) = self.rims
        across = left and x0 == 0, right and x1 == self.size[0]
        down = top and y0 == 0, bottom and y1 == self.size[1]
        bgr, gray = self.bgr[y0:y1, x0:x1], self.gray[y0:y1, x0:x1]
        return View(bgr, gray, to_picture, (across, down), self.channel, (self, part))


def view_of(
    shot: Screenshot,
    box: PixelBox | None,
    view_px: float,
    channel: Channel = "brightest",
    times: int = 1,
    limits: PixelBox | None = None,
) -> View:
    """Return a part of a screenshot, shrunk to ``view_px`` on its shorter side.

    ``box``: the part; ``None`` is the whole picture. ``times``: enlargement where it need not be shrunk.
    ``limits``: of the searched part of the picture, at which the view has rims.
    """
    limits = limits or PixelBox(0, 0, *shot.bgr.shape[1::-1])
    box = box or limits
    part = shot.bgr[box.y0 : box.y1, box.x0 : box.x1]
    factor = shrink_of(box, view_px)
    if factor >= 2:  # a whole number: cut off what is left of a multiple of it
        height, width = (side // int(factor) * int(factor) for side in part.shape[:2])
        part = part[:height, :width]
    if factor > 1:
        part = _shrunk(part, factor)
    elif times > 1:
        part = np.asarray(cv2.resize(part, None, fx=times, fy=times), dtype=np.uint8)
        factor = 1 / times
    # The centres of pixels lie at whole numbers, so the way back begins between two of them.
    first_px = (factor - 1) / 2
    to_picture = np.array([[factor, 0, box.x0 + first_px], [0, factor, box.y0 + first_px], [0, 0, 1]])
    rims = ((box.x0 == limits.x0, box.x1 == limits.x1), (box.y0 == limits.y0, box.y1 == limits.y1))
    return View(part, _gray_of(part, channel), to_picture, rims, channel)


def _shrunk(part: Bgr, factor: float) -> Bgr:
    """Return a picture shrunk by a factor, by halves first."""
    if factor > 2 and factor % 2 == 0:
        # OpenCV halves in a quarter of the time of other whole factors.
        part = _shrunk(part, factor=2.0)
        factor = factor / 2
    size = (round(part.shape[1] / factor), round(part.shape[0] / factor))
    interpolation = cv2.INTER_AREA if factor >= 2 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, size, interpolation=interpolation), dtype=np.uint8)


def shrink_of(box: PixelBox, view_px: float) -> float:
    """Return how many picture pixels become one, on a side, when the part inside ``box`` is shrunk.

    The shorter side then has about ``view_px``. 1.0: it is not shrunk.
    """
    factor = min(box.x1 - box.x0, box.y1 - box.y0) / view_px
    if factor >= 2:
        return float(int(factor))  # OpenCV is five times as fast for whole factors
    return factor if factor >= 1.25 else 1.0  # shrinking by little takes more time than it saves


def _gray_of(bgr: Bgr, channel: Channel) -> Gray:
    """Return (h, w): the channel of a picture (h, w, 3) in which lines are bright."""
    match channel:
        case "brightest":
            return brightest_channel(bgr)
        case "negative":
            return np.bitwise_not(brightest_channel(bgr))
        case "thin":
            return _thin(bgr)
        case "green":
            return np.asarray(cv2.extractChannel(bgr, 1), np.uint8)
        case "steps":
            steps = cv2.morphologyEx(bgr, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))
            return brightest_channel(np.asarray(cv2.convertScaleAbs(steps, alpha=STEP_GAIN), np.uint8))


def _thin(bgr: Bgr) -> Gray:
    """Return the contrast of thin things with their surroundings, 0 where something is wider than a line.

    Dark gaps beside bright lines do not count: bright lines are taken away first.
    """
    luminance = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    width_px = widest_line_px(min(luminance.shape)) | 1  # odd
    square = np.ones((width_px, width_px), np.uint8)
    opened = cv2.morphologyEx(luminance, cv2.MORPH_OPEN, square)
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, square)
    bright = cv2.subtract(luminance, opened)
    dark = cv2.subtract(closed, opened)
    return np.asarray(cv2.max(bright, dark), np.uint8)


def widest_line_px(shorter_px: int) -> int:
    """Return the maximum width of a line, in pixels of a view whose shorter side has ``shorter_px``."""
    return max(LINES.width_min_px, round(LINES.width * shorter_px))


_srgb = np.arange(256) / 255
LINEAR = np.where(_srgb <= 0.04045, _srgb / 12.92, ((_srgb + 0.055) / 1.055) ** 2.4)
"""Linear light, 0 to 1, of each sRGB value from 0 to 255 (IEC 61966-2-1)."""
BGR_TO_XYZ = np.array(
    [[0.180423, 0.072169, 0.950227], [0.357580, 0.715160, 0.119193], [0.412453, 0.212671, 0.019334]]
) / np.array([0.950456, 1.0, 1.088754])
"""Rows blue, green, red; columns X, Y, Z as shares of the white of D65."""
HALF_WAY = 0.5  # share of the way from one colour to another: what is nearer belongs to the first


def view_frame(frame: Frame, view: View) -> Frame:
    """Return the map from cell units to the pixels of a view, for a ``frame`` into its picture."""
    return _frame_in(frame, view.to_picture.tobytes())


@lru_cache(maxsize=64)
def _frame_in(frame: Frame, to_picture: bytes) -> Frame:
    """Return ``view_frame`` for the bytes of a view's map: arrays cannot be keys of a cache."""
    return Frame.of_homography(np.linalg.inv(np.frombuffer(to_picture).reshape(3, 3)) @ frame.homography)


def sample(view: View, frame: Frame, centres: Floats, offsets: Floats) -> Bgr:
    """Return (N, M, 3) uint8: the pixels nearest to every centre (N, 2) plus its offsets, in cell units.

    ``offsets``: (M, 2) for all centres alike, or (N, M, 2).
    """
    return _nearest(view.bgr, _points_px(view, frame, centres, offsets), cv2.BORDER_REPLICATE)


def sample_brightest(view: View, frame: Frame, centres: Floats, offsets: Floats) -> Gray:
    """Return (N, M) uint8: the brightest channel at the points of ``sample``, in a third of its time.

    Beyond the view counts as black, so that a line on the picture's rim is seen.
    """
    gray = view.gray if view.channel == "brightest" else brightest_channel(view.bgr)
    return _nearest(gray, _points_px(view, frame, centres, offsets), cv2.BORDER_CONSTANT)


def _nearest(pixels: Gray, points: Singles, border: int) -> Gray:
    """Return (N, M, …): the pixels nearest to points (N, M, 2) in pixels, x first.

    ``border``: OpenCV's code for points beyond the picture.
    """
    # OpenCV's stubs do not know that the second map is optional.
    nearest_pixels = cv2.remap(pixels, points, None, cv2.INTER_NEAREST, None, border)  # type: ignore[call-overload]
    return np.asarray(nearest_pixels, np.uint8)


def is_inside(view: View, frame: Frame, centres: Floats, offsets: Floats) -> Mask:
    """Return (N, M): points inside the view; arguments as for ``sample``."""
    nearest = np.rint(_points_px(view, frame, centres, offsets))
    (width, height) = view.size
    x, y = nearest[..., 0], nearest[..., 1]
    return np.asarray((x >= 0) & (x < width) & (y >= 0) & (y < height))


def _points_px(view: View, frame: Frame, centres: Floats, offsets: Floats) -> Singles:
    """Return (N, M, 2): every centre plus its offsets, in pixels of the view; arguments as for ``sample``."""
    matrix = view_frame(frame, view).homography
    x_of_w, y_of_w, same_w = matrix[2].tolist()
    is_affine = x_of_w == y_of_w == 0  # w is the same everywhere
    rows = matrix[: 2 if is_affine else 3]
    # The map is linear up to its division, so thousands of points are sums of few centres and few offsets.
    # Both are homogeneous: x, y and, unless it is the same, w.
    centres_xyw = (centres @ rows[:, :2].T + rows[:, 2]).astype(np.float32)
    offsets_xyw = (offsets @ rows[:, :2].T).astype(np.float32)
    if is_affine:
        # x and y are added as complex numbers, both at once: a quarter of the time.
        sums = centres_xyw.view(np.complex64) + offsets_xyw.view(np.complex64)[..., 0]
        points = sums.view(np.float32).reshape(*sums.shape, 2)
        return points if same_w == 1 else points / np.float32(same_w)
    points_xyw = centres_xyw[:, None, :] + offsets_xyw
    return np.asarray(points_xyw[..., :2] / points_xyw[..., 2:])


def lab_of(bgr: Bgr) -> Floats:
    """Return colours (…, 3) in CIE Lab (sRGB, D65), L 0–100.

    Not by OpenCV, which spends 70 ms on tables at the first conversion of floats.
    """
    # All colours in one row: a product of many small matrices takes twice as long.
    xyz = LINEAR.take(bgr.reshape(-1, 3)) @ BGR_TO_XYZ
    # The cube root of CIE, a straight line in the dark.
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116).T
    lab = np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=-1)
    return lab.reshape(bgr.shape)


def median_lab(bgr: Bgr) -> Floats:
    """Return (N, 3): the median colour of pixels (N, M, 3), in Lab."""
    return lab_of(np.median(bgr, axis=1).astype(np.uint8))


def colour_distance(lab: Floats, other: Floats) -> Floats:
    """Return (…): distances of colours (…, 3) in CIE Lab (CIE 1976)."""
    # Channel by channel: over so short a last axis NumPy's norm takes five times as long.
    squares = np.square(lab[..., 0] - other[..., 0])
    squares += np.square(lab[..., 1] - other[..., 1])
    squares += np.square(lab[..., 2] - other[..., 2])
    return np.sqrt(squares)


def ring(radius: float, count: int) -> Floats:
    """Return (count, 2) offsets evenly around a circle, the first one on a diagonal."""
    angles = np.pi / 4 + 2 * np.pi * np.arange(count) / count
    return np.column_stack((np.cos(angles), np.sin(angles))) * radius


def corner_points(outer: float, inner: float) -> Floats:
    """Return (12, 2) offsets in the four corners of a cell: the outermost, and one beside it on each side."""
    in_one_corner = (outer, outer), (inner, outer), (outer, inner)
    return np.array([(x * a, y * b) for x in (-1, 1) for y in (-1, 1) for a, b in in_one_corner])


def grid_points(xs: Floats, ys: Floats) -> Floats:
    """Return (rows · columns, 2): the points of a grid with these x and y, row by row."""
    # As complex numbers, in a tenth of the time of ``meshgrid``.
    return (xs + 1j * ys[:, None]).view(np.float64).reshape(-1, 2)


def place_middles(size: tuple[int, int]) -> Floats:
    """Return (cells, 2): the middles of the cells of a lattice (rows, columns), x first, row by row."""
    rows, cols = size
    return grid_points(np.arange(0.0, cols) + 0.5, np.arange(0.0, rows) + 0.5)


def shift(x: float, y: float) -> Floats:
    """Return the map (3, 3) that adds (``x``, ``y``) to points."""
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def distances_between(points: Floats) -> Floats:
    """Return (N, N): the distances between points (N, 2)."""
    return np.asarray(np.hypot(*np.moveaxis(points[:, None] - points, -1, 0)))


def to_others(distances: Floats) -> Floats:
    """Return distances (N, N) with infinity from each to itself."""
    return distances + np.diag(np.full(len(distances), np.inf))


def connected_groups(is_beside: Mask) -> Iterator[Mask]:
    """Yield masks (N,) of groups whose members are joined, directly or not, the first member's group first.

    ``is_beside`` (N, N): symmetric; each is beside itself.
    """
    is_left = np.ones(len(is_beside), bool)
    while is_left.any():
        is_member, count = is_beside[int(is_left.argmax())], 0
        while count != np.count_nonzero(is_member):
            count = int(np.count_nonzero(is_member))
            is_member = np.any(is_beside[is_member], axis=0)
        is_left &= ~is_member
        yield is_member


def dilated(pixels: Gray, size_px: int) -> Gray:
    """Return pixels (h, w), each the largest in a square of ``size_px`` round it."""
    return np.asarray(cv2.dilate(pixels, np.ones((size_px, size_px), np.uint8)), np.uint8)


def block_maxima(pixels: Gray, size_px: int) -> Gray:
    """Return pixels (h, w) shrunk: the largest of each square of ``size_px``, so that thin lines stay."""
    largest = cv2.dilate(pixels, np.ones((size_px, size_px), np.uint8), anchor=(0, 0))
    return np.ascontiguousarray(largest[::size_px, ::size_px], np.uint8)


def bounds_of(mask: Mask) -> tuple[slice, slice]:
    """Return the rows and the columns that hold all that is set in a mask (h, w)."""
    x, y, width, height = cv2.boundingRect(mask.astype(np.uint8))
    return slice(y, y + height), slice(x, x + width)
