"""Four verbs: open a screenshot, read its board, solve it, draw the solution.

Nothing here draws or prints; an observer is told what every stage found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from flowvision.errors import FlowvisionError, ImageUnreadableError, shortage_of
from flowvision.files import read_bytes
from flowvision.image.codec import decode, encode
from flowvision.image.opening import check_shape
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import as_bgr, opaque_where_drawn, turned
from flowvision.log import Log, Observer
from flowvision.reading.candidates import Candidate, CheckedReading
from flowvision.reading.options import Options
from flowvision.reading.other_board import read_larger_board
from flowvision.reading.play_state import keeping_drawn, with_state
from flowvision.reading.reading_run import ReadingRun
from flowvision.render.look import PLAIN, Look
from flowvision.render.overlay import draw_over, draw_solution
from flowvision.solvers import Solved
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.settings import SETTINGS, Settings

if TYPE_CHECKING:
    from PIL.Image import Image

Source: TypeAlias = "str | os.PathLike[str] | bytes | NDArray[np.uint8] | Image | Screenshot"
"""A path (``-``: standard input), an encoded picture, an array of BGR pixels, a Pillow image, or a
``Screenshot``."""


class SolvedPicture(Struct, frozen=True, eq=False):
    """A checked reading, and the ``picture`` with its solution drawn on it: (H, W, 3) BGR.

    ``alpha``: how opaque it is, (H, W), where the screenshot was transparent; what is drawn is opaque.
    """

    checked: CheckedReading
    picture: Bgr
    alpha: NDArray[np.uint8] | None = None

    @property
    def reading(self) -> Reading:
        """The reading."""
        return self.checked.reading

    @property
    def outcome(self) -> Solved:
        """The outcome of the solver."""
        return self.checked.outcome

    def __repr__(self) -> str:
        """The reading in a line."""
        return repr(self.checked).replace("CheckedReading", "SolvedPicture", 1)

    def __str__(self) -> str:
        """The solved board as text."""
        from flowvision.render.text import solved_text

        reading = self.reading
        letters = reading.letters
        return solved_text(reading.board, reading.puzzle, self.outcome.solution, letters)

    def encoded(self, suffix: str = ".png") -> bytes:
        """The picture as PNG or JPEG; a PNG is as transparent as the screenshot was."""
        return encode(self.picture, suffix, self.alpha)


def solve_image(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    in_place: bool = False,
    look: Look = PLAIN,
    settings: Settings = SETTINGS,
) -> SolvedPicture:
    """The solved picture of a screenshot.

        answer = solve_image("shot.png", Options(seconds=5))

    ``source``: a path, encoded bytes, an (H, W, 3) uint8 array of BGR pixels, a Pillow image or a
    ``Screenshot``. ``observer``: called with every ``Step`` as it happens.
    ``in_place``: drawn on the decoded picture itself, or on the pixels given: what the observer was shown of
    them changes too. ``look``: what is drawn and how; pipes of the board that are not in the solution are
    taken off it, and a board that is solved already stays as it is. Raises a ``FlowvisionError`` that says
    which stage failed and what it saw.
    """
    options = options or Options()
    with _logged(observer) as log:
        run = _opened(source, options, log, settings)
        checked, interpretation = _read(run)
        # A picture that was decoded here, and shown to nobody, is needed no more as it was.
        is_own = observer is None and isinstance(source, str | os.PathLike | bytes)
        shot = run.shot
        over = (in_place or is_own) and shot.alpha is None
        with log.step("draw", source=Candidate(interpretation, checked.outcome)) as step:
            step.result = picture = drawn_on(shot, checked, look, over)
    checked = replace(checked, seconds=log.seconds)
    return SolvedPicture(checked, picture, opaque_where_drawn(shot.alpha, shot.bgr, picture))


@contextmanager
def _logged(observer: Observer | None) -> Iterator[Log]:
    """Give the error that leaves a run its stage and the times of all stages."""
    log = Log(observer)
    try:
        yield log
    except FlowvisionError as error:
        raise (error if error.steps else error.ended(log)) from None


def _opened(source: Source, options: Options, log: Log, settings: Settings) -> ReadingRun:
    with log.step("decode") as step:
        step.result = shot = open_image(source, options.rotate)
    return ReadingRun.begin(shot, options, log, settings)


def drawn_on(shot: Screenshot, checked: CheckedReading, look: Look = PLAIN, in_place: bool = False) -> Bgr:
    """Draw the solution on the picture; a board that is solved already stays as it is."""
    reading, look = checked.reading, look_on(look, checked)
    if checked.state == "solved" and not reading.given:
        look = replace(look, pipes=False)
    draw = draw_over if in_place else draw_solution
    return draw(shot.bgr, reading.board, checked.outcome.solution, reading.frame, reading.palette, look)


def look_on(look: Look, checked: CheckedReading) -> Look:
    """A look with the pipes and dots that are drawn on a board, and with its letters where none are named."""
    reading = checked.reading
    look = replace(look, drawn=checked.drawn, given=reading.given)
    if look.letters is not True:
        return look
    return replace(look, letters=reading.letters, lettered=reading.lettered)


def read_image(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    settings: Settings = SETTINGS,
) -> CheckedReading:
    """Read a screenshot and check it with the solver; nothing is drawn.

    Takes and raises what ``solve_image`` does.
    """
    options = options or Options()
    with _logged(observer) as log:
        checked, _ = _read(_opened(source, options, log, settings))
    return replace(checked, seconds=log.seconds)


def _read(run: ReadingRun) -> tuple[CheckedReading, Interpretation]:
    """The reading to believe, with the corrections that somebody made, and what is drawn on the board."""
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


def board_part(reading: Reading, picture: Bgr) -> Bgr:
    """The part of a picture round the board, with a little of what surrounds it."""
    corners = reading.frame.to_px(reading.board.layout.corners)
    margin = reading.frame.cell_width_px(reading.board.layout.cells[0].centre) / 12
    (x0, y0), (x1, y1) = np.array((corners.min(axis=0) - margin, corners.max(axis=0) + margin)).astype(int)
    return picture[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]


def open_image(source: Source, rotate: float = 0.0) -> Screenshot:
    """The decoded picture, turned clockwise by ``rotate`` degrees. Raises ``ImageUnreadableError``."""
    if isinstance(source, Screenshot):
        shot = source
    elif isinstance(source, np.ndarray):
        shot = Screenshot(as_bgr(source))
        check_shape(shot.bgr.shape[1], shot.bgr.shape[0])
    elif isinstance(source, bytes):
        shot = _decoded(source)
    elif isinstance(source, str | os.PathLike):
        shot = _decoded(read_bytes(source), os.fspath(source))
    else:
        shot = _screenshot_of(source)
    return turned(shot, rotate) if rotate else shot


def _decoded(data: bytes, name: str = "screenshot") -> Screenshot:
    return replace(decode(data, name), encoded=data)


def _screenshot_of(image: Image) -> Screenshot:
    """The pixels of a Pillow image, which may be loaded, and found damaged, only now."""
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
