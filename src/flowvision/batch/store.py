"""The output folder, held by one run at a time: keeps what is done, finds it again, publishes it whole."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from flowvision.batch.contact_sheet import COLUMNS, MAX_CARDS, card_of, grouped, line_of, row_of, sheet_of
from flowvision.batch.jobs import PARTS, THUMBS, Job, Outcome, file_of, files_of
from flowvision.batch.journal import Entry, Journal, is_answer
from flowvision.batch.work import content_of, read_job
from flowvision.contract import json_line
from flowvision.errors import FlowvisionError, OutputError
from flowvision.files import (
    PRIVATE,
    StrPath,
    cannot_write,
    make_folder,
    put_file,
    refuse_link,
    refuse_links,
    refuse_replacing,
    remove_unfinished,
)
from flowvision.image.mark import is_marked
from flowvision.version import VERSION
from flowvision.words import count_of

if TYPE_CHECKING:
    from filelock import FileLock

TRANSIENT = frozenset({"crashed", "out-of-resources", "output-not-written", "missing-extra"})
"""Failures of the machine rather than of the picture: tried again in the next run."""
RESULTS, TABLE, SHEET = "results.ndjson", "summary.csv", "index.html"
"""The files of a run about all of its pictures."""
LOCK, JOURNAL = f"{PRIVATE}/lock", f"{PRIVATE}/journal.ndjson"
PRIVATE_NAMES = THUMBS, PRIVATE, PARTS, LOCK, JOURNAL, f"{PRIVATE}/journal.rejected"
"""Files and folders that a run only reads and writes where they are no links."""


def _refuse_foreign_files(folder: Path) -> None:
    """Raise ``OutputError`` for a file of somebody else in the place of one that a run writes."""
    if not (folder / PRIVATE).exists():
        for path in (folder / name for name in (RESULTS, TABLE, SHEET)):
            if not path.is_symlink():  # a link is replaced, never written through
                refuse_replacing(path, is_marked, "Choose another folder with `-o`.")


class Store:
    """The output folder, held by one run at a time.

    Raises ``OutputError`` when the folder cannot be written or another run holds it.
    """

    def __init__(self, folder: StrPath) -> None:
        self.folder = make_folder(folder)
        _refuse_foreign_files(self.folder)
        for name in PRIVATE_NAMES:
            refuse_link(self.folder / name)
        make_folder(self.folder / THUMBS)
        self._parts = make_folder(self.folder / PARTS)
        self._lock = _locked(self.folder)
        try:
            remove_unfinished(self._parts)
            self._journal = Journal(self.folder / JOURNAL, is_answer)
        except OutputError:
            self._lock.release()
            raise
        self._current: set[str] = set()
        self.kept = 0
        """Solutions and hints of earlier runs with other settings, of the same pictures: they still hold."""

    def __enter__(self) -> Store:
        """Return the store itself."""
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
        return [f"Moved {count_of(count, 'invalid line')} of the journal to {aside}."] if count else []

    def known(self, job: Job) -> Outcome | None:
        """Return the outcome of an earlier run, if picture and settings are the same and its files there."""
        self._current.discard(job.name)  # in a watched folder the picture may be another by now
        entry = self._journal.get(job.name)
        if entry is None or entry["settings"] != _settings(job):
            return None
        outcome = Outcome(job.number, job.source, entry["content"], _answer(job, entry), entry["files"])
        debug = job.request.debug
        if (debug == "all" or (debug and outcome.code)) and file_of(job.name, "page") not in outcome.files:
            return None
        if outcome.code in TRANSIENT or not all(self._is_there(*file) for file in outcome.files.items()):
            return None
        with suppress(FlowvisionError):
            if content_of(read_job(job)) == outcome.content:
                self._current.add(job.name)
                return outcome
        return None

    def add(self, job: Job, outcome: Outcome) -> bool:
        """Note an outcome and remove what an earlier one left; return whether it was new.

        Raises ``OutputError``.
        """
        if job.name in self._current:
            return False
        before = self._journal.get(job.name)
        self._journal.add(
            {
                "name": job.name,
                "content": outcome.content,
                "settings": _settings(job),
                "files": outcome.files,
                "answer": outcome.answer,
            }
        )
        self._current.add(job.name)
        for name in self._left(before, job, outcome) if before else ():
            with suppress(OSError, OutputError):
                refuse_links(self.folder, name)
                (self.folder / name).unlink()
        return True

    def _left(self, before: Entry, job: Job, outcome: Outcome) -> set[str]:
        """Return the files of earlier outcomes that no longer hold; solution and hint of a picture do."""
        if outcome.content != before["content"]:
            return files_of(job.name) - outcome.files.keys()
        left = before["files"].keys() - outcome.files.keys()
        kept = left & {file_of(job.name, "solved"), file_of(job.name, "hint")}
        self.kept += len(kept)
        return set(left - kept)

    def publish(self, jobs: Sequence[Job]) -> None:
        """Write the results, the table and the contact sheet about those jobs that are done."""
        self._put(RESULTS, (f"{json_line(answer)}\n".encode() for _, answer, _ in self._done(jobs)))
        lines = (line_of(row_of(answer).values()) for _, answer, _ in self._done(jobs))
        self._put(TABLE, chain((line_of(COLUMNS),), lines))
        cards = (card_of(answer, files, self._seen_from_here(job)) for job, answer, files in self._done(jobs))
        page = sheet_of(grouped(cards, MAX_CARDS), sum(job.name in self._current for job in jobs))
        self._put(SHEET, (piece.encode() for piece in page))

    def _put(self, name: str, chunks: Iterable[bytes]) -> None:
        put_file(self.folder / name, chunks, self._parts)

    def answer(self, job: Job) -> Entry | None:
        """Return the object of the contract of a job that this run has an outcome of."""
        return next((answer for _, answer, _ in self._done([job])), None)

    def _done(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Entry, dict[str, int]]]:
        """Yield the jobs that this run has an outcome of, each with its object and its files."""
        for job in jobs:
            if job.name in self._current and (entry := self._journal.get(job.name)):
                yield job, _answer(job, entry), entry["files"]

    def _is_there(self, name: str, size: int) -> bool:
        """Tell whether a file is as it was left: a plain one, and not behind a link."""
        try:
            refuse_links(self.folder, name)
            found = os.lstat(self.folder / name)
        except (OSError, OutputError):
            return False
        return stat.S_ISREG(found.st_mode) and found.st_size == size

    def _seen_from_here(self, job: Job) -> str | None:
        """Return the path of a screenshot from the folder; ``None`` where no relative path leads there."""
        with suppress(ValueError):  # another drive
            return os.path.relpath(job.path(job.source), self.folder.absolute()).replace(os.sep, "/")
        return None


def _locked(folder: Path) -> FileLock:
    """Return the lock of a folder, which the system releases when the process ends, however that happens.

    Raises ``OutputError`` when another run holds it.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        hint = "Wait for it, or choose another folder with `-o`."
        raise OutputError(f"Another run is writing to {folder}.", hint) from None
    except OSError as error:
        raise cannot_write(folder / LOCK, error) from None
    return lock


def _settings(job: Job) -> str:
    """Return the version and the options that shape an outcome, beside the picture."""
    return f"flowvision {VERSION}, {job.request.settings}"


def _answer(job: Job, entry: Entry) -> Entry:
    """Return the object of the contract, with the names of this run."""
    answer: Entry = entry["answer"]
    return answer | {"file": job.source} | ({"output": job.solved} if answer["ok"] else {})
