"""Read files up to a size; write them whole or not at all; the forms of output."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from errno import EDQUOT, EFBIG, ENAMETOOLONG, ENOSPC
from typing import TYPE_CHECKING, Literal, TypeAlias
from zlib import crc32

from msgspec import Struct

from flowvision.errors import ImageUnreadableError, MissingFileError, OutputError, shortage_of
from flowvision.words import Call, Hint, Option, listed

StrPath: TypeAlias = "str | os.PathLike[str]"

if TYPE_CHECKING:  # paths as objects take longer to load than a file to be read
    from pathlib import Path


ELSEWHERE = Hint("Choose another place, or replace it: {}.", Option("force"))
OTHER_PLACE = Call("-o", "path")
MAX_BYTES = 400_000_000
"""Largest file: more than the largest picture takes uncompressed."""

STANDARD = "-"
"""Standard input or output, in place of a path."""

UNFINISHED = ".part"
"""Suffix of hidden files that are still being written."""


def stem_of(path: str) -> str:
    """Return the name of a file without its folder and suffix; ``stdin`` for ``-``."""
    return "stdin" if path == STANDARD else os.path.splitext(os.path.basename(path))[0]


def read_bytes(source: StrPath) -> bytes:
    """Read a file, or standard input for ``-``. Raises ``ImageUnreadableError``."""
    data = read_standard_input() if source == STANDARD else _read_file(os.fspath(source))
    if len(data) > MAX_BYTES:
        raise ImageUnreadableError(f"The file is larger than {MAX_BYTES // 1_000_000} MB.")
    return data


def read_standard_input() -> bytes:
    """Read standard input, up to one byte above ``MAX_BYTES``. Raises ``ImageUnreadableError``."""
    if sys.stdin is None:
        raise ImageUnreadableError("Standard input is closed.", "Name a file, or send one: `< FILE`.")
    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise ImageUnreadableError(f"Cannot read standard input: {_reason(error)}.") from None


def _read_file(path: str) -> bytes:
    """Return the content of a file, at most one byte above ``MAX_BYTES``. Raises ``ImageUnreadableError``."""
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # reading one may never end
            words = f"{path} is a FIFO, a socket or a device, not a file."
            raise ImageUnreadableError(words, "Give a file, or send one to standard input.")
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise MissingFileError.at(path, "file", "Check the name and the folder.") from None
    except IsADirectoryError:
        whole = Call(f"flowvision batch {path} -o OUT", f"solve_folder({path!r})")
        raise ImageUnreadableError(f"{path} is a folder.", Hint("Solve all of it: {}.", whole)) from None
    except (OSError, ValueError) as error:
        unreadable = ImageUnreadableError(f"Cannot read {path}: {_reason(error)}.")
        raise shortage_of(error) or unreadable from None


def write_bytes(path: StrPath, data: bytes) -> None:
    """Write all of ``data``, or leave what was there. ``-`` is standard output.

    Links are followed; devices and pipes are written to directly. Raises ``OutputError``.
    """
    try:
        if path == STANDARD:
            if sys.__stdout__ is None:
                raise OutputError("Standard output is closed.", Hint("Name a file: {}.", OTHER_PLACE))
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        elif os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            put_file(os.path.realpath(path) if os.path.islink(path) else path, (data,))
    except (OSError, ValueError) as error:
        if path == STANDARD and isinstance(error, BrokenPipeError):
            raise
        raise cannot_write("standard output" if path == STANDARD else path, error) from None


def put_file(path: StrPath, chunks: Iterable[bytes], unfinished: StrPath | None = None) -> None:
    """Write a file beside its place and rename it, so that no reader ever sees half of it.

    A link or FIFO of that name is replaced, not written to. ``unfinished``: a folder for files that are being
    written, on the same disk; by default the same folder. Raises ``OutputError``, also when no file can have
    that name.
    """
    folder = os.path.dirname(path) if unfinished is None else unfinished
    name = os.urandom(8).hex()
    beside = os.path.join(folder, f".{name}{UNFINISHED}")
    try:
        with open(beside, "xb") as file:
            file.writelines(chunks)
        os.replace(beside, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError | ValueError):
            raise cannot_write(path, error) from None
        raise


def refuse_links(folder: StrPath, name: str) -> None:
    """Raise ``OutputError`` where a part of ``name`` before its last ``/`` is neither file nor folder.

    A file may be the last of these parts; before others it fails later by itself, as a missing part does.
    """
    path = os.fspath(folder)
    for part in name.split("/")[:-1]:
        path = os.path.join(path, part)
        try:
            mode = os.lstat(path).st_mode
        except (OSError, ValueError):
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OutputError(
                f"{path} is a link, or not a file: nothing is written through it.",
                "Remove it, or choose another folder with `-o`.",
            )


FULL = "Free some space there, or choose another disk."
TOO_LARGE = "Allow larger files (`ulimit -f`), or choose a smaller form, such as .jpg."


def cannot_write(path: StrPath, error: OSError | ValueError) -> OutputError:
    """Return the error about a file that could not be written."""
    folder = os.path.dirname(os.fspath(path))
    if isinstance(error, FileNotFoundError) and folder and not os.path.exists(folder):
        return OutputError(f"Cannot write {path}: there is no folder {folder}.", "Create it first.")
    number = getattr(error, "errno", None)
    if number == ENAMETOOLONG:
        return OutputError(f"Cannot write {path}: its name is too long.", "Rename the screenshot.")
    hint = TOO_LARGE if number == EFBIG else FULL if number in (ENOSPC, EDQUOT) else None
    return OutputError(f"Cannot write {path}: {_reason(error)}.", hint)


def write_text(path: StrPath, text: str) -> None:
    """Write text as UTF-8, as ``write_bytes`` does; ``?`` replaces bytes of names that are not UTF-8."""
    write_bytes(path, text.encode(errors="replace"))


def make_folder(path: StrPath) -> Path:
    """Make a folder and its parents if missing, and return it. Raises ``OutputError``."""
    from pathlib import Path

    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise OutputError(f"Cannot make the folder {path}: {_reason(error)}.") from None
    return Path(path)


def remove_unfinished(folder: Path) -> None:
    """Remove unfinished files of a killed process from a folder; no process may be writing there now."""
    for path in folder.glob(f".*{UNFINISHED}"):
        with suppress(OSError):
            path.unlink()


PRIVATE = ".flowvision"
"""The folder that marks the output folder of a batch, which is never searched for screenshots."""


def refuse_overwriting(output: StrPath, inputs: Iterable[StrPath]) -> None:
    """Raise ``OutputError`` when ``output`` is an input file, under any name or on standard input."""
    for source in inputs:
        with suppress(OSError, ValueError, AttributeError):
            status = os.fstat(sys.stdin.fileno()) if source == STANDARD else os.stat(source)
            if stat.S_ISREG(status.st_mode) and os.path.samestat(os.stat(output), status):
                raise OutputError(
                    f"{output} is one of the screenshots given; it will not be overwritten.",
                    Hint("Leave it out, or choose another place: {}.", OTHER_PLACE),
                )


def refuse_replacing(output: StrPath, hint: str | Hint = ELSEWHERE, keeps_ours: bool = False) -> None:
    """Raise ``OutputError`` when ``output`` is a file that Flowvision did not write, also an empty one.

    ``keeps_ours``: also when Flowvision wrote it.
    """
    with suppress(OSError, ValueError):
        if os.path.isfile(output) and (keeps_ours or not is_marked(output)):
            raise OutputError(f"{output} exists already; it will not be replaced.", hint)


def _reason(error: OSError | ValueError) -> str:
    """Return the words of the system for an error."""
    return getattr(error, "strerror", None) or str(error)


NAME = b"Flowvision"
SVG_MARK = "data-made-by"
"""Attribute of the first element of an SVG; its value is ``NAME``."""
HTML_MARK = '<meta name="generator" content="Flowvision">'
"""The mark of a page, in its head."""

_CHUNK = b"tEXtSoftware\0" + NAME
_BOX = (8 + len(NAME)).to_bytes(4) + b"free" + NAME
_RIFF_CHUNK = b"made" + len(NAME).to_bytes(4, "little") + NAME  # chunks of an unknown name are skipped
_MARKS = {
    b"\x89PNG": ((len(_CHUNK) - 4).to_bytes(4) + _CHUNK + crc32(_CHUNK).to_bytes(4), 12),
    b"\xff\xd8": (b"\xff\xfe" + (2 + len(NAME)).to_bytes(2) + NAME, 0),
    b"GIF89a": (b"!\xfe" + bytes([len(NAME)]) + NAME + b"\0", 1),
    b"%PDF-": (b"%" + NAME + b"\n", 0),
}
"""By the start of a file: a text chunk or comment, and the length of the end before which it is put."""
_IN_TEXT = (f'{SVG_MARK}="'.encode() + NAME + b'"', HTML_MARK.encode())
_ALL_MARKS = (_BOX, _RIFF_CHUNK, *_IN_TEXT, *(mark for mark, _ in _MARKS.values()))


def marked(data: bytes) -> bytes:
    """Add the mark of Flowvision to a picture, MP4 or PDF; its pixels are the same."""
    for start, (mark, end_bytes) in _MARKS.items():
        if data.startswith(start):
            # Readers look for the comment of a JPEG behind its first segment, which must stay the first.
            is_jpeg = start == b"\xff\xd8"
            position = 4 + int.from_bytes(data[4:6]) if is_jpeg else len(data) - end_bytes
            return data[:position] + mark + data[position:]
    if data.startswith(b"RIFF"):
        size = int.from_bytes(data[4:8], "little") + len(_RIFF_CHUNK)
        head = b"RIFF" + size.to_bytes(4, "little")
        return head + data[8:] + _RIFF_CHUNK
    return data + _BOX if data[4:8] == b"ftyp" else data


def is_marked(path: StrPath) -> bool:
    """Return true if Flowvision wrote a file, false if it cannot be read. Text has no mark."""
    with suppress(OSError, ValueError):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                start = file.read(1_000)
                file.seek(max(0, file.seek(0, os.SEEK_END) - 100))
                end = file.read()
                return any(mark in start or mark in end for mark in _ALL_MARKS)
    return False


class Form(Struct, frozen=True):
    """A kind of file.

    ``suffixes``: of its files, the usual one first. ``words``: its name for readers. ``content``: a still
    ``picture``, ``motion`` that ends in it, ``vectors``, or ``text``.
    ``animated``: the form that replaces it for animations, if any; itself if it moves, so that it holds no
    unsolved puzzle. ``on_page``: true if the web server can answer in it.
    """

    name: str
    suffixes: tuple[str, ...]
    media_type: str
    words: str
    content: Literal["picture", "motion", "vectors", "text"]
    animated: str | None
    on_page: bool = True

    @property
    def is_moving(self) -> bool:
        """True for animations."""
        return self.animated == self.name


FORMS = {
    form.name: form
    for form in (
        Form("png", (".png",), "image/png", "PNG", "picture", animated="apng"),
        Form("jpg", (".jpg", ".jpeg"), "image/jpeg", "JPEG", "picture", animated=None),
        Form("webp", (".webp",), "image/webp", "WebP", "picture", animated=None, on_page=False),
        Form("pdf", (".pdf",), "application/pdf", "PDF", "picture", animated=None, on_page=False),
        Form("gif", (".gif",), "image/gif", "Animated GIF", "motion", animated="gif"),
        Form("apng", (".apng",), "image/apng", "Animated PNG", "motion", animated="apng"),
        Form("mp4", (".mp4",), "video/mp4", "MP4", "motion", animated="mp4", on_page=False),
        Form("svg", (".svg",), "image/svg+xml", "SVG", "vectors", animated="moving-svg"),
        Form("moving-svg", (), "image/svg+xml", "Animated SVG", "vectors", animated="moving-svg"),
        Form("txt", (".txt",), "text/plain", "text", "text", animated=None, on_page=False),
    )
}
"""By name; ``export/pictures.py`` writes them. MP4 needs the extra ``video``."""
SUFFIXES = {suffix: form for form in FORMS.values() for suffix in form.suffixes}


def form_of(place: StrPath, animate: bool = False) -> Form:
    """Return the form of a file, by its suffix; standard output (``-``) gets PNG.

    ``animate``: the moving form of it. Raises ``OutputError`` for other suffixes, and for what cannot move.
    """
    _, suffix = os.path.splitext("answer.png" if place == STANDARD else os.fspath(place))
    suffix = suffix.lower()
    form = SUFFIXES.get(suffix)
    if form is None:
        ending = f"{suffix!r}" if suffix else "a file without a suffix"
        folder = "" if suffix else f"; a folder ends with /, as `{os.fspath(place)}/`"
        hint = f"Choose one of {', '.join(SUFFIXES)}{folder}."
        raise OutputError(f"Cannot write an answer as {ending}.", hint)
    if not animate:
        return form
    if form.animated is None:
        moving = [name for name, other in SUFFIXES.items() if other.animated]
        raise OutputError(f"A {form.words} cannot be animated.", f"Choose one of {', '.join(moving)}.")
    return FORMS[form.animated]


def suffix_words(unsolved: bool = False) -> str:
    """Return the usual suffixes in words; ``unsolved``: of drawings that hold an unsolved puzzle."""
    forms = [form for form in FORMS.values() if form.suffixes]
    if unsolved:
        forms = [form for form in forms if not form.is_moving and form.content != "text"]
    return listed([form.suffixes[0] for form in forms], between=", ", last="or")
