"""The output folder, held by one run at a time: what is done is kept, found again, and published whole."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from flowvision.batch.contact_sheet import HEADER, MOST_CARDS, Card, card_of, grouped, row_of, sheet_of
from flowvision.batch.jobs import (
    PARTS,
    THUMBS,
    Done,
    Job,
    Outcome,
    failure_of,
    files_of,
    page_of,
    solution_of,
)
from flowvision.batch.journal import Entry, Journal, is_answer, is_entry
from flowvision.batch.work import content_of, read_job
from flowvision.contract import json_line
from flowvision.errors import FlowvisionError, OutputError
from flowvision.files import (
    PRIVATE,
    StrPath,
    make_folder,
    put_file,
    refuse_link,
    refuse_links,
    refuse_replacing,
    remove_unfinished,
)
from flowvision.image.mark import is_marked
from flowvision.value import value_type
from flowvision.version import VERSION
from flowvision.words import count_of

PASSING = frozenset({"crashed", "output-not-written", "missing-extra"})
"""Failures of the machine rather than of the picture: tried again in the next run."""


PUBLISHED = "results.ndjson", "summary.csv", "index.html"
"""The files of a run about all of its pictures."""


def _refuse_files_of_others(folder: Path) -> None:
    """Raise ``OutputError`` where what a run writes is there, in a folder that no run has written to."""
    if not (folder / PRIVATE).exists():
        for name in PUBLISHED:
            if (folder / name).is_symlink():  # replaced, never written through
                continue
            refuse_replacing(folder / name, is_marked, "Choose another folder with `-o`.")


class Store:
    """The output folder, held by one run at a time.

    Raises ``OutputError`` when the folder cannot be written or another run holds it.
    """

    def __init__(self, folder: StrPath) -> None:
        self.folder = make_folder(folder)
        _refuse_files_of_others(self.folder)
        for name in (f"{THUMBS}/", f"{PRIVATE}/lock", f"{PARTS}/"):
            refuse_links(self.folder, name)
        make_folder(self.folder / THUMBS)
        self._parts = make_folder(self.folder / PARTS)
        refuse_link(self.folder / PRIVATE / "lock")
        self._lock = Lock(self.folder / PRIVATE / "lock")
        try:
            remove_unfinished(self._parts)
            self._journal = Journal(self.folder / PRIVATE / "journal.ndjson", is_entry)
        except OutputError:
            self._lock.release()
            raise
        self._current: set[str] = set()
        self.kept = 0
        """Solutions and hints of earlier runs with other settings, of the same pictures: they still hold."""

    def __enter__(self) -> Store:
        """The store itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Release the folder, without what killed workers left unfinished."""
        remove_unfinished(self._parts)
        self._journal.close()
        self._lock.release()

    @property
    def notes(self) -> list[str]:
        """Remarks on the folder as it was found."""
        count, aside = self._journal.rejected, self._journal.aside
        return [f"{count_of(count, 'line')} of the journal made no sense, now in {aside}."] if count else []

    def known(self, job: Job) -> Outcome | None:
        """The outcome of an earlier run, if the same picture was solved with the same settings.

        Its pictures must still be there.
        """
        self._current.discard(job.name)  # in a watched folder the picture may be another by now
        entry = self._journal.get(job.name)
        if entry is None or entry["settings"] != _settings(job) or not entry["content"]:
            return None
        if not is_answer(entry["answer"]):
            return None
        if (
            (debug := job.request.debug)
            and (debug == "all" or _code(entry))
            and page_of(job.name) not in dict(entry["files"])
        ):
            return None
        if _code(entry) in PASSING or not all(self._is_there(*file) for file in entry["files"]):
            return None
        with suppress(FlowvisionError):
            if content_of(read_job(job)) == entry["content"]:
                self._current.add(job.name)
                return _outcome(job, entry)
        return None

    def add(self, job: Job, outcome: Outcome) -> bool:
        """Note an outcome and remove what an earlier one left; whether it was new. Raises ``OutputError``."""
        if job.name in self._current:
            return False
        before = self._journal.get(job.name)
        self._journal.add(
            {
                "name": job.name,
                "content": outcome.content,
                "settings": _settings(job),
                "files": outcome.files,
                "answer": json.loads(outcome.described),
            }
        )
        self._current.add(job.name)
        for name in self._left(before, job, outcome) if before else ():
            with suppress(OSError, OutputError):
                refuse_links(self.folder, name)
                (self.folder / name).unlink()
        return True

    def _left(self, before: Entry, job: Job, outcome: Outcome) -> set[str]:
        """The files of earlier outcomes that no longer hold; solution and hint of the same picture do."""
        written = dict(outcome.files).keys()
        if outcome.content != before["content"]:
            return set(files_of(job.name) - written)
        left = {name for name, _ in before["files"]} - written
        kept = left & {solution_of(job.name), solution_of(job.name, "next")}
        self.kept += len(kept)
        return left - kept

    def publish(self, jobs: Sequence[Job]) -> None:
        """Write ``results.ndjson``, ``summary.csv`` and ``index.html`` about those jobs that are done."""
        self._put("results.ndjson", (f"{json_line(answer)}\n".encode() for answer, _ in self.answers(jobs)))
        self._put("summary.csv", chain((HEADER,), (row_of(answer) for answer, _ in self.answers(jobs))))
        done = sum(job.name in self._current for job in jobs)
        page = sheet_of(grouped(_Cards(self, jobs), MOST_CARDS), done)
        self._put("index.html", (piece.encode() for piece in page))

    def _put(self, name: str, chunks: Iterable[bytes]) -> None:
        put_file(self.folder / name, chunks, self._parts)

    def answers(self, jobs: Iterable[Job]) -> Iterator[tuple[Entry, list[tuple[str, int]]]]:
        """The objects of the contract of those jobs that this run has an outcome of, and their files."""
        for job in jobs:
            if job.name in self._current and (entry := self._journal.get(job.name)):
                yield _answer(job, entry), entry["files"]

    def _is_there(self, name: str, size: int) -> bool:
        """Whether a file is as it was left: a plain one, and not behind a link."""
        try:
            refuse_links(self.folder, name)
            found = os.lstat(self.folder / name)
        except (OSError, OutputError):
            return False
        return stat.S_ISREG(found.st_mode) and found.st_size == size


@value_type
class _Cards:
    """The cards of those jobs that are done, made anew each time they are gone through."""

    store: Store
    jobs: Sequence[Job]

    def __iter__(self) -> Iterator[Card]:
        base = self.jobs[0].base if self.jobs else ""
        for answer, files in self.store.answers(self.jobs):
            yield card_of(answer, files, _address(os.path.join(base, answer["file"]), self.store.folder))


def _address(path: str, folder: Path) -> str | None:
    """Where a screenshot is, as seen from the folder; ``None`` where no relative path leads there."""
    with suppress(ValueError):  # another drive
        return os.path.relpath(path, folder.absolute()).replace(os.sep, "/")
    return None


def _settings(job: Job) -> str:
    """The version and the options that shape an outcome, beside the picture."""
    return f"flowvision {VERSION}, {job.request.settings}"


def _code(entry: Entry) -> str | None:
    error = entry["answer"].get("error")
    return error["code"] if error else None


def _answer(job: Job, entry: Entry) -> Entry:
    """The object of the contract, with the names of this run."""
    answer: Entry = entry["answer"]
    renamed = {"file": job.source} | ({"output": job.solved} if answer["ok"] else {})
    return answer | renamed


def _outcome(job: Job, entry: Entry) -> Outcome:
    answer, files = _answer(job, entry), tuple((name, size) for name, size in entry["files"])
    if answer["ok"]:
        warnings = len(answer.get("warnings", ()))
        return Done(job.number, job.source, entry["content"], json_line(answer), files, warnings)
    return failure_of(job, entry["content"], answer, files)


class Lock:
    """A lock on a file, which the system lets go when its process ends, however that happens.

    Raises ``OutputError`` when another process holds it.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("ab")
        except OSError as error:
            raise OutputError(f"Cannot write {path}: {error.strerror}.") from None
        try:
            _lock(self._file.fileno())
        except OSError:
            self._file.close()
            raise OutputError(
                f"Another run is writing to {path.parent.parent}.",
                "Wait for it, or choose another folder with `-o`.",
            ) from None

    def release(self) -> None:
        """Release the lock."""
        self._file.close()


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
