"""What workers do with a phone that is connected to this machine."""

from __future__ import annotations

from typing import Any

from flowvision.errors import FlowvisionError, PlayError
from flowvision.image.codec import encode
from flowvision.phone.adb import devices
from flowvision.phone.play import PlayRules, solve_screen
from flowvision.phone.play import play as play_answer
from flowvision.phone.screen import capture, chosen
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.reading.options import Options
from flowvision.web.written import puzzle_of


def phone_there() -> dict[str, str]:
    """The phone that can be used, by ``name``; empty where there is none, or no adb."""
    try:
        device = chosen(devices(), None)
    except FlowvisionError:
        return {"name": ""}
    return {"name": device.model or device.serial}


def phone_shot() -> bytes:
    """What the phone shows, as PNG. Raises ``FlowvisionError``."""
    return encode(capture(chosen(devices(), None)))


def play_on_phone(text: str, seconds: float) -> dict[str, Any]:
    """Play the answer to what the phone shows, where that is the puzzle given; how many ``touches`` it took.

    ``seen``: the screen showed the board solved in the end. Raises ``PlayError`` where it shows another
    board, or where anything is doubtful; nothing was touched then, or the finger is up.
    """
    wanted = puzzle_of(text)
    device, rules = chosen(devices(), None), PlayRules(options=Options(seconds=seconds))
    shot, answer = solve_screen(device, rules)
    reading = answer.reading
    if _pairs(reading.board, reading.puzzle) != _pairs(wanted.board, wanted.puzzle):
        raise PlayError(
            "The phone shows another board than this page: nothing was touched.", "Take its screenshot again."
        )
    *_, last = play_answer(device, shot, answer.checked, rules)
    return {"ok": True, "touches": last.touches, "seen": last.seen}


def _pairs(board: Board, puzzle: Puzzle) -> tuple[int, set[frozenset[Any]]]:
    """The number of cells, and which of them are to be joined."""
    places = board.lattice.places if board.lattice else range(len(board.layout.cells))
    cell_of = board.layout.cell_of
    return len(places), {frozenset(places[cell_of[dot]] for dot in pair) for pair in puzzle.terminals}
