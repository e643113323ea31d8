"""Play an answer on a phone, flow by flow, and read the screen after each.

A capture is a picture of the phone's screen; places that are touched are in its pixels. Times are in seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic, sleep
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct, field

from flowvision.errors import FlowvisionError, PhoneError, PlayError
from flowvision.export.answer import Answer, answer_to
from flowvision.image.picture import Bgr, Screenshot
from flowvision.phone.device import Device, Place, Stroke, app_in_front, can_hold, capture, touch
from flowvision.puzzle.layout import Point, distance_from_line, point_between
from flowvision.puzzle.model import Path
from flowvision.reading.options import Options
from flowvision.solvers import has_one_strict_solution
from flowvision.vision.assembly import Reading
from flowvision.vision.crossings.drawn_pipes import SeenBoard, drawn_edges
from flowvision.vision.pixels.view import PixelBox, View, colour_distance, lab_of, ring, sample, view_of
from flowvision.vision.settings import DOTS, LINES, PIPES
from flowvision.words import COMMAND, count_of

MIN_CONFIDENCE = 0.95
"""Of 270 answers to damaged screenshots above it, all were right."""
MAX_BEND, TO_SIDE = 0.1, 0.9
"""Largest distance of a side's middle from a straight line, in cell units, at which the finger moves along
it; share of the way to a side at which it turns: close to the side, never on it."""


class PlayRules(Struct, frozen=True):
    """Limits of play. ``any_app``: also play in apps other than the game.

    Seconds: ``patience``: wait for the right screen; ``still``: time without a change; ``pause``: between
    captures.
    """

    any_app: bool = False
    options: Options = field(default_factory=Options)
    patience: float = 5.0
    still: float = 0.8
    pause: float = 0.05


class PlayEvent(Struct, frozen=True):
    """An event of play, with the number of touch events by then.

    ``begin``: the screen holds still. ``touch``: a ``flow`` was drawn, for the first or second time
    (``attempt``). ``there``: the screen shows it. ``end``: it shows all; or, unless ``seen``, all was drawn
    and something has covered the board since the last flow.
    """

    step: Literal["begin", "touch", "there", "end"]
    touches: int = 0
    flow: int | None = None
    attempt: int = 1
    seen: bool = True


class PlannedFlow(Struct, frozen=True):
    """A flow to draw along ``path``.

    ``edges_kept``: how many of its first edges stay as the screen shows them; drawing begins at the vertex of
    that number. ``wrong``: over a pipe that is drawn another way.
    """

    flow: int
    path: Path
    edges_kept: int
    wrong: bool


def solve_screen(device: Device, rules: PlayRules) -> tuple[Screenshot, Answer]:
    """Return a capture and an answer that may be played; a refused screen is read again while it changes.

    Raises the reader's error, ``PlayError`` for an unsure answer, ``PhoneError``.
    """
    end = monotonic() + rules.patience
    refusal: FlowvisionError | None = None
    shot: Screenshot | None = None
    name = f"screen of {device.model or device.serial}"
    while True:
        try:
            last_shot, shot = shot, Screenshot(capture(device), name)
            if refusal and last_shot and np.array_equal(last_shot.bgr, shot.bgr):
                raise refusal  # the handler below raises it again
            answer = answer_to(shot, rules.options)._raised()
            refuse_doubts(answer)
            return shot, answer
        except FlowvisionError as error:
            if error is refusal or monotonic() > end or isinstance(error, PhoneError):
                raise
            refusal = error
        sleep(rules.pause)


def refuse_doubts(answer: Answer) -> None:
    """Raise ``PlayError`` unless an answer may be played: one solution, surely read, without a warning."""
    if answer.state == "solved":
        return
    reading, doubts = answer.reading, list(answer._warnings_for(COMMAND))
    if answer.confidence < MIN_CONFIDENCE:
        doubts.insert(0, f"its confidence is {answer.confidence:.2f}, below {MIN_CONFIDENCE}")
    if not has_one_strict_solution(answer.outcome):
        doubts.insert(0, "it does not have exactly one solution in which no path touches itself")
    if doubts:
        doubt = doubts[0].rstrip(".")
        raise PlayError(
            f"Not played: {doubt}. The board was read as {reading.size}.",
            "Take a screenshot with `flowvision phone shot`, and try `flowvision read --debug why` on it.",
        )


def plan_of(answer: Answer) -> list[PlannedFlow]:
    """Return the flows that are not drawn yet, in order; correct pipes are continued from their ends."""
    planned: list[PlannedFlow] = []
    if answer.state == "solved":
        return planned
    layout = answer.reading.board.layout
    for flow, path in enumerate(answer.outcome.solution.paths):
        drawn = answer.pipes[flow] if answer.pipes else frozenset[int]()
        if drawn == set(path.edges):
            continue
        backwards = Path(path.vertices[::-1], path.edges[::-1])
        edges_kept = len(drawn)
        if edges_kept and drawn == set(backwards.edges[:edges_kept]):
            path = backwards  # noqa: PLW2901
        is_begun = drawn == set(path.edges[:edges_kept])
        if not is_begun:
            edges_kept = 0
        # Drawing never begins on a bridge: a finger there may take hold of the other pipe.
        while edges_kept and layout.cell_of[path.vertices[edges_kept]] in layout.bridges:
            edges_kept -= 1
        planned.append(PlannedFlow(flow, path, edges_kept, wrong=not is_begun))
    return planned


def play(device: Device, shot: Screenshot, answer: Answer, rules: PlayRules) -> Iterator[PlayEvent]:
    """Play the answer to a capture ``shot``; yield every step after it.

    Raises ``PlayError``, or ``PhoneError`` where the phone is lost; the finger is up by then.
    """
    refuse_doubts(answer)
    game, plan = _Game(device, answer, rules, shot.bgr.shape), plan_of(answer)
    screen = game.still(shot)
    yield PlayEvent("begin")
    for number, planned in enumerate(plan, 1):
        path = answer.outcome.solution.paths[planned.flow]
        from_dot = PlannedFlow(planned.flow, path, edges_kept=0, wrong=True)
        for attempt, flow_plan in enumerate((planned, from_dot), 1):
            game.draw(flow_plan, attempt)
            yield PlayEvent("touch", game.touches, flow_plan.flow, attempt)
            screen, fault = game.after_touch(screen)
            if fault is None:
                yield PlayEvent("there", game.touches, flow_plan.flow, attempt)
                break
            if (front := app_in_front(device, rules.any_app)) != game.activity:
                raise PlayError(f"Another screen came in front: {front}.")
            if fault.covered and number == len(plan):
                yield PlayEvent("end", game.touches, seen=False)
                return
            if fault.covered or attempt == 2:
                raise PlayError(fault.words)
    yield PlayEvent("end", game.touches)


def strokes_of(reading: Reading, planned: PlannedFlow, jumping: bool = False) -> list[Stroke]:
    """Return the strokes of the finger in pixels: from cell to cell, also through bent sides.

    At a warp it moves to the open side, is lifted, and continues at the other end; ``jumping``: it stays down
    and jumps there. Raises ``PlayError`` for a place outside its cell.
    """
    board, path = reading.board, planned.path
    cell_of, cells = board.layout.cell_of, board.layout.cells
    first = cell_of[path.vertices[planned.edges_kept]]
    stroke = [_place_px(reading, first, cells[first].centre)]
    strokes: list[Stroke] = [stroke]
    for n in range(planned.edges_kept, len(path.edges)):
        cell, next_cell = (cell_of[strand] for strand in path.vertices[n : n + 2])
        # From the middle of the cell over that of a side to the next one; two lines if it is a warp.
        line, *after_warp = board.strokes_from(path.edges[n], path.vertices[n])
        side = line[1]
        centre, next_centre, is_warp = cells[cell].centre, cells[next_cell].centre, bool(after_warp)
        if is_warp or distance_from_line(side, centre, next_centre) > MAX_BEND:
            stroke.append(_place_px(reading, cell, point_between(centre, side, TO_SIDE)))
        if not is_warp or jumping:
            stroke.append(_place_px(reading, next_cell, next_centre))
        elif n + 1 < len(path.edges):  # a warp at the end of the path leaves nothing to draw
            stroke = [_place_px(reading, next_cell, next_centre)]
            strokes.append(stroke)
    return strokes


class ScreenFault(Struct, frozen=True):
    """Fault of the screen, in words; ``covered``: the board is not seen in its place."""

    words: str
    covered: bool


class _Game:
    """A board on a phone, the flows ``drawn`` on it, and the number of touch events.

    ``box``: round the board, in pixels; ``shape``: of captures. ``activity``: the app in front.
    """

    def __init__(self, device: Device, answer: Answer, rules: PlayRules, shape: tuple[int, ...]) -> None:
        self.device, self.answer, self.rules, self.shape = device, answer, rules, shape
        self.reading, self.paths = answer.reading, answer.outcome.solution.paths
        self.activity, self.can_hold = app_in_front(device, rules.any_app), can_hold(device)
        self.touches = 0
        missing = {planned.flow for planned in plan_of(answer)}
        self.drawn = set(range(len(self.paths))) - missing
        corners = self.reading.frame.to_px(self.reading.board.layout.corners)
        ends = np.concatenate((corners.min(axis=0), corners.max(axis=0) + 1))
        in_picture = ends.clip(0, shape[1::-1] * 2).astype(int)  # (width, height), for both corners
        self.box = PixelBox(*in_picture.tolist())

    def still(self, shot: Screenshot) -> Bgr:
        """Return the screen once two captures in a row show the board that was answered.

        Raises ``PlayError`` where they do not, or show another one.
        """
        end, before = monotonic() + self.rules.patience, shot.bgr
        while not self._alike(before, now := capture(self.device)):
            if monotonic() > end:
                raise PlayError("The board does not hold still: no two captures in a row show the same.")
            sleep(self.rules.pause)
            before = now
        if not self._alike(shot.bgr, now):
            fault = self._fault(now)
            if fault or self._pipes(self._view(now)) != self.answer.pipes:
                words = fault.words if fault else "Pipes were drawn."
                raise PlayError(f"The screen changed since it was read. {words}")
        return now

    def draw(self, planned: PlannedFlow, attempt: int) -> None:
        """Draw a flow; the second attempt passes warps differently."""
        strokes = strokes_of(self.reading, planned, jumping=attempt == 2 and self.can_hold)
        self.touches += touch(self.device, strokes, self.can_hold)
        self.drawn.add(planned.flow)

    def after_touch(self, before: Bgr) -> tuple[Bgr, ScreenFault | None]:
        """Return the screen once all that was drawn is on it; else with its fault, once it holds still.

        ``before``: the capture before the touch.
        """
        end = monotonic() + self.rules.patience
        changed_at, fault = monotonic(), None
        while True:
            now = capture(self.device)
            if fault is None or not self._alike(before, now):
                changed_at, fault = monotonic(), self._fault(now)
            if fault is None or monotonic() > end or monotonic() - changed_at > self.rules.still:
                return now, fault
            before = now
            sleep(self.rules.pause)

    def _alike(self, first: Bgr, second: Bgr) -> bool:
        """Return true if two captures show the same within the board."""
        x0, y0, x1, y1 = self.box
        board = np.s_[y0:y1, x0:x1]
        return first.shape == second.shape and np.array_equal(first[board], second[board])

    def _fault(self, bgr: Bgr) -> ScreenFault | None:
        """Return the fault of a screen: turned, covered, or without a pipe that was drawn."""
        if bgr.shape != self.shape:
            (height, width, _), (height_before, width_before, _) = bgr.shape, self.shape
            sizes = f"{width} x {height} pixels, before {width_before} x {height_before}"
            return ScreenFault(f"The screen was turned: {sizes}.", covered=True)
        view = self._view(bgr)
        if hidden := self._hidden_dots(view):
            dots = 2 * len(self.paths)
            words = f"{hidden} of {dots} dots are not seen where they were: the board is covered, or gone."
            return ScreenFault(words, covered=True)
        wrong = []
        for flow, (edges, path) in enumerate(zip(self._pipes(view), self.paths, strict=True)):
            if flow in self.drawn and edges != set(path.edges):
                letter, shown_steps = self.reading.letters[flow], len(edges.intersection(path.edges))
                steps = count_of(len(path.edges), "step")
                wrong.append(f"{letter} ({shown_steps} of {steps})")
        words = f"The phone does not show what was drawn: {', '.join(wrong)}."
        return ScreenFault(words, covered=False) if wrong else None

    def _view(self, bgr: Bgr) -> View:
        """Return the board in a capture, scaled as for reading."""
        return view_of(Screenshot(bgr), self.box, LINES.view_px)

    def _pipes(self, view: View) -> tuple[frozenset[int], ...]:
        """Return the edges that pipes cover, per flow."""
        reading = self.reading
        board = SeenBoard(view, reading.frame, reading.board, reading.palette, reading.puzzle.terminals)
        return drawn_edges(board)

    def _hidden_dots(self, view: View) -> int:
        """Count the dots whose colour is not seen where they were."""
        reading = self.reading
        cells = [reading.board.layout.cell_at(dot).centre for dot in reading.puzzle.dots]
        width = reading.frame.cell_width_px(cells[0]) / reading.frame.pitch_px(cells[0])  # in cell units
        around = ring(DOTS.free_ring * width, count=16)
        colours_seen = lab_of(sample(view, reading.frame, np.array(cells), around))  # (dots, 16, 3)
        bgr = np.array([colour.bgr for colour in reading.palette], np.uint8)
        colours = lab_of(np.repeat(bgr, 2, axis=0))  # (dots, 3): each flow has two dots
        distances = np.median(colour_distance(colours_seen, colours[:, None]), axis=1)
        return int((distances > PIPES.alike).sum())


def _place_px(reading: Reading, cell: int, point: Point) -> Place:
    """Return a point, in cell units, in pixels. Raises ``PlayError`` if it lies outside its cell."""
    (place,) = reading.frame.to_px(point)
    x, y = place.round().astype(int).tolist()
    outline = reading.frame.to_px(reading.board.layout.cells[cell].outline).astype(np.float32)
    is_inside = cv2.pointPolygonTest(outline, (x, y), measureDist=False) >= 0
    if min(x, y) < 0 or not is_inside:
        raise PlayError(f"The place {x},{y} is outside its cell.", "Play this board by hand.")
    return x, y
