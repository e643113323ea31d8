"""Gather what the debug page shows of a run: cause, pictures, attempts."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from flowvision.advice import COMMAND, Advice, Option, Without, is_whole
from flowvision.debug.canvas import Panel, Scene, panels_of
from flowvision.debug.cause_picture import CAUSE, cause_panel
from flowvision.debug.stages import WHOLE_PX  # noqa: F401 (registers the pictures of the stages)
from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.seen import given_options, picture_in
from flowvision.errors import FlowvisionError
from flowvision.export.answer import Answer
from flowvision.image.picture import Bgr, Screenshot
from flowvision.log import Stage, Step
from flowvision.puzzle.text import format_puzzle
from flowvision.reading.candidates import Candidate, CheckedReading
from flowvision.reading.doubt import Doubt
from flowvision.reading.options import Options
from flowvision.reading.wording import Explanation, explain
from flowvision.solvers import Outcome, Solved
from flowvision.value import ancestors, find_ancestor
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import box_of
from flowvision.vision.dots.detection import DotHypothesis
from flowvision.vision.kinds.fit import Fit

PANEL_OF: dict[Stage, str] = {
    "decode": "00-input.png",
    "board": "01-board.png",
    "grid": "03-grid.png",
    "sides": "03b-sides.png",
    "dots": "04-dots.png",
    "pairs": "05-clusters.png",
    "solve": "07-solution.png",
}
"""Picture of each stage at which a cause may show."""
UNNAMED = Screenshot.__struct_defaults__[0]
"""Name of pixels without a file."""


@dataclass(frozen=True, eq=False)
class Story:
    """Content of the page. ``latest``: the result that the pictures end at."""

    final: CheckedReading | FlowvisionError
    steps: Sequence[Step]
    options: Options
    shot: Screenshot | None
    latest: object
    panels: list[Panel]
    diagnosis: Diagnosis | None = None

    @property
    def cause(self) -> Doubt | None:
        """Cause of a refusal."""
        return self.diagnosis.cause if self.diagnosis else None

    @property
    def explanation(self) -> Explanation:
        """Words of the cause, or of the error where there is no picture."""
        if self.diagnosis:
            return explain(self.diagnosis.cause)
        message, hint = self.error.words(COMMAND) if self.error else ("", "")
        return Explanation(message, "", hint)

    @property
    def choice(self) -> Fit | None:
        """The fit that a person would choose, if the error is about another one."""
        return self.diagnosis.seen.choice if self.diagnosis else None

    @property
    def board_text(self) -> str:
        """The board in the text form of puzzles; empty where none was read."""
        reading: object = reading_of(self.latest)
        if isinstance(self.final, CheckedReading):
            reading = self.final.reading
        elif self.diagnosis:
            reading = reading or self.diagnosis.seen.error.evidence
        if not isinstance(reading, Reading):
            return ""
        return format_puzzle(reading.board, reading.puzzle, reading.letters)

    @property
    def command(self) -> str:
        """Command to type next."""
        advice = self.cause.advice if self.cause else None
        return command_of(self.shot, self.options, reading_of(self.latest), advice)

    @property
    def is_command_advised(self) -> bool:
        """Tell if the command carries all advice about a refusal."""
        advice = self.cause.advice if self.cause else ()
        return bool(advice) and all(map(is_whole, advice))

    @property
    def culprit(self) -> Panel | None:
        """Picture of the stage at which the cause shows."""
        shown = {panel.name: panel for panel in self.panels if panel.name != CAUSE}
        wanted = shown.get(PANEL_OF[self.cause.stage]) if self.cause else None
        return wanted or (shown[max(shown)] if shown else None)

    @property
    def marked(self) -> Panel | None:
        """Picture with the cause of a refusal marked."""
        return next((panel for panel in self.panels if panel.name == CAUSE), None)

    @property
    def outcome(self) -> Outcome | None:
        """The solver's outcome for the board that was read."""
        candidate = find_ancestor(self.latest, Candidate)
        return candidate.outcome if candidate else None

    @property
    def error(self) -> FlowvisionError | None:
        """Error in place of an answer."""
        return self.final if isinstance(self.final, FlowvisionError) else None


def story_of(answer: Answer) -> Story:
    """Return the story of an answer with its steps."""
    steps, options, shot = answer.steps, answer.options, picture_in(answer.steps)
    if answer.error is not None:
        return _refused(steps, options, answer.error, shot)
    latest = latest_of(answer)
    panels = panels_on(latest, solved=answer.drawn)
    return Story(answer.checked, steps, options, shot, latest, panels)


def _refused(
    steps: Sequence[Step], options: Options, error: FlowvisionError, shot: Screenshot | None
) -> Story:
    """Return the story of a refusal; without a picture it has only words."""
    if shot is None:
        return Story(error, steps, options, None, None, [])
    diagnosis = error.diagnosis or Diagnosis(error.origin, steps, options)
    seen, cause = diagnosis.seen, diagnosis.cause
    panels = panels_on(seen.latest, seen.error.evidence, is_refused=True)
    panels.append(cause_panel(cause, Scene(seen.shot, seen.latest)))
    panels.sort(key=lambda panel: panel.name)
    return Story(error, steps, options, shot, seen.latest, panels, diagnosis)


def latest_of(answer: Answer) -> object:
    """Return the result that the answer was made of, or the error was raised at."""
    error, steps = answer.error, answer.steps
    if error is not None:
        failed = [step for step in steps if step.error is error.origin]
        return failed[-1].source if failed else None
    for step in steps:
        if step.stage == "draw":
            return step.source
    for step in steps:
        source = find_ancestor(step.source, Interpretation)
        if isinstance(step.result, Solved) and source and source.reading is answer.reading:
            return Candidate(source, step.result)
    return None


def reading_of(latest: object) -> Reading | None:
    """Return the board that led to a result."""
    interpretation = find_ancestor(latest, Interpretation)
    return interpretation.reading if interpretation else None


def panels_on(
    latest: object, evidence: object = None, is_refused: bool = False, solved: Bgr | None = None
) -> list[Panel]:
    """Return the pictures of a result's ancestors and of the ``evidence`` at its end, by name.

    The reading is drawn if it has no outcome, or was refused.
    """
    shot, reading = find_ancestor(latest, Screenshot), reading_of(latest)
    if shot is None:
        return []
    scene, candidate = Scene(shot, latest, solved), find_ancestor(latest, Candidate)
    results = [one for one in ancestors(latest) if not isinstance(one, DotHypothesis)][::-1]
    is_solved = candidate is not None and isinstance(candidate.outcome, Solved)
    # The later of two pictures of one name counts.
    ends = [reading, candidate and candidate.outcome][:: -1 if is_refused and is_solved else 1]
    results += [one for one in (*ends, evidence) if one is not None and not any(one is x for x in results)]
    panels = {panel.name: panel for result in results for panel in panels_of(result, scene)}
    return [panels[name] for name in sorted(panels)]


def command_of(
    shot: Screenshot | None, options: Options, reading: Reading | None, advice: Sequence[Advice] | None
) -> str:
    """Return the command to type next, with the advice about a refusal, or with what was read."""
    if shot is None:
        return ""
    given = given_options(options) | ({"rotate": f"{options.rotate:g}"} if options.rotate else {})
    if reading is not None and advice is None:
        lattice = reading.board.squares
        given.setdefault("crop", ",".join(map(str, box_of(reading.board, reading.frame, shot))))
        if lattice is not None:
            given.setdefault("grid", f"{lattice.cols}x{lattice.rows}")
    for item in advice or ():
        if isinstance(item, Option | Without):
            given.pop(item.name, None)
    parts: list[Advice] = [Option(key, value) for key, value in given.items()]
    parts += [item for item in advice or () if not isinstance(item, Without)]
    name = shlex.quote(shot.name) if shot.name not in ("", UNNAMED) else "SHOT"
    return f"flowvision {name} {COMMAND.advice(parts)}".strip()
