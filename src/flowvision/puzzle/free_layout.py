"""Where the cells of a board are drawn of which only the sides between them are known.

Distances in the drawing follow those along the sides (stress majorization: Gansner, Koren, North, *Graph
drawing by stress majorization*, 2004), so that a board looks like itself if it is flat. Where lines would run
over cells, and on large boards, the cells lie on a circle.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING

from flowvision.puzzle.layout import Cell, Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RADIUS, CORNERS = 0.45, 24
"""Cell units: the radius of a cell, which is drawn as a regular polygon (a square on a large board)."""
APART, CLEAR = 1.3, 0.6
"""Cell units: the least distance of two cells' middles, and of a middle from the line between two others."""
SPREAD = 4.0
"""Cell units per root of the number of cells: a wider drawing is laid on a circle instead."""
LARGEST = 500
"""Cells: laying out this many takes 0.5 s; the time grows with the cube of their number."""
ROUNDS, ROUND_CELLS = 100, 4e6
"""Iterations on a small board; on a large one, at most this product of them and of its cells squared."""


def lay_out(count: int, sides: Sequence[tuple[int, int]]) -> tuple[list[Cell], list[Point]]:
    """The cells of a board, and per side the point half-way along the line that is drawn for it."""
    places = _by_distances(count, sides) if 2 < count <= LARGEST else None
    bend = 1.0 if places else 0.5
    if places is None:
        places = [_on_circle(number, count) for number in range(count)]
    middles = []
    for a, b in sides:
        # On the circle, lines between cells that are not neighbours bend inwards, away from other cells.
        inward = 1.0 if (a - b) % count in (1, count - 1) else bend
        (ax, ay), (bx, by) = places[a], places[b]
        middles.append((inward * (ax + bx) / 2, inward * (ay + by) / 2))
    corners = CORNERS if count <= LARGEST else 4
    turns = [2 * pi * (corner + 0.5) / corners for corner in range(corners)]
    rim = [(RADIUS * cos(turn), RADIUS * sin(turn)) for turn in turns]
    cells = [Cell((x, y), tuple((x + dx, y + dy) for dx, dy in rim)) for x, y in places]
    return cells, middles


def _on_circle(number: int, count: int) -> Point:
    """The middle of a cell on a circle round (0, 0), neighbours ``APART``."""
    radius = APART / (2 * sin(pi / count)) if count > 1 else 0.0
    angle = 2 * pi * number / count
    return radius * sin(angle), -radius * cos(angle)


def _by_distances(count: int, sides: Sequence[tuple[int, int]]) -> list[Point] | None:
    """Places whose distances are like those along the sides; ``None`` where lines would run over cells."""
    import numpy as np

    wanted = _steps_between(count, sides)
    weight = 1 / np.maximum(wanted, 1) ** 2
    np.fill_diagonal(weight, 0.0)
    laplacian = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    circle = np.array([_on_circle(number, count) for number in range(count)])
    places = _scaled(wanted) + 0.1 * circle
    for _ in range(min(ROUNDS, int(ROUND_CELLS / count**2))):
        apart = np.maximum(np.linalg.norm(places[:, None] - places[None], axis=2), 1e-9)
        pull = -weight * wanted / apart
        np.fill_diagonal(pull, 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        places = laplacian @ (pull @ places)
    scale = _least_scale(places, sides)
    places = scale * (places - places.mean(axis=0))
    if not np.isfinite(places).all() or np.ptp(places, axis=0).max() > APART + SPREAD * count**0.5:
        return None
    return [(float(x), float(y)) for x, y in np.round(places, 3)]


def _steps_between(count: int, sides: Sequence[tuple[int, int]]) -> Floats:
    """(count, count): sides from cell to cell; one more than the most where none lead there."""
    import numpy as np

    beside = np.zeros((count, count), bool)
    for a, b in sides:
        beside[a, b] = beside[b, a] = True
    steps = np.where(np.eye(count, dtype=bool), 0.0, np.inf)
    reached, number = np.eye(count, dtype=bool), 0
    while True:
        number += 1
        further = (reached.astype(np.float32) @ beside.astype(np.float32) > 0) & np.isinf(steps)
        if not further.any():
            break
        steps[further] = number
        reached = further
    steps[np.isinf(steps)] = number + 1
    return steps


def _scaled(wanted: Floats) -> Floats:
    """(count, 2): classical multidimensional scaling of distances, from which the iteration begins."""
    import numpy as np

    centred = np.eye(len(wanted)) - 1 / len(wanted)
    values, vectors = np.linalg.eigh(-centred @ wanted**2 @ centred / 2)
    return np.asarray(vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.0)))


def _least_scale(places: Floats, sides: Sequence[tuple[int, int]]) -> float:
    """How much larger the drawing must be for all cells to lie clear of one another and of other lines."""
    import numpy as np

    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    closest = [float(apart.min()) / APART]
    for a, b in sides:
        along = places[b] - places[a]
        share = np.clip((places - places[a]) @ along / max(float(along @ along), 1e-12), 0, 1)
        away = np.linalg.norm(places - places[a] - share[:, None] * along, axis=1)
        away[[a, b]] = np.inf
        closest.append(float(away.min()) / CLEAR)
    return 1 / max(min(closest), 1e-9)
