"""The library's functions: pictures and puzzles in, answers out.

answer = solve_image("shot.png")
print(answer)
answer.save("solved.gif")
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flowvision import pipeline
from flowvision.api.names import named_arguments
from flowvision.api.results import (
    Answer,
    ReadBoard,
    ShownBoard,
    SolvedPuzzle,
    answer_of,
    pillow_of,
    read_board_of,
)
from flowvision.errors import (
    FlowvisionError,
    GaveUpError,
    ImageUnreadableError,
    PuzzleInvalidError,
    UnsolvableError,
)
from flowvision.export.pictures import vectors_on_paper
from flowvision.files import MAX_BYTES
from flowvision.image.opening import READABLE
from flowvision.image.picture import Screenshot
from flowvision.log import Observer, Step
from flowvision.palette import palette_for
from flowvision.puzzle.formats import InvalidPuzzle, NamedPuzzle, puzzles_in
from flowvision.reading.options import Options
from flowvision.render.board_look import PAPER, draw_board
from flowvision.render.look import PLAIN, Look
from flowvision.solvers import Limits, Solved, Unsolvable, counting, solve
from flowvision.solvers.counting import Count

if TYPE_CHECKING:
    from PIL.Image import Image

    from flowvision.debug.page import DebugPage
    from flowvision.reading.candidates import CheckedReading

Source: TypeAlias = "str | os.PathLike[str] | bytes | IO[bytes] | NDArray[np.uint8] | Image | Screenshot"
"""A path (``-``: standard input), an encoded picture or an open file of one, pixels, or a Pillow image."""

Written: TypeAlias = "str | os.PathLike[str] | NamedPuzzle"
"""A puzzle: its text in any written form, a file with that text, or what ``parse_puzzle`` made."""

SHAPE = ("tiling", "holes", "walls", "bridges", "warps")
"""What may be said of the shape of a board to make."""
A_PUZZLE = "Give the text of a puzzle, its rows one below the other, or the name of a file with it."
"""What ``parse_puzzle`` takes, in words."""
AHEAD = 3
"""Pictures that wait for each worker; more would only take memory."""
SPARE_SECONDS = 5.0
"""Beyond the time of a picture before its process is ended: it ends by itself, unless native code hangs."""


@named_arguments
def read_image(
    source: Source, options: Options | None = None, observer: Observer | None = None, *, rgb: bool = False
) -> ReadBoard:
    """What a screenshot shows, checked by the solver; takes and raises what ``solve_image`` does."""
    given, chosen = _source(source, rgb), _options(options)
    return read_board_of(pipeline.read_image(given, chosen, observer), given, chosen)


@named_arguments
def solve_image(
    source: Source,
    options: Options | None = None,
    observer: Observer | None = None,
    look: Look = PLAIN,
    *,
    rgb: bool = False,
) -> Answer:
    """The answer to a screenshot, with the solved picture.

    ``source``: a path, encoded bytes, an open binary file, a Pillow image, a ``Screenshot``, or an (H, W, 3)
    uint8 array of BGR pixels, with ``rgb`` of RGB pixels. ``observer``: called with every ``Step`` as it
    happens. ``look``: what is drawn and how. Raises a ``FlowvisionError`` that says
    which stage failed and what it saw, ``TypeError`` for anything else in these places.
    """
    given, chosen = _source(source, rgb), _options(options)
    if not isinstance(look, Look):
        raise TypeError(f"look is a {type(look).__name__}; give Look, such as Look(letters=True).")
    solved = pipeline.solve_image(given, chosen, observer, look=look)
    return answer_of(solved, given, chosen, look)


@named_arguments
def solve_folder(
    folder: str | os.PathLike[str],
    options: Options | None = None,
    *,
    workers: int | None = None,
    recursive: bool = False,
) -> Iterator[tuple[str, Answer | FlowvisionError]]:
    """The path, as text, and the answer, or error, of every picture in a folder, in the order of their names.

    Pictures that Flowvision made are passed over. ``workers``: number of processes, by default one per core;
    1 starts none. A picture that fails, takes too long or ends its process harms no other. Processes import
    the script that calls this, so the call belongs under ``if __name__ == "__main__":``. Nothing is written.
    Raises ``ImageUnreadableError`` where there is no such folder.
    """
    from flowvision.batch.inputs import of_others, shots_in
    from flowvision.workers.pool import cores

    if workers is not None and not (type(workers) is int and workers >= 1):
        raise ValueError(f"workers is a whole number from 1, not {workers!r}.")
    count = workers or cores()
    if count > 1 and getattr(sys.modules["__main__"], "__file__", None) == "<stdin>":
        raise RuntimeError("Workers import the script that calls this: save it in a file, or use python -c.")
    if not isinstance(folder, str | os.PathLike):
        raise TypeError(f"A folder is its path, not {folder!r:.40}; `solve_image` takes one picture.")
    if not os.path.isdir(folder):
        is_file = os.path.exists(folder)
        raise ImageUnreadableError(
            f"{os.fspath(folder)} is no folder." if is_file else f"No such folder: {os.fspath(folder)}",
            "`solve_image` takes one picture." if is_file else "Check the name.",
        )
    chosen = _options(options)
    paths = [shot.path for shot in of_others(shots_in(os.fspath(folder), recursive))]
    return _solved_in_order(paths, chosen, count)


def _solved_in_order(
    paths: Sequence[str], chosen: Options, count: int
) -> Iterator[tuple[str, Answer | FlowvisionError]]:
    from flowvision.workers.memory import prepare_worker
    from flowvision.workers.pool import WorkerPool

    if count == 1:
        for path in paths:
            yield _settled(path, partial(solve_image, path, chosen))
        return
    waiting = deque[tuple[str, Future[Answer]]]()
    with WorkerPool(count, chosen.seconds + SPARE_SECONDS, partial(prepare_worker, [__name__])) as pool:
        for path in paths:
            waiting.append((path, pool.submit(solve_image, path, chosen)))
            if len(waiting) > AHEAD * count:
                first, future = waiting.popleft()
                yield _settled(first, future.result)
        for path, future in waiting:
            yield _settled(path, future.result)


def parse_puzzle(text: str | os.PathLike[str]) -> NamedPuzzle:
    """The one puzzle of a text in any written form, or of a file with such a text.

    A file is given by its path, or by its name where that is no text of a puzzle. Raises
    ``PuzzleInvalidError``, also for a file that is not there.
    """
    if isinstance(text, os.PathLike) or (isinstance(text, str) and _names_a_file(text)):
        from flowvision.puzzle_tools.report import read_puzzles

        try:
            given, is_word = read_puzzles(os.fspath(text)), False
        except ImageUnreadableError as error:
            raise PuzzleInvalidError(error.stage_message, A_PUZZLE) from None
    elif isinstance(text, str):
        given, is_word = puzzles_in(text), len(text.split()) == 1
    elif isinstance(text, Sequence) and all(isinstance(row, str) for row in text):
        given, is_word = puzzles_in("\n".join(text)), False
    else:
        raise TypeError(f"A puzzle is text, its rows one below the other, not {type(text).__name__}.")
    try:
        found = list(islice(given, 2))
    except PuzzleInvalidError as error:
        if not is_word:
            raise
        raise PuzzleInvalidError(
            error.stage_message, f"{A_PUZZLE[:-1]}; there is none named {str(text)[:60]}."
        ) from None
    if len(found) != 1:
        raise PuzzleInvalidError(
            "The text holds several puzzles." if found else "The text holds no puzzle.", "Give one."
        )
    if isinstance(found[0], InvalidPuzzle):
        raise found[0].error
    return found[0]


def _names_a_file(text: str) -> bool:
    """Whether a word is the name of a file that is there, or ends as one."""
    if len(text.split()) != 1 or text != text.strip():
        return False
    return os.path.isfile(text) or os.path.splitext(text)[1].lower() in (*READABLE, ".txt", ".json", ".jsonl")


@named_arguments
def solve_puzzle(puzzle: Written, seconds: float = 30.0, look: Look = PLAIN) -> SolvedPuzzle:
    """The solution of a puzzle without a picture: text in any written form, a file of it, or a puzzle.

    Raises ``PuzzleInvalidError`` for what is no puzzle, ``UnsolvableError``, and ``GaveUpError`` after
    so many ``seconds``.
    """
    named = _named(puzzle)
    outcome = solve(named.puzzle, limits=Limits(seconds), board=named.board)
    if isinstance(outcome, Unsolvable):
        raise UnsolvableError(f"The puzzle has no solution{f': {outcome.reason}' if outcome.reason else ''}.")
    if not isinstance(outcome, Solved):
        raise GaveUpError(f"No solution was found: {outcome.reason}.")
    letters = named.letters
    return SolvedPuzzle(named.board, named.puzzle, letters, palette_for(letters), outcome, named.name, look)


@named_arguments
def count_solutions(puzzle: Written, most: int = 100, seconds: float = 30.0) -> Count:
    """How many solutions a puzzle has, counted up to ``most``; ``complete`` says that there are no more."""
    return counting.count_solutions(_named(puzzle).puzzle, most, Limits(seconds))


def generate_puzzle(
    size: str | int = "7x7",
    colours: int | None = None,
    seed: int | None = None,
    difficulty: str | None = None,
    **shape: Any,
) -> NamedPuzzle:
    """A new puzzle with exactly one solution.

    ``size``: columns × rows, as ``"7x9"``; ``9`` is ``"9x9"``. ``seed``: the same puzzle again; without, a
    new one each time. ``difficulty``: ``"easy"``, ``"medium"``, ``"hard"`` or ``"expert"``, for a person;
    any without. ``shape``: ``tiling="hex"``, ``holes``, ``walls``, ``bridges``, ``warps``: how many. Raises
    ``PuzzleInvalidError`` for what no board can be, ``GaveUpError`` where none was found.
    """
    from random import SystemRandom

    from flowvision.puzzle_tools.generator import new_puzzle, shape_of

    for name, value in (("colours", colours), ("seed", seed)):
        if not (value is None or isinstance(value, int)):
            raise TypeError(f"{name} is a whole number, not {value!r}: generate_puzzle('7x7', {name}=6).")
    number = SystemRandom().randrange(10**6) if seed is None else seed
    if unknown := shape.keys() - set(SHAPE):
        known = ", ".join(("size", "colours", "seed", "difficulty", *SHAPE))
        raise TypeError(f"generate_puzzle takes no {', '.join(sorted(unknown))}; it takes {known}.")
    return new_puzzle(shape_of(size, **shape), number, colours, difficulty)[0]


def draw_puzzle(puzzle: Written) -> Image:
    """A puzzle without its answer, on white, as it is printed: a Pillow image in RGB."""
    named = _named(puzzle)
    return pillow_of(
        draw_board(named.board, named.puzzle, palette_for(named.letters), named.letters, PAPER).bgr
    )


def puzzle_svg(puzzle: Written) -> str:
    """A puzzle without its answer, on white, as SVG."""
    return vectors_on_paper(_named(puzzle))


def debug_page(answer_or_error: Answer | ReadBoard | FlowvisionError) -> DebugPage:
    """The page that says how a picture was read, or why it was refused; a notebook shows it.

    For an answer its picture is read again. Nothing is written; the page is text, one HTML file with
    everything in it. Raises ``ValueError`` for an error of another process, such as ``solve_folder`` has.
    """
    from flowvision.debug.page import page_of
    from flowvision.debug.story import story_of

    given = answer_or_error
    if isinstance(given, FlowvisionError):
        diagnosis = given.diagnosis
        if diagnosis and not given.steps:
            raise ValueError("The error is of another process, which kept its picture: solve it again here.")
        return page_of(story_of(given.steps, diagnosis.options if diagnosis else Options(), given))
    if not isinstance(given, Answer | ReadBoard):
        raise TypeError(
            f"debug_page takes an answer or an error, not {given!r:.40}: debug_page(solve_image('shot.png'))."
        )
    steps: list[Step] = []
    final: pipeline.SolvedPicture | CheckedReading
    if isinstance(given, Answer):
        final = pipeline.solve_image(given.source, given.options, steps.append, look=given.look)
    else:
        final = pipeline.read_image(given.source, given.options, steps.append)
    return page_of(story_of(steps, given.options, final))


def _settled(path: str, solve: Callable[[], Answer]) -> tuple[str, Answer | FlowvisionError]:
    try:
        return path, solve()
    except FlowvisionError as error:
        return path, error


def _named(puzzle: Written) -> NamedPuzzle:
    if isinstance(puzzle, ShownBoard):
        raise TypeError("A board that was read or solved is no puzzle; give its text: answer.text.")
    return puzzle if isinstance(puzzle, NamedPuzzle) else parse_puzzle(puzzle)


def _options(options: Options | None) -> Options:
    if options is None:
        return Options()
    if not isinstance(options, Options):
        raise TypeError(f"options is a {type(options).__name__}; give Options, such as Options(seconds=5).")
    return options


def _source(source: Source, rgb: bool) -> Any:
    """The source as the pipeline takes it: the bytes of an open file, an array in BGR."""
    if hasattr(source, "read") and not isinstance(source, os.PathLike):
        try:
            data = source.read(MAX_BYTES + 1)
        except UnicodeDecodeError:
            data = ""
        if not isinstance(data, bytes):
            raise TypeError('The file was opened as text; open it with mode "rb".')
        return data
    if rgb:
        if not isinstance(source, np.ndarray) or source.ndim != 3:
            raise TypeError("rgb=True goes with an (H, W, 3) or (H, W, 4) array of pixels.")
        return np.concatenate((source[..., 2::-1], source[..., 3:]), axis=-1)
    return source
