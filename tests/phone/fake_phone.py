"""A simulated phone: a drawn board, played by the game's rules, with faults on demand."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from flowvision.image.codec import encode
from flowvision.image.picture import Bgr
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Path
from tests.tools.synthetic import Phone, PlayedPath, Style, draw_screenshot

OWN = "com.bigduckgames.flow/com.bigduckgames.flow.FlowActivity"
ADVERTISEMENT = "com.bigduckgames.flow/com.google.android.gms.ads.AdActivity"
SMALL = Style(phone=Phone("smaller", 420, 720), chrome=False)
NEAR_WARP = 0.15
"""Distance from an open side of the border at which a pipe passes it, in cells."""


class GoneError(Exception):
    """The connection to the phone is lost."""


@dataclass
class FakeAdb:
    """The program adb: a state per serial number; ``commands``: the commands."""

    run: Callable[[str], bytes]
    states: dict[str, str] = field(default_factory=lambda: {"FAKE0001": "device"})
    commands: list[str] = field(default_factory=list)

    def __call__(self, *words: str, seconds: float = 0.0) -> bytes:
        if words[0] == "devices":
            lines = [f"{name:22} {state} product:x model:Fake_Phone" for name, state in self.states.items()]
            return "\n".join(["List of devices attached", *lines, "\n"]).encode()
        option, serial, kind, command = words
        assert (option, kind, self.states[serial]) == ("-s", "exec-out", "device")
        self.commands.append(command)
        with suppress(GoneError):
            return self.run(command)
        return b""


class Game:
    """A board under a finger.

    Down on a dot restarts its flow, on a pipe continues it; jumps are ignored, a flow that is crossed is
    cut, and one whose head is beside its other dot is completed by itself. ``warps``: ``edge``: a pipe goes
    over the border where the finger comes near it; ``jump``: where it moves to the other end unlifted.
    """

    def __init__(self, level: NamedPuzzle, warps: str, pipes: dict[int, list[int]]) -> None:
        self.level, self.warps = level, warps
        self.graph, self.cell_of = level.board.graph, level.board.layout.cell_of
        self.flow_of = level.puzzle.dots
        self.pipes = {flow: list(strands) for flow, strands in pipes.items()}
        self.flow: int | None = None
        self.at: int | None = None

    def down(self, cell: int) -> None:
        self.flow, self.at = None, cell
        for strand, of in enumerate(self.cell_of):
            if of != cell:
                continue
            if strand in self.flow_of:
                self.flow = self.flow_of[strand]
                self.pipes[self.flow] = [strand]
                return
            for flow, pipe in self.pipes.items():
                if strand in pipe:
                    del pipe[pipe.index(strand) + 1 :]
                    self.flow = flow

    def move(self, cell: int, at: tuple[float, float]) -> None:
        if self.flow is None:
            return
        if cell != self.at:
            self.at = cell
            self._enter(cell, over_border=self.warps == "jump")
        elif self.warps == "edge":
            head = self.pipes[self.flow][-1]
            for edge in self.graph.incident[head]:
                lines = self.level.board.layout.strokes[edge]
                forth = self.graph.edges[edge][0] == head
                if len(lines) == 2 and self.cell_of[head] == cell:
                    exit_ = lines[0][1] if forth else lines[1][0]
                    if np.hypot(exit_[0] - at[0], exit_[1] - at[1]) < NEAR_WARP:
                        self._extend(self.graph.other_end(edge, head))
                        return

    def up(self) -> None:
        self.flow = self.at = None

    def _enter(self, cell: int, over_border: bool) -> None:
        pipe = self.pipes[self.flow]
        for strand in pipe if self.cell_of.count(cell) == 1 else ():
            if self.cell_of[strand] == cell:
                del pipe[pipe.index(strand) + 1 :]
                return
        for edge in self.graph.incident[pipe[-1]]:
            strand = self.graph.other_end(edge, pipe[-1])
            is_warp = len(self.level.board.layout.strokes[edge]) == 2
            if self.cell_of[strand] == cell and (over_border or not is_warp):
                self._extend(strand)
                return

    def _extend(self, strand: int) -> None:
        pipe = self.pipes[self.flow]
        is_whole = len(pipe) > 1 and pipe[-1] in self.flow_of
        if strand in pipe or is_whole or self.flow_of.get(strand, self.flow) != self.flow:
            return
        for flow, other in self.pipes.items():
            if flow != self.flow and strand in other:
                del other[other.index(strand) :]
        pipe.append(strand)
        near = {self.graph.other_end(edge, strand) for edge in self.graph.incident[strand]}
        if strand not in self.flow_of:
            pipe += near.intersection(self.level.puzzle.terminals[self.flow]) - {pipe[0]}

    def is_whole(self, flow: int) -> bool:
        pipe = self.pipes.get(flow, [])
        return len(pipe) > 1 and {pipe[0], pipe[-1]} == set(self.level.puzzle.terminals[flow])

    def solved(self) -> bool:
        covered = {strand for pipe in self.pipes.values() for strand in pipe}
        flows = range(len(self.level.puzzle.terminals))
        return all(map(self.is_whole, flows)) and len(covered) == self.graph.size

    def drawn(self) -> list[PlayedPath]:
        return [
            PlayedPath(flow, Path(tuple(pipe), tuple(map(self._edge, pipe, pipe[1:]))), self.is_whole(flow))
            for flow, pipe in self.pipes.items()
            if len(pipe) > 1
        ]

    def _edge(self, a: int, b: int) -> int:
        return next(edge for edge in self.graph.incident[a] if self.graph.other_end(edge, a) == b)


@dataclass
class Faults:
    """Faults of a phone.

    ``lost``: events, from 1, that have no effect. ``late``: what happens in the middle of the second flow;
    a phone that is ``gone`` is there again after three requests. ``lag``: captures that still show what was
    there before. ``restless``: no two captures of the board are the same. ``refusal``: what ``input`` writes.
    ``window``: what is in front once it popped up.
    """

    lost: frozenset[int] = frozenset()
    late: Literal["popup", "turn", "off", "gone"] | None = None
    lag: int = 0
    restless: bool = False
    refusal: str = ""
    window: str = "com.android.systemui/com.android.systemui.usb.UsbDebuggingActivity"


LATE = 12
"""An event in the middle of the second flow of the first level."""
FAULTS = [
    (Faults(lost=frozenset(range(8, 200))), r"does not show what was drawn: \w \(\d of 4 steps\)"),
    (Faults(late="popup"), "is in front, not"),
    (Faults(late="popup", window="PopupWindow:1f2e"), "No app is in front, but 'PopupWindow:1f2e'"),
    (Faults(late="popup", window=ADVERTISEMENT), "advertisement"),
    (Faults(late="popup", window="com.bigduckgames.flow/com.bigduckgames.flow.Shop"), "Another screen"),
    (Faults(late="turn"), "The screen was turned: 720 x 420 pixels"),
    (Faults(late="off"), "is black"),
    (Faults(late="gone"), "connection to the phone broke"),
    (Faults(lag=2000), r"does not show what was drawn: \w \(0 of"),
    (Faults(restless=True), "does not hold still"),
    (Faults(refusal="java.lang.SecurityException: INJECT_EVENTS"), "refuses touches: java.lang.Sec"),
]


@dataclass
class FakePhone:
    """A level, the rules of its game, and its faults.

    ``pipes``: per flow, the strands that are drawn from a dot at first. ``has_dialog``: one covers a solved
    board. ``swipes``: it has no ``input motionevent``.
    """

    level: NamedPuzzle
    pipes: dict[int, list[int]] = field(default_factory=dict)
    style: Style = SMALL
    warps: str = "edge"
    activity: str = OWN
    faults: Faults = field(default_factory=Faults)
    has_dialog: bool = False
    swipes: bool = False

    def __post_init__(self) -> None:
        self.events = self.captures = self.lost_requests = 0
        self.is_down = self.is_touched = False
        self.strays: list[tuple[int, int]] = []
        self.commands: list[str] = []
        level = self.level
        self.game = Game(level, self.warps, self.pipes)
        self.shown = self._drawn()
        self.pending, self.waits = self.shown, 0
        self.frame = draw_screenshot(level.board, level.puzzle, self.style, seed=0).frame
        self.outlines = [self.frame.to_px(cell.outline).astype("f") for cell in level.board.layout.cells]

    def _drawn(self) -> Bgr:
        level, pipes = self.level, self.game.drawn()
        return draw_screenshot(level.board, level.puzzle, self.style, seed=0, pipes=pipes).screenshot.bgr

    def screen(self) -> Bgr:
        faults, self.captures = self.faults, self.captures + 1
        now = self._drawn() if self.is_touched else self.pending
        self.is_touched = False
        if not np.array_equal(now, self.pending):
            self.pending, self.waits = now, faults.lag
        if self.waits:
            self.waits -= 1
        else:
            self.shown = self.pending
        picture = self.shown.copy()
        if faults.restless:
            x, y = self.frame.to_px([(0.1, 0.1)])[0].astype(int)
            picture[y : y + 3, x : x + 3] = self.captures % 250
        if self._has("popup") or (self.has_dialog and self.game.solved()):
            height, width = picture.shape[:2]
            cv2.rectangle(picture, (20, height // 4), (width - 20, 3 * height // 4), (60, 60, 60), -1)
        if self._has("turn"):
            picture = np.rot90(picture).copy()
        return np.zeros_like(picture) if self._has("off") else picture

    def _has(self, fault: str) -> bool:
        return self.faults.late == fault and self.events >= LATE

    def run(self, command: str) -> bytes:
        """Return the output of a command; raise ``GoneError`` in the middle of it."""
        if self._has("gone") and self.lost_requests < 3:
            self.lost_requests += 1
            raise GoneError
        self.commands.append(command)
        words = command.split()
        if command == "screencap -p":
            return encode(self.screen())
        if command == "dumpsys window":
            front = self.faults.window if self._has("popup") else self.activity
            return f"WINDOW MANAGER\n  mCurrentFocus=Window{{5ab1e42 u0 {front}}}\n".encode()
        if command == "input":
            return b"Usage: swipe" if self.swipes else b"Usage: swipe motionevent"
        assert words[0] == "input", command
        output = b""
        for one in command.split(";"):
            what, *_ = words = one.split()
            if what == "echo":
                output += f"{words[1]}\n".encode()
            elif self.faults.refusal:
                output += f"{self.faults.refusal}\n".encode()
            else:
                self._input(words)
        return output

    def _input(self, words: list[str]) -> None:
        if words[1] == "motionevent":
            assert not self.swipes
            self._event(words[2], int(words[3]), int(words[4]))
        else:
            assert words[1] == "swipe"
            start, end = np.array([words[2:4], words[4:6]], int)
            ways = ["DOWN", *["MOVE"] * 60, "UP"]
            for way, at in zip(ways, np.linspace(start, end, len(ways)).round().astype(int), strict=True):
                self._event(way, *at.tolist())

    def _event(self, way: str, x: int, y: int) -> None:
        self.events += 1
        if self._has("gone") and self.events == LATE:
            raise GoneError
        self.is_touched = True
        cells = (n for n, one in enumerate(self.outlines) if cv2.pointPolygonTest(one, (x, y), False) >= 0)
        cell = next(cells, None)
        if cell is None:
            self.strays.append((x, y))
        self.is_down = way != "UP"
        if self.events in self.faults.lost or cell is None or self._has("popup"):
            return
        if way == "DOWN":
            self.game.down(cell)
        elif way == "MOVE":
            self.game.move(cell, tuple(self.frame.to_cells([(x, y)])[0].tolist()))
        else:
            self.game.up()
