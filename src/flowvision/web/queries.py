"""Tasks of the page by name; checked requests; puzzles, objects and words of the answers.

A task gets the body and the query of a request. An object is what an answer holds as JSON.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from flowvision import __version__
from flowvision.colours import COLOURS, Rgb, colour_name, palette_for
from flowvision.contract import Object, board_object, cells_of, error_object, points
from flowvision.doubts import Covered, CutOff, Doubt, NoSolution, Walls
from flowvision.errors import CrashedError, FlowvisionError, PuzzleInvalidError, shortage_of
from flowvision.files import FORMS
from flowvision.puzzle.boards import OpenSide, build
from flowvision.puzzle.formats import InvalidPuzzle, puzzles_in
from flowvision.puzzle.layout import Board, Cell, NamedPuzzle
from flowvision.puzzle.model import EMPTY, LETTERS, Puzzle, letters_for
from flowvision.puzzle.text import Number, format_record, load_json
from flowvision.reading.options import Options
from flowvision.words import Advice, Call, Change, Command, quoted

if TYPE_CHECKING:  # puzzles are solved without NumPy and OpenCV
    from flowvision.export.answer import Answer

Query = Mapping[str, str]
Task = Callable[[bytes, Query, float], Any]
"""From body, query and seconds to the object to answer, or a file and its media type."""
TASKS = {
    "solve": "work:read_picture",
    "stages": "work:stage_pictures",
    "picture": "work:solved_picture",
    "preview": "work:preview",
    "sample": "work:sample",
    "puzzle": "puzzles:solve_puzzle",
    "hint": "puzzles:hint_for",
    "search": "puzzles:search_steps",
    "generate": "puzzles:generate",
}
"""Module and function of each; those of ``puzzles`` need neither NumPy nor OpenCV."""
PICTURES = frozenset({"solve", "stages", "picture", "preview"})
"""Tasks whose body is a picture."""
JSON = "application/json"
FORMATS = {name: form for name, form in FORMS.items() if form.on_page}

MAX_CELLS = 10_000
"""Cells of a board without rows and columns; those of the game have about a hundred."""
OF_OUTLINE = "no-board other-game other-cells two-boards cut-off runs-on title wrong-option covered"
FRAMING = frozenset(OF_OUTLINE.split())
"""Codes of doubts about the outline of a board, which corrections of its cells do not settle."""


def task_named(name: str) -> Task:
    """Return a task; its module is loaded now."""
    module, function = TASKS[name].split(":")
    task: Task = getattr(import_module(f"flowvision.web.{module}"), function)
    return task


def reply_of(name: str, result: Any) -> tuple[int, str, bytes]:
    """Return the status, media type and body of the answer to a task, from what it returned."""
    if isinstance(result, tuple):
        content, media_type = result
        return 200, media_type, content
    status = 422 if name in PICTURES and not result.get("ok", True) else 200
    return status, JSON, json.dumps(result).encode()


def about_object(picture_bytes: int, text_bytes: int, reads: bool, keeps: bool) -> Object:
    """Return version, limits, forms of output, colours and letters of the game, and what the page can do.

    ``picture_bytes``, ``text_bytes``: limits of a body. ``reads``: it reads pictures. ``keeps``: it keeps
    pictures, too, for the next visit. ``colours``: lists of hex, letter, name, and the hex of other shades.
    """
    colours = []
    for letter, colour in COLOURS.items():
        usual, *others = (rgb.hex for rgb in colour.shades)
        colours.append([usual, letter, colour.name, *others])
    forms = [form for form in FORMATS.values() if form.suffixes]
    return {
        "version": __version__,
        "picture_bytes": picture_bytes,
        "text_bytes": text_bytes,
        "formats": [[form.name, form.words, form.suffixes[0]] for form in forms],
        "colours": colours,
        "letters": LETTERS,
        "reads": reads,
        "keeps": keeps,
    }


class Page(Command):
    """Advice as the page takes it: its controls in place of options, and marks in place of cells."""

    between = ", "
    controls: ClassVar = {
        "crop": "Correct › Outline",
        "grid": "other numbers of columns and rows",
        "colours": "another number of colours",
        "rotate": "a screenshot that is upright",
        "limit": "a longer time",
        "trust": "press “It is right”",
    }

    def advice(self, items: Sequence[Advice]) -> str:
        """Return the controls that follow the advice."""
        return " and ".join(self._control(item) for item in items)

    def place(self, cell: Place) -> str:
        """Return a mark, such as ``⟨1,4⟩``, that the page replaces."""
        return f"⟨{cell if isinstance(cell, int) else '{},{}'.format(*cell)}⟩"

    def _control(self, item: Advice) -> str:
        """Return the control that takes one piece of advice."""
        if isinstance(item, Change | Call):
            return "a tap there" if isinstance(item, Change) else "the tab Make"
        return self.controls.get(item.name, item.name.replace("-", " "))

    def error_object(self, error: FlowvisionError) -> dict[str, str]:
        """Return code and words of an error."""
        message, hint = error.words(self)
        return {"code": error.code, "message": _unquoted(message), "hint": _unquoted(hint)}

    def remarks(self, answer: Answer) -> Object:
        """Return the doubts about an answer (``warnings``), and what they are about."""
        warnings = [_unquoted(words) for words in answer._warnings_for(self)]
        return {"warnings": warnings} | flags_of(answer.doubts)

    def refusal(self, error: FlowvisionError) -> Object:
        """Return the text about a refusal (``says``, ``more``), and the facts for rings and buttons.

        ``places``: cells to look at. ``put``: dots that give exactly one solution. ``cut``: sides at which
        the picture cuts the board. ``covered``: something lies over it. ``frame``, ``walls``: its
        outline, or some of its walls, are in doubt.
        """
        doubt = error.cause
        if doubt is None:
            words = self.error_object(error)
            return {"says": words["message"], "more": words["hint"]}
        # The page has buttons for advice. ``reads`` is set if it was tried, and gives exactly one solution.
        without_advice = replace(doubt, advice=(), reads="")
        if isinstance(without_advice, NoSolution):  # the page has a button for each repair
            without_advice = replace(without_advice, change=None, others=None)
        if isinstance(without_advice, Covered):  # the picture shows which
            without_advice = replace(without_advice, cells=0)
        plain_words = without_advice.words(self)
        more = f"{plain_words.means} {plain_words.todo}".strip()
        result: Object = {
            "says": _unquoted(plain_words.says),
            "more": _unquoted(more),
            "places": doubt.places,
            "cut": doubt.sides if isinstance(doubt, CutOff) else (),
            "covered": isinstance(doubt, Covered),
        } | flags_of([doubt])
        dots = [item for item in doubt.advice if isinstance(item, Change) and item.mark != EMPTY]
        if doubt.reads and len(dots) == len(doubt.advice):
            result["put"] = [{"place": dot.cell, "letter": dot.mark} for dot in dots]
        return result


PAGE = Page()


def _unquoted(words: str) -> str:
    """Return words without the backticks round parts to type, which the page does not format."""
    return words.replace("`", "")


def flags_of(doubts: Sequence[Doubt]) -> Object:
    """Return if one of these doubts is about the outline of the board (``frame``), or its ``walls``."""
    is_framing = any(doubt.weight and doubt.code in FRAMING for doubt in doubts)
    return {"frame": is_framing, "walls": any(isinstance(doubt, Walls) for doubt in doubts)}


def puzzle_of(text: str) -> NamedPuzzle:
    """Return the first puzzle of a text: a written form, or JSON as ``free_object`` makes it.

    Raises ``FlowvisionError``.
    """
    if '"tiling":"free"' in text[:200].replace(": ", ":"):
        return _free_puzzle(load_json(text, _FreeObject))
    item = next(iter(puzzles_in(text)), None)
    if item is None:
        raise PuzzleInvalidError("There is no puzzle in the text.")
    if isinstance(item, InvalidPuzzle):
        raise item.error
    return item


def puzzle_object(named: NamedPuzzle) -> Object:
    """Return a puzzle as a record, as a board and as coloured flows.

    The record of a board without rows and columns is its ``free_object``.
    """
    letters = letters_for(len(named.puzzle.terminals)) if "?" in named.letters else named.letters
    free = free_object(named.board, named.puzzle) if named.board.lattice is None else None
    record = free or json.loads(format_record(named.board, named.puzzle, named.name))
    flows = []
    for letter, rgb, ends in zip(letters, palette_for(letters), record["pairs"], strict=True):
        flows.append(flow_object(letter, rgb) | {"ends": ends})
    return {"record": record, "board": board_object(named) | {"free": free}, "flows": flows}


def flow_object(letter: str, rgb: Rgb) -> Object:
    """Return a flow with its colour and the name of that."""
    return {"letter": letter, "rgb": rgb.hex, "name": colour_name(rgb)}


def free_object(board: Board, puzzle: Puzzle) -> Object:
    """Return a board without rows and columns, in cell units.

    ``sides``: of each open side the numbers of its two cells, and x and y of its middle. ``pairs``: numbers
    of the cells of two dots.
    """
    layout = board.layout
    centres = points((cell.centre for cell in layout.cells), digits=5)
    outlines = [points(cell.outline, digits=5) for cell in layout.cells]
    shapes = zip(centres, outlines, strict=True)
    cells = [{"centre": centre, "outline": outline} for centre, outline in shapes]
    edges = board.graph.edges
    middles = points((layout.crossings(edge)[0] for edge in range(len(edges))), digits=5)
    sides = [[*cells_of(board, ends), *middle] for ends, middle in zip(edges, middles, strict=True)]
    pairs = [cells_of(board, pair) for pair in puzzle.terminals]
    return {"tiling": "free", "cells": cells, "sides": sides, "pairs": pairs}


class _FreeObject(Struct):
    """Object of ``free_object``; a side is two numbers of cells, x and y."""

    cells: Annotated[list[Cell], Meta(min_length=1, max_length=MAX_CELLS)]
    sides: list[tuple[Number, Number, float, float]]
    pairs: list[tuple[Number, Number]]


def _free_puzzle(free: _FreeObject) -> NamedPuzzle:
    """Build the board and the puzzle of a ``free_object``. Raises ``PuzzleInvalidError``."""
    count = len(free.cells)
    sides = [(a, b) for a, b, *_ in free.sides]
    numbers = {number for pair in (*sides, *free.pairs) for number in pair}
    has_loop = any(a == b for a, b in sides)
    if has_loop or max(numbers, default=0) >= count:
        raise PuzzleInvalidError(
            f"Sides and pairs name cells from 0 to {count - 1}, each two different ones."
        )
    board = build(free.cells, [OpenSide(a, b, (x, y), (x, y)) for a, b, x, y in free.sides])
    letters = letters_for(len(free.pairs))
    return NamedPuzzle("", board, Puzzle(board.graph, tuple(free.pairs)), letters)


SIDE = "([2-9]|[1-9][0-9]|100)"
Crop = Annotated[str, Meta(pattern=r"^(-?[0-9]{1,5},){2}[1-9][0-9]{0,4},[1-9][0-9]{0,4}$")]
Grid = Annotated[str, Meta(pattern=f"^{SIDE}(x{SIDE})?$")]
Seconds = Annotated[float, Meta(ge=0.01, le=3600)]
Degrees = Annotated[float, Meta(ge=-360, le=360)]
Marks = Annotated[int, Meta(ge=0, le=1600)]
Colours = Annotated[int, Meta(ge=1, le=400)]
Place = int | tuple[int, int]
NUMBER = r"-?[0-9]{1,20}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?"
Matrix = Annotated[str, Meta(pattern=f"^{NUMBER}(,{NUMBER}){{8}}$")]
HexColours = Annotated[str, Meta(pattern="^#?[0-9a-fA-F]{6}(,#?[0-9a-fA-F]{6})*$")]
Checked = TypeVar("Checked", bound=Struct)


class RefusedError(Exception):
    """A request that is refused: HTTP ``status``, an error code, a message and a hint."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, code, message, hint)
        self.status, self.code, self.message, self.hint = status, code, message, hint


def bad(message: str) -> RefusedError:
    """Return the refusal of a malformed request."""
    return RefusedError(400, "bad-request", message, "docs/web.md lists what each request takes.")


def failure_object(error: BaseException) -> tuple[Object, int]:
    """Return the answer to a failed request, and its HTTP status; a bug is named only by its kind.

    422: cannot be read or solved. 500: a fault of Flowvision. 503: the server ends.
    """
    if isinstance(error, asyncio.CancelledError):
        error = RefusedError(503, "stopped", "Flowvision was stopped.", "Start `flowvision web` again.")
    if isinstance(error, RefusedError):
        body = {"code": error.code, "message": error.message, "hint": error.hint}
        return {"ok": False, "error": body}, error.status
    if not isinstance(error, FlowvisionError):
        error = shortage_of(error) or CrashedError(f"{type(error).__name__} in a worker.")
    described = error_object("", error)
    described["error"] |= PAGE.error_object(error)
    return described, 500 if isinstance(error, CrashedError) else 422


def checked(query: Mapping[str, object], kind: type[Checked]) -> Checked:
    """Return a query, whose values are text, as parameters of a kind. Raises ``RefusedError``."""
    filled = {name: value for name, value in query.items() if value != ""}
    try:
        return msgspec.convert(filled, kind, strict=False)
    except msgspec.ValidationError as error:
        name = str(error).partition("$.")[2].rstrip("`")  # its message ends in: at `$.name`
        value = quoted(str(filled.get(name, "")))
        raise bad(f"{name}={value}: {error}.") from None


class Limited(Struct):
    """Parameters of every task."""

    limit: Seconds = 3600.0


class ReadingQuery(Limited):
    """Parameters of reading a picture."""

    crop: Crop = ""
    grid: Grid | None = None
    colours: Colours | None = None
    rotate: Degrees = 0.0
    keep_drawn: bool = False

    def options(self, seconds: float) -> Options:
        """Return the options of reading within this time; the crop may reach beyond the picture."""
        x, y, width, height = map(int, (self.crop or "0,0,0,0").split(","))
        return Options(
            seconds=min(self.limit, seconds),
            grid=self.grid,
            colours=self.colours,
            crop=(x, y, width, height) if width else None,
            rotate=self.rotate,
            keep_drawn=self.keep_drawn,
        )


class DrawingQuery(Limited):
    """Parameters of drawing a puzzle; ``frame``: cell units to pixels, nine numbers, row by row."""

    puzzle: str = ""
    colours: HexColours = ""
    frame: Matrix = ""
    rotate: Degrees = 0.0


class PuzzleQuery(Limited):
    """Parameters of work on a puzzle; ``known``: steps that are drawn already (pairs of cells)."""

    count: Annotated[int, Meta(ge=0, le=1000)] = 0
    repair: bool = False
    kind: str = "next"
    names: str = ""
    known: list[tuple[Place, Place]] = []


class GeneratingQuery(Limited):
    """Parameters of a new puzzle."""

    size: str = "7x7"
    tiling: Literal["square", "hex"] = "square"
    colours: Annotated[int, Meta(ge=0, le=800)] = 0
    seed: Annotated[int, Meta(ge=0, le=1 << 40)] = 0
    difficulty: str = ""
    holes: Marks = 0
    walls: Marks = 0
    bridges: Marks = 0
    warps: Marks = 0


def puzzle_in(body: bytes, query: Mapping[str, str]) -> tuple[NamedPuzzle, PuzzleQuery]:
    """Return the puzzle of a body, and its parameters: those of the query, and of a body that is an object.

    Raises ``RefusedError``, ``FlowvisionError``.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise bad("The body is not text: a puzzle in text form or as a record was expected.") from None
    try:
        fields = json.loads(text) if text.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):  # several records, one per line, or nonsense: the parser says which
        fields = {}
    if "puzzle" not in fields:
        return puzzle_of(text), checked(query, PuzzleQuery)
    puzzle = fields.pop("puzzle")
    text = puzzle if isinstance(puzzle, str) else json.dumps(puzzle)
    return puzzle_of(text), checked({**query, **fields}, PuzzleQuery)
