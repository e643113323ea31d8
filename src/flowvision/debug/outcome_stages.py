"""The solver's answer as pictures: clauses, the solution with its proof, the overlay, what was refused."""

from __future__ import annotations

import numpy as np

from flowvision.debug.canvas import (
    GREEN,
    GREY,
    RED,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    Panel,
    Scene,
    banner,
    bgr_of,
    board_box,
    panels_of,
    write,
)
from flowvision.debug.early_stages import PAPER, WHOLE_PX
from flowvision.image.picture import Bgr
from flowvision.render.look import SEEN_DOT
from flowvision.render.overlay import draw_solution
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, has_one_strict_solution
from flowvision.solvers.base import CnfEvidence
from flowvision.vision.reading import Reading

UNIQUE = {True: "the only one", False: "not the only one", None: "perhaps not the only one"}
RULES = {"strict": " in which no path touches itself", "free": "; a path may touch itself"}
BAR_PX = 340
"""The longest bar of clauses."""


@panels_of.register
def _(outcome: Solved, scene: Scene) -> list[Panel]:
    reading = scene.reading
    drawn = draw_solution(scene.shot.bgr, reading.board, outcome.solution, reading.frame, reading.palette)
    canvas = Canvas(drawn, board_box(reading.board, reading.frame))
    words = f"Solution: {UNIQUE[outcome.unique]}{RULES[outcome.rules]}"
    proof = {
        True: " With that solution forbidden the clauses contradict each other: there is no other.",
        False: " With that solution forbidden another one was found.",
        None: " The time was up before another one was found or ruled out.",
    }[outcome.unique]
    caption = f"{words}, found and checked in {outcome.seconds * 1000:.1f} ms.{proof}"
    colour = GREEN if has_one_strict_solution(outcome) else RED
    sheet = banner(canvas.bgr, words, colour)
    solved = drawn if scene.solved is None else scene.solved
    overlay = Canvas(solved, side_px=min(WHOLE_PX, max(solved.shape[:2])))
    return [
        *_cnf(outcome, reading, scene),
        Panel("07-solution.png", "Solution and proof", caption, sheet),
        Panel("08-overlay.png", "Overlay", "The solution drawn over the picture.", overlay.bgr),
    ]


@panels_of.register
def _(reading: Reading, scene: Scene) -> list[Panel]:
    return [_refuted(reading, scene, "Refused: what was read, beside the picture")]


@panels_of.register(Unsolvable)
@panels_of.register(GaveUp)
def _(outcome: Unsolvable | GaveUp, scene: Scene) -> list[Panel]:
    words = "No solution" if isinstance(outcome, Unsolvable) else "No answer in time"
    return [*_cnf(outcome, scene.reading, scene), _refuted(scene.reading, scene, words)]


def cnf_words(evidence: CnfEvidence, outcome: Outcome) -> str:
    """What the clauses took, in a sentence."""
    variables, clauses = (sum(n for _, n in kinds) for kinds in (evidence.variables, evidence.clauses))
    return (
        f"{variables:,} variables and {clauses:,} clauses for {evidence.solver}; {evidence.conflicts:,} "
        f"conflicts, {evidence.decisions:,} decisions, {outcome.seconds * 1000:.1f} ms; {evidence.loops_cut} "
        f"loops without a dot and {evidence.touches_cut} paths beside themselves were cut off on the way."
    )


def _cnf(outcome: Outcome, reading: Reading, scene: Scene) -> list[Panel]:
    """The variables where they lie on the board, and the clauses by rule."""
    evidence = outcome.evidence
    if evidence is None:
        return []
    board, frame = reading.board, reading.frame
    canvas = Canvas(np.zeros_like(scene.shot.bgr), board_box(reading.board, reading.frame))
    colour_of: dict[int, Colour] = {}
    if isinstance(outcome, Solved):
        for path, colour in zip(outcome.solution.paths, reading.palette, strict=True):
            colour_of |= dict.fromkeys(path.edges, bgr_of(colour))
    for edge, strokes in enumerate(board.layout.strokes):
        for stroke in strokes:
            canvas.line(frame.to_px(stroke), colour_of.get(edge, GREY), 12 if edge in colour_of else 2)
    for cell in board.layout.cells:
        canvas.circle(frame.to_px(cell.centre), 0.05 * frame.narrow_px(cell.centre), WHITE, -1)
    sheet = np.full((max(canvas.bgr.shape[0], 560), canvas.bgr.shape[1], 3), PAPER, np.uint8)
    sheet[: canvas.bgr.shape[0]] = canvas.bgr
    caption = (
        "Every line is a variable: whether a path crosses that side"
        f"{' (thick and coloured: true)' if colour_of else ''}. {cnf_words(evidence, outcome)}"
    )
    return [Panel("06-cnf.png", "CNF", caption, np.vstack((sheet, _bars(evidence, sheet.shape[1]))))]


def _bars(evidence: CnfEvidence, width: int) -> Bgr:
    """How many clauses each rule has, as bars."""
    rows = evidence.clauses
    sheet = np.full((30 + 74 * len(rows), width, 3), PAPER, np.uint8)
    most = max((count for _, count in rows), default=1) or 1
    for number, (name, count) in enumerate(rows):
        top = 20 + 74 * number
        write(sheet, f"{count:,} clauses: {name.replace('×', 'x')}", (14, top + 18), WHITE, 0.9)
        sheet[top + 30 : top + 50, 14 : 16 + round(count / most * min(BAR_PX, width - 30))] = YELLOW
    return sheet


def _refuted(reading: Reading, scene: Scene, words: str) -> Panel:
    """The puzzle as it was read, drawn cleanly beside the picture it was read from."""
    layout, box = reading.board.layout, board_box(reading.board, reading.frame)
    seen, drawn = Canvas(scene.shot.bgr, box), Canvas(np.zeros_like(scene.shot.bgr), box)
    for cell in layout.cells:
        drawn.line(reading.frame.to_px(cell.outline), GREY, 2, closed=True)
    for pair, colour in zip(reading.puzzle.terminals, reading.palette, strict=True):
        for strand in pair:
            centre = layout.cell_at(strand).centre
            radius_px = SEEN_DOT * reading.frame.narrow_px(centre)
            drawn.circle(reading.frame.to_px(centre), radius_px, bgr_of(colour), -1)
    flows = len(reading.puzzle.terminals)
    caption = f"Left: the picture. Right: what was read, {len(layout.cells)} cells and {flows} pairs of dots."
    sheet = banner(np.hstack((seen.bgr, drawn.bgr)), words, RED)
    return Panel("07-solution.png", words, caption, sheet)
