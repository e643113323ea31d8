"""What was done, a line at a time: appended to, and whole after any interruption."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from flowvision.errors import OutputError
from flowvision.files import cannot_write, put_file, refuse_link

Entry = dict[str, Any]

LONGEST = 64 << 20
"""Bytes of a line: a thousand times those of the largest board's."""


class Journal:
    """A file of JSON objects, each with a ``name``; the last one of a name counts.

    Only where lines begin is kept in memory. A line that an interruption cut short is dropped; whole ones
    that are no such objects, or that ``accepts`` refuses, are moved to a file beside. Raises
    ``OutputError`` when it cannot be written, and then holds what it held before.
    """

    def __init__(self, path: Path, accepts: Callable[[Entry], bool] = lambda _: True) -> None:
        self.path = path
        self.aside = path.with_name(f"{path.stem}.rejected")
        self.rejected = 0
        self._accepts = accepts
        self._at: dict[str, int] = {}
        for place in (path, self.aside):
            refuse_link(place)
        try:
            path.touch()
            self._size = self._read()
            self._file = path.open("ab", buffering=0)
            self._file.truncate(self._size)
            self._reader = path.open("rb")
        except OSError as error:
            raise OutputError(f"Cannot write {path}: {error.strerror}.") from None

    def _read(self) -> int:
        """Note where every entry is; how many bytes are whole lines."""
        size = lines = 0
        with self.path.open("rb") as file:
            while (line := file.readline(LONGEST)).endswith(b"\n"):
                name = self._name_on(line)
                if name is None:
                    self._set_aside(line)
                else:
                    self._at[name] = size
                size, lines = size + len(line), lines + 1
            if len(line) == LONGEST:  # what follows cannot be told apart
                self._set_aside(line, *iter(partial(file.read, LONGEST), b""))
        return self._compacted() if self.rejected or lines > 2 * len(self._at) + 100 else size

    def _name_on(self, line: bytes) -> str | None:
        """The name of the entry on a line; ``None`` when it is no entry."""
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            return None
        named = isinstance(entry, dict) and isinstance(entry.get("name"), str)
        return str(entry["name"]) if named and self._accepts(entry) else None

    def _set_aside(self, *lines: bytes) -> None:
        with self.aside.open("ab") as file:
            file.writelines(lines)
        self.rejected += 1

    def _compacted(self) -> int:
        """Rewrite the file with the lines that count; its new size."""
        kept = sorted(self._at.items(), key=lambda item: item[1])
        with self.path.open("rb") as old:
            put_file(self.path, (_line(old, at) for _, at in kept))
        size = 0
        with self.path.open("rb") as new:
            for (name, _), line in zip(kept, new, strict=True):
                self._at[name] = size
                size += len(line)
        return size

    def __contains__(self, name: str) -> bool:
        """Whether there is an entry of that name."""
        return name in self._at

    def get(self, name: str) -> Entry | None:
        """The last entry of that name."""
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
