"""What happened to a picture, gathered for people: what to look at first, all pictures and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

# Each registers the pictures of its stages.
import flowvision.debug.early_stages
import flowvision.debug.late_stages
import flowvision.debug.other_fits
import flowvision.debug.outcome_stages  # noqa: F401
from flowvision.debug.attempts import Attempt, Region, attempts_of, regions_of
from flowvision.debug.choice import appeal_of, choice_of, grid_option, leaves_out_dots
from flowvision.debug.command import PLACEHOLDERS, command_of, filled_option
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.findings import findings_of
from flowvision.debug.marks import CAUSE, cause_panel
from flowvision.debug.panels import panels_of
from flowvision.debug.scene import Panel, Scene
from flowvision.errors import FlowvisionError
from flowvision.events import STAGES, Event, StageDone, StageFailed, Trail
from flowvision.image.picture import Bgr, Screenshot
from flowvision.palette import letters_for
from flowvision.puzzle.text import format_puzzle
from flowvision.reading.options import Options
from flowvision.reading.result import CheckedReading
from flowvision.solvers import Outcome, Solved
from flowvision.vision.dots.result import Dots, Pairing
from flowvision.vision.reading import Reading

Final = CheckedReading | FlowvisionError
CLEARER = 1.25
"""A reading that a person would choose appeals so many times as much as the one that the error is about."""
CAPTION = "What the sentence speaks of, marked in the picture as it was given."


@dataclass(frozen=True, eq=False)
class Story:
    """All that the page says.

    ``trail``: the results that the pictures show. ``choice``: the reading that a person would choose, where
    the error is about another one. ``command``: what to type next.
    """

    final: Final
    events: Sequence[Event]
    options: Options
    shot: Screenshot | None
    trail: Trail
    panels: list[Panel]
    regions: list[Region]
    findings: tuple[Finding, ...]
    choice: Attempt | None
    board_text: str
    command: str

    @property
    def option(self) -> str:
        """What to add to the command, such as ``--grid 7x7``; empty where nothing seen would help."""
        option = filled_option(self.findings, self.choice, self.trail)
        return "" if any(word in option for word in PLACEHOLDERS) else option

    @property
    def culprit(self) -> Panel | None:
        """The first stage's picture that is not as it should be: the one that shows what was found first."""
        shown = {panel.name: panel for panel in self.panels if panel.on_page and panel.name != CAUSE}
        wanted = next((shown[one.panel] for one in self.findings if one.panel in shown), None)
        return wanted or (shown[max(shown)] if shown else None)

    @property
    def cause(self) -> Panel | None:
        """The picture with the cause marked in it, of a refusal."""
        return next((panel for panel in self.panels if panel.name == CAUSE), None)

    @property
    def outcome(self) -> Outcome | None:
        """What the solver made of what was read."""
        return self.trail.outcome

    @property
    def error(self) -> FlowvisionError | None:
        """Why there is no answer."""
        return self.final if isinstance(self.final, FlowvisionError) else None


def story_of(events: Sequence[Event], options: Options, final: Final, name: str = "") -> Story:
    """The story of a picture from what was announced; ``name``: what it is called for people."""
    regions = regions_of(events, options)
    trail, choice, findings, error = trail_of(events, final), None, tuple[Finding, ...](), None
    cause: Panel | None = None
    shot = trail.shot or _shot(events)
    if shot is not None and name:
        shot = replace(shot, name=name)
    if isinstance(final, FlowvisionError):
        final_fit = trail.fit
        choice = _clearer_choice(regions, trail)
        error = final
        if choice is not None:
            error, trail = _reached(events, choice, final)
        trail = _with_evidence(trail, error)
        if shot is not None:
            trail = trail if trail.shot else Trail(shot)
            seen = Seen(
                Scene(shot, trail, options.settings), error, final, options, final_fit, regions, choice
            )
            findings = findings_of(seen)
            cause = cause_panel(findings[0].marks, CAPTION, seen.scene)
        else:
            findings = (Finding("", final.message),)
    evidence, solved = error.evidence if error else None, getattr(final, "picture", None)
    panels = panels_on(trail, evidence, options, error is not None, solved)
    if cause is not None:
        panels = sorted([*panels, cause], key=lambda panel: panel.name)
    reading = trail.reading or getattr(error, "evidence", None)
    text = board_text(reading) if isinstance(reading, Reading) else ""
    command = command_of(shot, options, findings, choice, trail)
    return Story(final, events, options, shot, trail, panels, regions, findings, choice, text, command)


def trail_of(events: Sequence[Event], final: Final) -> Trail:
    """The results that lead to the answer, or to the error."""
    if isinstance(final, FlowvisionError):
        failed = [event for event in events if isinstance(event, StageFailed) and event.error is final]
        return _with_outcome(events, failed[-1].trail) if failed else Trail()
    for event in events:
        if isinstance(event, StageDone) and event.stage == "draw":
            return event.trail
    for event in events:
        if isinstance(event, StageDone) and event.stage == "solve" and final.reading is event.trail.reading:
            return event.trail.with_(outcome=event.result)
    return Trail()


def panels_on(
    trail: Trail, evidence: object, options: Options, is_refused: bool = False, solved: Bgr | None = None
) -> list[Panel]:
    """The pictures of every result on the way, and of the evidence at its end, in the order of their names.

    The reading itself is drawn only where there is no outcome after it, or where it was refused.
    """
    if trail.shot is None:
        return []
    scene = Scene(trail.shot, trail, options.settings, solved)
    results = list(trail)
    if evidence is not None and not any(result is evidence for result in results):
        results.append(evidence)
    panels = {panel.name: panel for result in results for panel in panels_of(result, scene)}
    if is_refused and isinstance(trail.outcome, Solved):
        panels.pop("08-overlay.png")
        panels |= {panel.name: panel for panel in panels_of(scene.reading, scene)}
    return [panels[name] for name in sorted(panels)]


def board_text(reading: Reading) -> str:
    """The board that was read in the text form of puzzles, where it has rows and columns."""
    if reading.lattice is None:
        return ""
    return format_puzzle(reading.board, reading.puzzle, letters_for(reading.palette))


def _with_outcome(events: Sequence[Event], trail: Trail) -> Trail:
    """The trail with what the solver made of its reading."""
    if trail.reading is None:
        return trail
    for event in events:
        if isinstance(event, StageDone) and event.stage == "solve" and event.trail.reading is trail.reading:
            return trail.with_(outcome=event.result)
    return trail


def _with_evidence(trail: Trail, error: FlowvisionError) -> Trail:
    """The trail with what the stage that failed had."""
    match error.evidence:
        case Dots() as dots:
            return trail.with_(dots=dots)
        case Pairing() as pairing:
            return trail.with_(pairing=pairing)
    return trail


def _shot(events: Sequence[Event]) -> Screenshot | None:
    for event in events:
        if isinstance(event, StageDone) and isinstance(event.result, Screenshot):
            return event.result
    return None


def _clearer_choice(regions: Sequence[Region], trail: Trail) -> Attempt | None:
    """What a person would choose, where that is clearly another than what the error is about."""
    attempts = attempts_of(regions)
    choice = choice_of(attempts)
    if choice is None or choice.fit is trail.fit or leaves_out_dots(choice, attempts):
        return None
    own = next((one for one in attempts if one.fit is trail.fit), None)
    if own is None:
        return choice
    is_same = grid_option(own) and grid_option(own) == grid_option(choice)
    return None if is_same or appeal_of(choice) < CLEARER * appeal_of(own) else choice


def _reached(
    events: Sequence[Event], choice: Attempt, final: FlowvisionError
) -> tuple[FlowvisionError, Trail]:
    """The error that a reading ended with, and the results it had."""
    failed = [event for event in events if isinstance(event, StageFailed) and event.trail.fit is choice.fit]
    if not failed:
        return final, choice.trail
    furthest = max(failed, key=lambda event: STAGES.index(event.stage))
    return furthest.error, _with_outcome(events, furthest.trail)
