"""Doubts: reasons not to believe a board, or not to find one, as records that know their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from msgspec import Struct

from flowvision.words import COMMAND, Advice, Cell, Change, Form, Option, Part, Without, count_of, listed

if TYPE_CHECKING:  # puzzles are solved without NumPy
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

MAX_PLACES = 6
"""Largest number of places or names in a sentence; the rest are counted."""
SEARCHED = "searched here"
"""Label of a part searched without success."""
TRUST = (Option("trust"),)
NO_BOARD = "No board was recognized."
OF_A_LEVEL = "Use a screenshot of a level as the phone made it, or crop it to the board{}."
OF_THE_GAME = "Use a screenshot of the game itself, without a filter."
NOTHING_OVER_IT = "Take the screenshot again with the whole board in it and nothing over it."
NOT_NEEDED = "The solution does not depend on them."
NOT_ALONE = "Without them it may not be the only one."

Facts = dict[str, object]
"""What a doubt saw, by the names of the fields in JSON."""
Cells = tuple[Cell, ...]
Side = tuple[tuple[int, int], tuple[int, int]]
"""Rows and columns of the two cells beside a wall."""


class Mark(NamedTuple):
    """A place in the picture that a doubt is about. All lengths are in pixels of the picture.

    ``kind``: a ``ring`` round its one point, a ``box`` with its points as corners, a ``line`` along them.
    ``label``: the words beside it.
    """

    kind: Literal["ring", "box", "line"]
    points_px: tuple[tuple[float, float], ...]
    label: str = ""
    radius_px: float = 0.0

    @classmethod
    def of(cls, kind: Literal["box", "line"], points_px: NDArray[np.floating], label: str = "") -> Self:
        """Return a mark along an array (N, 2) of points."""
        points = map(tuple, points_px.astype(float).tolist())
        return cls(kind, tuple(points), label)


class Words(Struct, frozen=True):
    """Words for a doubt: the sentence that names it, more about it, the next step."""

    says: str
    means: str = ""
    todo: str = ""

    @property
    def message(self) -> str:
        """The problem, for a line of a terminal."""
        return f"{self.says} {self.means}".strip()


class RefusedBoard(Struct, frozen=True):
    """The whole board that a doubt refuses.

    ``size``: in words. ``weakest``: its least clear part, if any. ``others``: the other doubts about it.
    ``may_trust``: the user can see whether it was read right.
    """

    size: str
    weakest: Part
    others: tuple[Doubt, ...]
    may_trust: bool


class Doubt(Struct, frozen=True, kw_only=True):
    """One reason not to believe a board, or not to find one. Cells count from 0.

    ``code``: its name in JSON. ``marks``: where it is in the picture. ``advice``: options that are given
    together; ``reads``: the size of the board with exactly one solution that they give, if they were tried.
    ``weight``: the share of the confidence that it takes: 0 for a mere remark on an answer, 1 to refuse it.
    ``board``: the board that it refuses, if one was read.
    """

    code: ClassVar[str]
    flag: ClassVar[str] = ""
    """Key in JSON that tells it from other doubts of its code."""

    marks: tuple[Mark, ...] = ()
    advice: tuple[Advice, ...] = ()
    reads: str = ""
    weight: float = 1.0
    board: RefusedBoard | None = None

    @property
    def option(self) -> str:
        """The name of the option that does not fit the picture, such as ``grid``; empty without one."""
        return ""

    @property
    def places(self) -> Cells:
        """The cells that it is about."""
        return ()

    def words(self, form: Form = COMMAND) -> Words:
        """Return its sentences; ``form``: advice for the command line, Python or the page."""
        words = self._written(form)
        todo = self._tried(form) if self.reads else words.todo
        if self.board and self.board.may_trust:
            todo += f" If the board is right: {_quoted(TRUST, form)}."
        return Words(words.says, words.means, todo.strip())

    @property
    def seen(self) -> Facts:
        """The facts, by their names in JSON."""
        if self.board is None:
            return self._own_facts()
        before: Facts = {"size": self.board.size, "weakest": str(self.board.weakest)}
        after = {"warnings": " ".join(doubt.words().message for doubt in self.board.others)}
        return before | self._own_facts() | after | ({"trust": "--trust"} if self.board.may_trust else {})

    def _own_facts(self) -> Facts:
        """Return its own fields for JSON, without unset ones."""
        names = (name for name in self.__struct_fields__ if name not in Doubt.__struct_fields__)
        fields = {name: value for name in names if (value := getattr(self, name)) is not None}
        fields |= {name: str(value) for name, value in fields.items() if isinstance(value, Part)}
        return fields | ({self.flag: True} if self.flag else {})

    def _written(self, form: Form) -> Words:
        """Return its sentences with advice that was not tried."""
        raise NotImplementedError

    def _tried(self, form: Form) -> str:
        """Return the sentence about advice with which the board ``reads``."""
        advice = _quoted(self.advice, form)
        if isinstance(self.advice[0], Without):
            return f"Without {advice} it is read: {self.reads} and exactly one solution."
        return f"With {advice} it is read: {self.reads} and exactly one solution. Compare it with the screen."

    def _advised(self, form: Form, before: str = ": ", after: str = "") -> str:
        """Return the advice between two parts of a sentence, or nothing."""
        return f"{before}{_quoted(self.advice, form)}{after}" if self.advice else ""

    def _compare(self, form: Form) -> str:
        """Return the next step for a board that may be read wrong."""
        return f"Compare dots, walls and size with the screen, and correct what differs{self._advised(form)}."


def _quoted(advice: Sequence[Advice], form: Form) -> str:
    """Return advice in backticks."""
    return f"`{form.advice(advice)}`"


def _listed(places: Cells, form: Form) -> str:
    """Return the cells in words, the first ``MAX_PLACES`` of them."""
    return listed([form.place(place) for place in places], MAX_PLACES, form.between)


def _agree(number: int, noun: str, singular: str, plural: str) -> str:
    """Return a number of things and the form of the verb that agrees with it."""
    return f"{count_of(number, noun)} {singular if number == 1 else plural}"


def _lone_dots(names: Sequence[str]) -> str:
    """Return a clause about dots of these colours, which have no partner."""
    dots = _agree(len(names), "dot", "has", "have")
    return f"{dots} no partner: {listed(names, MAX_PLACES, ', ')}"


def wall_name(side: Side) -> str:
    """Return the rows and columns of the two cells beside a wall, in words.

    They share a row or a column: walls are read on lattices of squares alone.
    """
    (r, c), (row, col) = side
    if r == row:
        return f"row {r + 1}, columns {c + 1} and {col + 1}"
    return f"rows {r + 1} and {row + 1}, column {c + 1}"


class Faint(Doubt, frozen=True):
    """The picture is too dark or too faint.

    ``low``, ``high``: its range of brightness, 0 to 1.
    """

    code: ClassVar = "faint"
    low: float
    high: float

    def _written(self, form: Form) -> Words:
        brightness = f"its brightness ranges from {self.low:.0%} to {self.high:.0%}"
        return Words(
            f"The picture is too dark or too faint: {brightness}.",
            todo="Take the screenshot again at full brightness, with no filter or window over the game.",
        )


class TooSmall(Doubt, frozen=True):
    """The picture is too small.

    ``cell_px``: width of a cell, if any were seen; ``wanted_px``: needed, ``sharp_px`` in a sharp picture.
    """

    code: ClassVar = "too-small"
    width: int
    height: int
    cell_px: float | None
    sharp_px: float
    wanted_px: float

    def _written(self, form: Form) -> Words:
        cell = f"; a cell is about {self.cell_px:.0f} pixels wide" if self.cell_px else ""
        says = f"The picture is too small: {self.width} × {self.height} pixels{cell}."
        sharp = f"or {self.sharp_px:g} if the picture is perfectly sharp"
        means = f"Cells must be {self.wanted_px:g} pixels wide, {sharp}."
        return Words(says, means, "Use the screenshot at its full size.")


class Unclear(Doubt, frozen=True):
    """No board was recognized; the picture looks like a photograph."""

    code: ClassVar = "unclear"

    def _written(self, form: Form) -> Words:
        return Words(
            "No board was recognized; the picture looks like a photograph.",
            todo="Use the screenshot as the phone made it, not a photograph or a copy from a messenger.",
        )


class NoBoard(Doubt, frozen=True):
    """No board was recognized.

    ``rows``, ``cols``: of lines that may be no board.
    """

    code: ClassVar = "no-board"
    rows: int | None = None
    cols: int | None = None

    def _written(self, form: Form) -> Words:
        todo = OF_A_LEVEL.format(self._advised(form))
        lines = f"The lines show {self.cols} columns and {self.rows} rows, which may be no board."
        return Words(NO_BOARD, lines if self.rows else "", todo)


class Blank(Doubt, frozen=True):
    """The picture is almost blank."""

    code: ClassVar = "no-board"
    flag: ClassVar = "blank"

    def _written(self, form: Form) -> Words:
        return Words(NO_BOARD, "The picture is almost blank.", OF_A_LEVEL.format(self._advised(form)))


class OtherGame(Doubt, frozen=True):
    """The picture looks like another game."""

    code: ClassVar = "other-game"


class Symbols(OtherGame, frozen=True):
    """Another game: its cells hold symbols, not dots.

    ``inked``: the number of cells with symbols.
    """

    cells: int
    dots: int
    inked: int

    def _written(self, form: Form) -> Words:
        return Words(
            f"This looks like another game: {self.inked} of {self.cells} cells hold symbols, not dots.",
            todo=OF_THE_GAME,
        )


class FewColours(OtherGame, frozen=True):
    """Another game: its dots have too few colours."""

    dots: int
    colours: int

    def _written(self, form: Form) -> Words:
        colours = count_of(self.colours, "colour")
        return Words(
            f"This looks like another game: {self.dots} dots have only {colours}.",
            "In Flow Free every colour has exactly two dots.",
            OF_THE_GAME,
        )


class OtherCells(Doubt, frozen=True):
    """Cells hold something that was not recognized as a dot.

    ``marked``: the number of these cells.
    """

    code: ClassVar = "other-cells"
    cells: int
    marked: int

    def _written(self, form: Form) -> Words:
        return Words(
            f"{self.marked} of {self.cells} cells hold something that was not recognized as a dot.",
            "This may be another game, or dots of another form.",
            OF_THE_GAME,
        )


class NoDots(Doubt, frozen=True):
    """No dots were found on the board, or too few."""

    code: ClassVar = "no-dots"
    cells: int
    dots: int

    def _written(self, form: Form) -> Words:
        dots = _agree(self.dots, "dot", "was", "were")
        return Words(
            f"{dots} found on the board of {self.cells} cells.",
            todo="Open a level, and take the screenshot when all its dots have appeared.",
        )


class TwoBoards(Doubt, frozen=True):
    """There are two boards in the picture."""

    code: ClassVar = "two-boards"


class SmallerBoard(TwoBoards, frozen=True):
    """The picture shows two boards; the larger one was read.

    ``other``: the crop to the other one.
    """

    other: Option

    def _written(self, form: Form) -> Words:
        return Words(f"This is the larger of two boards. For the other: {_quoted((self.other,), form)}.")


class FailedBoard(TwoBoards, frozen=True):
    """Another board in the picture could not be read.

    ``failed``: the crop to it.
    """

    failed: Option

    def _written(self, form: Form) -> Words:
        return Words(
            f"Another board in the picture could not be read. To see why: {_quoted((self.failed,), form)}."
        )


class CoveringBoard(TwoBoards, frozen=True):
    """The board covers a part of a larger one, which could not be read."""

    def _written(self, form: Form) -> Words:
        return Words("This board covers a part of a larger one, which could not be read.")


class CutOff(Doubt, frozen=True):
    """The board is cut off at an edge of the picture.

    ``is_likely``: unless it is certain, false if it only may be. ``names``, ``places``: of dots without a
    partner, if the dots could not be paired.
    """

    code: ClassVar = "cut-off"
    sides: tuple[str, ...]
    is_likely: bool | None = None
    names: tuple[str, ...] | None = None
    places: Cells = ()

    def _own_facts(self) -> Facts:
        own: Facts = {}
        if self.names is not None:
            own = {"lone": len(self.places), "names": self.names, "places": self.places}
        if self._likely:
            own["likely"] = self._likely.strip()
        return own | {"sides": self.sides}

    @property
    def _likely(self) -> str:
        """The adverb before "cut off", with a space after it; empty if it is certain."""
        if self.is_likely is None:
            return ""
        return "most likely " if self.is_likely else "perhaps "

    def _written(self, form: Form) -> Words:
        which = listed(self.sides, between=", ", last="or" if self._likely else "and")
        says = f"The board is {self._likely}cut off at the {which} edge of the picture."
        means = f"{_lone_dots(self.names)}." if self.names else ""
        return Words(says, means, "Take the screenshot again with the whole board in it.")


class RunsOn(Doubt, frozen=True):
    """The board continues past the columns and rows that were read."""

    code: ClassVar = "runs-on"
    rows: int
    cols: int
    perhaps: bool

    def _written(self, form: Form) -> Words:
        perhaps = "perhaps " if self.perhaps else ""
        size = f"{self.cols} columns and {self.rows} rows"
        says = f"The board {perhaps}continues past the {size} that were read."
        return Words(says, todo=f"Give the number of columns and rows on the screen{self._advised(form)}.")


class Title(Doubt, frozen=True):
    """The text above the board contradicts what was read."""

    code: ClassVar = "title"

    def _todo(self, form: Form) -> str:
        return f"Compare the board with the screen, and correct what differs{self._advised(form)}."


class TitleSize(Title, frozen=True):
    """The title names another size than was read.

    ``size``, ``title_size``: as text, such as ``8x10``.
    """

    size: str
    title_size: str

    def _written(self, form: Form) -> Words:
        says = f"The title says {self.title_size}, but {self.size} was read."
        return Words(says, todo=self._todo(form))


class TitleFlows(Title, frozen=True):
    """The text above the board counts more or fewer flows than were read."""

    flows: int
    title_flows: int

    def _written(self, form: Form) -> Words:
        says = f"The text above the board counts {self.title_flows} flows, but {self.flows} were read."
        return Words(says, todo=self._todo(form))


class WrongOption(Doubt, frozen=True):
    """An option does not fit the picture."""

    code: ClassVar = "wrong-option"

    def _own_facts(self) -> Facts:
        return {"option": self.option} | super()._own_facts()

    def _todo(self, form: Form) -> str:
        return f"Check the value, or leave it out{self._advised(form)}."


class WrongSize(WrongOption, frozen=True):
    """No board of the given size was found; the lines show another one."""

    cols: int
    rows: int
    lines_cols: int
    lines_rows: int

    @property
    def option(self) -> str:
        """The name of the size's option."""
        return "grid"

    def _written(self, form: Form) -> Words:
        shown = f"the lines show {self.lines_cols} columns and {self.lines_rows} rows"
        says = f"No board of {self.cols} columns and {self.rows} rows was found; {shown}."
        return Words(says, todo=self._todo(form))


class CropOutside(WrongOption, frozen=True):
    """The part to crop lies outside the picture.

    ``width``, ``height``: of the picture, in pixels.
    """

    width: int
    height: int

    @property
    def option(self) -> str:
        """The name of the option of the part."""
        return "crop"

    def _written(self, form: Form) -> Words:
        says = f"The part to crop lies outside the picture of {self.width} × {self.height} pixels."
        return Words(says, todo=self._todo(form))


class NotReadWith(WrongOption, frozen=True):
    """No board could be read with the given options; without them one can."""

    given: tuple[Option, ...]

    @property
    def option(self) -> str:
        """The name of the last option."""
        return self.given[-1].name

    def _own_facts(self) -> Facts:
        return {"option": self.option, "given": COMMAND.advice(self.given)}

    def _written(self, form: Form) -> Words:
        says = f"No board could be read with {_quoted(self.given, form)}."
        return Words(says, todo=self._todo(form))


class Covered(Doubt, frozen=True):
    """Something covers a part of the board.

    ``cells``: the number of cells under it; 0 where it does not count.
    """

    code: ClassVar = "covered"
    cells: int

    def _written(self, form: Form) -> Words:
        part = count_of(self.cells, "cell") if self.cells else "a part"
        return Words(f"Something covers {part} of the board.", todo=NOTHING_OVER_IT)


class UnseenBoard(Doubt, frozen=True):
    """The title names a board of a size that was not recognized; it may be covered.

    ``title_size``: as text, such as ``8x10``.
    """

    code: ClassVar = "covered"
    title_size: str

    def _written(self, form: Form) -> Words:
        says = f"The title says {self.title_size}, but no such board was recognized."
        return Words(says, "It may be covered or cut off.", NOTHING_OVER_IT)


class Tinted(Doubt, frozen=True):
    """The picture is grey: its dots differ only in brightness."""

    code: ClassVar = "tinted"
    dots: int

    def _written(self, form: Form) -> Words:
        return Words(
            f"The picture is grey: its {self.dots} dots differ only in brightness.",
            todo="Take the screenshot again in colour, with filters off.",
        )


class LoneDots(Doubt, frozen=True):
    """Some dots have no partner.

    ``names``, ``places``: their colours and cells. ``dots``: the number of all dots. ``near``: cells that may
    hold another one.
    """

    code: ClassVar = "lone-dots"
    names: tuple[str, ...]
    places: Cells
    dots: int
    near: Cells

    def _own_facts(self) -> Facts:
        return {"lone": len(self.places)} | super()._own_facts()

    def _written(self, form: Form) -> Words:
        says = f"{_lone_dots(self.names)} ({_listed(self.places, form)})."
        near = f" There may be a dot in {_listed(self.near, form)}." if self.near else ""
        dots = _agree(self.dots, "dot", "was", "were")
        missing = self._advised(form, " Add what is missing: ", ".")
        no_dot = _quoted((Change(self.places[0], "."),), form)
        empty = f" If it is no dot: {no_dot}." if len(self.places) == 1 else ""
        todo = f"Is the whole board in the picture, with nothing over it?{missing}{empty}"
        return Words(says, f"{dots} found.{near}", todo)


class ManyDots(Doubt, frozen=True):
    """A colour has more than two dots.

    ``name``, ``places``: the colour and its cells. ``one``, ``at``: the colour and the cell of the only dot
    without a partner, whose colour one of them may have.
    """

    code: ClassVar = "many-dots"
    name: str
    places: Cells
    one: str | None = None
    at: Cell | None = None

    def _own_facts(self) -> Facts:
        return {"count": len(self.places)} | super()._own_facts()

    def _written(self, form: Form) -> Words:
        places = _listed(self.places, form)
        may_be = ""
        if self.at is not None:
            may_be = f"One of them may be {self.one}, like the dot in {form.place(self.at)}."
        dots = f"{len(self.places)} dots are {self.name}"
        correct = self._advised(form, " Correct one: ", ".")
        return Words(
            f"{dots}, but every colour needs exactly two: {places}.",
            may_be,
            f"Compare these dots with the screen.{correct}",
        )


class AlikeDots(Doubt, frozen=True):
    """The colours of some dots are too similar to pair them."""

    code: ClassVar = "alike-dots"
    places: Cells

    def _written(self, form: Form) -> Words:
        says = f"The colours of some dots are too similar to pair them: {_listed(self.places, form)}."
        return Words(says, todo=self._advised(form, "Give each of these dots its letter: ", "."))


class PairedDots(Doubt, frozen=True):
    """Some dots look alike; only one pairing has exactly one solution."""

    code: ClassVar = "alike-dots"
    places: Cells

    def _written(self, form: Form) -> Words:
        places = _listed(self.places, form)
        return Words(f"The dots in {places} look alike; only one pairing has exactly one solution.")


class LeftOut(Doubt, frozen=True):
    """Some cells hold a disc that was not read as a dot."""

    code: ClassVar = "left-out"
    places: Cells

    def _own_facts(self) -> Facts:
        return {"count": len(self.places)} | super()._own_facts()

    def _written(self, form: Form) -> Words:
        cells_hold = _agree(len(self.places), "cell", "holds", "hold")
        says = f"{cells_hold} a disc that was not read as a dot: {_listed(self.places, form)}."
        return Words(says, todo=f"Add the missing dots{self._advised(form)}.")


class NoSolution(Doubt, frozen=True):
    """The board as read has no solution.

    ``size``: in words. ``weakest``: its least clear part, if any. ``reason``: a cheap one, if it was read
    surely. ``change``: one that gives it exactly one solution, and ``others``: the number of other such ones.
    """

    code: ClassVar = "no-solution"
    size: str
    weakest: Part
    reason: str = ""
    change: str | None = None
    others: int | None = None

    def _written(self, form: Form) -> Words:
        weakest = f"; least clear: {self.weakest.written(form)}" if self.weakest else ""
        reason = f" The reason: {self.reason}." if self.reason else ""
        change = f" With one change it has exactly one solution: {self.change}" if self.change else ""
        others = f" {_agree(self.others, 'other change', 'does', 'do')} so too." if self.others else ""
        says = f"The board as read, {self.size}, has no solution{weakest}."
        means = "Something was misread, or this game does not ask for every cell."
        return Words(says, f"{means}{reason}{change}{others}", todo=self._compare(form))


class Late(Doubt, frozen=True):
    """No answer was found in time.

    ``size``: of the board, in words. ``weakest``: its least clear part, if any.
    """

    code: ClassVar = "late"
    size: str
    weakest: Part

    def _written(self, form: Form) -> Words:
        says = f"No answer was found in time; the board was read as {self.size}."
        means = f"Least clear: {self.weakest.written(form)}." if self.weakest else ""
        return Words(says, means, f"Allow more time{self._advised(form)}.")


class Walls(Doubt, frozen=True):
    """Some walls may not exist."""

    code: ClassVar = "walls"
    walls: tuple[Side, ...]

    @property
    def _names(self) -> str:
        return listed([wall_name(wall) for wall in self.walls], MAX_PLACES)


class WallsDisagree(Walls, frozen=True):
    """Some walls may not exist; leaving out different ones gives different solutions."""

    flag: ClassVar = "two"

    def _written(self, form: Form) -> Words:
        return Words("Some walls may not exist; leaving out different ones gives different solutions.")


class WallsRefuted(Walls, frozen=True):
    """Without some of its walls the board has exactly one solution, with them none."""

    def _written(self, form: Form) -> Words:
        says = f"Walls that may not exist: {self._names}."
        return Words(f"{says} With them the board has no solution, without them exactly one.")


class WallsInPart(Walls, frozen=True):
    """Walls seen only in part are left out.

    ``has_others``: without them, more than one solution may exist.
    """

    has_others: bool

    def _written(self, form: Form) -> Words:
        return Words(
            f"Walls seen only in part are left out: {self._names}. {NOT_NEEDED}",
            NOT_ALONE if self.has_others else "",
        )


class WallsUnlikely(Walls, frozen=True):
    """Some walls are unlike those of published boards.

    ``has_others``: without them, more than one solution may exist.
    """

    has_others: bool

    def _written(self, form: Form) -> Words:
        return Words(
            f"Walls that may not exist: {self._names}. {NOT_NEEDED}", NOT_ALONE if self.has_others else ""
        )


class Crossings(Doubt, frozen=True):
    """Bridges or open borders may be misread."""

    code: ClassVar = "crossings"


class CrossesItself(Crossings, frozen=True):
    """A path crosses itself; a bridge may be misread."""

    places: Cells

    def _written(self, form: Form) -> Words:
        places = _listed(self.places, form)
        return Words(f"A path crosses itself at {places}; the bridge there may be misread.")


class OpenBorder(Crossings, frozen=True):
    """The board has no visible border: paths may leave it and come back on the opposite side."""

    flag: ClassVar = "open"

    def _written(self, form: Form) -> Words:
        return Words(
            "The board has no visible border: paths may leave it and come back on the opposite side."
        )


class TouchesItself(Doubt, frozen=True):
    """In every solution a path touches itself.

    ``drawn``: also in the one on the picture.
    """

    code: ClassVar = "touches-itself"
    drawn: bool

    def _own_facts(self) -> Facts:
        return super()._own_facts() | {"undrawn": not self.drawn}

    def _written(self, form: Form) -> Words:
        also = ", also in the one on the picture" if self.drawn else ""
        return Words(
            f"In every solution a path touches itself{also}.",
            means="" if self.drawn else "The board may have been misread.",
            todo=self._compare(form),
        )


class SeveralSolutions(Doubt, frozen=True):
    """There is more than one solution, or no time was left to rule out another one.

    ``is_open``: the latter.
    """

    code: ClassVar = "several-solutions"
    is_open: bool

    def _written(self, form: Form) -> Words:
        if self.is_open:
            return Words("There was no time to rule out another solution.")
        return Words("There is more than one solution; the board may have been misread.")


class Unsure(Doubt, frozen=True):
    """The board as read may be wrong."""

    code: ClassVar = "unsure"

    @property
    def places(self) -> Cells:
        """The cells of the least clear part."""
        return self.board.weakest.cells if self.board else ()

    def _written(self, form: Form) -> Words:
        board, says = self.board, self._reason(form)
        if board is None:
            return Words(says, todo=self._compare(form))
        warnings = " ".join(doubt.words(form).message for doubt in board.others)
        weakest = f" {_weakest(board.weakest, form)}" if board.weakest else ""
        return Words(f"{says}{weakest}", means=warnings, todo=self._compare(form))

    def _reason(self, form: Form) -> str:
        """Return the sentence that says why."""
        raise NotImplementedError


def _weakest(part: Part, form: Form) -> str:
    return f"Low confidence: check {part.written(form)}."


class LowConfidence(Unsure, frozen=True):
    """The board as read may be wrong: its confidence is too low.

    ``saw``, ``wanted``: the confidence, 0 to 1.
    """

    size: str
    saw: float
    wanted: float

    def _reason(self, form: Form) -> str:
        confidence = f"its confidence is {self.saw:.2f} of 1, and {self.wanted:g} is needed"
        return f"The board as read, {self.size}, may be wrong: {confidence}."


class FewPairs(Unsure, frozen=True):
    """The board as read may be wrong: levels have more pairs of dots."""

    size: str
    pairs_min: int

    def _reason(self, form: Form) -> str:
        return (
            f"The board as read, {self.size}, may be wrong: "
            f"levels have at least {self.pairs_min} pairs of dots."
        )


class OddCells(Unsure, frozen=True):
    """The board as read may be wrong: cells were merged, shifted or cut in two."""

    flag: ClassVar = "odd"
    size: str

    def _reason(self, form: Form) -> str:
        return f"The board as read, {self.size}, may be wrong: cells were merged, shifted or cut in two."


class WeakPart(Unsure, frozen=True):
    """The confidence is low: one part of the board was seen less clearly than others."""

    weakest: Part

    @property
    def places(self) -> Cells:
        """The cells of that part."""
        return self.weakest.cells

    def _reason(self, form: Form) -> str:
        return _weakest(self.weakest, form)


class Unknown(Doubt, frozen=True):
    """The cause is not known; the message names the stage that failed."""

    code: ClassVar = "unknown"
    message: str
    hint: str = ""

    def _written(self, form: Form) -> Words:
        todo = f"Is the whole board in the picture? Is anything in front of it? {self.hint}"
        return Words(f"{self.message.rstrip('.')}.", todo=todo)
