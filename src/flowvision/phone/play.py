"""An answer played on a phone: flow by flow, each looked at before the next.

Nothing is touched unless there is exactly one solution, surely read, on a screen that holds still, in an app
that is allowed; nothing but cells of the board is touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from math import hypot
from time import monotonic, sleep
from typing import Literal, NamedTuple

import cv2
import numpy as np

from flowvision.errors import FlowvisionError, PhoneError, PlayError
from flowvision.image.picture import Bgr, Screenshot
from flowvision.phone.adb import Device
from flowvision.phone.screen import capture
from flowvision.phone.touch import Place, Stroke, app_in_front, method_of, tap, touch
from flowvision.pipeline import SolvedPicture, solve_image
from flowvision.puzzle.check import touches_itself
from flowvision.puzzle.layout import Board, Point
from flowvision.puzzle.model import Path
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.options import Options
from flowvision.value import value_type
from flowvision.vision.assembly import Reading
from flowvision.vision.crossings.drawn_pipes import SeenBoard, drawn_edges
from flowvision.vision.pixels.view import PixelBox, View, colour_distance, lab_of, ring, sample, view_of
from flowvision.words import count_of

SURE = 0.95
"""Least confidence of an answer: of 270 answers to damaged screenshots above it, all were right."""
NEAR_SIDE = 0.9
"""How far the finger goes to a side, of the way from the middle of the cell: it is never on a side."""
BENT = 0.1
"""Cell widths: a side whose middle is further from the straight line is passed in its middle."""
RING_POINTS = 16
"""Places in a dot where its colour is looked for."""


@value_type
class PlayRules:
    """The boards that may be played, and how long to wait.

    ``any_app``: in other apps than the game's too. ``options``: how the screen is read. ``patience``: seconds
    until a screen is given up that is not what it should be; ``still``: the same for one that has not changed
    for so long. ``pause``: seconds between captures.
    """

    any_app: bool = False
    options: Options = field(default_factory=Options)
    patience: float = 5.0
    still: float = 0.8
    pause: float = 0.05


@value_type(eq=False, repr=False)
class PlayEvent:
    """An event of play; ``picture``: the screen by then; ``touches``: how many events there were.

    ``step``: ``begin``: the screen holds still, the first touch comes next. ``touch``: a ``flow`` was drawn,
    for the first or second time (``attempt``). ``there``: the screen shows it. ``end``: it shows all; or,
    unless ``seen``, all was drawn, and something covers the board since the last flow.
    """

    step: Literal["begin", "touch", "there", "end"]
    picture: Bgr | None
    touches: int = 0
    flow: int | None = None
    attempt: int = 1
    seen: bool = True


class PlannedFlow(NamedTuple):
    """A flow that is to be drawn: the ``path`` from its beginning, and at which place the finger goes down.

    ``wrong``: another way is drawn, which will be drawn over.
    """

    flow: int
    path: Path
    start: int
    wrong: bool


def solve_screen(
    device: Device, rules: PlayRules, changing: bool = False
) -> tuple[Screenshot, SolvedPicture]:
    """A capture and its answer, fit to be played.

    A screen that is refused is looked at again while it changes; ``changing``: until patience is over. Raises
    the error of the reader, ``PlayError`` for an answer that is not sure enough, ``PhoneError``.
    """
    end = monotonic() + rules.patience
    refusal: FlowvisionError | None = None
    shot: Screenshot | None = None
    while True:
        try:
            name = f"screen of {device.model or device.serial}"
            before, shot = shot, Screenshot(capture(device), name)
            if refusal and not changing and before and np.array_equal(before.bgr, shot.bgr):
                raise refusal
            answer = solve_image(shot, rules.options)
            refuse_doubts(answer.checked)
            return shot, answer
        except FlowvisionError as error:
            if error is refusal or monotonic() > end or (isinstance(error, PhoneError) and not changing):
                raise
            refusal = error
        sleep(rules.pause)


def refuse_doubts(checked: CheckedReading) -> None:
    """Raise ``PlayError`` unless an answer may be played: one solution, surely read, without a warning."""
    if checked.state == "solved":
        return
    reading, doubts = checked.reading, list(checked.warnings)
    if checked.confidence < SURE:
        doubts.insert(0, f"its confidence is {checked.confidence:.2f}, at least {SURE} is wanted")
    if not checked.outcome.unique:
        doubts.insert(0, "there is more than one solution, or may be")
    if any(touches_itself(reading.puzzle, path) for path in checked.outcome.solution.paths):
        doubts.insert(0, "a path touches itself, and the game may complete it too early")
    if doubts:
        raise PlayError(
            f"Read {reading.size}, but this is not played: {doubts[0].rstrip('.')}.",
            "Take a screenshot with `flowvision phone shot`, and see `flowvision read --debug why` of it.",
        )


def plan_of(checked: CheckedReading) -> list[PlannedFlow]:
    """The flows that are not drawn yet, in order; pipes drawn right from a dot are gone on from."""
    planned: list[PlannedFlow] = []
    if checked.state == "solved":
        return planned
    for flow, path in enumerate(checked.outcome.solution.paths):
        drawn = checked.drawn[flow] if checked.drawn else frozenset[int]()
        if drawn == set(path.edges):
            continue
        right = [way for way in (path, path.reversed) if drawn and drawn == set(way.edges[: len(drawn)])]
        way = right[0] if right else path
        start = _place_to_go_on(checked.reading.board, way, len(drawn)) if right else 0
        planned.append(PlannedFlow(flow, way, start, bool(drawn) and not right))
    return planned


def play(device: Device, shot: Screenshot, checked: CheckedReading, rules: PlayRules) -> Iterator[PlayEvent]:
    """Play an answer to a capture of the phone; tells every step after it.

    ``shot``: the capture that was answered, unturned. Raises ``PlayError`` where something is not as it
    should be, ``PhoneError`` where the phone is lost; the finger is up by then.
    """
    refuse_doubts(checked)
    game = _Game(device, checked, rules, shot.bgr.shape)
    picture, plan = game.still(shot), plan_of(checked)
    yield PlayEvent("begin", picture)
    for number, planned in enumerate(plan, 1):
        again = PlannedFlow(planned.flow, checked.outcome.solution.paths[planned.flow], 0, wrong=True)
        for attempt, way in enumerate((planned, again), 1):
            game.draw(way, attempt)
            yield PlayEvent("touch", None, game.touches, way.flow, attempt)
            picture, fault = game.after_touch(picture)
            if fault is None:
                yield PlayEvent("there", picture, game.touches, way.flow, attempt)
                break
            game.check_app()
            if fault.covered and number == len(plan):
                yield PlayEvent("end", picture, game.touches, seen=False)
                return
            if fault.covered or attempt == 2:
                raise PlayError(fault.words)
    yield PlayEvent("end", picture, game.touches)


NEXT_HINT = "Look where “next level” is on the last screen, and give its place as `--next X,Y`."


def next_board(
    device: Device, place: Place, before: SolvedPicture, rules: PlayRules
) -> tuple[Screenshot, SolvedPicture]:
    """The next level after a touch at its place; that is not touched on an advertisement.

    Raises ``PlayError`` where no other board comes.
    """
    height, width = before.picture.shape[:2]
    if not (place[0] < width and place[1] < height):
        raise PlayError(f"{place[0]},{place[1]} is no place on this screen of {width} x {height} pixels.", "")
    app_in_front(device, rules.any_app)
    tap(device, place)
    end = monotonic() + rules.patience
    while True:
        try:
            shot, answer = solve_screen(device, rules, changing=True)
        except PhoneError:
            raise
        except FlowvisionError as error:
            app_in_front(device, rules.any_app)
            why = error.command_words.message
            raise PlayError(
                f"After the touch at {place[0]},{place[1]} there is no board to play: {why}", NEXT_HINT
            ) from error
        app_in_front(device, rules.any_app)
        if answer.checked.state != "solved" and not _same_puzzle(answer.reading, before.reading):
            return shot, answer
        if monotonic() > end:
            raise PlayError(f"After the touch at {place[0]},{place[1]} the same board is there.", NEXT_HINT)
        sleep(rules.pause)


def strokes_of(reading: Reading, planned: PlannedFlow, jumping: bool = False) -> list[Stroke]:
    """Where the finger goes, in pixels: from cell to cell, by way of sides where that is no straight line.

    At a warp it goes to the open side, is lifted, and goes on at the other end; ``jumping``: it stays down,
    and moves there at once. Raises ``PlayError`` for a place outside its cell.
    """
    board, path = reading.board, planned.path
    cell_of, cells = board.layout.cell_of, board.layout.cells
    first = cell_of[path.vertices[planned.start]]
    strokes: list[list[tuple[int, Point]]] = [[(first, cells[first].centre)]]
    for n in range(planned.start, len(path.edges)):
        edge = path.edges[n]
        a, b = (cell_of[strand] for strand in path.vertices[n : n + 2])
        lines = board.strokes_from(edge, path.vertices[n])
        side = lines[0][1]
        (x, y), (u, v), (to_x, to_y) = cells[a].centre, side, cells[b].centre
        beside = abs((to_x - x) * (v - y) - (to_y - y) * (u - x)) / hypot(to_x - x, to_y - y)
        if len(lines) > 1 or beside > BENT:
            strokes[-1].append((a, (x + NEAR_SIDE * (u - x), y + NEAR_SIDE * (v - y))))
        if len(lines) == 1 or jumping:
            strokes[-1].append((b, cells[b].centre))
        elif n + 1 < len(path.edges):
            strokes.append([(b, cells[b].centre)])
    return [[_place_px(reading, cell, point) for cell, point in stroke] for stroke in strokes]


class ScreenFault(NamedTuple):
    """Why the screen is not what it should be, in words; ``covered``: the board is not seen as it was."""

    words: str
    covered: bool


class _Game:
    """A board on a phone, which flows have been ``drawn`` on it, and by how many ``touches``."""

    def __init__(
        self, device: Device, checked: CheckedReading, rules: PlayRules, shape: tuple[int, ...]
    ) -> None:
        self.device, self.checked, self.rules = device, checked, rules
        self.activity = app_in_front(device, rules.any_app)
        self.method = method_of(device)
        self.touches = 0
        left = {planned.flow for planned in plan_of(checked)}
        self.drawn = set(range(len(checked.outcome.solution.paths))) - left
        reading, self.shape = checked.reading, shape
        ends = reading.frame.to_px(reading.board.layout.corners)
        (x0, y0), (x1, y1) = ends.min(axis=0).astype(int).tolist(), ends.max(axis=0).astype(int).tolist()
        self.box = PixelBox(max(0, x0), max(0, y0), min(self.shape[1], x1 + 1), min(self.shape[0], y1 + 1))

    def still(self, shot: Screenshot) -> Bgr:
        """The screen once two captures in a row show the same board, which is still the one answered.

        Raises ``PlayError`` where it does not, or is another one.
        """
        end, before = monotonic() + self.rules.patience, shot.bgr
        while not self._alike(before, now := capture(self.device)):
            if monotonic() > end:
                raise PlayError("The board does not hold still: no two captures in a row show the same.")
            sleep(self.rules.pause)
            before = now
        if not self._alike(shot.bgr, now):
            fault = self._fault(now)
            if fault or self._pipes(self._view(now)) != self.checked.drawn:
                words = fault.words if fault else "Pipes were drawn."
                raise PlayError(f"The screen changed since it was read. {words}")
        return now

    def draw(self, planned: PlannedFlow, attempt: int) -> None:
        """Draw a flow; where it passes a warp, in another way at the second attempt."""
        jumping = attempt == 2 and self.method == "motionevent"
        strokes = strokes_of(self.checked.reading, planned, jumping)
        self.touches += touch(self.device, strokes, self.method)
        self.drawn.add(planned.flow)

    def check_app(self) -> None:
        """Raise ``PlayError`` where the app is no longer in front."""
        if (now := app_in_front(self.device, self.rules.any_app)) != self.activity:
            raise PlayError(f"Another screen came in front: {now}.")

    def after_touch(self, before: Bgr) -> tuple[Bgr, ScreenFault | None]:
        """The screen, once all that was drawn is on it; else what is wrong with it, once it holds still."""
        end = monotonic() + self.rules.patience
        changed, fault = monotonic(), None
        while True:
            now = capture(self.device)
            if fault is None or not self._alike(before, now):
                changed, fault = monotonic(), self._fault(now)
            if fault is None or monotonic() > end or monotonic() - changed > self.rules.still:
                return now, fault
            before = now
            sleep(self.rules.pause)

    def _alike(self, one: Bgr, other: Bgr) -> bool:
        x0, y0, x1, y1 = self.box
        return one.shape == other.shape and np.array_equal(one[y0:y1, x0:x1], other[y0:y1, x0:x1])

    def _fault(self, bgr: Bgr) -> ScreenFault | None:
        """Read the board's place again: what is not as it should be."""
        if bgr.shape != self.shape:
            (height, width), (h, w) = bgr.shape[:2], self.shape[:2]
            return ScreenFault(
                f"The screen was turned: it has {width} x {height} pixels, and had {w} x {h}.", True
            )
        view = self._view(bgr)
        if hidden := self._hidden_dots(view):
            dots = 2 * len(self.checked.reading.palette)
            words = f"{hidden} of {dots} dots are not seen where they were: the board is covered, or gone."
            return ScreenFault(words, covered=True)
        letters, wrong = self.checked.reading.letters, []
        pairs = zip(self._pipes(view), self.checked.outcome.solution.paths, strict=True)
        for flow, (edges, path) in enumerate(pairs):
            if flow in self.drawn and edges != set(path.edges):
                there = len(edges.intersection(path.edges))
                wrong.append(f"{letters[flow]} ({there} of {count_of(len(path.edges), 'step')})")
        words = f"The phone does not show what was drawn: {', '.join(wrong)}."
        return ScreenFault(words, covered=False) if wrong else None

    def _view(self, bgr: Bgr) -> View:
        return view_of(Screenshot(bgr), self.box, self.rules.options.settings.lines.view_px)

    def _pipes(self, view: View) -> tuple[frozenset[int], ...]:
        """Per flow, the edges that its pipes lie on."""
        reading, settings = self.checked.reading, self.rules.options.settings.pipes
        dots = reading.puzzle.terminals
        return drawn_edges(SeenBoard(view, reading.frame, reading.board, reading.palette, dots), settings)

    def _hidden_dots(self, view: View) -> int:
        """How many dots have not their colour."""
        reading, settings = self.checked.reading, self.rules.options.settings
        cells = [reading.board.layout.cell_at(dot).centre for dot in reading.puzzle.dots]
        pitch_px, width_px = reading.frame.pitch_px(cells[0]), reading.frame.cell_width_px(cells[0])
        around = ring(settings.dots.free_ring * width_px / pitch_px, RING_POINTS)
        seen = lab_of(sample(view, reading.frame, np.array(cells), around))
        colours = lab_of(np.repeat(np.array(reading.palette, np.uint8)[:, ::-1], 2, axis=0))
        apart = np.median(colour_distance(seen, colours[:, None]), axis=1)
        return int((apart > settings.pipes.alike).sum())


def _same_puzzle(one: Reading, other: Reading) -> bool:
    pairs, others = ({frozenset(pair) for pair in each.puzzle.terminals} for each in (one, other))
    return one.board == other.board and pairs == others


def _place_to_go_on(board: Board, path: Path, drawn: int) -> int:
    """At which place of a path its pipe is taken up: its head, or before a bridge, where two pipes may be."""
    bridged = board.layout.bridges
    while drawn and board.layout.cell_of[path.vertices[drawn]] in bridged:
        drawn -= 1
    return drawn


def _place_px(reading: Reading, cell: int, point: Point) -> Place:
    """A place within a cell, in whole pixels. Raises ``PlayError`` where it is not within it."""
    x, y = (round(value) for value in reading.frame.to_px(point)[0].tolist())
    outline = reading.frame.to_px(reading.board.layout.cells[cell].outline).astype(np.float32)
    if min(x, y) < 0 or cv2.pointPolygonTest(outline, (x, y), measureDist=False) < 0:
        raise PlayError(f"The place {x},{y} lies outside its cell.", "Play this board by hand.")
    return x, y
