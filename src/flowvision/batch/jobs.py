"""Jobs and outcomes, which cross process boundaries; find the screenshots to make jobs of.

A name is a job's place in the output folder, without suffix; a file's name there is made of it and its kind.
"""

from __future__ import annotations

import glob
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count as count_up
from pathlib import PurePath
from typing import Literal, get_args

from msgspec import Struct, field

from flowvision.contract import Object
from flowvision.errors import FlowvisionError, ImageUnreadableError, crash_of
from flowvision.files import PRIVATE, STANDARD, StrPath, is_marked, read_standard_input
from flowvision.image.codec import READABLE
from flowvision.reading.options import Options
from flowvision.render.look import PLAIN, Look

SOLVED, HINTED = ".solved", ".hint"
"""Ends of the names of solved pictures and hints, before their suffix; they are not solved again."""
THUMBS = "thumbs"
"""The folder of small pictures inside the output folder."""
PARTS = f"{PRIVATE}/parts"
"""The folder of unfinished files inside the output folder."""

Debug = Literal["", "failed", "all"]
Kind = Literal["solved", "hint", "page", "before", "after", "stage"]
"""Solution, hint, debug page; small pictures: the screenshot, its solution, the stage that failed."""


def file_of(name: str, kind: Kind) -> str:
    """Return the name of a job's file in the output folder."""
    if kind == "page":
        return f"debug/{name}.page.html"
    if kind in ("solved", "hint"):
        return f"{name}.{kind}.png"
    return f"{THUMBS}/{name}.{kind}.jpg"


def files_of(name: str) -> set[str]:
    """Return all files of the output folder that a job of this name may write."""
    return {file_of(name, kind) for kind in get_args(Kind)}


class Request(Struct, frozen=True):
    """The options of a run, for each of its screenshots.

    ``debug``: the screenshots that get a debug page: none, ``failed`` ones, or ``all``. ``hint``: the kind of
    a hint that replaces the solution. ``animate``: the picture moves.
    """

    options: Options = field(default_factory=Options)
    debug: Debug = ""
    look: Look = PLAIN
    hint: str | None = None
    animate: bool = False


USUAL = Request()
"""The whole solution, within half a minute."""


class Job(Struct, frozen=True):
    """One screenshot to solve.

    ``source``: its file, as reported. ``name``: its place in the folder ``output``, without suffix, with
    ``/`` between folders. ``base``: where relative paths start.
    """

    number: int
    source: str
    name: str
    output: str
    base: str = ""
    request: Request = USUAL

    @property
    def solved(self) -> str:
        """Place of the solved picture or the hint, as it is reported."""
        return self.place(self.solution)

    @property
    def solution(self) -> str:
        """Name of the solved picture or the hint in the output folder."""
        return file_of(self.name, "hint" if self.request.hint else "solved")

    def place(self, name: str) -> str:
        """Return the path of a file of the output folder."""
        return os.path.join(self.output, *name.split("/"))

    def path(self, reported: str) -> str:
        """Return a path that any process can open."""
        return os.path.join(self.base, reported)


class Outcome(Struct, frozen=True):
    """Outcome of a screenshot.

    ``content``: hash of the file's bytes. ``answer``: its JSON object. ``files``: names in the
    output folder that were written, and their sizes in bytes.
    """

    number: int
    source: str
    content: str
    answer: Object
    files: dict[str, int] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """Code of the cause of a failure; empty for a solved screenshot."""
        return "" if self.answer["ok"] else reason_of(self.answer["error"])

    @property
    def message(self) -> str:
        """Sentence about a failure."""
        return "" if self.answer["ok"] else str(self.answer["error"]["message"])


def failed(job: Job, error: Exception, content: str = "") -> Outcome:
    """Return the outcome of a job that ended with an error."""
    from flowvision.contract import error_object

    error = error if isinstance(error, FlowvisionError) else crash_of(error)
    return Outcome(job.number, job.source, content, error_object(job.source, error))


def reason_of(error: Object) -> str:
    """Return the code of the cause of an error in JSON, or the error's own if no cause is known."""
    cause = error.get("cause", {}).get("code", "unknown")
    return str(error["code"] if cause == "unknown" else cause)


class Shot(Struct, frozen=True):
    """A screenshot: its path, and the subfolders to repeat in the output."""

    path: str
    below: tuple[str, ...] = ()


def find_shots(named: Sequence[str], recursive: bool = False) -> tuple[list[Shot], Counter[str]]:
    """Return the screenshots of folders, glob patterns, files and ``-`` (a list on standard input).

    Also return how many files of other kinds were skipped. Folders give their pictures by name, without
    hidden files. Pictures that Flowvision made are skipped, unless the file itself is named. Nothing is taken
    twice. Raises ``ImageUnreadableError`` for a missing file, or if there is no picture.
    """
    skipped: Counter[str] = Counter()
    shot_at: dict[str, Shot] = {}
    for name in named:
        for shot in _shots_named(name, recursive, skipped):
            shot_at.setdefault(os.path.abspath(shot.path), shot)
    if not shot_at:
        places = ", ".join("the list on standard input" if name == STANDARD else name for name in named)
        others = f", skipped {kinds_in_words(skipped)}" if skipped else ""
        suffixes = ", ".join(sorted(READABLE))
        raise ImageUnreadableError(
            f"No pictures in {places}: none of {suffixes}{others}.",
            "Give the folder they are in, with `--recursive` for the folders inside it.",
        )
    return list(shot_at.values()), skipped


def kinds_in_words(skipped: Mapping[str, int]) -> str:
    """Return text such as ``3 × a picture that Flowvision made``, from numbers by kind."""
    counted = [f"{count:,} × {kind}" for kind, count in skipped.items()]
    return ", ".join(counted)


def _shots_named(named: str, recursive: bool, skipped: Counter[str]) -> Iterator[Shot]:
    """Yield the screenshots of one name: ``-``, a folder, a file or a pattern; count the others."""
    if named == STANDARD:
        data = read_standard_input()
        parts = data.split(b"\0") if b"\0" in data else data.splitlines()  # as ``find -print0`` writes it
        listed = [os.fsdecode(part) for part in parts if part.strip()]
        yield from not_ours(map(Shot, listed), skipped)
    elif os.path.isdir(named):
        yield from not_ours(shots_in(named, recursive, skipped), skipped)
    elif os.path.lexists(named):  # a broken link fails as a job of its own
        yield Shot(named)
    else:
        matches = sorted(glob.glob(named, recursive=True))
        if not matches and (PurePath(named).suffix.lower() not in READABLE or glob.has_magic(named)):
            raise ImageUnreadableError(
                f"No such folder, file or pattern with matches: {named}",
                "Check the name; quote a pattern, so that the shell leaves it alone.",
            )
        files = [match for match in matches if _is_picture(match, skipped)]
        yield from not_ours(map(Shot, files if matches else [named]), skipped)


def not_ours(shots: Iterable[Shot], skipped: Counter[str] | None = None) -> Iterator[Shot]:
    """Yield the pictures that Flowvision did not make, by their contents; count others in ``skipped``."""
    for shot in shots:
        if not is_marked(shot.path):
            yield shot
        elif skipped is not None:
            skipped["a picture that Flowvision made"] += 1


def shots_in(
    folder: str, recursive: bool, skipped: Counter[str] | None = None, below: tuple[str, ...] = ()
) -> Iterator[Shot]:
    """Yield the pictures of a folder by name; with ``recursive``, then those of its folders.

    Output folders of a batch are not entered; unreadable folders inside are counted. ``below``: names of the
    subfolders to start in. Raises ``ImageUnreadableError`` for an unreadable folder.
    """
    skipped = Counter() if skipped is None else skipped
    path = os.path.join(folder, *below)
    try:
        with os.scandir(path) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        if below:  # such as lost+found
            skipped["a folder that cannot be opened"] += 1
            return
        raise ImageUnreadableError(
            f"Cannot look into the folder {path}: {error.strerror}.", "Give a folder that you may read."
        ) from None
    for entry in entries:
        if _is_picture(entry.path, skipped):
            yield Shot(entry.path, below)
    if not recursive:
        return
    is_output = os.path.isdir(os.path.join(path, PRIVATE))
    for entry in entries:
        name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
        is_ours = os.path.isdir(os.path.join(entry.path, PRIVATE)) or (is_output and name == THUMBS)
        if is_folder and not (name.startswith(".") or is_ours):
            yield from shots_in(folder, recursive, skipped, (*below, name))


def _is_picture(path: str, skipped: Counter[str]) -> bool:
    """Return true for a file that is a screenshot by its name; count links to nowhere in ``skipped``."""
    stem, suffix = os.path.splitext(os.path.basename(path))
    is_hidden, is_result = stem.startswith("."), stem.endswith((SOLVED, HINTED))
    if is_hidden or is_result or suffix.lower() not in READABLE:
        return False
    if os.path.islink(path) and not os.path.exists(path):
        skipped["a link that leads to no file"] += 1
    return os.path.isfile(path)


def jobs_for(shots: Iterable[Shot], output: StrPath, request: Request = USUAL) -> list[Job]:
    """Return a job for every screenshot, each with its own place in the folder ``output``."""
    shots, folder, base = list(shots), os.fspath(output), os.getcwd()
    named = enumerate(zip(shots, _names(shots), strict=True))
    return [Job(number, shot.path, name, folder, base, request) for number, (shot, name) in named]


def _names(shots: Sequence[Shot]) -> list[str]:
    """Return a unique name for each: without suffix, with it if two are alike, else numbered.

    Names that differ only by case or by encoding of accents are alike.
    """
    with_suffix = ["/".join((*shot.below, os.path.basename(shot.path))) for shot in shots]
    without_suffix = [os.path.splitext(name)[0] for name in with_suffix]
    short_counts = Counter(map(_alike, without_suffix))
    names = zip(without_suffix, with_suffix, strict=True)
    proposed = [short if short_counts[_alike(short)] == 1 else whole for short, whole in names]
    counts = Counter(map(_alike, proposed))
    used_keys = {key for key, times in counts.items() if times == 1}
    unique = []
    for name in proposed:
        if counts[_alike(name)] > 1:
            numbered = (f"{name}-{number}" for number in count_up(1))
            name = next(candidate for candidate in numbered if _alike(candidate) not in used_keys)  # noqa: PLW2901
            used_keys.add(_alike(name))
        unique.append(name)
    return unique


def _alike(name: str) -> str:
    """Return a key that is the same for names that are alike."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
