"""What workers do with pictures, and what they draw: every function here runs in a process of its own."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from flowvision.contract import answer_object, cells_of, error_object, reading_object
from flowvision.debug.canvas import Panel
from flowvision.debug.story import latest_of, panels_on
from flowvision.diagnosis import draft_of_error
from flowvision.errors import FlowvisionError, PuzzleInvalidError, UnsolvableError
from flowvision.export.drawing import Drawing, geometry_object, solve_drawing
from flowvision.export.pictures import encoded
from flowvision.forms import Form
from flowvision.image.codec import decode, encode
from flowvision.image.picture import Bgr, Frame, Rgb, Screenshot
from flowvision.image.pixels import turned, widened
from flowvision.log import Step
from flowvision.palette import letters_for, palette_for
from flowvision.pipeline import open_image, read_image, solve_image
from flowvision.puzzle.layout import Board
from flowvision.puzzle.partly_played import drawn_starts
from flowvision.reading.options import Options
from flowvision.render.board_look import draw_board
from flowvision.render.overlay import draw_solution
from flowvision.solvers import Limits, Solved, solve
from flowvision.value import find_ancestor, value_type
from flowvision.vision.assembly import Reading
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import Fit, RowsAndColumns
from flowvision.web.written import draft_object, free_object, puzzle_of

MARGIN = 0.8
"""Share of a job's time that the solver gets: the rest is for the drawing."""
Tell = Callable[[Any], None]


def read_picture(
    data: bytes, options: Options, name: str, solving: bool, tell: Tell | None = None
) -> dict[str, Any]:
    """The object of ``--json`` with the geometry of the board; a failure with all that was seen.

    The part looked at may leave the picture. ``tell`` is told the name, success and seconds of every stage as
    it happens, and where the cells lie that are tried; ``why`` is the last one of a picture that is refused.
    """
    watch = _Seen(tell)
    try:
        source, inside, watch.off_px, watch.picture = _with_room(data, options)
        made = _answered(source, inside, name, solving, watch)
    except FlowvisionError as error:
        watch.tells({"stage": "why", "ok": True, "seconds": 0.0})
        made = error_object(name, error) | {"seen": watch.described(error)}
    return _moved(made, watch.off_px)


def _answered(
    source: bytes | Screenshot, options: Options, name: str, solving: bool, watch: _Seen
) -> dict[str, Any]:
    if solving:
        answer = solve_image(source, options, watch, in_place=True)
        made, read = answer_object(name, answer.checked, None), answer.checked
        reading = read.reading
        drawn = geometry_object(reading, answer.outcome.solution)["flows"]
        for flow, lines in zip(made["flows"], drawn, strict=True):
            flow.update(lines)
    else:
        read = read_image(source, options, watch)
        made, reading = reading_object(name, read), read.reading
    made["board"] |= geometry(reading)
    if read.state == "started":
        for flow, stumps in zip(made["flows"], drawn_starts(reading.puzzle, read.drawn), strict=True):
            longest = max(stumps, key=lambda pipe: len(pipe.edges))
            flow["drawn"] = cells_of(reading.board, longest.vertices)
    for flow, doubts in zip(made["flows"], reading.dot_doubts, strict=False):
        flow["doubts"] = [round(doubt, 3) for doubt in doubts]
    return made | {"seen": {"picture": watch.picture}}


def _with_room(
    data: bytes, options: Options
) -> tuple[bytes | Screenshot, Options, tuple[int, int], list[int]]:
    """A picture with room for the part that is looked at, how far it lies off in that, and its size (x, y).

    Without a part to look at, the picture as it is; its size is not known yet.
    """
    if options.crop is None:
        return data, options, (0, 0), []
    shot = open_image(data, options.rotate)
    wide, box = widened(shot, options.crop)
    off_px = box.x - options.crop[0], box.y - options.crop[1]
    return wide, replace(options, crop=box, rotate=0.0), off_px, [shot.bgr.shape[1], shot.bgr.shape[0]]


def _moved(made: dict[str, Any], off_px: tuple[int, int]) -> dict[str, Any]:
    """An object with all its pixels (``…_px``, ``frame``) as they are in the picture without that room."""
    x, y = off_px
    if not x and not y:
        return made

    def walk(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: walk(part, key) for key, part in value.items()}
        if not isinstance(value, list):
            return value
        if name == "frame":
            a, b, c, d, e, f, g, h, i = value
            return [a - x * g, b - x * h, c - x * i, d - y * g, e - y * h, f - y * i, g, h, i]
        if name.endswith("_px") and value and not isinstance(value[0], list):
            return [round(number - off_px[n % 2], 1) for n, number in enumerate(value)]
        return [walk(part, name) for part in value]

    moved: dict[str, Any] = walk(made)
    return moved


def geometry(reading: Reading) -> dict[str, Any]:
    """Where the board lies: ``frame``, the map from cell units to pixels, and every cell's outline."""
    made = geometry_object(reading)
    if reading.lattice is None:
        made["free"] = free_object(reading.board, reading.puzzle)
    return made


class _Seen:
    """Observer of the stages: passes on what they did."""

    def __init__(self, tell: Tell | None) -> None:
        self.tell = tell
        self.picture: list[int] = []
        self.off_px = (0, 0)

    def __call__(self, step: Step) -> None:
        """Take note of a stage."""
        result = step.own
        if isinstance(result, Screenshot) and not self.picture:
            self.picture = [result.bgr.shape[1], result.bgr.shape[0]]
        told: dict[str, Any] = {
            "stage": step.stage,
            "ok": step.result is not None,
            "seconds": round(step.seconds, 6),
        }
        if step.error is not None:
            told["message"] = step.error.stage_message
        elif isinstance(result, Fit):
            told["outline_px"] = np.round(result.outline_px(), 1).tolist()
            if isinstance(result, RowsAndColumns):
                told["size"] = list(result.size)
        self.tells(told)

    def tells(self, told: dict[str, Any]) -> None:
        """Passes on where it has come to."""
        if self.tell:
            self.tell(_moved(told, self.off_px))

    def described(self, error: FlowvisionError) -> dict[str, Any]:
        """What was seen of a board that was refused.

        ``board``: it, as far as it was seen, to be put right; cells as ``flowvision read`` prints them.
        ``corners_px``: of the region that may hold it, where no cells were seen.
        """
        made: dict[str, Any] = {"picture": self.picture}
        draft = draft_of_error(error)
        if draft is not None:
            return made | {"board": draft_object(draft)}
        failed = [step for step in error.steps if step.error is not None]
        own = [step for step in failed if step.error is error.origin][-1:]
        regions = (find_ancestor(step.source, BoardRegion) for step in (*own, *reversed(failed)))
        region = next(filter(None, regions), None)
        return made | ({"corners_px": np.round(region.corners_px, 1).tolist()} if region else {})


def preview(data: bytes, rotate: float, longest: int) -> bytes:
    """A picture as a browser shows it, turned, its longer side at most so many pixels: PNG."""
    import cv2

    shot = decode(data)
    if rotate:
        shot = turned(shot, rotate)
    bgr = shot.bgr
    scale = longest / max(bgr.shape[:2])
    if scale < 1:
        size = max(1, round(bgr.shape[1] * scale)), max(1, round(bgr.shape[0] * scale))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return encode(bgr)


SAMPLES: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("7x7", "square", {}),
    ("8x8", "square", {"holes": 4}),
    ("6x6", "hex", {}),
)
"""Boards to try the page with: size, cells, and what is on them."""
SAMPLE_SEED = 4


def sample(number: int) -> bytes:
    """Draw one of ``SAMPLES``, as PNG."""
    from flowvision.puzzle_tools.generator import new_puzzle, shape_of

    size, tiling, counts = SAMPLES[number]
    named, _ = new_puzzle(shape_of(size, tiling, **counts), SAMPLE_SEED)
    return encode(draw_board(named.board, named.puzzle, palette_for(named.letters)).bgr)


def stage_pictures(data: bytes, options: Options, tell: Tell | None = None) -> list[dict[str, str]]:
    """Return name, title, caption and picture (``jpeg``, base64) of each stage, in order.

    ``tell`` gets each as soon as it is drawn.
    """
    made = []
    for panel in _panels(data, options):
        jpeg = b64encode(encode(panel.bgr, ".jpg")).decode("ascii")
        name = panel.name.removesuffix(".png")
        made.append({"name": name, "title": panel.title, "caption": panel.caption, "jpeg": jpeg})
        if tell:
            tell(made[-1])
    return made


def _panels(data: bytes, options: Options) -> list[Panel]:
    """The pictures of the stages on the way to the answer or the refusal."""
    steps: list[Step] = []
    try:
        source, options, *_ = _with_room(data, options)
        final: Any = solve_image(source, options, steps.append)
    except FlowvisionError as error:
        final = error
    return panels_on(latest_of(steps, final), options, getattr(final, "evidence", None))


@value_type
class DrawnPuzzle:
    """A puzzle to draw.

    ``text``: in any written form. ``frame``: nine numbers that map cell units to pixels; none without a
    picture. ``colours``: ``#rrggbb``, one a flow. ``letters``: as many; none: those of the colours.
    """

    text: str
    frame: tuple[float, ...]
    colours: tuple[str, ...]
    letters: str = ""


def solved_picture(data: bytes, options: Options, form: Form) -> bytes:
    """The answer to a screenshot as a file of this form, as ``flowvision solve`` writes it."""
    return encoded(solve_drawing(data, options)[1], form)


def puzzle_picture(data: bytes, rotate: float, drawn: DrawnPuzzle, form: Form, seconds: float) -> bytes:
    """The solution of a puzzle drawn over the picture it was read from, or over its board alone.

    Raises ``FlowvisionError`` for a puzzle without a solution, or a frame that puts it off the picture.
    """
    named = puzzle_of(drawn.text)
    board, puzzle = named.board, named.puzzle
    outcome = solve(puzzle, limits=Limits(seconds * MARGIN), board=board)
    if not isinstance(outcome, Solved):
        raise UnsolvableError("The puzzle has no solution to draw.", "Check its dots, walls and holes.")
    palette = _palette(drawn.colours, len(puzzle.terminals))
    if data:
        shot = decode(data)
        base = turned(shot, rotate).bgr if rotate else shot.bgr
        frame = _frame(drawn.frame, board, base)
    else:
        plain = draw_board(board, puzzle, palette)
        base, frame = plain.bgr, plain.frame
    solved = draw_solution(base, board, outcome.solution, frame, palette)
    letters = _letters(drawn.letters, palette)
    return encoded(Drawing(base, solved, board, puzzle, outcome.solution, frame, palette, letters), form)


def _frame(numbers: Sequence[float], board: Board, bgr: Bgr) -> Frame:
    """The frame of nine numbers. Raises ``PuzzleInvalidError`` when it puts the board off the picture."""
    frame = Frame(tuple(numbers))
    with np.errstate(all="ignore"):
        points = frame.to_px(board.layout.corners)
    reach = 2 * sum(bgr.shape[:2])
    if not np.isfinite(points).all() or (np.abs(points) > reach).any():
        raise PuzzleInvalidError("The frame puts the board off the picture.")
    return frame


def _palette(colours: Sequence[str], flows: int) -> tuple[Rgb, ...]:
    if len(colours) < flows:
        raise PuzzleInvalidError(f"{len(colours)} colours for {flows} flows.")
    return tuple(Rgb(*bytes.fromhex(colour.removeprefix("#"))) for colour in colours[:flows])


def _letters(given: str, palette: Sequence[Rgb]) -> tuple[str, ...]:
    """What flows are called: as the dots of a picture are, where they show it."""
    if not given:
        return letters_for(palette)
    if len(given) != len(palette) or not given.isprintable():
        raise PuzzleInvalidError(
            f"{len(given)} letters for {len(palette)} flows, or some that cannot be seen."
        )
    return tuple(given)
