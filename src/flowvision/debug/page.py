"""The page that tells the story of a picture, from the verdict down: one file that can be sent.

The debug folder has it as ``index.html``, with numbered pictures and all numbers beside it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import escape
from importlib import resources
from io import BytesIO
from itertools import groupby
from pathlib import Path

from flowvision.debug.canvas import Panel, board_box, inside
from flowvision.debug.cause_picture import CAUSE
from flowvision.debug.numbers import debug_object
from flowvision.debug.page_parts import cnf_tables, copied, thresholds_by_stage, tried, with_code
from flowvision.debug.story import Story
from flowvision.errors import OutputError
from flowvision.files import (
    PRIVATE,
    StrPath,
    make_folder,
    refuse_replacing,
    theme_css,
    write_bytes,
    write_text,
)
from flowvision.image.codec import encode
from flowvision.image.mark import HTML_MARK, is_marked, marked
from flowvision.image.picture import Bgr
from flowvision.reading.candidates import CheckedReading
from flowvision.version import VERSION

PICTURES = {
    "00-input": "Input",
    "00b-cause": "The cause, marked",
    "01-board": "Contours and crop",
    "02-sobel-x": "Sobel-X",
    "02b-sobel-y": "Sobel-Y",
    "03-grid": "Hough lines and lattice",
    "03b-sides": "Cells and walls",
    "04-dots": "Dots",
    "05-clusters": "k-means clusters",
    "05-dots": "k-means clusters",
    "05b-crossings": "Bridges and warps",
    "06-cnf": "CNF",
    "07-solution": "Solution and proof",
    "08-overlay": "Overlay",
}
"""Every picture there can be, and its stage; those of one stage begin with one number."""
ASKED_SELDOM = ("00b", "05b")
STYLE, SCRIPT = (
    (resources.files("flowvision.debug") / name).read_text("utf-8") for name in ("page.css", "page.js")
)
INPUT, OVERLAY = "00-input.png", "08-overlay.png"
QUALITY, HANDS = 80, 2
"""WebP quality of the page's pictures; threads that compress them, which Pillow lets run side by side."""


class DebugPage(str):
    """A page as text, one HTML file with everything in it; a notebook shows it as it is."""

    __slots__ = ()

    def save(self, path: StrPath, force: bool = False) -> None:
        """Write the page, whole or not at all; with ``force`` also over what Flowvision did not write.

        Raises ``OutputError``.
        """
        if not force:
            refuse_replacing(path, is_marked, "Save elsewhere, or replace it with force=True.")
        write_text(path, self)

    def _repr_html_(self) -> str:
        return f"<iframe srcdoc='{escape(self)}' style='width:100%;height:80vh;border:0'></iframe>"


def page_of(story: Story) -> DebugPage:
    """The whole page; it needs nothing beside it."""
    shown = story.panels
    with ThreadPoolExecutor(HANDS) as hands:
        addresses = hands.map(_address, [panel.bgr for panel in shown])
        sources = dict(zip((panel.name for panel in shown), addresses, strict=True))
    top = _look_here(story, sources) if story.error else _compare(story, sources)
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        HTML_MARK,
        f"<meta name='viewport' content='width=device-width, initial-scale=1'><title>{escape(_name(story))}: "
        f"how it was read</title><style>{theme_css()}{STYLE}</style>",
        _shared_input(story, shown, sources),
        f"<main><h1>{_heading(story)}</h1>",
        f"<div class='top'>{_verdict(story)}{top}"
        f"<div class='more'>{_details(story)}{_board(story)}</div></div>"
        if story.error
        else _verdict(story) + top,
        "<h2>Every stage, in order</h2>",
        "<div class='stages'>",
        *_stages(story, shown, sources),
        "</div>",
        "<h2>What was tried</h2>",
        tried(story),
        "<h2>Numbers</h2>",
        thresholds_by_stage(story),
        f"<p class='dim'>flowvision {VERSION}</p></main><script>{SCRIPT}</script></html>\n",
    ]
    return DebugPage("\n".join(filter(None, parts)))


def _name(story: Story) -> str:
    return story.shot.name if story.shot else "A file"


def _heading(story: Story) -> str:
    size = f" · {story.shot.bgr.shape[1]} × {story.shot.bgr.shape[0]} pixels" if story.shot else ""
    return escape(_name(story)) + size


def _shared_input(story: Story, shown: Sequence[Panel], sources: dict[str, str]) -> str:
    """The picture itself, once: whatever shows it refers to this."""
    if story.shot is None or INPUT not in sources:
        return ""
    height, width = story.shot.bgr.shape[:2]
    return (
        "<svg width='0' height='0' style='position:absolute' aria-hidden='true'><defs>"
        f"<image id='shot' width='{width}' height='{height}' href='{sources[INPUT]}'/></defs></svg>"
    )


def _input(story: Story, alt: str) -> str:
    assert story.shot is not None
    height, width = story.shot.bgr.shape[:2]
    return (
        f"<svg viewBox='0 0 {width} {height}' width='{width}' height='{height}' role='img' "
        f"aria-label='{alt}'><use href='#shot'/></svg>"
    )


def _picture(story: Story, panel: Panel, sources: dict[str, str]) -> str:
    if panel.name == INPUT:
        return _input(story, "The picture as it was given")
    height, width = panel.bgr.shape[:2]
    return f"<img src='{sources[panel.name]}' width='{width}' height='{height}' alt='{escape(panel.title)}'>"


def _verdict(story: Story) -> str:
    if story.error is None:
        return _good_verdict(story)
    words = story.explanation
    lines = [f"<b>{with_code(words.says)}</b>"]
    if words.means:
        lines.append(f"<p>{with_code(words.means)}</p>")
    lines.append(f"<p class='next'><strong>What to do:</strong> {with_code(words.todo)}</p>")
    if story.cause and story.cause.advice and all(one.is_whole for one in story.cause.advice):
        lines.append(f"<p>{copied('try', story.command, 'code')}</p>")
    return f"<section class='verdict failed' aria-label='Verdict'>{''.join(lines)}</section>"


def _details(story: Story) -> str:
    """Details of a refusal: the error as it was raised, the check, other findings."""
    error = story.error
    if error is None:
        return ""
    lines = [f"<p>{escape(story.explanation.detail)}</p>"] if story.explanation.detail else []
    if story.culprit is not None:
        lines.append(f"<p>Seen first in the picture “{escape(story.culprit.title)}”.</p>")
    if story.choice is not None:
        lines.append(
            "<p>The pictures show what a person would choose of all that was seen: "
            f"{escape(story.choice.size)}. The error is about another reading, which came further.</p>"
        )
    lines.append(f"<p>The error, <code>{escape(error.code)}</code>: {escape(error.stage_message)}</p>")
    if error.refusal is not None:
        lines.append(f"<p>The check that refused it: {escape(str(error.refusal))}.</p>")
    return f"<details><summary>More about it, in numbers</summary>{''.join(lines)}</details>"


def _good_verdict(story: Story) -> str:
    final = story.final
    assert isinstance(final, CheckedReading)
    unique = {
        True: "exactly one solution",
        False: "more than one solution",
        None: "perhaps several solutions",
    }
    lines = [
        f"<b>Read {escape(final.reading.size)}: {unique[final.outcome.unique]}.</b>",
        f"<p>Confidence {final.confidence:.3g} of 1.</p>",
        *(f"<p class='bad'>{escape(warning)}</p>" for warning in final.warnings),
    ]
    return f"<section class='verdict' aria-label='Verdict'>{''.join(lines)}</section>"


def _look_here(story: Story, sources: dict[str, str]) -> str:
    """The picture with the cause marked in it."""
    cause = story.marked
    if cause is None or story.culprit is None:
        return ""
    return (
        f"<section class='look' aria-label='Look here first'><b>{with_code(cause.title)}</b>"
        f"<div class='pictures'>{_picture(story, cause, sources)}</div></section>"
    )


def _compare(story: Story, sources: dict[str, str]) -> str:
    """Input and overlay under a slider, and the board as text."""
    if OVERLAY not in sources:
        return _board(story)
    assert story.shot is not None
    assert isinstance(story.final, CheckedReading)
    height, width = story.shot.bgr.shape[:2]
    reading = story.final.reading
    x0, y0, x1, y1 = inside(board_box(reading.board, reading.frame), width, height)
    box = f"viewBox='{x0} {y0} {x1 - x0} {y1 - y0}' width='{x1 - x0}' height='{y1 - y0}' role='img'"
    slider = (
        f"<div class='slider' style='max-width: calc(72vh * {(x1 - x0) / (y1 - y0):.3f})'>"
        f"<svg {box} aria-label='The board as it was given'><use href='#shot'/></svg>"
        f"<svg {box} class='solved' aria-label='The same with its solution'>"
        f"<image width='{width}' height='{height}' href='{sources[OVERLAY]}'/></svg>"
        "<input type='range' min='0' max='100' value='0' "
        "aria-label='How much of the picture is shown without its solution'></div>"
    )
    return (
        f"<div class='pair'><div>{slider}<p class='dim'>Drag across the picture: left of the line it is as "
        f"it was given.</p></div><div>{_board(story)}</div></div>"
    )


def _board(story: Story) -> str:
    """The board that was read as text, and the command that goes on with a correction."""
    text = ""
    if story.board_text:
        text = f"<h2>The board as it was read</h2>{copied('board', story.board_text, 'pre')}"
    if story.error is not None or not story.command:
        return text
    return (
        f"{text}<h3>To go on with a correction</h3>{copied('command', story.command, 'pre')}"
        "<p class='dim'>The part (left, top, width and height in pixels) and the size (columns × rows) are "
        "those that were seen.</p>"
    )


def _stages(story: Story, shown: Sequence[Panel], sources: dict[str, str]) -> Iterable[str]:
    """Every stage with its pictures, in order; what was not reached at the end."""
    in_order = [panel for panel in shown if panel.name != CAUSE]
    reached = {
        number: list(group) for number, group in groupby(in_order, lambda panel: panel.name.split("-")[0])
    }
    for number, panels in reached.items():
        yield _stage(story, number, panels, sources)
    number_of = {name: name.split("-")[0] for name in PICTURES}
    left = dict.fromkeys(
        PICTURES[name] for name, n in number_of.items() if n not in (*reached, *ASKED_SELDOM)
    )
    if left:
        yield f"<p class='dim left'>Not reached: {', '.join(left)}.</p>"


def _stage(story: Story, number: str, panels: Sequence[Panel], sources: dict[str, str]) -> str:
    """A stage's pictures beside those of others; a click shows one as wide as the page."""
    first = panels[0]
    here = [panel for panel in panels if story.error is not None or panel.name != OVERLAY]
    pictures = "".join(
        f"<button type='button' class='picture' aria-label='{escape(panel.title)}: larger or smaller'>"
        f"{_picture(story, panel, sources)}</button>"
        for panel in here
    )
    is_marked = story.error is not None and story.culprit in panels
    note = "" if len(here) == len(panels) else " <em>Its board is shown above.</em>"
    mark = "<span class='bad'>✗ look here:</span> " if is_marked else ""
    more = cnf_tables(story) if number == "06" else ""
    return (
        f"<figure class='stage{' marked' if is_marked else ''}'><figcaption><b>{mark}"
        f"{escape(first.title)}</b></figcaption>{pictures}<p class='dim'>{with_code(first.caption)}{note}</p>"
        f"{more}</figure>"
    )


def _address(bgr: Bgr) -> str:
    """A picture as an address that holds it: WebP, a tenth of PNG; PNG where Pillow was built without."""
    from PIL import Image, features

    if not features.check("webp"):
        return f"data:image/png;base64,{b64encode(encode(bgr)).decode()}"
    file = BytesIO()
    Image.fromarray(bgr[:, :, ::-1]).save(file, "WEBP", quality=QUALITY, method=0)
    return f"data:image/webp;base64,{b64encode(file.getvalue()).decode()}"


PAGE, NUMBERS = "index.html", "debug.json"


def write_story(folder: Path, story: Story) -> Path:
    """Write the page, the pictures and the numbers of a story; the path of the page.

    Pictures of an earlier run are removed. Raises ``OutputError``.
    """
    make_folder(folder)
    _refuse_files_of_others(folder)
    for name in PICTURES:
        with suppress(OSError):
            (folder / f"{name}.png").unlink()
    _write_pictures(folder, story.panels)
    write_text(folder / NUMBERS, json.dumps(debug_object(story), indent=1, ensure_ascii=False))
    write_text(folder / PAGE, page_of(story))
    return folder / PAGE


def _refuse_files_of_others(folder: Path) -> None:
    """Raise ``OutputError`` for files of these names that belong to no debug page."""
    elsewhere = "Choose another folder with `--debug`."
    if (folder / PRIVATE).exists():
        raise OutputError(f"{folder} holds the solutions of a batch, and its page.", elsewhere)
    is_there = (folder / PAGE).exists()
    for name in (PAGE,) if is_there else (NUMBERS, *(f"{name}.png" for name in PICTURES)):
        refuse_replacing(folder / name, is_marked, elsewhere)


def _write_pictures(folder: Path, panels: Sequence[Panel]) -> None:
    with ThreadPoolExecutor(HANDS) as hands:
        encoded = hands.map(encode, [panel.bgr for panel in panels])
        for panel, data in zip(panels, encoded, strict=True):
            write_bytes(folder / panel.name, marked(data))
