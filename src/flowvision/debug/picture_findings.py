"""What may be wrong with the picture as a whole: nothing on it, too few pixels, blurred, no board."""

from __future__ import annotations

import numpy as np

from flowvision.debug.finding import Finding, Seen
from flowvision.debug.marks import Mark
from flowvision.vision.kinds.circles.fit import CircleFit
from flowvision.vision.kinds.free.fit import CellFit
from flowvision.vision.kinds.rectangular.fit import GridFit

PLAIN = 8.0
"""Brightness: a picture that varies by less shows next to nothing."""
SMALL_CELL_PX = 16.0
"""Drawn boards are read down to cells of 12 px, compressed and scaled ones of 14 px fail."""
FEW_COLUMNS = 7
"""A picture without a board is too small if so many columns would have smaller cells than that."""
SHARDS = 0.5
"""Sides of the cells of one board are more alike than this."""
MENU_BOXES = 3
"""As many boxes apart from each other look like a menu."""
OPEN_A_LEVEL = "Open a level of the game and take the screenshot there."
WHERE = "--crop X,Y,WIDTH,HEIGHT"
SIZE = "--grid COLSxROWS"


def shows_nothing(seen: Seen) -> Finding | None:
    """The picture is of one colour."""
    spread = float(seen.scene.shot.bgr[::4, ::4].std())
    if spread >= PLAIN:
        return None
    return Finding(
        "00-input.png",
        f"The picture shows next to nothing: its brightness varies by {spread:.0f} of 255.",
        "A screen that was off, or a screenshot that the system did not allow, looks like this.",
        then=OPEN_A_LEVEL,
    )


def is_too_small(seen: Seen) -> Finding | None:
    """The cells have too few pixels."""
    height, width = seen.scene.shot.bgr.shape[:2]
    fits = [seen.final_fit, seen.scene.trail.fit]
    lattices = [fit for fit in fits if isinstance(fit, GridFit | CircleFit)]
    pitch = max((fit.pitch_px for fit in lattices), default=min(height, width) / FEW_COLUMNS)
    if pitch >= SMALL_CELL_PX or (not lattices and seen.scene.trail.fit is not None):
        return None
    cells = (
        f"a cell of the board is {pitch:.0f} pixels wide" if lattices else "too few for the cells of a board"
    )
    marks = [Mark.of("box", fit.outline_px(), f"cells of {fit.pitch_px:.0f} px") for fit in lattices[:1]]
    return Finding(
        "03-grid.png" if lattices else "00-input.png",
        f"The picture is too small: {width} × {height} pixels, {cells}.",
        f"Dots and lines are told apart from about {SMALL_CELL_PX:g} pixels for a cell on; with "
        f"fewer, rows, columns and "
        "dots are lost.",
        saw=pitch,
        then="Use the screenshot in its full size: not a preview, nor a copy that was made smaller.",
        marks=tuple(marks),
    )


def is_blurred(seen: Seen) -> Finding | None:
    """No edge of the picture is sharp, and no regular board was found."""
    if isinstance(seen.scene.trail.fit, GridFit | CircleFit) or not seen.kind.is_blurred:
        return None
    return Finding(
        "03-grid.png" if seen.scene.trail.region is not None else "01-board.png",
        "The picture is blurred: no edge in it is sharp, so the thin lines of a board cannot be seen.",
        f"From dark to bright it takes {seen.kind.edge_px:.0f} pixels even where it is sharpest; in "
        f"screenshots it takes "
        "2.",
        option=SIZE,
        then="Take a sharp screenshot. If you see a board on this one, say how many columns and rows it has:",
    )


def is_no_board(seen: Seen) -> Finding | None:
    """No lines, none that frame cells, or shapes that are unlike the cells of a board."""
    trail, kind = seen.scene.trail, seen.kind
    fit = trail.fit
    is_shards = isinstance(fit, CellFit) and fit.quality < SHARDS
    if seen.options.grid or (fit is not None and not is_shards):
        return None
    panel = "01-board.png" if trail.region is None else "03-grid.png"
    option, numbers = (WHERE, _lines_share(seen)) if trail.region is None else (SIZE, "")
    marks = _looked_at(seen)
    if kind.is_photograph:
        says = "No board here: it looks like a photograph."
        means = (
            f"Hardly any part of it ({kind.even:.1%}) is of one even colour, and no lines at "
            f"even distances frame cells."
        )
    elif len(kind.boxes) >= MENU_BOXES:
        says = f"No board here: {len(kind.boxes)} separate boxes, as a menu has them."
        means = "They do not touch each other, as the cells of a board do."
        marks = tuple(_box_mark(box) for box in kind.boxes)
    elif isinstance(fit, CellFit):
        says = (
            f"No board here: lines part it into {fit.cells} shapes of all kinds, like a pattern "
            f"or a wallpaper."
        )
        means = "The cells of a board are alike."
        numbers = f"Likeness of the sides of the shapes: {fit.quality:.2f}, boards have {SHARDS:g} and more."
    elif trail.region is None:
        says = "No board was found: no group of thin lines is as large as one."
        means = "What the picture shows instead is not known."
    else:
        says = "No board was found: nowhere do lines frame rows and columns of cells."
        means = "The marked parts were looked at; what the picture shows instead is not known."
    return Finding(
        panel, says, means, option, "board.size" if trail.region is None else "grid.score", None,
        f"{OPEN_A_LEVEL} If there is a board on this one, say "
        f"{'where' if option == WHERE else 'how large'} it is:",
        numbers, marks,
    )  # fmt: skip


def _lines_share(seen: Seen) -> str:
    lines = getattr(seen.error.evidence, "lines", None)
    if lines is None:
        return ""
    least = seen.scene.settings.board.size
    return (
        f"{np.count_nonzero(lines) / lines.size:.1%} of the pixels lie on thin lines; a group of "
        f"them that is "
        f"{least:.0%} of the picture's shorter side would be looked at."
    )


def _looked_at(seen: Seen) -> tuple[Mark, ...]:
    """The parts of the picture that were looked at closely, each once."""
    regions = [one.trail.region for region in seen.regions for one in region.attempts]
    corners = {str(one.corners_px): one.corners_px for one in (*regions, seen.scene.trail.region) if one}
    return tuple(
        Mark.of("box", box, "" if number else "looked at here") for number, box in enumerate(corners.values())
    )


def _box_mark(box: tuple[float, float, float, float]) -> Mark:
    x, y, width, height = box
    return Mark.of("box", np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)]))
