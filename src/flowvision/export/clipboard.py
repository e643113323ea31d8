"""Pictures from and to the clipboard, by copykitten (the extra ``clipboard``)."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import cv2
import numpy as np

from flowvision.errors import ImageUnreadableError, OutputError, missing_extra
from flowvision.image.picture import Bgr, Screenshot, as_bgr

NAME = "clipboard"
"""Name of a pasted picture."""
NO_CLIPBOARD = "never initialized"
"""Part of copykitten's message without a clipboard."""
WHERE = "A clipboard belongs to a desktop session; over SSH or in a container use a file."
COPY = f"""
import sys, copykitten
pixels = sys.stdin.buffer.read()
copykitten.copy_image(pixels, int(sys.argv[1]), int(sys.argv[2]), detach=True)
try:
    copykitten.paste_image()
except copykitten.CopykittenError as error:
    sys.exit("{NO_CLIPBOARD}" if "{NO_CLIPBOARD}" in str(error) else 0)
"""
"""Copies a picture that stays when the command ends: on Linux ``detach`` forks a process that offers it.

It runs in a small process: a fork after a paste offers nothing. Only pasting reports a missing clipboard.
"""


def paste_picture() -> Screenshot:
    """Return the picture on the clipboard.

    Raises ``ImageUnreadableError`` without a picture, ``MissingExtraError`` without copykitten.
    """
    check_installed()
    import copykitten

    try:
        data, width, height = copykitten.paste_image()  # RGBA
        rgba = np.frombuffer(data, np.uint8).reshape(height, width, 4)
        return Screenshot(as_bgr(np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), np.uint8)), NAME)
    except copykitten.CopykittenError as error:
        if NO_CLIPBOARD in str(error):
            raise ImageUnreadableError("There is no clipboard here.", WHERE) from None
        raise ImageUnreadableError("There is no picture on the clipboard.", "Copy one first.") from None


def copy_picture(bgr: Bgr) -> None:
    """Put a picture on the clipboard; it stays there after this process ends.

    Raises ``MissingExtraError`` without copykitten, ``OutputError`` where there is no clipboard.
    """
    check_installed()
    height, width = bgr.shape[:2]
    rgba = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGBA), np.uint8)
    command = [sys.executable, "-c", COPY, str(width), str(height)]
    process = subprocess.run(command, input=rgba.tobytes(), capture_output=True, check=False)
    if process.returncode:
        words = process.stderr.decode("utf-8", "replace").strip()
        if NO_CLIPBOARD in words:
            raise OutputError("There is no clipboard here.", WHERE)
        reason = words.splitlines()[-1] if words else f"exit code {process.returncode}"
        raise OutputError(f"Cannot copy the picture: {reason}", "Write a file with `-o`.")


def check_installed() -> None:
    """Raise ``MissingExtraError`` without copykitten."""
    if find_spec("copykitten") is None:
        raise missing_extra("The clipboard needs copykitten", "clipboard", ", or use files")
