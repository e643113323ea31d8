"""Damage to the board itself: rows lost or doubled, dots erased, pictures torn, cut and combined."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.image.picture import Bgr
from flowvision.puzzle.layout import Place
from flowvision.solvers import has_one_strict_solution, solve
from scenes import Change, Random, Scene, drawn_scene


def _y(scene: Scene, row: float) -> int:
    return round(scene.point(row, 0)[1])


def _x(scene: Scene, col: float) -> int:
    return round(scene.point(0, col)[0])


def torn(share: float) -> Change:
    """All below a random row moved aside by this share of a cell."""

    def tear(scene: Scene, random: Random) -> Bgr:
        bgr, y = scene.bgr.copy(), _y(scene, random.uniform(1, scene.size[0] - 1))
        bgr[y:] = np.roll(bgr[y:], max(2, round(share * scene.cell)), axis=1)
        return bgr

    return tear


def frames_mixed(scene: Scene, random: Random) -> Bgr:
    """The lower part is of another frame, in which the picture lay half a cell lower."""
    bgr, y = scene.bgr.copy(), _y(scene, random.uniform(1, scene.size[0] - 1))
    bgr[y:] = np.roll(scene.bgr, round(0.5 * scene.cell), axis=0)[y:]
    return bgr


def lost_row(scene: Scene, random: Random) -> Bgr:
    row = int(random.integers(0, scene.size[0]))
    return np.delete(scene.bgr, np.s_[_y(scene, row) : _y(scene, row + 1)], axis=0)


def lost_column(scene: Scene, random: Random) -> Bgr:
    col = int(random.integers(0, scene.size[1]))
    return np.delete(scene.bgr, np.s_[_x(scene, col) : _x(scene, col + 1)], axis=1)


def doubled_row(scene: Scene, random: Random) -> Bgr:
    """A row of cells stands twice: two pictures put together badly."""
    row = int(random.integers(0, scene.size[0]))
    top, end = _y(scene, row), _y(scene, row + 1)
    return np.concatenate((scene.bgr[:end], scene.bgr[top:]))


def lost_pixels(scene: Scene, random: Random) -> Bgr:
    """Some rows of pixels are missing, in the middle of a row of cells."""
    row = int(random.integers(0, scene.size[0])) + 0.5
    return np.delete(scene.bgr, np.s_[_y(scene, row) : _y(scene, row + 0.06)], axis=0)


def _inside(scene: Scene, place: tuple[int, int]) -> tuple[slice, slice]:
    """The pixels of a cell without its sides."""
    row, col = place
    return (
        slice(_y(scene, row + 0.08), _y(scene, row + 0.92)),
        slice(_x(scene, col + 0.08), _x(scene, col + 0.92)),
    )


def _erase(scene: Scene, bgr: Bgr, place: tuple[int, int]) -> None:
    """Paint the inside of a cell over with the colour of its corner."""
    box = _inside(scene, place)
    bgr[box] = bgr[box[0].start, box[1].start]


def erased_dot(scene: Scene, random: Random) -> Bgr:
    """One dot is gone."""
    bgr, pairs = scene.bgr.copy(), scene.pairs
    _erase(scene, bgr, pairs[int(random.integers(len(pairs)))][int(random.integers(2))])
    return bgr


def erased_pair(scene: Scene, random: Random) -> Bgr:
    bgr, pairs = scene.bgr.copy(), scene.pairs
    for place in pairs[int(random.integers(len(pairs)))]:
        _erase(scene, bgr, place)
    return bgr


def _copy(scene: Scene, bgr: Bgr, place: tuple[int, int], target: tuple[int, int]) -> None:
    """Paint the inside of a cell as that of another one is."""
    (rows, cols), (to_rows, to_cols) = _inside(scene, place), _inside(scene, target)
    patch = scene.bgr[rows, cols]
    bgr[to_rows, to_cols] = cv2.resize(patch, (to_cols.stop - to_cols.start, to_rows.stop - to_rows.start))


def _free_cell(scene: Scene, random: Random) -> Place:
    """The place of a random cell without a dot."""
    held = {one for pair in scene.pairs for one in pair}
    cells = scene.truth.board.lattice.places if scene.truth.board.lattice else ()
    free = [cell for cell in cells if cell not in held]
    return free[int(random.integers(len(free)))]


def moved_dot(scene: Scene, random: Random) -> Bgr:
    """A dot stands in another cell."""
    bgr, pairs = scene.bgr.copy(), scene.pairs
    place = pairs[int(random.integers(len(pairs)))][int(random.integers(2))]
    _copy(scene, bgr, place, _free_cell(scene, random))
    _erase(scene, bgr, place)
    return bgr


def added_dot(scene: Scene, random: Random) -> Bgr:
    """A dot too many."""
    bgr = scene.bgr.copy()
    _copy(scene, bgr, scene.pairs[0][0], _free_cell(scene, random))
    return bgr


def swapped_dots(scene: Scene, random: Random) -> Bgr:
    """Two dots of different colours have changed places, so that it is no puzzle with one solution."""
    places = scene.truth.board.lattice.places if scene.truth.board.lattice else ()
    while True:
        one, other = (int(flow) for flow in random.choice(len(scene.pairs), 2, replace=False))
        a, b = (int(end) for end in random.integers(2, size=2))
        terminals = [list(pair) for pair in scene.truth.puzzle.terminals]
        dots = terminals[one][a], terminals[other][b]
        terminals[one][a], terminals[other][b] = dots[::-1]
        puzzle = replace(scene.truth.puzzle, terminals=tuple((x, y) for x, y in terminals))
        if not has_one_strict_solution(solve(puzzle)):
            break
    bgr = scene.bgr.copy()
    for place, target in (dots, dots[::-1]):
        _copy(scene, bgr, places[place], places[target])
    return bgr


def erased_line(scene: Scene, random: Random) -> Bgr:
    """A line between two rows is gone from end to end."""
    bgr, row = scene.bgr.copy(), int(random.integers(1, scene.size[0]))
    top, end = _y(scene, row - 0.06), _y(scene, row + 0.06)
    bgr[top:end] = bgr[top]
    return bgr


def without_line_beside(scene: Scene, border: str) -> Bgr:
    """The inner line next to a border is gone from end to end."""
    rows, cols = scene.size
    bgr = scene.bgr.copy()
    if border in ("top", "bottom"):
        row = 1 if border == "top" else rows - 1
        top, end = _y(scene, row - 0.06), _y(scene, row + 0.06)
        left, right = max(0, _x(scene, 0.03)), _x(scene, cols - 0.03)
        bgr[top:end, left:right] = bgr[top, left:right]
    else:
        col = 1 if border == "left" else cols - 1
        left, right = _x(scene, col - 0.06), _x(scene, col + 0.06)
        top, end = max(0, _y(scene, 0.03)), _y(scene, rows - 0.03)
        bgr[top:end, left:right] = bgr[top:end, left : left + 1]
    return bgr


def beside(scene: Scene, other: Bgr, axis: int, share: float) -> Bgr:
    """Another picture on the right (``axis`` 1) or below, so much of the scene's height or width."""
    bgr = scene.bgr
    scale = share * bgr.shape[1 - axis] / other.shape[1 - axis]
    other = np.asarray(cv2.resize(other, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    canvas_size = (bgr.shape[0], other.shape[1], 3) if axis == 1 else (other.shape[0], bgr.shape[1], 3)
    canvas = np.zeros(canvas_size, np.uint8)
    canvas[: other.shape[0], : other.shape[1]] = other
    return np.concatenate((bgr, canvas), axis=axis)


def two_beside(scene: Scene, random: Random) -> Bgr:
    """Another board, smaller, on the right."""
    return beside(scene, drawn_scene(int(random.integers(60))).bgr, 1, 0.7)


def two_above(scene: Scene, random: Random) -> Bgr:
    """Another board, smaller, below."""
    return beside(scene, drawn_scene(int(random.integers(60))).bgr, 0, 0.7)


def nested(scene: Scene, random: Random) -> Bgr:
    """The picture in the window of a program, on a bright desk."""
    height, width = scene.bgr.shape[:2]
    page = np.full((round(1.5 * height), round(1.8 * width), 3), (225, 215, 205), np.uint8)
    y, x = round(0.25 * height), round(0.3 * width)
    page[y - 60 : y, x : x + width] = (245, 245, 245)
    cv2.putText(page, "screenshot.png", (x + 20, y - 18), 0, 1.0, (40, 40, 40), 2, cv2.LINE_AA)
    page[y : y + height, x : x + width] = scene.bgr
    return page


def picture_in_picture(scene: Scene, random: Random) -> Bgr:
    """A small video of another game over a corner of the board."""
    bgr, other = scene.bgr.copy(), drawn_scene(int(random.integers(60))).bgr
    width = round(1.6 * scene.cell)
    small = cv2.resize(
        other, (width, round(width * other.shape[0] / other.shape[1])), interpolation=cv2.INTER_AREA
    )
    y, x = _y(scene, scene.size[0] - 0.3), _x(scene, scene.size[1] - 1.7)
    small = small[: bgr.shape[0] - y, : bgr.shape[1] - x]
    bgr[y : y + small.shape[0], x : x + small.shape[1]] = small
    return bgr


def phone_frame(scene: Scene, random: Random) -> Bgr:
    """The screen in the picture of a phone."""
    rim = round(0.04 * scene.bgr.shape[1])
    framed = cv2.copyMakeBorder(
        scene.bgr, 3 * rim, 3 * rim, rim, rim, cv2.BORDER_CONSTANT, value=(35, 30, 30)
    )
    return np.asarray(
        cv2.copyMakeBorder(framed, 80, 80, 120, 120, cv2.BORDER_CONSTANT, value=(240, 240, 240))
    )


def round_corners(scene: Scene, random: Random) -> Bgr:
    """Corners cut off round."""
    bgr, radius = scene.bgr.copy(), round(0.08 * scene.bgr.shape[1])
    mask = np.zeros(bgr.shape[:2], np.uint8)
    height, width = mask.shape
    for box in (((0, radius), (width, height - radius)), ((radius, 0), (width - radius, height))):
        cv2.rectangle(mask, *box, 1, -1)
    for x in (radius, width - radius):
        for y in (radius, height - radius):
            cv2.circle(mask, (x, y), radius, 1, -1)
    bgr[mask == 0] = 255
    return bgr


def cut_off(scene: Scene, border: str, cells: float) -> Bgr:
    """The picture cut off at one side, to so many cells inside the board."""
    rows, cols = scene.size
    match border:
        case "left":
            part = scene.bgr[:, max(1, _x(scene, cells)) :]
        case "right":
            part = scene.bgr[:, : _x(scene, cols - cells)]
        case "top":
            part = scene.bgr[max(1, _y(scene, cells)) :]
        case _:
            part = scene.bgr[: _y(scene, rows - cells)]
    return part.copy()


def covered(scene: Scene, border: str, cells: float, shade: int) -> Bgr:
    """A panel over all of the picture at one side, to so many cells inside the board."""
    left = cut_off(scene, border, cells)
    tall, wide = (full - part for full, part in zip(scene.bgr.shape, left.shape[:2], strict=False))
    top, first = (tall, 0) if border == "top" else (0, wide) if border == "left" else (0, 0)
    sides = top, tall - top, first, wide - first
    return np.asarray(cv2.copyMakeBorder(left, *sides, cv2.BORDER_CONSTANT, value=(shade,) * 3), np.uint8)


def cut(cells: float) -> Change:
    """The left of the picture is cut off, to so many cells inside the board."""
    return lambda scene, _: cut_off(scene, "left", cells)


def cut_below(scene: Scene, random: Random) -> Bgr:
    """The last row and a half are cut off."""
    return scene.bgr[: _y(scene, scene.size[0] - 1.5)].copy()


def faded(scene: Scene, random: Random) -> Bgr:
    """Half-way to the next level."""
    other = drawn_scene(int(random.integers(60))).bgr
    other = np.asarray(cv2.resize(other, scene.bgr.shape[1::-1]), np.uint8)
    return np.asarray(cv2.addWeighted(scene.bgr, 0.7, other, 0.3, 0), np.uint8)


def board_alone(scene: Scene, random: Random) -> Bgr:
    """The board cut out, on a checkered ground as of a transparent picture."""
    (x0, y0), (x1, y1) = scene.point(-0.05, -0.05), scene.point(scene.size[0] + 0.05, scene.size[1] + 0.05)
    part = scene.bgr[max(0, round(y0)) : round(y1), max(0, round(x0)) : round(x1)]
    height, width = part.shape[:2]
    ys, xs = np.mgrid[: height + 160, : width + 160] // 16
    page = np.repeat(np.where((xs + ys) % 2, 255, 205).astype(np.uint8)[..., None], 3, axis=2)
    page[80 : 80 + height, 80 : 80 + width] = part
    return page
