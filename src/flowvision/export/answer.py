"""The answer to a picture or a puzzle, solved or refused, and everything made from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as with_fields
from numbers import Integral
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from flowvision.arguments import (
    check_flags,
    check_seconds,
    check_type,
    check_whole,
    shown,
    with_known_names,
    wrong_type,
)
from flowvision.doubts import Doubt
from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError
from flowvision.export.board import Flow, ShownBoard, picture_on_paper, place_of
from flowvision.files import Form
from flowvision.image.codec import encode
from flowvision.image.picture import Bgr, CropBox, Rgb, Screenshot
from flowvision.log import Log, Observer, ObserverError, Step
from flowvision.palette import undimmed
from flowvision.pipeline import Source, read
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Path, State
from flowvision.reading.options import Options
from flowvision.render.look import PLAIN, Look
from flowvision.render.overlay import draw_solution
from flowvision.solvers import Rules, Solved
from flowvision.vision.assembly import Reading
from flowvision.words import COMMAND, PYTHON, count_of
from flowvision.words import Form as Words

if TYPE_CHECKING:  # not needed to solve a picture
    from flowvision.contract import Object
    from flowvision.corrections import Correction
    from flowvision.export.pictures import HintSteps
    from flowvision.render.text import Depth
    from flowvision.solvers.counting import Count
    from flowvision.solvers.deductions import Difficulty

GIVE_RULES = "'strict', 'free' or None"
MAX_AREA = 40_000
"""Area in cells of the largest board that is drawn without a screenshot: 200 by 200, 10 million pixels."""


def answer_to(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    look: Look = PLAIN,
    name: str = "",
    is_drawn: bool = True,
    in_place: bool = False,
) -> Answer:
    """Return the answer to a screenshot called ``name``; if it is refused, the answer has an ``error``.

    ``observer``: called with every ``Step`` as it happens. ``look``: what is drawn and how. ``is_drawn``:
    draw the solution now instead of on demand; ``in_place``: on the picture itself, to hold a large one in
    memory once.
    """
    options, log = options or Options(), Log(observer)
    try:
        shot, believed = read(source, options, log, name)
        if look.letters:
            look.named(believed.reading.letters)  # raises for too few, before anything is drawn
        answer = Answer(
            shot.name,
            options,
            look,
            shot,
            _seen=believed.reading,
            _solved=believed.outcome,
            doubts=believed.doubts,
            confidence=believed.confidence,
            other_board=believed.other_board,
            state=believed.state,
            pipes=believed.pipes,
        )
        if is_drawn:
            with log.crashes(), log.step("draw", source=believed) as step:
                step.result = drawn = answer.draw(in_place)
            if in_place:
                shot = Screenshot(drawn, shot.name)
            answer = replace(answer, shot=shot, _drawn=drawn)
        return replace(answer, seconds=log.seconds, steps=tuple(log.steps))
    except FlowvisionError as error:
        opened = log.steps[0].result if log.steps else None
        picture = opened if isinstance(opened, Screenshot) else None
        name = picture.name if picture else name
        return Answer(name, options, look, picture, tuple(log.steps), error=error)
    except ObserverError as stopped:
        raise stopped.error from None


class Answer(ShownBoard, Struct, frozen=True, eq=False):
    """A board that was read from a picture, or a puzzle, with its solution; ``print`` shows the solution.

    A refused picture has an ``error``, which its board and solution raise. ``name``: of the file;
    ``options``, ``look``: as given. ``shot``: the picture, already rotated. ``steps``: of the run;
    ``seconds``: of each stage. ``doubts``: those in ``warnings``, as data. ``confidence``: 0 to 1.
    ``other_board``: the box of another board that was read. ``state``: of the board in the picture,
    ``empty``, ``started`` or ``solved``; ``pipes``: per flow, the edges that are drawn on it.

    Not for users: ``_seen``, the board in the picture and its place; ``_given``, the puzzle of an answer
    without a picture; ``_solved``, the solver's result; ``_drawn``, the picture with the solution if it was
    drawn at once.
    """

    name: str
    options: Options = Options()
    look: Look = PLAIN
    shot: Screenshot | None = None
    steps: tuple[Step, ...] = ()
    _seen: Reading | None = None
    _given: NamedPuzzle | None = None
    _solved: Solved | None = None
    doubts: tuple[Doubt, ...] = ()
    confidence: float = 0.0
    other_board: CropBox | None = None
    state: State = "empty"
    pipes: tuple[frozenset[int], ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    _drawn: Bgr | None = None
    error: FlowvisionError | None = None

    @property
    def reading(self) -> Reading:
        """The board, its dots, its place in the picture, the reader's confidence."""
        reading = self._raised()._seen
        assert reading is not None, "a puzzle without a picture"
        return reading

    @property
    def outcome(self) -> Solved:
        """The solver's result."""
        solved = self._raised()._solved
        assert solved is not None
        return solved

    @property
    def _named(self) -> NamedPuzzle:
        """The puzzle with its letters."""
        if self._given is not None:
            return self._given
        return NamedPuzzle(self.name, self.reading.board, self.reading.puzzle, self.reading.letters)

    @property
    def puzzle(self) -> Puzzle:
        """The board without its solution."""
        return Puzzle(self._named)

    @property
    def palette(self) -> tuple[Rgb, ...]:
        """The colours of the flows, as seen."""
        return self._seen.palette if self._seen else super().palette

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about the answer, a sentence each."""
        return self._warnings_for(PYTHON)

    def _warnings_for(self, words: Words) -> tuple[str, ...]:
        """Return the warnings; ``words``: advice for Python, the command line or the page."""
        return tuple(doubt.words(words).message for doubt in self.doubts)

    @property
    def doubtful(self) -> bool:
        """True when something casts doubt on the board or its solution."""
        return any(doubt.weight for doubt in self.doubts)

    @property
    def unique(self) -> bool | None:
        """True for the only solution, ``None`` if time ran out."""
        return self.outcome.unique

    @property
    def solution(self) -> tuple[str, ...]:
        """The rows, each cell with the letter of its flow. Empty for boards without rows."""
        return tuple(str(self).splitlines()) if self._named.board.lattice is not None else ()

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows with their paths; for a picture, also in pixels."""
        from flowvision.render.curves import lines_of

        board, flows = self._named.board, list[Flow]()
        for flow, path in zip(super().flows, self.outcome.solution.paths, strict=True):
            lines = () if self._given else map(self.reading.frame.to_px, lines_of(board, path))
            cells = tuple(place_of(board, strand) for strand in path.vertices)
            flows.append(replace(flow, path=cells, path_px=tuple(lines)))
        return tuple(flows)

    @property
    def difficulty(self) -> Difficulty:
        """Difficulty for a person: its ``grade``, ``score`` and ``steps``.

        Raises ``GaveUpError`` after 30 seconds.
        """
        from flowvision.solvers import TimeIsUpError
        from flowvision.solvers.deductions import difficulty

        try:
            return difficulty(self._named.puzzle, self.outcome.solution)
        except TimeIsUpError:
            raise GaveUpError("The difficulty was not found within 30 s.") from None

    @property
    def _known(self) -> frozenset[int]:
        """The edges of the solution that are drawn already."""
        known = (drawn.intersection(path.edges) for drawn, path in self._pipes)
        return frozenset[int]().union(*known)

    @property
    def _finished(self) -> frozenset[int]:
        """The edges of the flows that are drawn from dot to dot as in the solution."""
        finished = (drawn for drawn, path in self._pipes if drawn == set(path.edges))
        return frozenset[int]().union(*finished)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Letters of the flows whose drawn pipes contradict the solution."""
        pipes = zip(self._named.letters, self._pipes, strict=False)
        return tuple(letter for letter, (drawn, path) in pipes if not drawn.issubset(path.edges))

    @property
    def _pipes(self) -> Iterable[tuple[frozenset[int], Path]]:
        """Per flow, the edges that are drawn on the board, and its path; none if nothing is drawn."""
        return zip(self.pipes, self.outcome.solution.paths, strict=False)

    @property
    def _pictured(self) -> Answer:
        """The answer with a picture: a puzzle without one is drawn on a plain board.

        Raises ``PuzzleInvalidError`` when the box round all cells is larger than a picture can show.
        """
        if self.shot is not None:
            return self._raised()
        from flowvision.render.board_look import draw_board

        named, palette = self._named, self.palette
        box_width, box_height = np.ptp(named.board.layout.corners, axis=0)
        if box_width * box_height > MAX_AREA:
            raise PuzzleInvalidError("The board is too large to be drawn.", "Read the solution as text.")
        base, frame = draw_board(named.board, named.puzzle, palette)
        reading = Reading(
            named.board, named.puzzle, frame, palette, confidence=1.0, ends_px=(), names=tuple(named.letters)
        )
        return replace(self, shot=Screenshot(base, self.name), _seen=reading)

    @property
    def picture(self) -> Bgr:
        """The picture with the solution on it, (H, W, 3) uint8 in BGR."""
        return self.draw() if self._drawn is None else self._drawn

    def draw(self, in_place: bool = False, **changes: Any) -> Bgr:
        """Draw the solution on a copy of the picture; a board that is solved already stays as it is.

        Pipes of the board that are not in the solution are erased. ``in_place``: draw on the picture itself.
        ``changes``: fields of the look to replace.
        """
        answer = self._pictured
        reading, shot, look = answer.reading, answer.shot, answer._look_on_board
        assert shot is not None
        if not changes and self.state == "solved" and not reading.given:
            look = replace(look, pipes=False)
        solution, look = self.outcome.solution, replace(look, **changes)
        return draw_solution(
            shot.bgr, reading.board, solution, reading.frame, reading.palette, look, in_place
        )

    @property
    def _look_on_board(self) -> Look:
        """The look, completed with the board's drawn pipes, dots and letters."""
        reading = self.reading
        look = replace(self.look, drawn=self.pipes, given=reading.given)
        if look.letters is not True or self._given:
            return look
        return replace(look, letters=reading.letters, lettered=reading.lettered)

    def _encoded(self, form: Form) -> bytes:
        """Return the content of a file in this form."""
        if form.content == "picture":  # needs none of the modules for other forms
            return encode(self.picture, form.suffixes[0])
        from flowvision.export.pictures import encoded

        return encoded(self, form)

    def _in_colours(self, depth: Depth, shown_edges: Collection[int] | None = None) -> str:
        """Return the solved board as text.

        ``depth``: bits of its colours. ``shown_edges``: draw these edges alone.
        """
        from flowvision.render.text import solved_text

        named, solution, colours = self._named, self.outcome.solution, undimmed(self.palette)
        return solved_text(named.board, named.puzzle, solution, named.letters, colours, depth, shown_edges)

    def hint(self, kind: str | int = "next") -> HintSteps:
        """Return a part of the solution that continues the pipes drawn already.

        ``kind``: ``"next"`` the easiest next step, ``"forced"`` all forced steps, ``"flow"`` the easiest
        flow, the letter or colour of a flow, or a number of flows. Raises ``PuzzleInvalidError`` for others.
        """
        from flowvision.export.pictures import HintSteps

        if isinstance(kind, bool):
            raise wrong_type("kind", kind, 'a kind, such as "next"')
        check_type("kind", kind, (str, Integral), 'a kind, a letter, a colour or a number, such as "next"')
        return HintSteps.of(self, str(kind), self._known)

    def hints(self) -> Iterator[HintSteps]:
        """Yield one hint after the other, each continuing those before, until the board is full."""
        from flowvision.export.pictures import HintSteps

        answer, drawn = self._pictured, self._known
        while (steps := HintSteps.of(answer, "next", drawn)).edges - drawn:
            yield steps
            drawn |= steps.edges

    def corrected(self, changes: Mapping[Any, str] | Correction | Sequence[Correction]) -> Answer:
        """Read the picture again with corrections, or marks by cell: ``{(2, 3): "R", (0, 1): "."}``.

        Raises ``PuzzleInvalidError`` for impossible changes, ``UnsolvableError`` without a solution.
        """
        from flowvision.corrections import Correction, SetCell

        if isinstance(changes, Mapping):
            changes = [SetCell(cell, mark) for cell, mark in changes.items()]
        added = (changes,) if isinstance(changes, Correction) else changes
        check_type("changes", added, (list, tuple), "marks by cell, such as {(2, 3): 'R'}, or corrections")
        return self._again(corrections=(*self.options.corrections, *added))._raised()._kept()

    def _again(self, **changes: Any) -> Answer:
        """Read the picture again, with all steps; ``changes``: options to replace."""
        if self.shot is None:
            raise TypeError("There is no picture to read again.")
        options = with_fields(self.options, **changes)
        # The shot is turned already.
        again = answer_to(self.shot, with_fields(options, rotate=0.0), look=self.look)
        return replace(again, options=options)

    def _kept(self) -> Answer:
        """Return the answer without steps and spare pictures, to save memory."""
        return replace(self, steps=(), _drawn=None, shot=None if self.error else self.shot)

    def _raised(self) -> Answer:
        """Return this answer, or raise its ``error``."""
        if self.error is not None:
            raise self.error
        return self

    def to_dict(
        self,
        geometry: bool = False,
        output: str | None = None,
        hint: HintSteps | None = None,
        is_solved: bool = True,
    ) -> Object:
        """Return the object that ``--json`` prints; ``geometry``: with that of ``--geometry``.

        ``output``: where the picture is written. ``hint``: replaces the paths. ``is_solved``: the solution is
        wanted too; without it the object is that of ``flowvision read``.
        """
        from flowvision import contract

        check_flags(geometry=geometry, is_solved=is_solved)
        check_type("output", output, (str, type(None)), "the path of the picture")
        if hint is not None:
            from flowvision.export.pictures import HintSteps

            check_type("hint", hint, HintSteps, "a hint of this answer")
        if self.error is not None:
            return contract.error_object(self.name, self.error)
        if self._given is not None:
            return contract.puzzle_object(self._given, self.outcome)
        outcome = self.outcome if is_solved else None
        result = contract.board_and_flows(self.name, self.reading, outcome)
        for flow, colour, ends in zip(result["flows"], self.palette, self.reading.ends_px, strict=True):
            flow |= {"rgb": colour.hex, "ends_px": contract.points(ends, digits=0)}
        result |= {
            "state": self.state,
            "confidence": self.confidence,
            "reading_confidence": self.reading.confidence,
            "seconds": self.seconds,
        }
        more = {"warnings": list(self._warnings_for(COMMAND)), "doubtful": self.doubtful}
        more |= {"other_board_crop": list(self.other_board or ()), "corrected": self.reading.corrected}
        result |= {name: value for name, value in more.items() if value}
        if is_solved:
            result["output"] = output
        if geometry:
            result |= contract.geometry_object(self.reading)
            for entry, flow in zip(result["flows"], () if hint else self.flows, strict=False):
                entry["path_px"] = [contract.points(line) for line in flow.path_px]
        return contract.with_hint(result, hint.to_dict()) if hint else result

    def __str__(self) -> str:
        return self._in_colours(0) if self.error is None else str(self.error)

    def _repr_png_(self) -> bytes | None:
        """Return what a notebook shows; nothing but the text of a refusal."""
        return super()._repr_png_() if self.error is None else None

    def __repr__(self) -> str:
        if self.error is not None:
            return f"<Answer {self.name!r}: refused, {self.error.code}>"
        unique = {True: "unique", False: "not unique", None: "perhaps unique"}[self.unique]
        board = count_of(len(self._named.letters), "flow") if self._given else self.reading.size
        doubts = ", " + count_of(len(self.doubts), "doubt") if self.doubts else ""
        confidence = f"confidence {self.confidence:g}"
        return f"<Answer {self.name!r}: {board}, {unique}, {confidence}{doubts}>"


class Puzzle(ShownBoard, Struct, frozen=True, eq=False):
    """A puzzle without its answer; ``print`` shows it as text, files show it on white."""

    _named: NamedPuzzle

    @property
    def picture(self) -> Bgr:
        """The board on white, as it is printed, (H, W, 3) uint8 in BGR."""
        return picture_on_paper(self._named)

    def _encoded(self, form: Form) -> bytes:
        """Return a file in this form. Raises ``OutputError`` if it cannot hold a puzzle."""
        from flowvision.export.pictures import on_paper

        return on_paper(self._named, form)

    @with_known_names()
    def solve(self, seconds: float = 30.0, look: Look = PLAIN, rules: Rules | None = None) -> Answer:
        """Return its answer; ``unique`` is about solutions under ``rules``.

        By default these are the strict ones, or the free ones if there is no strict solution.

        Raises ``UnsolvableError``, and ``GaveUpError`` after ``seconds``.
        """
        check_seconds("seconds", seconds)
        check_type("look", look, Look, "a Look, such as Look(letters=True)")
        check_rules(rules)
        from flowvision.puzzle_tools.report import solved

        outcome = solved(self._named, seconds, rules)
        return Answer(self._named.name, look=look, _given=self._named, _solved=outcome, confidence=1.0)

    @with_known_names()
    def count(self, at_most: int = 100, seconds: float = 30.0, rules: Rules | None = None) -> Count:
        """Count its solutions as ``solve`` does, up to ``at_most``; ``complete``: there are no more."""
        from flowvision.solvers.counting import count_solutions

        check_whole("at_most", at_most, lower=1)
        check_seconds("seconds", seconds)
        check_rules(rules)
        return count_solutions(self._named.puzzle, at_most, seconds, rules)

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        flows = count_of(len(self._named.letters), "flow")
        return f"<Puzzle {self._named.name!r}: {flows}>"


def check_rules(rules: object) -> None:
    """Raise ``ValueError`` for rules that there are not."""
    check_type("rules", rules, (str, type(None)), GIVE_RULES)
    if rules not in (None, *get_args(Rules)):
        raise ValueError(f"rules is {shown(rules)}: give {GIVE_RULES}.")
