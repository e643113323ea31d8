"""What can go wrong, in words a person can act on.

Every error says what was looked for and what was seen, then gives a hint: the next thing to try.

    FlowvisionError
    ├─ ImageUnreadableError     image-unreadable      3
    ├─ BoardNotFoundError       board-not-found       4
    ├─ GridNotFoundError        grid-not-found        5
    ├─ DotsError                no-dots               6
    │  ├─ OddDotsError          odd-dots              6
    │  └─ AmbiguousColoursError ambiguous-colours     6
    ├─ PuzzleInvalidError       puzzle-invalid        6
    ├─ UnsolvableError          unsolvable            7
    ├─ GaveUpError              gave-up               8
    ├─ MissingExtraError        missing-extra         9
    ├─ OutputError              output-not-written   10
    ├─ ClusterError             no-cluster            2
    ├─ PhoneError               no-phone              3
    ├─ CrashedError             crashed               1
    └─ DoubtfulReadingError     doubtful-reading     12
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from errno import EMFILE, ENFILE, ENOMEM
from typing import Any, ClassVar, Protocol

from flowvision.value import value_type


class ExitCode(IntEnum):
    """The exit status of every command."""

    OK = 0
    BUG = 1
    USAGE = 2
    IMAGE_UNREADABLE = 3
    BOARD_NOT_FOUND = 4
    GRID_NOT_FOUND = 5
    PUZZLE_NOT_READ = 6
    UNSOLVABLE = 7
    GAVE_UP = 8
    MISSING_EXTRA = 9
    OUTPUT_NOT_WRITTEN = 10
    SOME_FAILED = 11
    READING_DOUBTFUL = 12
    INTERRUPTED = 130


@value_type
class Refusal:
    """Which check refused a reading: its name, why it is made, what it ``saw`` and what it ``wanted``."""

    check: str
    why: str
    saw: float | None = None
    wanted: float | None = None

    def __str__(self) -> str:
        seen = "" if self.saw is None else f": {self.saw:.2f}"
        wanted = "" if self.wanted is None else f", at least {self.wanted:g} wanted"
        return f"{self.check}{seen}{wanted} ({self.why})"


class Explanation(Protocol):
    """Why a picture was refused, in words, and as a ``cause`` of ``diagnosis``."""

    @property
    def message(self) -> str:
        """What went wrong."""

    @property
    def hint(self) -> str:
        """The next thing to try."""

    @property
    def cause(self) -> Any:
        """The same as data."""


class FlowvisionError(Exception):
    """The parent of every error of this package.

    ``code`` and ``exit_code`` belong to the class and never change between releases.
    ``evidence`` is the unfinished result of the stage that failed, for the debug pictures; ``details`` is
    what was worked out about it. ``stage`` is filled in by the pipeline, ``refusal`` where a check refused a
    reading, ``recorder`` where one was the observer, ``seconds``: how long each stage took, and ``failure``
    where a picture was refused: it knows the cause, and says it as soon as ``message`` or ``hint`` is asked
    for. ``raised`` and ``advised``: the words that the stage itself had.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[ExitCode] = ExitCode.BUG
    default_hint: ClassVar[str] = ""

    def __init__(self, message: str, hint: str | None = None, evidence: object = None) -> None:
        super().__init__(message, hint, evidence)
        self.raised = message
        self.advised = self.default_hint if hint is None else hint
        self.evidence = evidence
        self.details: Mapping[str, Any] = {}
        self.failure: Explanation | None = None
        self.stage: str | None = None
        self.refusal: Refusal | None = None
        self.recorder: object = None
        self.seconds: Mapping[str, float] = {}

    @property
    def message(self) -> str:
        """What went wrong."""
        return self.failure.message if self.failure else self.raised

    @property
    def hint(self) -> str:
        """The next thing to try."""
        return self.failure.hint if self.failure else self.advised

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class ImageUnreadableError(FlowvisionError):
    """The file is missing, empty, not a picture, damaged or too large."""

    code = "image-unreadable"
    exit_code = ExitCode.IMAGE_UNREADABLE
    default_hint = "Give a PNG or JPEG screenshot that other programs can open."


class PhoneError(FlowvisionError):
    """No picture can be had of a phone's screen: none is connected, it refuses, or the connection broke."""

    code = "no-phone"
    exit_code = ExitCode.IMAGE_UNREADABLE
    default_hint = "Connect it by USB, unlock it, and allow USB debugging in its developer options."


class BoardNotFoundError(FlowvisionError):
    """Nothing in the picture looks like a board."""

    code = "board-not-found"
    exit_code = ExitCode.BOARD_NOT_FOUND
    default_hint = (
        "If the board is on the picture, say where: `--crop X,Y,WIDTH,HEIGHT`; if it lies on its side or "
        "at a slant: `--rotate DEGREES`."
    )


class GridNotFoundError(FlowvisionError):
    """A board was found, but no cells that explain it from edge to edge."""

    code = "grid-not-found"
    exit_code = ExitCode.GRID_NOT_FOUND
    default_hint = "Count its columns and rows: `--grid COLSxROWS`; if it is at a slant: `--rotate DEGREES`."


class DotsError(FlowvisionError):
    """The cells were found, but no dots that make a puzzle."""

    code = "no-dots"
    exit_code = ExitCode.PUZZLE_NOT_READ
    default_hint = "Is it a level of the game, and are all its dots there?"


class OddDotsError(DotsError):
    """An odd number of dots: they come in pairs."""

    code = "odd-dots"


class AmbiguousColoursError(DotsError):
    """The colours do not say which dots belong together."""

    code = "ambiguous-colours"
    default_hint = "If you know how many colours there are, say so: `--colours N`."


class PuzzleInvalidError(FlowvisionError):
    """A puzzle that breaks the rules of the game; the message lists every fault."""

    code = "puzzle-invalid"
    exit_code = ExitCode.PUZZLE_NOT_READ
    default_hint = "Fix these."


class UnsolvableError(FlowvisionError):
    """The puzzle has no solution; from a screenshot, this means that it was misread."""

    code = "unsolvable"
    exit_code = ExitCode.UNSOLVABLE
    default_hint = "If it came from a screenshot it was misread: compare its dots and walls with the picture."


class GaveUpError(FlowvisionError):
    """The time limit passed before there was an answer."""

    code = "gave-up"
    exit_code = ExitCode.GAVE_UP
    default_hint = "Allow more time with `--limit SECONDS`."


class MissingExtraError(FlowvisionError):
    """An optional dependency is not installed."""

    code = "missing-extra"
    exit_code = ExitCode.MISSING_EXTRA
    default_hint = "Install the extra named above."


def missing_library(error: ImportError) -> MissingExtraError | None:
    """What to do about a library of the system that a Python package needs; ``None`` for another error."""
    library = re.match(r"(lib[\w.+-]+\.so[.\d]*): ", str(error))
    if library is None:
        return None
    hint = "Install the system's package that holds it, and try again."
    if library[1] in ("libGL.so.1", "libgthread-2.0.so.0", "libglib-2.0.so.0"):
        hint = (
            "Take the build of OpenCV that needs no screen, `pip uninstall -y opencv-python && pip install "
            "opencv-python-headless`, or add the library, on Debian `apt-get install libgl1 libglib2.0-0`."
        )
    return MissingExtraError(f"The system has no {library[1]}, which is needed to load a package.", hint)


class OutputError(FlowvisionError):
    """A result could not be written; nothing half-written is left behind."""

    code = "output-not-written"
    exit_code = ExitCode.OUTPUT_NOT_WRITTEN
    default_hint = "Choose a folder you can write to with `-o`."


class DoubtfulReadingError(FlowvisionError):
    """What was read could be wrong, and nothing settles it: refused rather than guessed."""

    code = "doubtful-reading"
    exit_code = ExitCode.READING_DOUBTFUL
    default_hint = "Compare what was read with the picture."


class ClusterError(FlowvisionError):
    """The cluster that was to do the work does not answer."""

    code = "no-cluster"
    exit_code = ExitCode.USAGE
    default_hint = "Start one with `dask scheduler` and `dask worker ADDRESS`, and check the address."


NO_MEMORY = ("Insufficient memory", "Failed to allocate", "bad_alloc")
"""How OpenCV says that there is none."""


class CrashedError(FlowvisionError):
    """Work on a picture came to an end that nobody foresaw: a bug, no memory, or the process was killed."""

    code = "crashed"
    exit_code = ExitCode.BUG
    default_hint = "A fault of Flowvision: please report it, with the picture if you may."


def crash_of(error: BaseException) -> CrashedError:
    """An error that no stage foresaw, in words; what the machine has run out of is no fault of ours."""
    return shortage_of(error) or CrashedError(f"{type(error).__name__}: {error}".rstrip(": "))


def shortage_of(error: BaseException) -> CrashedError | None:
    """What the machine has run out of, where that is why something failed: memory, file handles, threads."""
    number = error.errno if isinstance(error, OSError) else None
    said = str(error)
    # OpenCV has an error of its own, whatever its cause.
    opencv = type(error).__module__ == "cv2" and any(words in said for words in NO_MEMORY)
    if isinstance(error, MemoryError) or number == ENOMEM or opencv:
        return CrashedError(
            "There is not enough memory for this.",
            "Close other programs, use fewer processes (`batch --jobs N`), or give a smaller picture.",
        )
    if number in (EMFILE, ENFILE):
        return CrashedError(
            f"There are no more file handles: {getattr(error, 'strerror', '')}.",
            "Allow more (`ulimit -n 1024`), or use fewer processes (`batch --jobs N`).",
        )
    if isinstance(error, RuntimeError) and "start new thread" in said:
        return CrashedError(
            "The system starts no more threads.",
            "Close other programs, allow more (`ulimit -u`), or use fewer processes (`batch --jobs N`).",
        )
    return None
