"""Four verbs: open a screenshot, read its board, check it with the solver, draw the solution."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError, ImageUnreadableError, shortage_of
from flowvision.files import MAX_BYTES, read_bytes
from flowvision.image.codec import decode
from flowvision.image.opening import check_shape
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import as_bgr, turned
from flowvision.log import Log, Observer
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.options import Options
from flowvision.reading.other_board import read_larger_board
from flowvision.reading.play_state import keeping_drawn, with_state
from flowvision.reading.reading_run import ReadingRun
from flowvision.render.look import PLAIN, Look
from flowvision.render.overlay import draw_over, draw_solution
from flowvision.vision.assembly import Interpretation
from flowvision.vision.settings import SETTINGS, Settings

if TYPE_CHECKING:
    from PIL.Image import Image

Source: TypeAlias = "str | os.PathLike[str] | bytes | IO[bytes] | NDArray[np.uint8] | Image | Screenshot"
"""A path (``-``: standard input), an encoded picture or an open file of one, an array of BGR pixels, a Pillow
image, or a ``Screenshot``."""


Read = tuple[Screenshot, CheckedReading, Interpretation]
"""The picture, the reading to believe, and what led to it."""


def read_image(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    settings: Settings = SETTINGS,
) -> CheckedReading:
    """Read a screenshot and check it with the solver; nothing is drawn.

        checked = read_image("shot.png", Options(seconds=5))

    ``observer``: called with every ``Step`` as it happens. Raises a ``FlowvisionError`` that says which stage
    failed and what it saw.
    """
    return read(source, options or Options(), Log(observer), settings)[1]


def read(source: Source, options: Options, log: Log, settings: Settings = SETTINGS, name: str = "") -> Read:
    """Open and read a screenshot, called ``name``. Raises as ``read_image`` does."""
    try:
        with log.step("decode") as step:
            shot = open_image(source, options.rotate)
            step.result = shot = replace(shot, name=name) if name else shot
        checked, interpretation = _believed(ReadingRun.begin(shot, options, log, settings))
    except FlowvisionError as error:
        raise (error if error.steps else error.ended(log)) from None
    return shot, replace(checked, seconds=log.seconds), interpretation


def _believed(run: ReadingRun) -> tuple[CheckedReading, Interpretation]:
    """Return the reading to believe, with the corrections that were given, and what is drawn on the board."""
    if run.options.corrections:
        from flowvision.reading.corrected import read_corrected

        checked, interpretation = read_corrected(run)
    else:
        try:
            checked, interpretation = read_larger_board(run)
        except FlowvisionError as error:
            from flowvision.diagnosis import Diagnosis

            raise error.ended(run.log, Diagnosis(error, tuple(run.log.steps), run.options)) from None
    checked = with_state(checked, interpretation, run)
    return keeping_drawn(checked, interpretation, run) if run.options.keep_drawn else checked, interpretation


def drawn_on(shot: Screenshot, checked: CheckedReading, look: Look = PLAIN, in_place: bool = False) -> Bgr:
    """Draw the solution on a copy of the picture; a board that is solved already stays as it is.

    Pipes of the board that are not in the solution are erased. ``in_place``: on the picture itself: a large
    one is then in memory once.
    """
    reading, look = checked.reading, look_on(look, checked)
    if checked.state == "solved" and not reading.given:
        look = replace(look, pipes=False)
    draw = draw_over if in_place else draw_solution
    return draw(shot.bgr, reading.board, checked.outcome.solution, reading.frame, reading.palette, look)


def look_on(look: Look, checked: CheckedReading) -> Look:
    """Return a look with the pipes and dots that are drawn on a board, and its letters if none are named."""
    reading = checked.reading
    look = replace(look, drawn=checked.drawn, given=reading.given)
    if look.letters is not True:
        return look
    return replace(look, letters=reading.letters, lettered=reading.lettered)


def open_image(source: Source, rotate: float = 0.0) -> Screenshot:
    """Decode a picture and turn it clockwise by ``rotate`` degrees. Raises ``ImageUnreadableError``."""
    if isinstance(source, Screenshot):
        shot = source
    elif isinstance(source, np.ndarray):
        shot = Screenshot(as_bgr(source))
        check_shape(shot.bgr.shape[1], shot.bgr.shape[0])
    elif isinstance(source, bytes):
        shot = _decoded(source)
    elif isinstance(source, str | os.PathLike):
        shot = _decoded(read_bytes(source), os.fspath(source))
    elif hasattr(source, "read"):
        shot = _decoded(_content(source))
    else:
        shot = _screenshot_of(source)
    return turned(shot, rotate) if rotate else shot


def _decoded(data: bytes, name: str = "screenshot") -> Screenshot:
    return replace(decode(data, name), encoded=data)


def _content(file: Any) -> bytes:
    try:
        data: object = file.read(MAX_BYTES + 1)
    except UnicodeDecodeError:
        data = ""
    if not isinstance(data, bytes):
        raise TypeError('The file was opened as text; open it with mode "rb".')
    return data


def _screenshot_of(image: Image) -> Screenshot:
    """Return the pixels of a Pillow image; lazy ones are decoded now and may be damaged."""
    from flowvision.image.pixels import bgr_of, is_pillow

    if not is_pillow(image):
        raise TypeError(
            f"{image!r:.40} is no screenshot: give a path, bytes, an open file, pixels or a Pillow image."
        )
    check_shape(*image.size)
    try:
        return Screenshot(bgr_of(image))
    except Exception as error:  # its decoders raise whatever they like
        raise shortage_of(error) or ImageUnreadableError(f"The picture is damaged: {error}.") from error
