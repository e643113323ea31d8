"""Errors for users: the problem with its numbers, then a hint about the next thing to try."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from enum import IntEnum
from errno import EMFILE, ENFILE, ENOENT, ENOMEM
from os import PathLike, fspath
from typing import TYPE_CHECKING, ClassVar

from flowvision.doubts import Doubt
from flowvision.words import PYTHON, Form, Hint, Option

if TYPE_CHECKING:
    from flowvision.corrections import Draft
    from flowvision.diagnosis import Diagnosis
    from flowvision.log import Log, Step
    from flowvision.vision.assembly import Reading


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
    NOT_PLAYED = 13
    OUT_OF_RESOURCES = 14
    INTERRUPTED = 130

    @classmethod
    def of(cls, codes: Sequence[ExitCode]) -> ExitCode:
        """Return the status of several results: that of the only one, else whether any failed."""
        if len(codes) == 1:
            return codes[0]
        return cls.SOME_FAILED if any(codes) else cls.OK


class FlowvisionError(Exception):
    """The parent of every error of this package.

    ``code`` and ``exit_code`` belong to the class and never change between releases. ``message``, ``hint``
    and ``str`` name arguments of Python, ``words(COMMAND)`` options of the command. ``evidence``: the
    unfinished result of the stage that failed; ``doubts``: the reasons for a refusal, the one that refuses
    first; ``read``: the whole board that failed; ``draft``: the board with corrections that failed.

    A run raises a copy (``ended``) with the ``stage`` that failed, the ``seconds`` and ``steps`` of the run,
    and for refused pictures their ``diagnosis``. A pickled error keeps its words, its cause and the board,
    but no picture.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[ExitCode] = ExitCode.BUG
    default_hint: ClassVar[str | Hint] = ""

    def __init__(
        self,
        message: str | Hint,
        hint: str | Hint | None = None,
        evidence: object = None,
        doubts: Sequence[Doubt] = (),
        read: Reading | None = None,
        draft: Draft | None = None,
    ) -> None:
        super().__init__(str(message))
        self.sentence = message
        self.stage_hint = self.default_hint if hint is None else hint
        self.evidence = evidence
        self.doubts = tuple(doubts)
        self.read = read
        self.draft = draft
        self._first: FlowvisionError | None = None
        self.stage: str | None = None
        self.seconds: Mapping[str, float] = {}
        self.steps: Sequence[Step] = ()
        self.diagnosis: Diagnosis | None = None

    @property
    def origin(self) -> FlowvisionError:
        """The error that was raised first, of which this may be a copy."""
        # No reference to itself: a cycle would keep the picture in its traceback.
        return self._first or self

    @property
    def message(self) -> str:
        """The fault, in a sentence."""
        message, _ = self.words(PYTHON)
        return message

    @property
    def hint(self) -> str:
        """The next thing to try."""
        _, hint = self.words(PYTHON)
        return hint

    def words(self, form: Form) -> tuple[str, str]:
        """Return message and hint, with advice for Python or the command line."""
        message, hint = self.diagnosis.words(form) if self.diagnosis else (self.sentence, self.stage_hint)
        return _written(message, form), _written(hint, form)

    @property
    def doubt(self) -> Doubt | None:
        """The doubt that refuses the reading, if it was refused for one."""
        return next(iter(self.doubts), None)

    @property
    def cause(self) -> Doubt | None:
        """The cause of a refusal; ``None`` for other errors."""
        return self.diagnosis.cause if self.diagnosis else None

    @property
    def reading(self) -> Reading | None:
        """The board that the words are about, if it was read completely."""
        return self.diagnosis.reading if self.diagnosis else self.read

    def ended(self, log: Log, diagnosis: Diagnosis | None = None) -> FlowvisionError:
        """Return a copy as the error that ends a run; ``diagnosis`` sets its class by the cause."""
        kind = (diagnosis and diagnosis.kind) or type(self)
        error: FlowvisionError = kind(self.sentence, self.stage_hint)
        vars(error).update(vars(self), _first=self, diagnosis=diagnosis)
        failed_stages = (step.stage for step in reversed(log.steps) if step.error is self)
        error.stage = next(failed_stages, None)
        error.seconds, error.steps = log.seconds, tuple(log.steps)
        return error.with_traceback(self.__traceback__)

    def __str__(self) -> str:
        hint = self.hint
        return f"{self.message}\n{hint}" if hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Steps and evidence lead back to the picture.
        fields = "doubts", "stage", "seconds", "diagnosis", "read"
        state = {name: vars(self)[name] for name in fields}
        return type(self), (self.sentence, self.stage_hint), state


def _written(sentence: str | Hint, form: Form) -> str:
    """Return a sentence with its advice in a form."""
    return sentence if isinstance(sentence, str) else sentence.written(form)


class ImageUnreadableError(FlowvisionError):
    """The file is missing, empty, not a picture, damaged or too large."""

    code = "image-unreadable"
    exit_code = ExitCode.IMAGE_UNREADABLE
    default_hint = "Give a PNG or JPEG screenshot that other programs can open."


class MissingFileError(ImageUnreadableError, FileNotFoundError):
    """The file or folder does not exist; also a ``FileNotFoundError``."""

    errno = ENOENT
    filename = ""

    @classmethod
    def at(cls, path: str | PathLike[str], noun: str, hint: str) -> MissingFileError:
        """Return the error about the file or folder at ``path``."""
        error = cls(f"No such {noun}: {fspath(path)}", hint)
        error.filename = fspath(path)
        return error


class PhoneError(FlowvisionError):
    """No phone is connected, it refuses a screenshot, or the connection broke."""

    code = "no-phone"
    exit_code = ExitCode.IMAGE_UNREADABLE
    default_hint = "Connect it by USB, unlock it, and allow USB debugging in its developer options."


class PlayError(FlowvisionError):
    """The phone does not show what it should, so play stopped or never began."""

    code = "not-played"
    exit_code = ExitCode.NOT_PLAYED
    default_hint = "Open the level on the phone, and run `flowvision phone play` again to continue."


class BoardNotFoundError(FlowvisionError):
    """Nothing in the picture looks like a board."""

    code = "board-not-found"
    exit_code = ExitCode.BOARD_NOT_FOUND


class GridNotFoundError(FlowvisionError):
    """Lines were found, but no cells that fit them."""

    code = "grid-not-found"
    exit_code = ExitCode.GRID_NOT_FOUND


class DotsError(FlowvisionError):
    """Cells were found, but no dots that make a puzzle."""

    code = "no-dots"
    exit_code = ExitCode.PUZZLE_NOT_READ


class OddDotsError(DotsError):
    """Some dots have no partner."""

    code = "odd-dots"


class AmbiguousColoursError(DotsError):
    """Some dots look too similar to be paired."""

    code = "ambiguous-colours"
    alike: tuple[int, ...] = ()
    """Numbers of these dots."""


class PuzzleInvalidError(FlowvisionError):
    """The puzzle breaks the rules; the message lists every fault."""

    code = "puzzle-invalid"
    exit_code = ExitCode.PUZZLE_NOT_READ
    default_hint = "docs/puzzle-text.md shows how a puzzle is written."


class UnsolvableError(FlowvisionError):
    """The puzzle has no solution, or the screenshot was misread."""

    code = "unsolvable"
    exit_code = ExitCode.UNSOLVABLE
    default_hint = (
        "If it came from a screenshot, it was misread: compare its dots and walls with the picture."
    )


class GaveUpError(FlowvisionError):
    """The time limit passed."""

    code = "gave-up"
    exit_code = ExitCode.GAVE_UP
    default_hint = Hint("Allow more time with {}.", Option("limit"))


class MissingExtraError(FlowvisionError):
    """An optional dependency is not installed."""

    code = "missing-extra"
    exit_code = ExitCode.MISSING_EXTRA


def missing_extra(needs: str, extra: str, otherwise: str = "") -> MissingExtraError:
    """Return the error about a missing extra.

    ``needs``: a clause that ends in its library, such as ``An MP4 needs PyAV``. ``otherwise``: the end of the
    hint, such as ``, or write a .gif``.
    """
    hint = f"Install it with `{install_command(extra)}` in Flowvision's folder{otherwise}."
    return MissingExtraError(f"{needs}, which is not installed.", hint)


def install_command(extra: str) -> str:
    """Return the command that adds an extra to this environment, by what made the environment."""
    if os.path.isfile(os.path.join(sys.prefix, "uv-receipt.toml")):
        return f"uv tool install '.[{extra}]'"
    if os.path.isfile(os.path.join(sys.prefix, "pipx_metadata.json")):
        return f"pipx install --force '.[{extra}]'"
    return f"{_pip('install')} '.[{extra}]'"


def _pip(verb: str) -> str:
    """Return the command for pip, or uv without it, in this environment; ``verb``: such as ``install``."""
    import shlex
    from importlib.util import find_spec

    python = shlex.quote(sys.executable)
    if find_spec("pip"):
        return f"{python} -m pip {verb}"
    return f"uv pip {verb} --python {python}"


def missing_library(error: ImportError) -> MissingExtraError | None:
    """Return the error about a missing system library; ``None`` for other errors."""
    library = re.match(r"(lib[\w.+-]+\.so[.\d]*): ", str(error))
    if library is None:
        return None
    hint = (
        "Install the system package that contains it: for OpenCV on Debian libgl1 and libglib2.0-0. "
        f"Or replace OpenCV: `{_pip('uninstall')} opencv-python`, "
        f"then `{_pip('install')} opencv-python-headless`."
    )
    return MissingExtraError(f"The system library {library[1]} is missing; a package needs it.", hint)


class OutputError(FlowvisionError):
    """A result could not be written; nothing half-written is left behind."""

    code = "output-not-written"
    exit_code = ExitCode.OUTPUT_NOT_WRITTEN
    default_hint = "Choose a folder that you can write to."


class DoubtfulReadingError(FlowvisionError):
    """The reading could be wrong: refused rather than guessed."""

    code = "doubtful-reading"
    exit_code = ExitCode.READING_DOUBTFUL


class ClusterError(FlowvisionError):
    """The Dask cluster does not answer."""

    code = "no-cluster"
    exit_code = ExitCode.USAGE
    default_hint = "Start a cluster with `dask scheduler` and `dask worker ADDRESS`, and check the address."


NO_MEMORY = ("Insufficient memory", "Failed to allocate", "bad_alloc")
"""OpenCV's words for exhausted memory."""


class CrashedError(FlowvisionError):
    """A bug, or the process was killed."""

    code = "crashed"
    exit_code = ExitCode.BUG
    default_hint = "This is a bug in Flowvision: please report it, with the picture if you can share it."


class ShortageError(CrashedError):
    """The machine has run out of memory, file handles or threads."""

    code = "out-of-resources"
    exit_code = ExitCode.OUT_OF_RESOURCES
    default_hint = (
        "Close other programs, use fewer processes (`batch --jobs N`), give a smaller picture, or allow more "
        "files and threads (`ulimit -n`, `ulimit -u`)."
    )


def crash_of(error: BaseException) -> CrashedError:
    """Wrap an unexpected exception; running out of memory is not a bug."""
    words = f"{type(error).__name__}: {error}"
    return shortage_of(error) or CrashedError(words.rstrip(": "))


REFUSALS: dict[str, type[FlowvisionError]] = {
    "decode": ImageUnreadableError,
    "board": BoardNotFoundError,
    **dict.fromkeys(("grid", "sides"), GridNotFoundError),
    **dict.fromkeys(("dots", "pairs", "crossings"), DotsError),
    **dict.fromkeys(("solve", "doubts", "pipes"), DoubtfulReadingError),
}
"""Class of the refusal of each stage that measures a picture."""


def refusal_of(error: Exception, stage: str) -> FlowvisionError | None:
    """Wrap an error of arithmetic on shapes that only a picture can have; ``None`` for other errors."""
    is_arithmetic = isinstance(error, ArithmeticError) or type(error).__module__ in ("cv2", "numpy.linalg")
    if stage not in REFUSALS or not is_arithmetic or shortage_of(error):
        return None
    reason = " ".join(str(error).split()) or type(error).__name__
    return REFUSALS[stage](
        f"A measurement failed ({reason}).", "Give the whole screenshot as the phone made it."
    )


def shortage_of(error: BaseException) -> ShortageError | None:
    """Return the error about exhausted memory, file handles or threads; ``None`` for other errors."""
    number, text = getattr(error, "errno", None), str(error)
    # OpenCV raises one class for every cause.
    opencv = type(error).__module__ == "cv2" and any(words in text for words in NO_MEMORY)
    if isinstance(error, MemoryError) or number == ENOMEM or opencv:
        lacking = "memory"
    elif number in (EMFILE, ENFILE):
        lacking = "file handles"
    elif isinstance(error, RuntimeError) and "start new thread" in text:
        lacking = "threads"
    else:
        return None
    return ShortageError(f"The machine has run out of {lacking}.")
