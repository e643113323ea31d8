"""The public names, and the functions of the library: pictures and puzzles in, answers out.

answer = solve_image("shot.png")
print(answer)
answer.save("solved.gif")
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypedDict, TypeGuard

import numpy as np

from flowvision.arguments import check_flags, check_type, check_whole, with_known_names, wrong_type
from flowvision.corrections import SetBoard, SetCell
from flowvision.errors import FlowvisionError, MissingFileError, PuzzleInvalidError
from flowvision.export.answer import Answer, Puzzle, answer_to
from flowvision.export.board import Flow
from flowvision.export.pictures import HintSteps
from flowvision.image.codec import READABLE
from flowvision.log import Observer
from flowvision.pipeline import Source
from flowvision.puzzle.formats import InvalidPuzzle, puzzles_in
from flowvision.reading.options import Options
from flowvision.render.look import PLAIN, Look

if TYPE_CHECKING:
    from typing import Unpack

    from flowvision.corrections import Correction
    from flowvision.debug.page import DebugPage

__all__ = [
    "Answer",
    "Flow",
    "FlowvisionError",
    "HintSteps",
    "Look",
    "Options",
    "Puzzle",
    "SetBoard",
    "SetCell",
]
__all__ += ["debug_page", "generate_puzzle", "parse_puzzle", "solve_folder", "solve_image"]
AHEAD = 3
"""Queued pictures per worker; more would only take memory."""


class OptionFields(TypedDict, total=False):
    """The fields of ``Options``, as keywords."""

    seconds: float
    grid: str | int | tuple[int, int] | None
    colours: int | None
    crop: tuple[int, int, int, int] | None
    rotate: float
    keep_drawn: bool
    corrections: Sequence[Correction]
    trust: bool


@with_known_names(*OptionFields.__annotations__)
def solve_image(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    look: Look = PLAIN,
    *,
    rgb: bool = False,
    **fields: Unpack[OptionFields],
) -> Answer:
    """Return the answer to a screenshot: ``solve_image("shot.png", grid="5x5", seconds=5)``.

    ``source``: a path, encoded bytes, an open binary file, a Pillow image, or an (H, W, 3) uint8 array of BGR
    pixels, with ``rgb`` of RGB pixels. ``fields``: of ``Options``. ``observer``: called with every ``Step``
    as it happens. ``look``: what is drawn and how. Raises a ``FlowvisionError`` that names the stage that
    failed and what it saw.
    """
    check_type("look", look, Look, "a Look, such as Look(letters=True)")
    check_type("options", options, (Options, type(None)), "Options, such as Options(seconds=5)")
    if not (observer is None or callable(observer)):
        raise wrong_type("observer", observer, "a function that takes a Step")
    check_flags(rgb=rgb)
    if rgb and (not isinstance(source, np.ndarray) or source.ndim != 3):
        raise TypeError("rgb=True goes with an (H, W, 3) or (H, W, 4) array of pixels.")
    if isinstance(source, np.ndarray):  # the caller may change it
        bgr, alpha = source[..., 2::-1], source[..., 3:]  # alpha may have no channel
        source = np.concatenate((bgr, alpha), axis=-1) if rgb else source.copy()
    chosen = replace(options or Options(), **fields)
    return answer_to(source, chosen, observer, look, is_drawn=False)._raised()._kept()


@with_known_names(*OptionFields.__annotations__)
def solve_folder(
    folder: str | os.PathLike[str],
    options: Options | None = None,
    *,
    workers: int | None = None,
    recursive: bool = False,
    **fields: Unpack[OptionFields],
) -> Iterator[tuple[str, Answer]]:
    """Yield the path and the answer of every picture in a folder, by name; failures have an ``error``.

    Pictures that Flowvision made are left out. ``workers``: number of processes, one per core by default; 1
    solves in this process. A picture that fails, takes too long or ends its worker affects no other. Workers
    import the script that calls this: guard it by ``if __name__ == "__main__":``. Nothing is written. Raises
    ``ImageUnreadableError`` if the folder does not exist.
    """
    from flowvision.batch.jobs import not_ours, shots_in
    from flowvision.workers import cores

    check_type("folder", folder, (str, os.PathLike), "the path of a folder")
    check_type("options", options, (Options, type(None)), "Options, such as Options(seconds=5)")
    check_flags(recursive=recursive)
    if workers is not None:
        check_whole("workers", workers, lower=1)
    if not os.path.isdir(folder):
        raise MissingFileError.at(folder, "folder", "`solve_image` takes one picture.")
    count, chosen = workers or cores(), replace(options or Options(), **fields)
    paths = [shot.path for shot in not_ours(shots_in(os.fspath(folder), recursive))]
    return _solved_in_order(paths, chosen, count)


def _solved_in_order(paths: Sequence[str], chosen: Options, count: int) -> Iterator[tuple[str, Answer]]:
    """Yield the answers to pictures in their order, solved in ``count`` processes."""
    from flowvision.workers import SPARE_SECONDS, WorkerPool, prepare_worker

    if count == 1:
        for path in paths:
            yield path, _solved(path, chosen)
        return
    waiting = deque[tuple[str, Future[Answer]]]()
    with WorkerPool(count, chosen.seconds + SPARE_SECONDS, partial(prepare_worker, [__name__])) as pool:
        for path in paths:
            waiting.append((path, pool.submit(_solved, path, chosen)))
            if len(waiting) > AHEAD * count:
                yield _path_and_answer(*waiting.popleft(), chosen)
        for path, future in waiting:
            yield _path_and_answer(path, future, chosen)


def _solved(path: str, options: Options) -> Answer:
    """Return the answer to a picture, without its steps."""
    return answer_to(path, options, is_drawn=False)._kept()


def _path_and_answer(path: str, future: Future[Answer], options: Options) -> tuple[str, Answer]:
    """Wait for the answer of a worker."""
    try:
        return path, future.result()
    except FlowvisionError as error:  # the worker died or took too long: a refusal is an answer
        return path, Answer(path, options, error=error)


def parse_puzzle(text: str | os.PathLike[str] | Sequence[str]) -> Puzzle:
    """Parse one puzzle in any written form.

    ``text``: the puzzle, its rows, or the path of a file. Raises ``PuzzleInvalidError``, and
    ``ImageUnreadableError`` for a missing file.
    """
    is_text = isinstance(text, str | os.PathLike)
    are_rows = not is_text and isinstance(text, Sequence) and all(isinstance(row, str) for row in text)
    if not (is_text or are_rows):
        raise wrong_type("text", text, "a puzzle as text, its rows, or the path of a file")
    if isinstance(text, os.PathLike) or _names_a_file(text):
        from flowvision.puzzle_tools.report import read_puzzles

        puzzles = read_puzzles(os.fspath(text))
    else:
        puzzles = puzzles_in(text if isinstance(text, str) else "\n".join(text))
    first_two = list(islice(puzzles, 2))
    if len(first_two) != 1:
        words = "The text holds several puzzles." if first_two else "The text holds no puzzle."
        raise PuzzleInvalidError(words, "Give one.")
    if isinstance(first_two[0], InvalidPuzzle):
        raise first_two[0].error
    return Puzzle(first_two[0])


def _names_a_file(text: str | Sequence[str]) -> TypeGuard[str]:
    """Return whether it is the path of a file, and no puzzle."""
    if not isinstance(text, str) or "\n" in text:
        return False
    return os.path.isfile(text) or text.lower().endswith((*READABLE, ".txt", ".json", ".jsonl"))


@with_known_names()
def generate_puzzle(
    size: str | int | tuple[int, int] = "7x7",
    colours: int | None = None,
    seed: int | None = None,
    difficulty: str | None = None,
    *,
    tiling: str = "square",
    holes: int = 0,
    walls: int = 0,
    bridges: int = 0,
    warps: int = 0,
) -> Puzzle:
    """Make a puzzle with exactly one solution.

    ``size``: columns × rows, as ``"7x9"``; ``9`` is ``"9x9"``. ``seed``: the same seed makes the same puzzle.
    ``difficulty``: ``"easy"``, ``"medium"``, ``"hard"`` or ``"expert"``, for a person; any by default.
    ``tiling``: ``"hex"`` for hexagons. Raises ``PuzzleInvalidError`` for an impossible board, ``GaveUpError``
    if none was found in time.
    """
    from random import SystemRandom

    from flowvision.puzzle_tools.generator import new_puzzle, shape_of

    for name, number in (("holes", holes), ("walls", walls), ("bridges", bridges), ("warps", warps)):
        check_whole(name, number, lower=0)
    if seed is not None:
        check_whole("seed", seed, lower=0)
    if colours is not None:
        check_whole("colours", colours, lower=1)
    check_type("difficulty", difficulty, (str, type(None)), 'text, such as "hard"')
    check_type("tiling", tiling, str, '"square" or "hex"')
    shape = shape_of(size, tiling, holes=holes, walls=walls, bridges=bridges, warps=warps)
    number = SystemRandom().randrange(10**6) if seed is None else seed
    return Puzzle(new_puzzle(shape, number, colours, difficulty)[0])


def debug_page(answer_or_error: Answer | FlowvisionError) -> DebugPage:
    """Return an HTML page that explains how a picture was read, or why it was refused.

    An answer's picture is read again. The page is self-contained; a notebook shows it, and nothing is
    written. Raises ``ValueError`` for an error from another process, such as those of ``solve_folder``.
    """
    from flowvision.debug.page import page_of, story_of

    kinds = (Answer, FlowvisionError)
    check_type("answer_or_error", answer_or_error, kinds, "an Answer, or the error of a picture")
    error = answer_or_error.error if isinstance(answer_or_error, Answer) else answer_or_error
    if error is None:
        assert isinstance(answer_or_error, Answer)
        return page_of(story_of(answer_or_error._again()))
    diagnosis = error.diagnosis
    if diagnosis and not error.steps:
        raise ValueError(
            "The error is from another process and lacks its picture: solve the picture again here."
        )
    options = diagnosis.options if diagnosis else Options()
    return page_of(story_of(Answer("", options, steps=tuple(error.steps), error=error)))
