"""A journal of finished jobs, a line each: appended to, and whole after any interruption."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from flowvision.batch.contact_sheet import card_of
from flowvision.batch.jobs import files_of
from flowvision.errors import OutputError
from flowvision.files import cannot_write, put_file

Entry = dict[str, Any]

MAX_LINE = 64 << 20
"""Bytes of a line: a thousand times those of the largest board."""


class Journal:
    """A file of JSON objects, each with a ``name``; the last one of a name counts.

    Only the positions of lines are kept in memory. A line that an interruption cut short is dropped; lines
    that ``accepts`` refuses are moved to a file beside. Raises ``OutputError`` when it cannot be written, and
    then holds what it held before.
    """

    def __init__(self, path: Path, accepts: Callable[[Any], bool]) -> None:
        self.path = path
        self.aside = path.with_name(f"{path.stem}.rejected")
        self.rejected = 0
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
        """Note the position of every entry; return the size of all whole lines."""
        size = lines = 0
        with self.path.open("rb") as file:
            while (line := file.readline(MAX_LINE)).endswith(b"\n") or len(line) == MAX_LINE:
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    entry = None
                if self._accepts(entry):
                    self._at[entry["name"]] = size
                else:
                    self._set_aside(line)
                size, lines = size + len(line), lines + 1
        return self._compacted() if self.rejected or lines > 2 * len(self._at) + 100 else size

    def _set_aside(self, line: bytes) -> None:
        with self.aside.open("ab") as file:
            file.write(line)
        self.rejected += 1

    def _compacted(self) -> int:
        """Rewrite the file with the lines that count; return its new size."""
        kept = sorted(self._at.items(), key=lambda item: item[1])
        with self.path.open("rb") as old:
            put_file(self.path, (_line(old, at) for _, at in kept))
        size = 0
        with self.path.open("rb") as new:
            for (name, _), line in zip(kept, new, strict=True):
                self._at[name] = size
                size += len(line)
        return size

    def get(self, name: str) -> Entry | None:
        """Return the last entry of that name."""
        at = self._at.get(name)
        return None if at is None else cast(Entry, json.loads(_line(self._reader, at)))

    def add(self, entry: Entry) -> None:
        """Append an entry, all of it or nothing."""
        line = json.dumps(entry).encode() + b"\n"
        try:
            written = self._file.write(line)
            if written != len(line):  # the disk filled up within the line
                written += self._file.write(line[written:]) or 0
        except OSError as error:
            self._file.truncate(self._size)
            raise cannot_write(self.path, error) from None
        self._at[entry["name"]] = self._size
        self._size += len(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._reader.close()


def _line(file: BinaryIO, at: int) -> bytes:
    file.seek(at)
    return file.readline()


def is_answer(entry: Any) -> bool:
    """Accept a line of the journal with a job inside the folder, its own files, and a whole answer."""
    try:
        name, files = entry["name"], entry["files"]
        card_of(entry["answer"] | {"file": name}, files)
        texts = name, entry["content"], entry["settings"]
        return (
            all(isinstance(text, str) for text in texts)
            and _is_inside(name)
            and files.keys() <= files_of(name)
            and all(isinstance(size, int) for size in files.values())
        )
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        return False


def _is_inside(name: str) -> bool:
    """Tell whether a name with ``/`` between folders stays inside its folder."""
    if os.name == "nt" and any(sign in name for sign in '\\:*?"<>|'):
        return False
    return "\0" not in name and not any(part in ("", ".", "..") for part in name.split("/"))
