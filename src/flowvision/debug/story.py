"""The story of a picture, gathered for people: its cause, all pictures and numbers."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

# Each registers the pictures of its stages.
import flowvision.debug.early_stages
import flowvision.debug.late_stages  # noqa: F401
from flowvision.debug.canvas import Panel, Scene, panels_of
from flowvision.debug.cause_picture import CAUSE, cause_panel
from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.cause import Advice, Cause, given_options
from flowvision.diagnosis.seen import picture_in
from flowvision.diagnosis.wording import Explanation
from flowvision.errors import FlowvisionError
from flowvision.events import Event, Stage, StageDone, Trail
from flowvision.image.picture import Bgr, Screenshot
from flowvision.pipeline import SolvedPicture
from flowvision.puzzle.text import format_free, format_puzzle
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.history import RegionRecord, StrategyRecord, regions_of
from flowvision.reading.options import Options
from flowvision.reading.refused import solved_trail, trail_of_error
from flowvision.solvers import Outcome, Solved
from flowvision.vision.assembly import Reading
from flowvision.vision.board import box_of
from flowvision.vision.settings import SETTINGS

Final = SolvedPicture | CheckedReading | FlowvisionError
CAPTION = "What the sentence speaks of, marked in the picture as it was given."
PANEL_OF: dict[Stage, str] = {
    "decode": "00-input.png",
    "board": "01-board.png",
    "grid": "03-grid.png",
    "sides": "03b-sides.png",
    "dots": "04-dots.png",
    "pairs": "05-clusters.png",
    "solve": "07-solution.png",
}
"""The picture of each stage that a cause may show at."""

UNNAMED = Screenshot.__dataclass_fields__["name"].default
"""The name of pixels without a file."""


@dataclass(frozen=True, eq=False)
class Story:
    """All that the page says. ``trail``: the results that the pictures show. ``diagnosis``: of a refusal."""

    final: CheckedReading | FlowvisionError
    events: Sequence[Event]
    options: Options
    shot: Screenshot | None
    trail: Trail
    panels: list[Panel]
    regions: list[RegionRecord]
    diagnosis: Diagnosis | None = None

    @property
    def cause(self) -> Cause | None:
        """Why the picture was refused."""
        return self.diagnosis.cause if self.diagnosis else None

    @property
    def explanation(self) -> Explanation:
        """The cause in words, or those of the error, where that is about no picture."""
        if self.diagnosis:
            return self.diagnosis.explanation
        words = self.error.command_words if self.error else None
        return Explanation(words.message, "", words.hint) if words else Explanation("", "", "")

    @property
    def choice(self) -> StrategyRecord | None:
        """The reading that a person would choose, where the error is about another one."""
        return self.diagnosis.seen.choice if self.diagnosis else None

    @property
    def board_text(self) -> str:
        """The board that was read in the text form of puzzles; empty where none was."""
        if isinstance(self.final, CheckedReading):
            reading: object = self.final.reading
        else:
            reading = self.trail.reading or (self.diagnosis and self.diagnosis.seen.error.evidence)
        if not isinstance(reading, Reading):
            return ""
        written = format_free if reading.lattice is None else format_puzzle
        return written(reading.board, reading.puzzle, reading.letters)

    @property
    def command(self) -> str:
        """What to type next."""
        return command_of(self.shot, self.options, self.trail, self.cause.advice if self.cause else None)

    @property
    def is_command_advised(self) -> bool:
        """Whether the command carries all that is advised about a refusal."""
        advice = self.cause.advice if self.cause else ()
        return bool(advice) and all(item.is_whole for item in advice)

    @property
    def culprit(self) -> Panel | None:
        """The first stage's picture that is not as it should be: the one that shows the cause."""
        shown = {panel.name: panel for panel in self.panels if panel.name != CAUSE}
        wanted = shown.get(PANEL_OF[self.cause.stage]) if self.cause else None
        return wanted or (shown[max(shown)] if shown else None)

    @property
    def marked(self) -> Panel | None:
        """The picture with the cause marked in it, of a refusal."""
        return next((panel for panel in self.panels if panel.name == CAUSE), None)

    @property
    def outcome(self) -> Outcome | None:
        """The solver's outcome for the board that was read."""
        return self.trail.outcome

    @property
    def error(self) -> FlowvisionError | None:
        """Why there is no answer."""
        return self.final if isinstance(self.final, FlowvisionError) else None


def story_of(events: Sequence[Event], options: Options, final: Final, name: str = "") -> Story:
    """The story of a picture from what was announced; ``name``: what it is called for people."""
    shot = picture_in(events)
    if shot is not None and name:
        shot = replace(shot, name=name)
    if isinstance(final, FlowvisionError):
        return _refused(events, options, final, shot)
    solved = final.picture if isinstance(final, SolvedPicture) else None
    final = final.checked if isinstance(final, SolvedPicture) else final
    trail = trail_of(events, final)
    panels = panels_on(trail, None, options, solved=solved)
    return Story(final, events, options, shot, trail, panels, regions_of(events, options))


def _refused(
    events: Sequence[Event], options: Options, error: FlowvisionError, shot: Screenshot | None
) -> Story:
    """The story of a refusal; without a picture there is nothing but its words."""
    if shot is None:
        return Story(error, events, options, None, Trail(), [], [])
    found = error.failure.explanation if error.failure else None
    diagnosis = found if isinstance(found, Diagnosis) else Diagnosis(error.origin, events, options)
    seen, cause = diagnosis.seen, diagnosis.cause
    panels = panels_on(seen.trail, seen.error.evidence, options, is_refused=True)
    scene = Scene(seen.shot, seen.trail, SETTINGS)
    panels.append(cause_panel(cause.marks, CAPTION, scene, _title(cause)))
    panels.sort(key=lambda panel: panel.name)
    return Story(error, events, options, shot, seen.trail, panels, seen.regions, diagnosis)


def _title(cause: Cause) -> str:
    """The title of the marked picture where an option is wrong; empty elsewhere."""
    if not cause.option:
        return ""
    is_fine = any(one.came == "solved" for one in cause.advice)
    return f"`{cause.option}` is wrong{', the picture is fine' if is_fine else ' for this picture'}"


def trail_of(events: Sequence[Event], final: Final) -> Trail:
    """The results that lead to the answer, or to the error."""
    if isinstance(final, FlowvisionError):
        return trail_of_error(events, final.origin)
    for event in events:
        if isinstance(event, StageDone) and event.stage == "draw":
            return event.trail
    for event in events:
        if isinstance(event, StageDone) and event.stage == "solve" and final.reading is event.trail.reading:
            return solved_trail(event)
    return Trail()


def panels_on(
    trail: Trail, evidence: object, options: Options, is_refused: bool = False, solved: Bgr | None = None
) -> list[Panel]:
    """The pictures of every result on the way, and of the evidence at its end, in the order of their names.

    The reading itself is drawn only where there is no outcome after it, or where it was refused.
    """
    if trail.shot is None:
        return []
    scene = Scene(trail.shot, trail, SETTINGS, solved)
    results = list(trail)
    if evidence is not None and not any(result is evidence for result in results):
        results.append(evidence)
    panels = {panel.name: panel for result in results for panel in panels_of(result, scene)}
    if is_refused and isinstance(trail.outcome, Solved):
        panels.pop("08-overlay.png")
        panels |= {panel.name: panel for panel in panels_of(scene.reading, scene)}
    return [panels[name] for name in sorted(panels)]


def command_of(
    shot: Screenshot | None, options: Options, trail: Trail, advice: Sequence[Advice] | None
) -> str:
    """The command that goes on from here, with the advice about a refusal, or with what was read."""
    if shot is None:
        return ""
    said = {"--rotate": f"{options.rotate:g}"} if options.rotate else {}
    said |= given_options(options)
    if trail.reading is not None and advice is None:
        lattice = trail.reading.board.squares
        said.setdefault("--crop", ",".join(map(str, box_of(trail.reading.board, trail.reading.frame, shot))))
        if lattice is not None:
            said.setdefault("--grid", f"{lattice.cols}x{lattice.rows}")
    for one in advice or ():
        said.pop(one.option, None)
    parts = [f"{key} {value}" for key, value in said.items()]
    parts += [one.text for one in advice or () if one.value]
    name = shlex.quote(shot.name) if shot.name not in ("", UNNAMED) else "SHOT"
    return " ".join(["flowvision", name, *parts])
