"""A journal of finished jobs, a line each: appended to, and whole after any interruption."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from flowvision.batch.contact_sheet import card_of, row_of
from flowvision.batch.jobs import files_of
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


def is_inside(name: str) -> bool:
    """Whether a name with ``/`` between folders stays inside the folder it is a name in."""
    parts = name.split("/")
    if os.name == "nt" and any(sign in name for sign in '\\:*?"<>|'):
        return False
    return "\0" not in name and not any(part in ("", ".", "..") for part in parts)


def is_entry(entry: dict[str, Any]) -> bool:
    """Whether a line names a job inside the output folder, and no files but those of that job."""
    name, files = entry.get("name"), entry.get("files")
    if not isinstance(name, str) or not is_inside(name) or not isinstance(files, list):
        return False
    if not all(isinstance(entry.get(field), str) for field in ("content", "settings")):
        return False
    ours = files_of(name)
    return isinstance(entry.get("answer"), dict) and all(_is_file(file, ours) for file in files)


def is_answer(answer: dict[str, Any]) -> bool:
    """Whether an object is of the contract, as far as the published files make use of it."""
    error, warnings = answer.get("error"), answer.get("warnings", [])
    if answer.get("ok") is True:
        right = isinstance(answer.get("board"), dict) and isinstance(answer.get("flows"), list)
        right = right and isinstance(warnings, list) and all(isinstance(one, str) for one in warnings)
    else:
        right = answer.get("ok") is False and isinstance(error, dict) and _is_error(error)
    if not right:
        return False
    try:
        shown = answer | {"file": "", "output": ""}
        row_of(shown)
        card = card_of(shown, [])
        for number in (card.confidence, card.seconds):
            format(0.0 if number is None else number, ".3g")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        return False
    return True


def _is_error(error: dict[str, Any]) -> bool:
    words = all(isinstance(error.get(word), str) for word in ("code", "message", "hint"))
    return words and isinstance(error.get("stage", ""), str | None)


def _is_file(file: object, ours: frozenset[str]) -> bool:
    return (
        isinstance(file, list)
        and len(file) == 2
        and isinstance(file[0], str)
        and file[0] in ours
        and isinstance(file[1], int)
    )
