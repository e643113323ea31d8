"""Three verbs: open a screenshot, read its board, check it with the solver."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError, PuzzleInvalidError
from flowvision.files import MAX_BYTES, read_bytes
from flowvision.image.codec import damaged, decode
from flowvision.image.picture import Screenshot, as_bgr, check_shape, turned
from flowvision.log import Log
from flowvision.reading.options import Options
from flowvision.reading.other_board import larger_board
from flowvision.reading.play_state import keeping_drawn, with_state
from flowvision.reading.run import Believed, ReadingRun
from flowvision.reading.search import read_board
from flowvision.vision.pixels.lines import forget_lines

if TYPE_CHECKING:
    from PIL.Image import Image

Source: TypeAlias = "str | os.PathLike[str] | bytes | IO[bytes] | NDArray[np.uint8] | Image | Screenshot"
"""A path (``-``: standard input), an encoded picture or an open file of one, an array of BGR pixels, a Pillow
image, or a ``Screenshot``."""


def read(source: Source, options: Options, log: Log, name: str = "") -> tuple[Screenshot, Believed]:
    """Open a screenshot, called ``name``, and read its board; return the picture and what is believed.

    Raises a ``FlowvisionError`` that says which stage failed and what it saw.
    """
    try:
        # These are about the source, not about its picture, and pass unchanged; others become our errors.
        with log.crashes(TypeError, ValueError, OSError), log.step("decode") as step:
            shot = open_image(source, options.rotate)
            step.result = shot = replace(shot, name=name) if name else shot
        with log.crashes():
            run = ReadingRun.begin(shot, options, log)
            believed = with_state(_diagnosed(run), run)
            return shot, keeping_drawn(believed, run) if options.keep_drawn else believed
    except FlowvisionError as error:
        if error.steps:  # it has ended already
            raise
        raise error.ended(log) from None
    finally:
        forget_lines()


def read_picture(run: ReadingRun) -> Believed:
    """Read the board of an open picture, or the larger one of two, and correct it by hand.

    Raises the most telling ``FlowvisionError``.
    """
    try:
        # regions → lattices → sides → dots → pairs → solve → doubts, until one is believed; then its walls
        board = read_board(run)
        board = larger_board(board, run)
    except FlowvisionError as error:
        if not run.options.corrections:
            raise
        return _corrected(error, run)
    return _corrected(board, run) if run.options.corrections else board


def _corrected(before: Believed | FlowvisionError, run: ReadingRun) -> Believed:
    from flowvision.reading.corrected import corrected

    return corrected(before, run)


def _diagnosed(run: ReadingRun) -> Believed:
    """Read an open picture; raise a refusal with a ``Diagnosis``, which finds its cause."""
    try:
        return read_picture(run)
    except FlowvisionError as error:
        if isinstance(error, PuzzleInvalidError) or error.draft is not None:  # about the corrections
            raise
        from flowvision.diagnosis import Diagnosis

        diagnosis = Diagnosis(error, tuple(run.log.steps), run.options, read_picture, run.seconds_left)
        with run.log.step("doubts", "cause") as step:
            step.result = diagnosis.measured
        raise error.ended(run.log, diagnosis) from None


def open_image(source: Source, rotate: float = 0.0) -> Screenshot:
    """Decode a picture and turn it clockwise by ``rotate`` degrees. Raises ``ImageUnreadableError``."""
    if isinstance(source, Screenshot):
        shot = source
    elif isinstance(source, np.ndarray):
        shot = Screenshot(as_bgr(source))
        check_shape(shot.bgr.shape[1], shot.bgr.shape[0])
    elif isinstance(source, bytes):
        shot = decode(source)
    elif isinstance(source, str | os.PathLike):
        shot = decode(read_bytes(source), os.fspath(source))
    elif hasattr(source, "read"):
        data: object = source.read(MAX_BYTES + 1)
        if not isinstance(data, bytes):
            raise TypeError('The file was opened as text; open it with mode "rb".')
        shot = decode(data)
    else:
        shot = _screenshot_of(source)
    return turned(shot, rotate) if rotate else shot


def _screenshot_of(image: Image) -> Screenshot:
    """Return the screenshot of a Pillow image. Raises ``TypeError`` for anything else."""
    from flowvision.image.picture import bgr_of, is_pillow

    if not is_pillow(image):
        raise TypeError(
            f"{image!r:.40} is no screenshot: give a path, bytes, an open file, pixels or a Pillow image."
        )
    check_shape(*image.size)
    try:
        return Screenshot(bgr_of(image))
    except Exception as error:  # its decoders raise whatever they like
        raise damaged(error) from error
