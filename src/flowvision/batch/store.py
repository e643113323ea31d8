"""The output folder, locked by one run: keeps outcomes, finds them again, publishes results.

An entry of the journal has a job's ``name``, the ``content`` of its picture (a hash), the ``settings`` of its
request, the sizes of its ``files`` by name, and its ``answer``, the JSON object.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from msgspec.structs import replace

from flowvision import __version__
from flowvision.batch.contact_sheet import COLUMNS, MAX_CARDS, card_of, grouped, line_of, row_of, sheet_of
from flowvision.batch.jobs import PARTS, THUMBS, Job, Outcome, file_of, files_of
from flowvision.batch.work import content_of, read_job
from flowvision.contract import Object, json_line
from flowvision.errors import FlowvisionError, OutputError
from flowvision.files import (
    PRIVATE,
    StrPath,
    cannot_write,
    make_folder,
    put_file,
    refuse_links,
    refuse_replacing,
    remove_unfinished,
)

if TYPE_CHECKING:
    from filelock import FileLock

Entry = Object

MAX_LINE = 64 << 20
"""Bytes of a line: a thousand times those of the largest board."""
TRANSIENT = frozenset({"crashed", "out-of-resources", "output-not-written", "missing-extra"})
"""Failures of the machine, not of the picture: tried again in the next run."""
RESULTS, TABLE, SHEET = "results.ndjson", "summary.csv", "index.html"
"""The files of a run about all of its pictures."""
LOCK, JOURNAL = f"{PRIVATE}/lock", f"{PRIVATE}/journal.ndjson"


class Journal:
    """A file of JSON objects, each with a ``name``; the last one of a name counts.

    Only the positions of lines are kept in memory. Lines that ``accepts`` refuses are ignored, as is a
    truncated last one. Raises ``OutputError`` if it cannot be written, and stays unchanged.
    """

    def __init__(self, path: Path, accepts: Callable[[object], bool]) -> None:
        self.path = path
        self._accepts = accepts
        self._at: dict[str, int] = {}
        try:
            path.touch()
            self._size = self._read()
            self._file = path.open("ab", buffering=0)
            self._file.truncate(self._size)
            self._reader = path.open("rb")
        except OSError as error:
            raise OutputError(f"Cannot write {path}: {error.strerror}.") from None

    def _read(self) -> int:
        """Set where the last entry of every name begins; return the size of the journal in bytes."""
        size = lines = 0
        with self.path.open("rb") as file:
            # Until a truncated last line; one that is too long is read, and ignored, in parts.
            while (line := file.readline(MAX_LINE)).endswith(b"\n") or len(line) == MAX_LINE:
                with suppress(ValueError, RecursionError):
                    if self._accepts(entry := json.loads(line)):
                        self._at[entry["name"]] = size
                size, lines = size + len(line), lines + 1
        is_mostly_outdated = lines > 2 * len(self._at) + 100  # never so for a small one
        return self._compacted() if is_mostly_outdated else size

    def _compacted(self) -> int:
        """Rewrite the journal with the last entry of every name; return its size in bytes."""
        positions = sorted(self._at.values())
        with self.path.open("rb") as old:
            put_file(self.path, (_line(old, position) for position in positions))
        return self._read()

    def get(self, name: str) -> Entry | None:
        """Return the last entry of that name."""
        position = self._at.get(name)
        return None if position is None else cast(Entry, json.loads(_line(self._reader, position)))

    def add(self, entry: Entry) -> None:
        """Append an entry, all of it or nothing."""
        line = json.dumps(entry).encode() + b"\n"
        try:
            left = line
            while left:  # a disk that fills up takes a part, and raises at the next one
                left = left[self._file.write(left) or 0 :]
        except OSError as error:
            self._file.truncate(self._size)
            raise cannot_write(self.path, error) from None
        self._at[entry["name"]] = self._size
        self._size += len(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._reader.close()


def _line(file: BinaryIO, position: int) -> bytes:
    """Return the line of a file that begins at a position in bytes."""
    file.seek(position)
    return file.readline()


def is_answer(entry: Any) -> bool:
    """Return true for an entry with a job inside the folder, that job's files, and a whole answer."""
    try:
        name, files = entry["name"], entry["files"]
        card_of(entry["answer"] | {"file": name}, files)  # raises if the answer is malformed
        texts = name, entry["content"], entry["settings"]
        are_texts = all(isinstance(text, str) for text in texts)
        are_sizes = all(isinstance(size, int) for size in files.values())
        return are_texts and are_sizes and _is_inside(name) and files.keys() <= files_of(name)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        return False


def _is_inside(name: str) -> bool:
    """Return true for a name whose files lie inside the output folder."""
    if os.name == "nt" and any(sign in name for sign in '\\:*?"<>|'):
        return False
    return "\0" not in name and {"", ".", ".."}.isdisjoint(name.split("/"))


def _refuse_foreign_files(folder: Path) -> None:
    """Raise ``OutputError`` if a new output folder has files of other programs under the names of ours."""
    if not (folder / PRIVATE).exists():
        for path in (folder / name for name in (RESULTS, TABLE, SHEET)):
            if not path.is_symlink():  # a link is replaced, never written through
                refuse_replacing(path, "Choose another folder with `-o`.")


class Store:
    """The output folder. Raises ``OutputError`` if it cannot be written or another run has locked it.

    ``_current``: names of jobs whose entries belong to this run.
    """

    def __init__(self, folder: StrPath) -> None:
        self.folder = make_folder(folder)
        _refuse_foreign_files(self.folder)
        for name in (THUMBS, PRIVATE, PARTS, LOCK, JOURNAL):
            refuse_links(self.folder, f"{name}/")  # with a slash the last part is checked too
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

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        remove_unfinished(self._parts)
        self._journal.close()
        self._lock.release()

    def known(self, job: Job) -> Outcome | None:
        """Return the outcome of an earlier run, if picture, settings and files are still the same."""
        self._current.discard(job.name)  # a watched picture may have changed
        entry = self._journal.get(job.name)
        if entry is None or entry["settings"] != _settings(job):
            return None
        answer = _answer(job, entry)
        outcome = Outcome(job.number, job.source, entry["content"], answer, entry["files"])
        debug = job.request.debug
        needs_page = debug == "all" or bool(debug and outcome.code)
        lacks_page = needs_page and file_of(job.name, "page") not in outcome.files
        if lacks_page or outcome.code in TRANSIENT:
            return None
        if not all(self._is_there(name, size) for name, size in outcome.files.items()):
            return None
        with suppress(FlowvisionError):
            if content_of(read_job(job)) == outcome.content:
                self._current.add(job.name)
                return outcome
        return None

    def add(self, job: Job, outcome: Outcome) -> bool:
        """Add an outcome, and remove outdated files; return true if it is new. Raises ``OutputError``."""
        if job.name in self._current:
            return False
        before = self._journal.get(job.name)
        entry = {"name": job.name, "content": outcome.content, "settings": _settings(job)}
        self._journal.add(entry | {"files": outcome.files, "answer": outcome.answer})
        self._current.add(job.name)
        for name in _outdated(before, job, outcome) if before else ():
            with suppress(OSError, OutputError):
                refuse_links(self.folder, name)
                (self.folder / name).unlink()
        return True

    def publish(self, jobs: Sequence[Job]) -> None:
        """Write results, table and contact sheet of finished jobs."""
        objects = (json_line(answer) for _, answer, _ in self._done(jobs))
        self._put(RESULTS, (f"{line}\n".encode() for line in objects))
        rows = (row_of(answer).values() for _, answer, _ in self._done(jobs))
        self._put(TABLE, chain((line_of(COLUMNS),), map(line_of, rows)))
        finished = self._done(jobs)
        cards = (card_of(answer, files, self._link_to(job)) for job, answer, files in finished)
        total = sum(job.name in self._current for job in jobs)
        page = sheet_of(grouped(cards, MAX_CARDS), total)
        self._put(SHEET, (page.encode(),))

    def _put(self, name: str, chunks: Iterable[bytes]) -> None:
        """Write a file of the folder, whole or not at all."""
        put_file(self.folder / name, chunks, self._parts)

    def answer(self, job: Job) -> Entry | None:
        """Return the JSON object of a finished job."""
        return next((answer for _, answer, _ in self._done([job])), None)

    def _done(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Entry, dict[str, int]]]:
        """Yield each job that has a result, with its answer and the sizes of its files by name."""
        for job in jobs:
            if job.name in self._current and (entry := self._journal.get(job.name)):
                yield job, _answer(job, entry), entry["files"]

    def _is_there(self, name: str, size: int) -> bool:
        """Return true if the folder has this file, of this size, and no link in its place."""
        try:
            refuse_links(self.folder, name)
            status = os.lstat(self.folder / name)
        except (OSError, OutputError):
            return False
        return stat.S_ISREG(status.st_mode) and status.st_size == size

    def _link_to(self, job: Job) -> str | None:
        """Return the path of a job's screenshot relative to the folder, ``None`` on another drive."""
        with suppress(ValueError):
            link = os.path.relpath(job.path(job.source), self.folder.absolute())
            return link.replace(os.sep, "/")
        return None


def _locked(folder: Path) -> FileLock:
    """Lock an output folder, and return the lock. Raises ``OutputError`` if another run has it."""
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
    """Return what an outcome depends on besides the picture: version and options, without ``--debug``."""
    shaping = replace(job.request, debug="")
    return f"flowvision {__version__}, {shaping!r}"


def _answer(job: Job, entry: Entry) -> Entry:
    """Return the answer of an entry with the paths of this run, which may be given another way."""
    answer: Entry = entry["answer"]
    return answer | {"file": job.source} | ({"output": job.solved} if answer["ok"] else {})


def _outdated(before: Entry, job: Job, outcome: Outcome) -> set[str]:
    """Return outdated files of earlier outcomes; solution and hint of the same picture stay."""
    if outcome.content != before["content"]:
        return files_of(job.name) - outcome.files.keys()
    current = {file_of(job.name, "solved"), file_of(job.name, "hint"), *outcome.files}
    return set(before["files"].keys() - current)
