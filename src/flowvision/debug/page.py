"""The debug page: one HTML file with cause, pictures and attempts, and the folder of pictures beside it.

Results of stages are linked to what they were made from, their ancestors; the latest one leads to all others.
"""

from __future__ import annotations

import os
import re
import shlex
from base64 import b64encode
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from html import escape
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from flowvision import __version__
from flowvision.arguments import check_flags, check_type
from flowvision.debug.canvas import CAUSE, Panel, Scene, board_box, cause_panel, inside, panels_of
from flowvision.debug.stages import channel_name
from flowvision.diagnosis import Diagnosis, picture_in
from flowvision.doubts import Words
from flowvision.errors import OutputError
from flowvision.export.answer import Answer
from flowvision.export.board import pillow_of
from flowvision.files import (
    HTML_MARK,
    PRIVATE,
    StrPath,
    is_marked,
    make_folder,
    marked,
    refuse_replacing,
    write_bytes,
    write_text,
)
from flowvision.image.codec import encode
from flowvision.image.picture import Bgr, Screenshot
from flowvision.log import Step, ancestors, find_ancestor
from flowvision.pipeline import read_picture
from flowvision.puzzle.text import format_puzzle
from flowvision.reading.options import Options
from flowvision.reading.run import Believed, Candidate
from flowvision.solvers import GaveUp, Solved, Unsolvable
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import Dots
from flowvision.vision.header import Header
from flowvision.vision.kinds.fit import Fit
from flowvision.words import COMMAND, Advice, Option, Without, count_of, is_whole, printable

if TYPE_CHECKING:  # it takes as long to load as a small picture to solve
    from jinja2 import Environment

WEBP_QUALITY, THREADS = 80, 2
"""Quality of the page's pictures; threads that compress them: Pillow and OpenCV release the GIL."""
UNIQUE = {True: "exactly one solution", False: "more than one solution", None: "perhaps several solutions"}
PAGE = "index.html"


def render(name: str, **values: object) -> str:
    """Return the page of a template, such as ``debug/page.html``."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> Environment:
    """Return the environment of all templates, with filters for sentences and commands."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup, escape

    def spaced(typed: str) -> Markup:
        """Mark up text to type, so that a line breaks between words only."""
        return Markup(re.sub(r"[^ ]+", r"<span>\g<0></span>", str(escape(typed))))

    def marked_up(match: re.Match[str]) -> str:
        return f"<code>{spaced(Markup(match[1]))}</code>"

    def code(sentence: str) -> Markup:
        """Mark up a sentence whose parts to type stand between backticks."""
        escaped = str(escape(printable(sentence)))
        return Markup(re.sub(r"`([^`]*)`", marked_up, escaped))

    environment = Environment(
        loader=PackageLoader("flowvision", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"code": code, "spaced": spaced, "count_of": count_of, "printable": printable}
    environment.globals |= {"mark": Markup(HTML_MARK), "version": __version__}
    return environment


class Story(Struct, frozen=True, eq=False):
    """Content of the page. ``latest``: the result that the panels end at. ``diagnosis``: of a refusal."""

    answer: Answer
    shot: Screenshot | None
    latest: object
    panels: list[Panel]
    diagnosis: Diagnosis | None = None

    @property
    def marked(self) -> Panel | None:
        """Picture with the cause of a refusal marked."""
        return next((panel for panel in self.panels if panel.name == CAUSE), None)


def story_of(answer: Answer) -> Story:
    """Return the story of an answer with its steps; without a picture it has only words."""
    error, shot = answer.error, picture_in(answer.steps)
    if error is None:
        latest = _latest(answer)
        return Story(answer, shot, latest, _panels(answer, latest))
    if shot is None:
        return Story(answer, shot=None, latest=None, panels=[])
    # ``origin``: the error as its stage raised it, of which the answer's is a copy with words of the cause.
    diagnosis = error.diagnosis or Diagnosis(error.origin, answer.steps, answer.options, read_picture)
    latest = diagnosis.latest or shot
    # The evidence is that of the attempt that is reported, which another error may have ended.
    panels = _panels(answer, latest, diagnosis.error.evidence)
    panels.append(cause_panel(diagnosis.cause, Scene(shot, latest)))
    return Story(answer, shot, latest, sorted(panels, key=lambda panel: panel.name), diagnosis)


def _latest(answer: Answer) -> object:
    """Return the result behind an answer that was not refused, drawn or not."""
    for step in answer.steps:
        if step.stage == "draw":
            return step.source
    for step in answer.steps:
        source = find_ancestor(step.source, Interpretation)
        if isinstance(step.result, Solved) and source and source.reading is answer.reading:
            return Candidate(source, step.result)
    return None


def reading_of(latest: object) -> Reading | None:
    """Return the board that led to a result."""
    interpretation = find_ancestor(latest, Interpretation)
    return interpretation.reading if interpretation else None


def _panels(answer: Answer, latest: object, evidence: object = None) -> list[Panel]:
    """Return the panels of a result's ancestors, of what was read, and of the ``evidence``, by name."""
    shot = find_ancestor(latest, Screenshot)
    solved = find_ancestor(latest, Believed) or find_ancestor(latest, Candidate)
    if shot is None:
        return []
    reading, outcome = reading_of(latest), solved and solved.outcome
    # Of two panels with one name, the later result's is used: a refused board is shown as it was read.
    is_refused = answer.error and isinstance(outcome, Solved)
    ends = (outcome, reading) if is_refused else (reading, outcome)
    headers = [step.result for step in answer.steps if isinstance(step.result, Header)]
    results = (*reversed(list(ancestors(latest))), *headers, *ends, evidence)
    # A reading may also be an ancestor: by identity, each result is drawn once.
    distinct = {id(result): result for result in results if result is not None}
    scene = Scene(shot, latest, answer._drawn)
    panels = {panel.name: panel for result in distinct.values() for panel in panels_of(result, scene)}
    return [panels[name] for name in sorted(panels)]


def command_of(shot: Screenshot | None, options: Options, advice: Sequence[Advice]) -> str:
    """Return the command to type next: the one that was typed, changed as the advice says.

    Empty without a picture.
    """
    if shot is None:
        return ""
    typed = options.given  # by name; a new mapping at each look, so changes stay here
    if options.rotate:  # not among those
        typed |= {"rotate": f"{options.rotate:g}"}
    for item in advice:
        if isinstance(item, Option | Without):
            typed.pop(item.name, None)
    parts: list[Advice] = [Option(key, value) for key, value in typed.items()]
    parts += [item for item in advice if not isinstance(item, Without)]
    name = shlex.quote(shot.name) if shot.name not in ("", "screenshot") else "SHOT"
    return f"flowvision {name} {COMMAND.advice(parts)}".strip()


class DebugPage(str):
    """A page, one HTML file with everything in it; notebooks show it."""

    __slots__ = ()

    def save(self, path: StrPath, force: bool = False) -> None:
        """Write the page; with ``force``, also over files of other programs. Raises ``OutputError``."""
        check_type("path", path, (str, os.PathLike), "the path of a file")
        check_flags(force=force)
        if not force:
            refuse_replacing(path)
        write_text(path, self)

    def _repr_html_(self) -> str:
        return f"<iframe srcdoc='{escape(self)}' style='width:100%;height:80vh;border:0'></iframe>"


def page_of(story: Story) -> DebugPage:
    """Return the whole page."""
    with ThreadPoolExecutor(THREADS) as threads:
        addresses = threads.map(_address, [panel.bgr for panel in story.panels])
        sources = dict(zip((panel.name for panel in story.panels), addresses, strict=True))
    in_order = (panel for panel in story.panels if panel.name != CAUSE)
    by_stage = groupby(in_order, lambda panel: panel.name.split("-")[0])
    answer, diagnosis = story.answer, story.diagnosis
    message, hint = answer.error.words(COMMAND) if answer.error else ("", "")
    cause = diagnosis.cause if diagnosis else None
    advice = cause.advice if cause else ()
    is_advised = bool(advice) and all(map(is_whole, advice))
    page = render(
        "debug/page.html",
        story=story,
        error=answer.error,
        explanation=cause.words() if cause else Words(message, means="", todo=hint),
        board_text=_board_text(story),
        command=command_of(story.shot, answer.options, advice) if is_advised else "",
        warnings=answer._warnings_for(COMMAND),
        shot=_shot(story),
        sources=sources,
        unique=UNIQUE,
        stages=[list(panels) for _, panels in by_stage],
        steps=[(step, end_of(step)) for step in answer.steps],
    )
    return DebugPage(page)


def _board_text(story: Story) -> str:
    """Return the board that was answered, or else refused, in the text form; empty if none was read."""
    answer = story.answer
    reading = answer.reading if answer.error is None else reading_of(story.latest)
    return format_puzzle(reading.board, reading.puzzle, reading.letters) if reading else ""


def _shot(story: Story) -> dict[str, object]:
    """Return the name and size of the picture, and the box of its board, for the template."""
    if story.shot is None:
        return {"name": "A file", "width": 0, "height": 0}
    height, width = story.shot.bgr.shape[:2]
    shot: dict[str, object] = {"name": story.shot.name, "width": width, "height": height}
    if story.answer.error is None:
        reading = story.answer.reading
        shot["board"] = inside(board_box(reading.board, reading.frame), width, height)
    return shot


def _address(bgr: Bgr) -> str:
    """Return a picture as an address (a ``data:`` URL) that holds it."""
    file = BytesIO()
    pillow_of(bgr).save(file, "WEBP", quality=WEBP_QUALITY, method=0)
    return f"data:image/webp;base64,{b64encode(file.getvalue()).decode()}"


def end_of(step: Step) -> str:  # noqa: PLR0911
    """Return the outcome of a step in words; empty for plain success."""
    if step.error is not None:
        doubt = f"refused, {step.error.doubt.code}: " if step.error.doubt else ""
        return f"{doubt}{step.error.sentence}"
    match step.result:
        case None:
            return "found nothing"
        case BoardRegion() as region:
            return channel_name(region.view.channel)
        case Fit() as fit:
            return fit.size_text()
        case Dots() as dots:
            return f"{len(dots.dots)} dots"
        case Unsolvable():
            return "no solution"
        case GaveUp():
            return "no answer in time"
        case Solved(rules="free"):
            return "a solution, but a path touches itself"
        case Solved() as solved:
            return UNIQUE[solved.unique]
    return ""


def write_story(folder: Path, story: Story) -> Path:
    """Write the page and the pictures of a story; return the path of the page.

    Pictures of an earlier run are removed. Raises ``OutputError``.
    """
    make_folder(folder)
    elsewhere = "Choose another folder with `--debug`."
    if (folder / PRIVATE).exists():
        raise OutputError(f"{folder} is the output folder of a batch, with its index.html.", elsewhere)
    for name in (PAGE, *(panel.name for panel in story.panels)):
        refuse_replacing(folder / name, elsewhere)
    for path in filter(is_marked, folder.glob("0*-*.png")):
        with suppress(OSError):
            path.unlink()
    with ThreadPoolExecutor(THREADS) as threads:
        encoded = threads.map(encode, [panel.bgr for panel in story.panels])
        for panel, data in zip(story.panels, encoded, strict=True):
            write_bytes(folder / panel.name, marked(data))
    write_text(folder / PAGE, page_of(story))
    return folder / PAGE
