"""Find the screenshots of folders, patterns, files and lists, and their places in the output."""

from __future__ import annotations

import glob
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import count as count_up
from pathlib import PurePath

from msgspec import Struct

from flowvision.batch.jobs import HINTED, SOLVED, THUMBS, USUAL, Job, Request
from flowvision.errors import ImageUnreadableError, OutputError
from flowvision.files import PRIVATE, STANDARD, StrPath, read_standard_input, refuse_url
from flowvision.image.mark import is_marked
from flowvision.image.opening import READABLE, foreign_kind

NAME_BYTES = 200
"""A name of a file is cut to this many bytes, so that the suffixes of what is written fit behind it."""
CLOSED, BROKEN_LINK = "a folder that cannot be opened", "a link that leads to no file"
OURS = "a picture that Flowvision made"
"""Things that are counted as skipped inside a folder that is named."""


class Shot(Struct, frozen=True):
    """A file taken for a screenshot: its path, and the folders to keep of it in the output."""

    path: str
    below: tuple[str, ...] = ()


class Found(Struct, frozen=True):
    """The screenshots in order, and how many files of other kinds were skipped (``a video`` → 3)."""

    shots: tuple[Shot, ...]
    skipped: dict[str, int]


def find_shots(named: Sequence[str], recursive: bool = False) -> Found:
    """Return the screenshots of folders, glob patterns, files and ``-`` (a list on standard input).

    Folders give their pictures by name, without hidden files. Pictures that Flowvision made are skipped,
    unless the file itself is named. Nothing is taken twice. Raises ``ImageUnreadableError`` for a missing
    file, or without any picture.
    """
    skipped: Counter[str] = Counter()
    found: dict[str, Shot] = {}
    for one in named:
        for shot in _shots_named(one, recursive, skipped):
            found.setdefault(os.path.abspath(shot.path), shot)
    if not found:
        places = ", ".join("the list on standard input" if one == STANDARD else one for one in named)
        others = f", skipped {kinds_in_words(skipped)}" if skipped else ""
        raise ImageUnreadableError(
            f"No pictures in {places}: none of {', '.join(sorted(READABLE))}{others}.",
            "Give the folder they are in, with `--recursive` for the folders inside it.",
        )
    return Found(tuple(found.values()), dict(skipped))


def kinds_in_words(skipped: Mapping[str, int]) -> str:
    """Return text such as ``3 × a video, 1 × a PDF document``."""
    return ", ".join(f"{count:,} × {kind}" for kind, count in skipped.items())


def _shots_named(named: str, recursive: bool, skipped: Counter[str]) -> Iterator[Shot]:
    if named == STANDARD:
        yield from of_others(map(Shot, listed(read_standard_input())), skipped)
    elif os.path.isdir(named):
        yield from of_others(shots_in(named, recursive, skipped), skipped)
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
        files = [match for match in matches if _is_picture(match, skipped)]
        yield from of_others(map(Shot, files if matches else [named]), skipped)


def of_others(shots: Iterable[Shot], skipped: Counter[str] | None = None) -> Iterator[Shot]:
    """Yield the pictures that Flowvision did not make, by their contents; count the others."""
    for shot in shots:
        if not is_marked(shot.path):
            yield shot
        elif skipped is not None:
            skipped[OURS] += 1


def listed(data: bytes) -> list[str]:
    """Return the files in a list: one a line, or separated by zero bytes as ``find -print0`` does."""
    parts = data.split(b"\0") if b"\0" in data else data.splitlines()
    return [os.fsdecode(part) for part in parts if part.strip()]


def shots_in(
    folder: str, recursive: bool, skipped: Counter[str] | None = None, below: tuple[str, ...] = ()
) -> Iterator[Shot]:
    """Yield the pictures of a folder by name; with ``recursive``, then those of its folders.

    Output folders of a batch are not entered; unreadable folders inside are counted. ``below``: folders down
    to where the search begins. Raises ``ImageUnreadableError`` for a closed folder.
    """
    skipped = Counter() if skipped is None else skipped
    here = os.path.join(folder, *below)
    try:
        with os.scandir(here) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        if below:  # such as lost+found: no reason to leave the rest undone
            skipped[CLOSED] += 1
            return
        raise ImageUnreadableError(
            f"Cannot look into the folder {here}: {error.strerror}.", "Give a folder that you may read."
        ) from None
    for entry in entries:
        if _is_picture(entry.path, skipped):
            yield Shot(entry.path, below)
    for entry in entries if recursive else ():
        name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
        is_ours = os.path.isdir(os.path.join(entry.path, PRIVATE))
        is_thumbs = name == THUMBS and os.path.isdir(os.path.join(here, PRIVATE))
        if is_folder and not (name.startswith(".") or is_ours or is_thumbs):
            yield from shots_in(folder, True, skipped, (*below, name))


def _is_picture(path: str, skipped: Counter[str]) -> bool:
    """Accept files that are pictures by name, not hidden, no solutions; count videos and broken links."""
    stem, suffix = os.path.splitext(os.path.basename(path))
    if stem.startswith("."):
        return False
    if kind := foreign_kind(path):
        skipped[kind] += 1
    if suffix.lower() not in READABLE or stem.endswith((SOLVED, HINTED)):
        return False
    if os.path.islink(path) and not os.path.exists(path):
        skipped[BROKEN_LINK] += 1
    return os.path.isfile(path)


def jobs_for(shots: Iterable[Shot], output: StrPath, request: Request = USUAL) -> list[Job]:
    """Return a job for every screenshot, no two with one place in the folder ``output``.

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
    """Return places: names without suffix, with it where two are alike, else numbered.

    Names that differ only by case or by encoding of accents are alike.
    """
    files = [os.path.basename(shot.path) for shot in shots]
    plain, full = (
        ["/".join((*shot.below, _cut(name))) for shot, name in zip(shots, names, strict=True)]
        for names in ([os.path.splitext(file)[0] for file in files], files)
    )
    count = Counter(map(_alike, plain))
    wanted = [a if count[_alike(a)] == 1 else b for a, b in zip(plain, full, strict=True)]
    clear = Counter(map(_alike, wanted))
    taken = {name for name, times in clear.items() if times == 1}
    names = []
    for name in wanted:
        numbered = (f"{name}-{number}" for number in count_up(1))
        place = name if clear[_alike(name)] == 1 else next(x for x in numbered if _alike(x) not in taken)
        taken.add(_alike(place))
        names.append(place)
    return names


def _cut(name: str) -> str:
    """Shorten a name so that suffixes fit behind it; a hash replaces the rest."""
    data = os.fsencode(name)
    if len(data) <= NAME_BYTES:
        return name
    kept = os.fsdecode(data[: NAME_BYTES - 9].decode("utf-8", "ignore").encode())
    return f"{kept}-{blake2b(data, digest_size=4).hexdigest()}"


def _alike(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
