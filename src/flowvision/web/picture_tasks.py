"""Work on pictures, and drawings, done in the processes of ``workers/``."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from flowvision.contract import cells_of
from flowvision.debug.story import latest_of, panels_on
from flowvision.diagnosis import draft_of_error
from flowvision.errors import FlowvisionError, PuzzleInvalidError, UnsolvableError
from flowvision.export.answer import Answer, answer_to
from flowvision.export.drawing import Drawing, geometry_object
from flowvision.export.pictures import encoded
from flowvision.forms import Form
from flowvision.image.codec import encode
from flowvision.image.picture import Frame, Rgb, Screenshot
from flowvision.image.pixels import widened
from flowvision.log import Step
from flowvision.palette import letters_for, palette_for
from flowvision.pipeline import open_image
from flowvision.puzzle.partly_played import drawn_starts
from flowvision.reading.options import Options
from flowvision.render.board_look import draw_board
from flowvision.render.overlay import draw_solution
from flowvision.solvers import Limits, Solved, solve
from flowvision.value import find_ancestor
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import Fit, RowsAndColumns
from flowvision.web.queries import bad, colours, frame, number, reading_options
from flowvision.web.written import draft_object, free_object, puzzle_of

MARGIN = 0.8
"""Share of a job's time that the solver gets: the rest is for the drawing."""
PREVIEW_PX = 2400
SAMPLES: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("7x7", "square", {}),
    ("8x8", "square", {"holes": 4}),
    ("6x6", "hex", {}),
)
"""Boards to try the page with: size, cells, and what is on them."""
SAMPLE_SEED = 4
Tell = Callable[[Any], None]
Query = Mapping[str, str]


def read_picture(
    solving: bool, data: bytes, query: Query, seconds: float, tell: Tell | None = None
) -> dict[str, Any]:
    """Return the object of ``--json`` with the geometry of the board; for a refusal the board as far as seen.

    The part to read may leave the picture. ``tell`` gets name, success and seconds of every stage as it
    happens, and the cells that are tried; ``why`` is the last stage of a picture that is refused.
    """
    name = query.get("name", "picture")[:200]
    watch = _Watch(tell)
    try:
        source, options = watch.opened(data, reading_options(query, seconds))
        answer = answer_to(source, options, watch, name=name, is_drawn=False)
    except FlowvisionError as error:  # it cannot be opened
        answer = Answer(name, error=error)
    if answer.error is None:
        made = _answered(answer, solving) | {"seen": {"picture": watch.picture}}
    else:
        watch.tells({"stage": "why", "ok": True, "seconds": 0.0})
        made = answer.to_dict() | {"seen": {"picture": watch.picture} | _seen(answer.error)}
    return _moved(made, watch.off_px)


def _answered(answer: Answer, solving: bool) -> dict[str, Any]:
    made, read = answer.to_dict(is_solved=solving), answer.checked
    reading = read.reading
    geometry = geometry_object(reading, answer.outcome.solution if solving else None)
    for flow, lines in zip(made["flows"], geometry.pop("flows", ()), strict=False):
        flow.update(lines)
    made["board"] |= geometry
    if reading.lattice is None:
        made["board"]["free"] = free_object(reading.board, reading.puzzle)
    if read.state == "started":
        for flow, stumps in zip(made["flows"], drawn_starts(reading.puzzle, read.drawn), strict=True):
            longest = max(stumps, key=lambda pipe: len(pipe.edges))
            flow["drawn"] = cells_of(reading.board, longest.vertices)
    for flow, doubts in zip(made["flows"], reading.dot_doubts, strict=False):
        flow["doubts"] = [round(doubt, 3) for doubt in doubts]
    return made


def _seen(error: FlowvisionError) -> dict[str, Any]:
    """Return the ``board`` as far as it was seen, or ``corners_px`` of the region that may hold it."""
    draft = draft_of_error(error)
    if draft is not None:
        return {"board": draft_object(draft)}
    failed = [step for step in error.steps if step.error is not None]
    own = [step for step in failed if step.error is error.origin][-1:]
    regions = (find_ancestor(step.source, BoardRegion) for step in (*own, *reversed(failed)))
    region = next(filter(None, regions), None)
    return {"corners_px": np.round(region.corners_px, 1).tolist()} if region else {}


class _Watch:
    """Observer of the stages. ``picture``: its size (x, y); ``off_px``: its place in what is read."""

    def __init__(self, tell: Tell | None) -> None:
        self.tell = tell
        self.picture: list[int] = []
        self.off_px = (0, 0)

    def opened(self, data: bytes, options: Options) -> tuple[bytes | Screenshot, Options]:
        """Return the picture, with room for a part that leaves it, and the options for that."""
        if options.crop is None:
            return data, options
        shot = open_image(data, options.rotate)
        self.picture = [shot.bgr.shape[1], shot.bgr.shape[0]]
        wide, box = widened(shot, options.crop)
        self.off_px = box.x - options.crop[0], box.y - options.crop[1]
        return wide, replace(options, crop=box, rotate=0.0)

    def __call__(self, step: Step) -> None:
        """Pass on a stage."""
        result = step.own
        if isinstance(result, Screenshot) and not self.picture:
            self.picture = [result.bgr.shape[1], result.bgr.shape[0]]
        is_done = step.result is not None
        told: dict[str, Any] = {"stage": step.stage, "ok": is_done, "seconds": round(step.seconds, 6)}
        if step.error is not None:
            told["message"] = step.error.stage_message
        elif isinstance(result, Fit):
            told["outline_px"] = np.round(result.outline_px(), 1).tolist()
            if isinstance(result, RowsAndColumns):
                told["size"] = list(result.size)
        self.tells(told)

    def tells(self, told: dict[str, Any]) -> None:
        """Pass on an object."""
        if self.tell:
            self.tell(_moved(told, self.off_px))


def _moved(made: dict[str, Any], off_px: tuple[int, int]) -> dict[str, Any]:
    """Return an object with its pixels (``…_px``, ``frame``) in the picture without the added room."""
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


def stage_pictures(data: bytes, query: Query, seconds: float, tell: Tell | None = None) -> dict[str, Any]:
    """Return name, title, caption and picture (``jpeg``, base64) of each stage, in order, as ``stages``.

    With ``tell`` it gets them instead, each as soon as it is drawn.
    """
    options = reading_options(query, seconds)
    try:
        source, options = _Watch(None).opened(data, options)
        answer = answer_to(source, options)
    except FlowvisionError as error:  # it cannot be opened
        answer = Answer("", options, error=error)
    made: list[dict[str, str]] = []
    give = tell or made.append
    for panel in panels_on(latest_of(answer), getattr(answer.error, "evidence", None)):
        jpeg = b64encode(encode(panel.bgr, ".jpg")).decode("ascii")
        name = panel.name.removesuffix(".png")
        give({"name": name, "title": panel.title, "caption": panel.caption, "jpeg": jpeg})
    return {"stages": made}


def preview(data: bytes, query: Query) -> bytes:
    """Return a picture as any browser shows it, turned by ``rotate``, at most ``PREVIEW_PX`` long: PNG."""
    import cv2

    bgr = open_image(data, number(query, "rotate", -360, 360, 0)).bgr
    scale = PREVIEW_PX / max(bgr.shape[:2])
    if scale < 1:
        size = max(1, round(bgr.shape[1] * scale)), max(1, round(bgr.shape[0] * scale))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return encode(bgr)


def sample(number: int) -> bytes:
    """Draw one of ``SAMPLES``, as PNG."""
    from flowvision.puzzle_tools.generator import new_puzzle, shape_of

    size, tiling, counts = SAMPLES[number]
    named, _ = new_puzzle(shape_of(size, tiling, **counts), SAMPLE_SEED)
    return encode(draw_board(named.board, named.puzzle, palette_for(named.letters)).bgr)


def solved_picture(data: bytes, query: Query, form: Form, seconds: float) -> bytes:
    """Return the answer to a screenshot as a file, or that to a ``puzzle`` over its screenshot or alone.

    ``colours``, ``letters``: of its flows. ``frame``: its place in the picture. Raises ``FlowvisionError``
    for a puzzle without a solution, or a frame that puts it off the picture.
    """
    options = reading_options(query, seconds)
    if "puzzle" not in query:
        if not data:
            raise bad("There is neither a picture in the body nor a puzzle in the query.")
        return answer_to(data, options, is_drawn=False).raised().encoded(form)
    place, words = frame(query.get("frame", "")), colours(query.get("colours", ""))
    if data and not place:
        raise bad("With a picture and a puzzle, frame says where the board lies: nine numbers.")
    named = puzzle_of(query["puzzle"])
    board, puzzle, flows = named.board, named.puzzle, len(named.puzzle.terminals)
    if len(words) < flows:
        raise PuzzleInvalidError(f"{len(words)} colours for {flows} flows.")
    palette = tuple(Rgb(*bytes.fromhex(word.removeprefix("#"))) for word in words[:flows])
    letters = tuple(query.get("letters", "")) or letters_for(palette)
    if len(letters) != flows or not all(letter.isprintable() for letter in letters):
        raise PuzzleInvalidError(f"{len(letters)} letters for {flows} flows, or some that cannot be seen.")
    outcome = solve(puzzle, limits=Limits(options.seconds * MARGIN), board=board)
    if not isinstance(outcome, Solved):
        raise UnsolvableError("The puzzle has no solution to draw.", "Check its dots, walls and holes.")
    if data:
        base, at = open_image(data, options.rotate).bgr, Frame(place)
        with np.errstate(all="ignore"):
            points = at.to_px(board.layout.corners)
        if not np.isfinite(points).all() or (np.abs(points) > 2 * sum(base.shape[:2])).any():
            raise PuzzleInvalidError("The frame puts the board off the picture.")
    else:
        plain = draw_board(board, puzzle, palette)
        base, at = plain.bgr, plain.frame
    solved = draw_solution(base, board, outcome.solution, at, palette)
    return encoded(Drawing(base, solved, board, puzzle, outcome.solution, at, palette, letters), form)
