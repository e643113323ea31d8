"""Work on a phone connected to this machine, done in the processes of ``workers/``."""

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
    """Return the ``name`` of the phone to use; empty without a phone, or without adb."""
    try:
        device = chosen(devices(), None)
    except FlowvisionError:
        return {"name": ""}
    return {"name": device.model or device.serial}


def phone_shot() -> bytes:
    """Return the screen of the phone as PNG. Raises ``FlowvisionError``."""
    return encode(capture(chosen(devices(), None)))


def play_on_phone(text: str, seconds: float) -> dict[str, Any]:
    """Play a puzzle that the phone shows; return the number of ``touches``.

    ``seen``: the screen showed the board solved in the end. Raises ``PlayError`` where it shows another
    board, or where anything is doubtful; the finger is up by then.
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
    """Return the number of cells, and the pairs of them to join."""
    places = board.lattice.places if board.lattice else range(len(board.layout.cells))
    cell_of = board.layout.cell_of
    return len(places), {frozenset(places[cell_of[dot]] for dot in pair) for pair in puzzle.terminals}
