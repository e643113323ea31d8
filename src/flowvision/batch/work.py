"""A worker's work on one job: read, solve, write. No error leaves it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field, replace
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from flowvision.batch.jobs import PARTS, Job, Outcome, failed, file_of
from flowvision.contract import answer_object, hint_object, hinted_object
from flowvision.errors import FlowvisionError, ImageUnreadableError, crash_of
from flowvision.files import (
    make_folder,
    put_file,
    read_bytes,
    refuse_links,
    refuse_overwriting,
    refuse_replacing,
)
from flowvision.image.codec import encode, pixels_in
from flowvision.image.mark import is_marked, marked
from flowvision.image.opening import foreign_kind
from flowvision.image.picture import Bgr, Screenshot
from flowvision.log import Step
from flowvision.pipeline import SolvedPicture, solve_image
from flowvision.reading.options import Options
from flowvision.value import value_type
from flowvision.workers.memory import trim_before

if TYPE_CHECKING:
    from flowvision.debug.story import Story
    from flowvision.vision.assembly import Reading


Pictures = dict[str, bytes]
"""Encoded pictures by their names in the output folder."""

STAGE_PX = 1200
"""The longer side of the picture of a stage that failed: large enough to see why."""


def content_of(data: bytes) -> str:
    """The hash by which a file is known."""
    return blake2b(data, digest_size=16).hexdigest()


def read_job(job: Job) -> bytes:
    """The bytes of a job's screenshot. Raises ``ImageUnreadableError``, for videos by their name."""
    if kind := foreign_kind(job.source):
        raise ImageUnreadableError(
            f"This is {kind}, not a picture.", "Give a screenshot: a still picture of the board."
        )
    return read_bytes(job.path(job.source))


def run_job(job: Job) -> Outcome:
    """Solve one screenshot and write its pictures; whatever goes wrong becomes a failure."""
    content = ""
    try:
        data = read_job(job)
        trim_before(pixels_in(data))
        outcome, pictures = solve_data(job, data)
        content = outcome.content
        return write_pictures(job, outcome, pictures)
    except FlowvisionError as error:
        return failed(job, error, content)
    except Exception as error:
        return failed(job, crash_of(error), content)


def solve_data(job: Job, data: bytes) -> tuple[Outcome, Pictures]:
    """Solve the bytes of a screenshot; the pictures to write are returned, not written."""
    content, wanted = content_of(data), job.request
    options = Options(
        seconds=wanted.seconds,
        grid=wanted.grid,
        colours=wanted.colours,
        rotate=wanted.rotate,
        crop=wanted.crop,
    )
    work = _Work(job, options)
    try:
        if wanted.hint or wanted.animate:
            answer, picture, encoded, described = _otherwise(work, data)
        else:
            answer = solve_image(data, options, work.observe, wanted.debug != "all", wanted.look)
            picture, encoded = answer.picture, answer.encoded()
            described = answer_object(job.source, answer.checked, job.solved)
        pictures = work.page(work.story(answer)) if wanted.debug == "all" else {}
        before, after = (
            thumbnail(bgr[board_part(answer.reading, answer.picture.shape, bgr.shape)])
            for bgr in (work.before[0], picture)
        )
        pictures[file_of(job.name, "before")], pictures[file_of(job.name, "after")] = before, after
        pictures[job.solution] = marked(encoded)
        return Outcome(job.number, job.source, content, described), pictures
    except FlowvisionError as error:
        return failed(job, error, content), _pictures_of_failure(work, error)
    except Exception as error:
        return failed(job, crash_of(error), content), {}


@value_type(eq=False)
class _Work:
    """A job being done: what was announced, and the screenshot, small, ``before`` it is drawn on."""

    job: Job
    options: Options
    steps: list[Step] = field(default_factory=list)
    before: list[Bgr] = field(default_factory=list)

    def observe(self, step: Step) -> None:
        """Note a step, and the picture at once: the solution is drawn on these very pixels."""
        self.steps.append(step)
        if isinstance(step.result, Screenshot):
            self.before.append(halved(step.result.bgr))

    def story(self, final: SolvedPicture | FlowvisionError) -> Story:
        """All that the debug page says."""
        from flowvision.debug.story import story_of

        return story_of(self.steps, self.options, final, self.job.source)

    def page(self, story: Story) -> Pictures:
        """The debug page, as a file to be written like a picture."""
        from flowvision.debug.page import page_of

        return {file_of(self.job.name, "page"): page_of(story).encode("utf-8", "backslashreplace")}


def write_pictures(job: Job, outcome: Outcome, pictures: Pictures) -> Outcome:
    """Write the pictures of an outcome, the solution last. Raises ``OutputError``."""
    parts = job.path(job.place(PARTS))
    for name, data in pictures.items():
        place = job.path(job.place(name))
        refuse_overwriting(place, [job.path(job.source)])
        refuse_links(job.path(job.output), name)
        if place == job.path(job.solved):
            refuse_replacing(place, is_marked, "Rename it, or choose another folder with `-o`.")
        make_folder(PurePath(place).parent)
        put_file(place, (data,), parts if os.path.isdir(parts) else None)
    return replace(outcome, files={name: len(data) for name, data in pictures.items()})


def _otherwise(work: _Work, data: bytes) -> tuple[SolvedPicture, Bgr, bytes, dict[str, Any]]:
    """The answer as a hint or a picture that moves: its last picture, its file, its object."""
    from flowvision.export.drawing import hint_in, hint_words, solve_drawing
    from flowvision.export.pictures import encoded, picture_of
    from flowvision.forms import form_of

    job, wanted, hint = work.job, work.job.request, None
    answer, drawing = solve_drawing(data, work.options, work.observe, wanted.look)
    described = answer_object(job.source, answer.checked, job.solved)
    if wanted.hint:
        hint = hint_in(drawing, wanted.hint, drawing.known)
        described = hinted_object(described, hint_object(drawing.board, hint, hint_words(hint, drawing)))
    form = form_of(job.solved, wanted.animate)
    return answer, picture_of(drawing, hint), encoded(drawing, form, hint), described


def _pictures_of_failure(work: _Work, error: FlowvisionError) -> Pictures:
    """The first debug picture that is not as it should be, and the page, where it is wanted."""
    if not work.before:
        return {}
    with suppress(Exception):  # the words of the failure matter more than its picture
        story = work.story(error)
        made = work.page(story) if work.job.request.debug else {}
        if shown := story.marked or story.culprit:
            made[file_of(work.job.name, "stage")] = thumbnail(shown.bgr, STAGE_PX)
        return made
    return {file_of(work.job.name, "before"): thumbnail(work.before[0])}


LONG_PX = 400
"""The longer side of a small picture: sharp where the sheet shows it, and about 10 kB."""
BEFORE_PX = 500
"""Pixels of the shorter side that are kept of a screenshot at least, until it is known where its board is."""
ROUND = 0.05
"""Margin that is shown round a board, as a share of its size."""


def board_part(reading: Reading, size: Sequence[int], shown: Sequence[int]) -> tuple[slice, slice]:
    """Rows and columns of a board, with a margin, in its picture of shape ``size`` scaled to ``shown``."""
    points = reading.frame.to_px(reading.board.layout.corners)
    scale = np.array(shown[1::-1]) / size[1::-1]
    low, high = points.min(axis=0) * scale, points.max(axis=0) * scale
    (x0, y0), (x1, y1) = (
        np.clip(corner + sign * ROUND * (high - low).max(), 0, shown[1::-1]).round().astype(int).tolist()
        for corner, sign in ((low, -1), (high, 1))
    )
    return slice(y0, max(y1, y0 + 1)), slice(x0, max(x1, x0 + 1))


def thumbnail(bgr: Bgr, long_px: int = LONG_PX) -> bytes:
    """A picture as a small JPEG, its longer side at most ``long_px``."""
    return encode(shrunk(bgr, long_px), ".jpg")


def shrunk(bgr: Bgr, long_px: int) -> Bgr:
    """A copy of a picture, its longer side at most ``long_px``."""
    height, width = bgr.shape[:2]
    scale = min(1.0, long_px / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    if scale > 0.5:
        return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    # Four pixels for one are enough to average from; to pick them takes a fifth of averaging them all.
    picked = cv2.resize(bgr, (2 * size[0], 2 * size[1]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.resize(picked, size, interpolation=cv2.INTER_AREA), np.uint8)


def halved(bgr: Bgr) -> Bgr:
    """A copy of a picture, half as large where that leaves enough for small pictures of its board."""
    height, width = bgr.shape[:2]
    if min(height, width) < 2 * BEFORE_PX:
        return bgr.copy()
    # Averages of two by two pixels have a path of their own in OpenCV.
    even = bgr[: height // 2 * 2, : width // 2 * 2]
    return np.asarray(cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)
