"""A draft made into a reading again: the puzzle it shows, where its dots lie, how sure the rest of it is."""

from __future__ import annotations

from flowvision.corrections.draft import Draft, Key
from flowvision.puzzle.boards import OpenSide, build
from flowvision.puzzle.bounds import invalid_puzzle
from flowvision.puzzle.layout import Board, Point
from flowvision.puzzle.marks import BRIDGE, HOLE, LETTERS
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import build as build_text
from flowvision.puzzle.text import dot_faults
from flowvision.value import value_type
from flowvision.vision.reading import Reading


@value_type
class _Built:
    """A board, the number of every cell, and the two ends of every letter."""

    board: Board
    number: dict[Key, int]
    ends: dict[str, tuple[Key, Key]]


def reading_of(draft: Draft) -> Reading:
    """The reading that a draft is by now; its confidence is that of what was not changed.

    Raises ``PuzzleInvalidError`` with all that keeps it from being a puzzle.
    """
    built = _built_of_places(draft) if draft.free is None else _built_of_numbers(draft, draft.free)
    cells = built.board.layout.cells

    def place(key: Key) -> Point:
        if key in draft.seen:
            return draft.seen[key].centre_px
        x, y = draft.frame.to_px([cells[built.number[key]].centre])[0].tolist()
        return x, y

    def doubt(key: Key, letter: str) -> float:
        dot = draft.seen.get(key)
        return dot.doubt if dot and dot.letter == letter else 0.0

    doubts = tuple((doubt(a, letter), doubt(b, letter)) for letter, (a, b) in built.ends.items())
    as_seen = {
        letter: all(key in draft.seen and draft.seen[key].letter == letter for key in pair)
        for letter, pair in built.ends.items()
    }
    sure = tuple(draft.pairs.get(letter, 1.0) if as_seen[letter] else 1.0 for letter in built.ends)
    confidence = min(draft.lines, draft.sides, *sure, *(1 - one for pair in doubts for one in pair))
    return Reading(
        built.board,
        Puzzle(built.board.graph, tuple((built.number[a], built.number[b]) for a, b in built.ends.values())),
        draft.frame,
        tuple(draft.colours[letter] for letter in built.ends),
        round(confidence, 3),
        tuple((place(a), place(b)) for a, b in built.ends.values()),
        draft.sides,
        "",
        doubts,
        draft.lines,
        sure,
        corrected=True,
    )


def _built_of_places(draft: Draft) -> _Built:
    """By way of the text form, which knows all that can be wrong with a board."""
    made = build_text(draft.drawn())
    assert made.board.lattice is not None
    places = made.board.lattice.places
    ends: dict[str, tuple[Key, Key]] = {
        letter: (places[a], places[b])
        for letter, (a, b) in zip(made.letters, made.puzzle.terminals, strict=True)
    }
    return _Built(made.board, {place: n for n, place in enumerate(places)}, ends)


def _built_of_numbers(draft: Draft, free: Board) -> _Built:
    """The board of cells of any shape without its holes and the sides that are closed."""
    kept = [cell for cell in range(len(free.layout.cells)) if draft.marks[cell] != HOLE]
    number: dict[Key, int] = {cell: n for n, cell in enumerate(kept)}
    sides = [
        OpenSide(number[u], number[v], strokes[0][1], strokes[-1][-2])
        for (u, v), strokes in zip(free.graph.edges, free.layout.strokes, strict=True)
        if u in number and v in number and frozenset((u, v)) not in draft.walls
    ]
    keys: dict[str, list[Key]] = {}
    for key, mark in draft.marks.items():
        if mark in LETTERS:
            keys.setdefault(mark, []).append(key)
    faults = dot_faults(draft.marks.values())
    if BRIDGE in draft.marks.values():
        faults.append("Bridges are cells of boards with rows and columns.")
    if faults:
        raise invalid_puzzle(faults)
    board = build([free.layout.cells[cell] for cell in kept], sides)
    return _Built(board, number, {letter: (found[0], found[1]) for letter, found in keys.items()})
