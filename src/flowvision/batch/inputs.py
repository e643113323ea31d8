"""The screenshots that folders, patterns, files and lists name, and their places in the output."""

from __future__ import annotations

import glob
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import PurePath

from flowvision.batch.jobs import HINTED, SOLVED, THUMBS, USUAL, Job, Request
from flowvision.errors import ImageUnreadableError, OutputError
from flowvision.files import PRIVATE, STANDARD, StrPath, read_standard_input, refuse_url
from flowvision.image.mark import is_marked
from flowvision.image.opening import READABLE, foreign_kind
from flowvision.value import value_type

NAME_BYTES = 200
"""A name of a file is cut to this many bytes, so that the suffixes of what is written fit behind it."""
CLOSED, BROKEN_LINK = "a folder that cannot be opened", "a link that leads to no file"
OURS = "a picture that Flowvision made"
"""Things that are counted as skipped inside a folder that is named."""


@value_type
class Shot:
    """A file taken for a screenshot: its path, and the folders to keep of it in the output."""

    path: str
    below: tuple[str, ...] = ()


@value_type
class Found:
    """The screenshots in order, and how many files of other kinds were skipped (``a video`` → 3)."""

    shots: tuple[Shot, ...]
    skipped: dict[str, int]


def find_shots(named: Sequence[str], recursive: bool = False) -> Found:
    """The screenshots that folders, glob patterns, files and ``-`` (a list on standard input) name.

    Folders give their pictures in the order of names, without hidden files. Pictures that Flowvision made are
    passed over, but for a file that is named: that is taken whatever it is. Nothing is taken twice. Raises
    ``ImageUnreadableError`` when something named is not there, or when no picture is.
    """
    foreign: Counter[str] = Counter()
    found: dict[str, Shot] = {}
    for one in named:
        for shot in _shots_named(one, recursive, foreign):
            found.setdefault(os.path.abspath(shot.path), shot)
    if not found:
        places = ", ".join("the list on standard input" if one == STANDARD else one for one in named)
        others = f", skipped {kinds_in_words(foreign)}" if foreign else ""
        raise ImageUnreadableError(
            f"No pictures in {places}: looked for {', '.join(sorted(READABLE))}{others}.",
            "Give the folder they are in, with `--recursive` for the folders inside it.",
        )
    return Found(tuple(found.values()), dict(foreign))


def kinds_in_words(skipped: Mapping[str, int]) -> str:
    """``3 × a video, 1 × a PDF document``."""
    return ", ".join(f"{count:,} × {kind}" for kind, count in skipped.items())


def _shots_named(named: str, recursive: bool, foreign: Counter[str]) -> Iterator[Shot]:
    if named == STANDARD:
        yield from of_others(map(Shot, listed(read_standard_input())), foreign)
    elif os.path.isdir(named):
        yield from of_others(shots_in(named, recursive, foreign), foreign)
    elif os.path.lexists(named):  # a link that leads nowhere fails in its place
        yield Shot(named)
    else:
        refuse_url(named)
        matches = sorted(glob.glob(named, recursive=True))
        if not matches and (PurePath(named).suffix.lower() not in READABLE or glob.has_magic(named)):
            raise ImageUnreadableError(
                f"No such folder, file or pattern with matches: {named}",
                "Check the name; a pattern that the shell must not touch is put in quotes.",
            )
        files = [match for match in matches if _is_picture(match, foreign) and _is_file(match, foreign)]
        yield from of_others(map(Shot, files if matches else [named]), foreign)


def of_others(shots: Iterable[Shot], foreign: Counter[str] | None = None) -> Iterator[Shot]:
    """Without the pictures that Flowvision made, whatever they are called; these are counted."""
    for shot in shots:
        if not is_marked(shot.path):
            yield shot
        elif foreign is not None:
            foreign[OURS] += 1


def listed(data: bytes) -> list[str]:
    """The files in a list: one a line, or separated by zero bytes as ``find -print0`` does."""
    parts = data.split(b"\0") if b"\0" in data else data.splitlines()
    return [os.fsdecode(part) for part in parts if part.strip()]


def shots_in(folder: str, recursive: bool, foreign: Counter[str] | None = None) -> Iterator[Shot]:
    """The pictures of a folder by name; with ``recursive``, then those of its folders.

    Folders that a batch has written are not entered; those inside that may not be read are counted.
    Raises ``ImageUnreadableError`` when the folder itself may not be.
    """
    counted = Counter[str]() if foreign is None else foreign
    yield from _shots_below(folder, (), recursive, counted)


def _shots_below(
    folder: str, below: tuple[str, ...], recursive: bool, foreign: Counter[str]
) -> Iterator[Shot]:
    here = os.path.join(folder, *below)
    try:
        with os.scandir(here) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        if below:  # such as lost+found: no reason to leave the rest undone
            foreign[CLOSED] += 1
            return
        raise ImageUnreadableError(
            f"Cannot look into the folder {here}: {error.strerror}.", "Give a folder that you may read."
        ) from None
    for entry in entries:
        if _is_picture(entry.name, foreign) and _is_file(entry.path, foreign):
            yield Shot(os.path.join(here, entry.name), below)
    inner = [entry.name for entry in entries if recursive and entry.is_dir(follow_symlinks=False)]
    for name in inner:
        ours = os.path.isdir(os.path.join(here, name, PRIVATE))
        thumbs = name == THUMBS and os.path.isdir(os.path.join(here, PRIVATE))
        if not name.startswith(".") and not ours and not thumbs:
            yield from _shots_below(folder, (*below, name), recursive, foreign)


def _is_file(path: str, foreign: Counter[str]) -> bool:
    """Whether it is a file or a link to one; a link that cannot be followed to its end is counted."""
    if os.path.isfile(path):
        return True
    if os.path.islink(path) and not os.path.exists(path):
        foreign[BROKEN_LINK] += 1
    return False


def _is_picture(path: str, foreign: Counter[str]) -> bool:
    """Whether a file is one by name: no solution or hint, and not hidden, as files still being copied are."""
    stem, suffix = os.path.splitext(os.path.basename(path))
    if stem.startswith("."):
        return False
    if kind := foreign_kind(path):
        foreign[kind] += 1
    return suffix.lower() in READABLE and not stem.endswith((SOLVED, HINTED))


def jobs_for(shots: Iterable[Shot], output: StrPath, request: Request = USUAL) -> list[Job]:
    """A job for every screenshot, no two with one place in the folder ``output``.

    Raises ``OutputError`` when a solution would be written over one of the screenshots.
    """
    shots, folder = list(shots), os.fspath(output)
    base = os.getcwd()
    jobs = [
        Job(number, shot.path, name, folder, base, request)
        for number, (shot, name) in enumerate(zip(shots, _names(shots), strict=True))
    ]
    inputs = {_alike(os.path.abspath(job.source)) for job in jobs}
    for job in jobs:
        if _alike(os.path.abspath(job.solved)) in inputs:
            raise OutputError(
                f"{job.solved} is one of the screenshots given; it will not be overwritten.",
                "Leave it out, or choose another folder with `-o`.",
            )
    return jobs


def _names(shots: Sequence[Shot]) -> list[str]:
    """The place of every screenshot: its name without suffix, with it where two are alike, else numbered.

    Names are also told apart where a file system would not: by case, or by how accents are written.
    """
    plain = [
        "/".join((*shot.below, _cut(os.path.splitext(os.path.basename(shot.path))[0]))) for shot in shots
    ]
    full = ["/".join((*shot.below, _cut(os.path.basename(shot.path)))) for shot in shots]
    count = Counter(map(_alike, plain))
    wanted = [a if count[_alike(a)] == 1 else b for a, b in zip(plain, full, strict=True)]
    clear = Counter(map(_alike, wanted))
    taken = {name for name, times in clear.items() if times == 1}
    names = []
    for name in wanted:
        if clear[_alike(name)] > 1:
            number = 1
            while _alike(f"{name}-{number}") in taken:
                number += 1
            name = f"{name}-{number}"  # noqa: PLW2901
            taken.add(_alike(name))
        names.append(name)
    return names


def _cut(name: str) -> str:
    """A name short enough to be lengthened; what is cut off is told apart by its hash."""
    data = os.fsencode(name)
    if len(data) <= NAME_BYTES:
        return name
    kept = os.fsdecode(data[: NAME_BYTES - 9].decode("utf-8", "ignore").encode())
    return f"{kept}-{blake2b(data, digest_size=4).hexdigest()}"


def _alike(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
