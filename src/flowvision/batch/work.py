"""Worker entry point: read, solve and write one job; never raises."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING

import cv2
import numpy as np
from msgspec.structs import replace

from flowvision.batch.jobs import PARTS, Job, Outcome, failed, file_of
from flowvision.debug.canvas import box_round, inside
from flowvision.export.answer import Answer, answer_to
from flowvision.files import (
    form_of,
    make_folder,
    marked,
    put_file,
    read_bytes,
    refuse_links,
    refuse_replacing,
)
from flowvision.image.codec import encode
from flowvision.image.picture import Bgr, scaled_size

if TYPE_CHECKING:
    from flowvision.debug.page import Story
    from flowvision.export.pictures import HintSteps


MARGIN = 0.05
"""Margin round a board on small pictures, as a share of its size."""
Pictures = dict[str, bytes]
"""Encoded pictures by their names in the output folder."""


def content_of(data: bytes) -> str:
    """Return the hash that identifies a file."""
    return blake2b(data, digest_size=16).hexdigest()


def read_job(job: Job) -> bytes:
    """Return the bytes of a job's screenshot. Raises ``ImageUnreadableError``."""
    return read_bytes(job.path(job.source))


def run_job(job: Job) -> Outcome:
    """Solve one screenshot and write its pictures; every error becomes a failure."""
    content = ""
    try:
        data = read_job(job)
        outcome, pictures = solve_data(job, data)
        content = outcome.content
        return write_pictures(job, outcome, pictures)
    except Exception as error:
        return failed(job, error, content)


def solve_data(job: Job, data: bytes) -> tuple[Outcome, Pictures]:
    """Solve the bytes of a screenshot; return its outcome and the pictures to write."""
    content, request = content_of(data), job.request
    try:
        answer = answer_to(data, request.options, look=request.look, name=job.source)
        if answer.error is not None:
            return failed(job, answer.error, content), _pictures_of_failure(job, answer)
        hint = answer.hint(request.hint) if request.hint else None
        pictures = _pictures(job, answer, hint or answer)
        described = answer.to_dict(output=job.solved, hint=hint)
        return Outcome(job.number, job.source, content, described), pictures
    except Exception as error:  # no such hint or form, or a bug
        return failed(job, error, content), {}


def _pictures(job: Job, answer: Answer, result: Answer | HintSteps) -> Pictures:
    """Return the pictures of a solved job: its page on request, before, after, and last the solution.

    ``result``: the answer or its hint, which the solution shows.
    """
    assert answer.shot is not None
    reading = answer.reading
    box = box_round(reading.frame.to_px(reading.board.layout.corners), MARGIN)
    height, width, _ = answer.picture.shape
    x0, y0, x1, y1 = inside(box, width, height)
    board = np.s_[y0:y1, x0:x1]
    pictures: Pictures = {}
    if job.request.debug == "all":
        _, pictures = _story_and_page(job, answer)
    pictures[file_of(job.name, "before")] = thumbnail(answer.shot.bgr[board])
    pictures[file_of(job.name, "after")] = thumbnail(result.picture[board])
    pictures[job.solution] = marked(result._encoded(form_of(job.solved, job.request.animate)))
    return pictures


def _pictures_of_failure(job: Job, answer: Answer) -> Pictures:
    """Return the pictures that show why a job failed, or else its screenshot; none if it was not opened."""
    if answer.shot is None:
        return {}
    with suppress(Exception):  # the words of the failure matter more than its picture
        story, pictures = _story_and_page(job, answer)
        if panel := story.marked:
            pictures[file_of(job.name, "stage")] = thumbnail(panel.bgr, long_px=1200)
        return pictures
    return {file_of(job.name, "before"): thumbnail(answer.shot.bgr)}


def _story_and_page(job: Job, answer: Answer) -> tuple[Story, Pictures]:
    """Return the story of an answer, and its debug page, if the job has one, as a file like a picture."""
    from flowvision.debug.page import page_of, story_of

    story = story_of(answer)
    if not job.request.debug:
        return story, {}
    return story, {file_of(job.name, "page"): page_of(story).encode("utf-8", "backslashreplace")}


def write_pictures(job: Job, outcome: Outcome, pictures: Pictures) -> Outcome:
    """Write the pictures of an outcome in their order; return it with their names and sizes in bytes.

    Raises ``OutputError``, also if the solution would replace a file of another program.
    """
    unfinished_folder = job.path(job.place(PARTS))
    for name, data in pictures.items():
        path = job.path(job.place(name))
        refuse_links(job.path(job.output), name)
        if name == job.solution:
            refuse_replacing(path, "Rename it, or choose another folder with `-o`.")
        make_folder(PurePath(path).parent)
        put_file(path, (data,), unfinished_folder if os.path.isdir(unfinished_folder) else None)
    return replace(outcome, files={name: len(data) for name, data in pictures.items()})


def thumbnail(bgr: Bgr, long_px: int = 400) -> bytes:
    """Return a picture as a small JPEG, its longer side at most ``long_px``."""
    scale = min(1.0, long_px / max(bgr.shape[:2]))
    width, height = scaled_size(bgr, scale)
    # Averaging four picked pixels is enough, and takes a sixth of the time of averaging all.
    picked = cv2.resize(bgr, (2 * width, 2 * height), interpolation=cv2.INTER_NEAREST)
    small = cv2.resize(picked, (width, height), interpolation=cv2.INTER_AREA)
    return encode(np.asarray(small, np.uint8), ".jpg")
