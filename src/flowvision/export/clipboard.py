"""Pictures from the clipboard and to it: by copykitten, the extra ``clipboard``; Pillow can read as well."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import Any

import cv2
import numpy as np

from flowvision.errors import ImageUnreadableError, MissingExtraError, OutputError, install_command
from flowvision.files import read_bytes
from flowvision.image.codec import decode
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import as_bgr

NAME = "clipboard"
"""What a picture from there is called."""
NO_PICTURE = "Copy a picture, or a picture file, and try again."
NO_CLIPBOARD = "never initialized"
"""What copykitten says where there is none."""
WHERE = "A clipboard belongs to a desktop session; over SSH or in a container use a file."
KEEP = """
import os, sys, time, copykitten
width, height, beat = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
pixels = sys.stdin.buffer.read()
try:
    copykitten.copy_image(pixels, width, height)
except copykitten.CopykittenError as error:
    sys.exit(str(error))
print("copied", flush=True)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
while sys.platform not in ("darwin", "win32"):
    time.sleep(beat)
    try:
        if copykitten.paste_image()[0] != pixels:
            break
    except copykitten.CopykittenError:
        break
"""
"""On X11 and Wayland a picture lives as long as the process that offers it. One of its own is left behind for
that, a small one, which keeps neither our memory nor our output open. It ends when something else was copied
or the session is over, at which it looks once in a while."""
BEAT = 15.0
"""Seconds between two such looks; each takes some 30 ms."""


def paste_picture() -> Screenshot:
    """The picture on the clipboard, or in the first file that was copied there.

    Raises ``ImageUnreadableError`` when there is none, ``MissingExtraError`` when nothing can look.
    """
    if find_spec("copykitten") is None:
        return _by_pillow()
    import copykitten

    try:
        data, width, height = copykitten.paste_image()
        rgba = np.frombuffer(data, np.uint8).reshape(height, width, 4)
        return Screenshot(as_bgr(np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), np.uint8)), NAME)
    except copykitten.CopykittenError as error:
        files = _pasted_files()
        if files:
            return decode(read_bytes(files[0]), files[0])
        if NO_CLIPBOARD in str(error):
            raise ImageUnreadableError("There is no clipboard here.", WHERE) from None
        raise ImageUnreadableError("There is no picture on the clipboard.", NO_PICTURE) from None


def _pasted_files() -> list[str]:
    import copykitten

    try:
        return [str(path) for path in copykitten.paste_paths()]
    except (copykitten.CopykittenError, ValueError):
        return []


def _by_pillow() -> Screenshot:
    from PIL import ImageGrab

    try:
        found: Any = ImageGrab.grabclipboard()
    except (NotImplementedError, OSError, subprocess.SubprocessError):
        raise MissingExtraError(
            "Looking at the clipboard needs copykitten, which is not installed.",
            f"Install it with {install_command('clipboard')}.",
        ) from None
    if isinstance(found, list) and found:
        return decode(read_bytes(found[0]), found[0])
    if found is None or isinstance(found, list):
        raise ImageUnreadableError("There is no picture on the clipboard.", NO_PICTURE)
    rgba = np.asarray(found.convert("RGBA"))
    return Screenshot(as_bgr(np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), np.uint8)), NAME)


def copy_picture(bgr: Bgr) -> None:
    """Put a picture on the clipboard, where it stays when this process ends.

    Raises ``MissingExtraError`` without copykitten, ``OutputError`` where there is no clipboard.
    """
    check_copying()
    _clear()
    height, width = bgr.shape[:2]
    rgba = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGBA), np.uint8)
    command = [sys.executable, "-c", KEEP, str(width), str(height), str(BEAT)]
    # A file, not a pipe, for its errors: it would keep a pipe of ours open.
    with TemporaryFile() as said:
        keeper = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, start_new_session=True
        )
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        with suppress(BrokenPipeError), keeper.stdin as pixels:  # it says itself why it stopped
            pixels.write(rgba.data)
        with keeper.stdout as told:
            copied = bool(told.readline())
        if copied:
            keeper.returncode = 0  # it outlives us: nobody waits for it
            return
        keeper.wait()
        said.seek(0)
        words = said.read().decode("utf-8", "replace").strip().splitlines()
        raise _not_copied(words[-1] if words else f"exit code {keeper.returncode}")


def check_copying() -> None:
    """Raise ``MissingExtraError`` without copykitten."""
    if find_spec("copykitten") is None:
        raise MissingExtraError(
            "Copying to the clipboard needs copykitten, which is not installed.",
            f"Install it with {install_command('clipboard')}, or write a file with `-o`.",
        )


def _clear() -> None:
    """Empty the clipboard, which tells whether there is one; reading it could wait for another program."""
    import copykitten

    try:
        copykitten.clear()
    except copykitten.CopykittenError as error:
        if NO_CLIPBOARD in str(error):
            raise OutputError("There is no clipboard here.", WHERE) from None
        raise _not_copied(str(error)) from None


def _not_copied(why: str) -> OutputError:
    return OutputError(f"The picture could not be put on the clipboard: {why}", "Write a file with `-o`.")
