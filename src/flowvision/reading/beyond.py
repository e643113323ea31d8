"""Evidence that the board continues past its detected border.

Checked for every answer, on few pixels: a part of a board may have exactly one solution by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.image.picture import Frame, Screenshot, affine_map
from flowvision.image.pixels import pixels_at
from flowvision.puzzle.layout import Place
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.pixels.lines import AXES, Axis
from flowvision.vision.pixels.view import HALF_WAY, Channel, Floats
from flowvision.vision.settings import ReadingSettings

Mask = NDArray[np.bool_]
Ints = NDArray[np.int16]
ALONG = np.array((0.17, 0.27, 0.73, 0.83))
"""Places along a line, in cells, away from crossing lines, pipes and dots."""
STUB = np.array((0.05, 0.07))
"""Cells from the border at which a line that crosses it shows."""
STUB_PX = 1.0
"""Pixels around the border that belong to it."""
REACH = np.array((0.07, 0.1, 0.13))
"""Cells from the border that lines beside an opening reach at least."""
PLACES, NEAR, WHOLE = np.concatenate((STUB, ALONG)), slice(len(STUB)), slice(len(STUB), None)
"""All places along a line beyond a border; of these, those near it, and those of the whole cell."""
SLACK, SLACK_PX = 0.03, 1.5
"""Largest distance of a line from its place, in cells, and in pixels if that is more."""
ON_LINE = np.linspace(-1, 1, 5)
"""Positions to search for a line, in shares of the slack."""
DRIFT = np.linspace(-0.12, 0.12, 17)
"""Positions to search for lines of a tilted board, which drift from its lattice, in cells."""
SOME = 0.25
"""Share of lines that must continue before all are searched that far away."""
GROUND = 0.16
"""Cells across a line to the ground on both sides, away from dots and blurred lines."""
LINES_MAX = 6
"""Number of lines sampled across a border; of more, every second or third."""
FAR = 3
"""Cells beyond the border to search for the next parallel line."""
ANGLES = np.pi / 4 * (np.arange(8) + 0.5)
ROUND = 0.26 * np.column_stack((np.cos(ANGLES), np.sin(ANGLES)))
"""(8, 2) of a cell, from its middle: inside every dot, beside its letter, outside the head of a pipe."""
CORNERS = 0.42 * np.array(((-1, -1), (1, 1), (-1, 1), (1, -1)))
"""(4, 2) of a cell, from its middle: outside every dot, beside the lines."""
INSIDE = np.concatenate((0.1 / 0.26 * ROUND, 0.22 / 0.26 * ROUND))
"""(16, 2) of a cell, from its middle: inside discs that are two thirds as large as dots."""
DIAGONAL = 0.3 * np.array(((-1, -1), (1, 1), (-1, 1), (1, -1)))
"""(4, 2) of a cell, from its middle: outside every dot of the game, inside squares that cover one."""
PAIR, OTHERS = 2, 4
"""Square dots that look like a covered pair, and the fewest round ones beside them."""
GLANCE = np.concatenate((0.22 / 0.26 * ROUND[::4], CORNERS[:2]))
"""(4, 2) of a cell, from its middle: two points inside a disc, and two outside."""
NEXT = 0.6 * np.array(((0, -1), (0, 1), (-1, 0), (1, 0)))
"""(4, 2) of a cell, from its middle: right beyond its sides, where pipes go on, and no disc reaches."""
OUTSTANDING = 0.4
"""Share of the dots' contrast that discs reach; tints, halos and shadows have less."""
FROM_CORNER = np.array([[0.0, 1.0, -0.5], [1.0, 0.0, -0.5], [0.0, 0.0, 1.0]])
"""From columns and rows, from the first corner, to rows and columns, from the middle of the first cell."""
LINE_RISE = 6
"""Brightness: lines of a lattice that is not believed stand out by as much; the game's by 60."""
VISIBLE = 0.25
"""Share of the usual strength of lines that the ground must leave visible."""


class LineLevels(NamedTuple):
    """Levels to compare lines beyond a border with.

    ``usual``: how much brighter lines inside are than their ground; ``bright``: how bright, 0 to 255.
    ``share``: of the expected strength that must be seen.
    """

    usual: float
    bright: float
    share: float


class Squares(Struct, frozen=True, eq=False):
    """The rows and columns of a board in its picture.

    ``frame``: from columns and rows, counted from the first corner, to pixels. ``cells``: the places on the
    board; holes are none. ``channel``: in which lines are brighter than their ground.
    """

    shot: Screenshot
    rows: int
    cols: int
    cells: tuple[Place, ...]
    frame: Frame
    pitch_px: float
    channel: Channel


def squares_of(interpretation: Interpretation, shot: Screenshot) -> Squares | None:
    """Return the rows and columns of a board of squares; ``None`` for other boards."""
    fit, reading = interpretation.geometry.fit if interpretation.geometry else None, interpretation.reading
    lattice = reading.lattice
    if fit is None or lattice is None or lattice.tiling != "square":
        return None
    if fit.is_lattice:
        frame = fit.frame
    elif not fit.is_regular:  # cells found one by one, between lines as well
        frame = Frame.of_homography(places_frame(reading).homography @ FROM_CORNER)
    else:
        return None
    return Squares(shot, lattice.rows, lattice.cols, lattice.places, frame, fit.pitch_px, fit.view.channel)


def places_frame(reading: Reading) -> Frame:
    """Return the map from rows and columns of a lattice to pixels, also where cells are not 1.0 apart."""
    matrix = affine_map(reading.places, reading.board.layout.centres)
    return Frame.of_homography(reading.frame.homography @ matrix)


def lines_beyond(
    on: Squares, settings: ReadingSettings, warps: Sequence[tuple[Place, Place]] = ()
) -> tuple[float, bool]:
    """Return the largest share of inner lines that continue past a border, and whether there are cells.

    There are cells beyond if most of these lines continue, half as strong as inside or, on lighter ground, as
    bright as inside, and another line ends these cells, or the picture or what hides them does. Lines alone
    fade out beside warps, and round the icon of the game. A line comes to the border between two cells of the
    board. ``warps``: the two places that each opening joins; lines come out by a tenth of a cell beside them.
    """
    is_cell = np.full((on.rows, on.cols), len(on.cells) == on.rows * on.cols)
    if not is_cell.all():
        is_cell[tuple(np.transpose(on.cells))] = True
    largest = 0.0
    for axis, size, rows in zip(AXES, (on.cols, on.rows), (is_cell, is_cell.T), strict=True):
        comes_out = rows[1:, [0, -1]] & rows[:-1, [0, -1]]
        between = np.flatnonzero(comes_out[:, 0] | comes_out[:, 1])
        if not len(between):
            continue
        between = between[:: max(1, (len(between) + 1) // LINES_MAX)]
        comes_out, lines = comes_out[between], between.astype(np.float64) + 1
        along = np.concatenate((PLACES, -PLACES, size - PLACES, size + PLACES))
        seen = [one.reshape(len(lines), 2, 2, -1) for one in _line_strengths(on, axis, lines, along)]
        strength, ground = (one[:, :, 0, WHOLE][comes_out] for one in seen[:2])
        is_warped = any(first[axis] == last[axis] for first, last in warps)
        tells = not is_warped and STUB[0] * on.pitch_px >= STUB_PX
        levels = _levels(strength, ground, settings)
        if levels is None:
            continue
        for side, border in enumerate(((0, -1), (size, 1))):
            own = comes_out[:, side]
            # Beyond most borders all is darker than the faintest line that counts.
            if not (seen[0][own, side, 1] >= levels.share * VISIBLE * levels.usual).any():
                continue
            near, whole = ([one[own, side, 1, part] for one in seen] for part in (NEAR, WHOLE))
            share, reaching = _share(whole, levels), _share_reaching(near, levels) if tells else 0.0
            largest = max(largest, share or 0.0, reaching)
            if share is not None and SOME <= share < settings.lines_beyond:
                outwards = border[0] + border[1] * ALONG
                share = _share(_line_strengths(on, axis, lines[own], outwards, DRIFT), levels)
            crossed = lines[own], np.flatnonzero(rows[:, -side])
            if reaching >= settings.lines_beyond and (
                share is None
                or _are_cut(near, whole, levels, settings)
                or _is_line_across(on, axis, border[0] + border[1], crossed[1], levels)
            ):
                return largest, True
            if _are_most(share, settings) and _have_an_end(on, axis, border, crossed, levels, settings):
                return largest, True
    return largest, False


def lines_go_on(fit: Fit, shot: Screenshot, side: int, reach: float) -> float:
    """Return the share of a lattice's lines that continue past a side of it, as far as ``reach`` cells."""
    return lines_past(squares_in(fit, shot), side, reach)


def squares_in(fit: Fit, shot: Screenshot) -> Squares:
    """Return the rows and columns of a lattice."""
    assert fit.size is not None
    return Squares(shot, *fit.size, (), fit.frame, fit.pitch_px, fit.view.channel)


def lines_past(on: Squares, side: int, reach: float, after: float = 0.0) -> float:
    """Return the share of lines that continue past a side, from ``after`` cells as far as ``reach`` more."""
    axis, away = side % 2, after + reach * np.linspace(0.25, 0.9, 5)
    lines, end = (on.rows, on.cols) if axis == 0 else (on.cols, on.rows)
    strength, _, _ = _line_strengths(
        on, AXES[axis], np.arange(lines + 1.0), -away if side < 2 else end + away
    )
    return float((np.median(strength, axis=1) >= LINE_RISE).mean())


def _levels(strength: Ints, ground: Ints, settings: ReadingSettings) -> LineLevels | None:
    usual, bright = (np.sort(one, axis=None)[one.size // 2] for one in (strength, strength + ground))
    return (
        LineLevels(float(usual), float(bright), settings.lines_as_strong)
        if usual >= settings.line_min
        else None
    )


def _are_most(share: float | None, settings: ReadingSettings) -> bool:
    return share is not None and share >= settings.lines_beyond


def _share_reaching(near: Sequence[NDArray[Any]], levels: LineLevels) -> float:
    strength, _, is_inside = near
    comes_out = np.asarray(is_inside & (strength >= levels.share * levels.usual)).all(axis=1)
    return float(comes_out.mean()) if len(strength) else 0.0


def _are_cut(
    near: Sequence[NDArray[Any]], whole: Sequence[NDArray[Any]], levels: LineLevels, settings: ReadingSettings
) -> bool:
    """Return whether most lines across a border end beneath something, or within the first cell.

    Beneath it the ground is not as bright as near the border. Other lines fade out, or end near it.
    """
    (_, ground, _), (strength, far, _) = near, whole
    is_covered = np.abs(far[:, -1] - ground[:, 0]) >= settings.line_min
    middle = len(ALONG) // 2
    is_strong = strength[:, middle - 1] >= levels.share * levels.usual
    ends = is_strong & (strength[:, -1] < VISIBLE * levels.usual)
    return bool(2 * np.count_nonzero(is_covered | ends) > len(ends))


def reaches_out(on: Squares, warps: Sequence[tuple[Place, Place]], settings: ReadingSettings) -> bool:
    """Return whether most lines beside openings reach over the border, where the picture continues."""
    seen = []
    for axis, size in zip(AXES, (on.cols, on.rows), strict=True):
        rows = {first[axis] for first, last in warps if first[axis] == last[axis]}
        lines = np.array(sorted(rows | {row + 1 for row in rows}), np.float64)
        if not len(lines):
            continue
        inside = np.concatenate((ALONG, size - ALONG))
        usual = float(np.sort(_line_strengths(on, axis, lines, inside)[0], axis=None)[-len(lines)])
        for edge, way in ((0, -1), (size, 1)):
            beyond = _line_strengths(on, axis, lines, edge + way * REACH)
            share = _share(beyond, LineLevels(usual, np.inf, settings.reaches_out))
            seen += [] if share is None else [share]
    return bool(seen) and 2 * sum(seen) > len(seen)


def discs_without_dot(on: Squares, dots: Sequence[Place], settings: ReadingSettings) -> tuple[Place, ...]:
    """Return the places of a lattice, on the board and beside it, with a disc that was not read as a dot.

    It has one colour, two thirds of the dots' size or more, and their contrast,
    and ends within its cell, unlike pipes. ``dots``: the places of the dots that were read.
    """
    beside, step = settings.beside, settings.dot_step
    is_free = np.ones((on.rows + 2 * beside, on.cols + 2 * beside), bool)
    is_free[tuple(np.transpose(dots).astype(int) + beside)] = False
    rows, cols = np.nonzero(is_free)
    middles = np.column_stack((cols, rows)) + np.float64(0.5 - beside)
    middles = middles[_are_patches(on, middles, GLANCE, 2, step)]
    if not len(middles):
        return ()
    own = np.array(dots, float)[:, None, ::-1] + 0.5
    seen = _sampled(on, own + np.concatenate((ROUND, CORNERS)))[0]
    colours, ground = np.median(seen[:, : len(ROUND)], axis=1), np.median(seen[:, len(ROUND) :], axis=(0, 1))
    step = max(step, OUTSTANDING * float(np.median(np.abs(colours - ground).max(axis=1))))
    are_discs = _are_patches(on, middles, np.concatenate((INSIDE, NEXT, CORNERS)), len(INSIDE), step)
    return tuple((int(np.floor(row)), int(np.floor(col))) for col, row in middles[are_discs])


def square_dots(on: Squares, dots: Sequence[Place]) -> tuple[Place, ...]:
    """Return the two square dots among round ones: boxes over a pair look like its dots."""
    middles = np.array(dots, float)[:, None, ::-1] + 0.5
    bgr = _sampled(on, middles + np.concatenate((ROUND, DIAGONAL, CORNERS)))[0]
    usual = np.sort(bgr[:, : len(ROUND)], axis=1)[:, len(ROUND) // 2, None]
    away = np.abs(bgr - usual).max(axis=2)
    ground = np.sort(away[:, -len(CORNERS) :], axis=1)[:, len(CORNERS) // 2]
    alike = np.count_nonzero(away[:, len(ROUND) : -len(CORNERS)] < HALF_WAY * ground[:, None], axis=1)
    squares, rounds = alike == len(DIAGONAL), alike <= 1
    is_pair = np.count_nonzero(squares) == PAIR and np.count_nonzero(rounds) == max(OTHERS, len(dots) - PAIR)
    return tuple(dots[n] for n in np.flatnonzero(squares).tolist()) if is_pair else ()


def _share(seen: Sequence[NDArray[Any]], levels: LineLevels) -> float | None:
    strength, ground, is_inside = seen
    if 2 * np.count_nonzero(is_inside) < is_inside.size or not is_inside.size:
        return None
    expected = np.minimum(levels.usual, levels.bright - ground)
    shows = is_inside & (expected >= VISIBLE * levels.usual)
    are_shown = shows.any(axis=1)
    if 2 * np.count_nonzero(are_shown) < np.count_nonzero(is_inside.any(axis=1)):
        return None
    is_seen = shows & (strength >= levels.share * expected)
    return float((2 * is_seen.sum(axis=1) > shows.sum(axis=1))[are_shown].mean())


def _have_an_end(
    on: Squares,
    axis: Axis,
    border: tuple[int, int],
    crossed: tuple[Floats, NDArray[np.intp]],
    levels: LineLevels,
    settings: ReadingSettings,
) -> bool:
    """Return whether lines beyond a border end at a crossing line, at the picture's edge, or hidden."""
    (edge, way), (lines, cells) = border, crossed
    for away in range(1, FAR + 1):
        line = edge + way * away
        if _is_line_across(on, axis, line, cells, levels):
            return True
        share = _share(_line_strengths(on, axis, lines, line + way * ALONG), levels)
        if not _are_most(share, settings):
            return share is None
    return False


def _is_line_across(on: Squares, axis: Axis, line: int, cells: NDArray[np.intp], levels: LineLevels) -> bool:
    pieces = (cells[:, None] + ALONG).ravel()
    share = _share(_line_strengths(on, AXES[1 - axis], np.array((float(line),)), pieces), levels)
    return share is not None and share > 0.5


def _line_strengths(
    on: Squares, axis: Axis, lines: Floats, along: Floats, around: Floats | None = None
) -> tuple[Ints, Ints, Mask]:
    places = max(SLACK, SLACK_PX / on.pitch_px) * ON_LINE if around is None else around
    across = (lines[:, None] + np.concatenate((places, (-GROUND, GROUND))))[:, None]
    points = np.empty((len(lines), len(along), across.shape[-1], 2))
    points[..., axis], points[..., 1 - axis] = along[:, None], across
    bgr, is_inside = _sampled(on, points)
    if on.channel in ("blue", "green", "red"):
        gray = bgr[..., ("blue", "green", "red").index(on.channel)]
    else:
        gray = np.maximum(np.maximum(bgr[..., 0], bgr[..., 1]), bgr[..., 2])
        gray = 255 - gray if on.channel == "negative" else gray
    on_line, ground = gray[..., :-2].max(axis=-1), np.maximum(gray[..., -2], gray[..., -1])
    return on_line - ground, ground, np.asarray(is_inside.all(axis=-1))


def _are_patches(on: Squares, middles: Floats, points: Floats, inner: int, step: float) -> Mask:
    bgr, is_inside = _sampled(on, middles[:, None] + points)
    usual = np.sort(bgr[:, :inner], axis=1)[:, inner // 2, None]
    away = np.abs(bgr - usual).max(axis=2)
    ground = away[:, inner:].min(axis=1)
    uneven = np.count_nonzero(away[:, :inner] >= HALF_WAY * ground[:, None], axis=1)
    return np.asarray((ground >= step) & (uneven <= inner // 8) & is_inside[:, :inner].all(axis=1))


def _sampled(on: Squares, points: Floats) -> tuple[Ints, Mask]:
    bgr, is_inside = pixels_at(on.shot.bgr, on.frame.to_px(points).reshape(points.shape))
    return bgr.astype(np.int16), is_inside
