"""Decoding in a process of its own, which is ended when it takes too long and may die without harm.

    python -m flowvision.image.apart < picture > a line of JSON, then the pixels

What starts is a plain interpreter and not a process of ``multiprocessing``, which would run the caller's own
script once more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from threading import Timer
from typing import IO

import numpy as np

from flowvision.errors import FlowvisionError, GaveUpError, ImageUnreadableError, MissingExtraError
from flowvision.image.picture import Bgr

LEAST_SECONDS, MOST_SECONDS = 1.0, 86_400.0
"""An interpreter with its libraries takes a third of a second to start; a timer takes no more than days."""
ERRORS = {kind.code: kind for kind in (ImageUnreadableError, MissingExtraError)}


def decode_apart(data: bytes, seconds: float) -> Bgr:
    """The pixels of an encoded picture.

    Raises what ``decode`` does; ``GaveUpError`` after ``seconds``, a second at least, and
    ``ImageUnreadableError`` when the process dies.
    """
    seconds = min(max(seconds, LEAST_SECONDS), MOST_SECONDS)
    command = [sys.executable, "-P", "-m", "flowvision.image.apart", f"{seconds:g}"]
    paths = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": paths},
    ) as process:
        late = Timer(seconds, process.kill)
        late.start()
        try:
            answer = _answer(process, data)
        finally:
            in_time = late.is_alive()
            late.cancel()
            process.kill()
    if answer is not None:
        return answer
    if not in_time:
        raise GaveUpError(f"The picture was not decoded within {seconds:g} s.", "Save it once more, as PNG.")
    raise ImageUnreadableError(f"The picture is damaged: decoding it ended a process ({process.returncode}).")


def _answer(process: subprocess.Popen[bytes], data: bytes) -> Bgr | None:
    """What the process says; ``None`` when it ends before."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.write(data)
        process.stdin.close()
    line = process.stdout.readline()
    if not line.endswith(b"\n"):
        return None
    said = json.loads(line)
    if "code" in said:
        raise ERRORS[said["code"]](said["message"], said["hint"])
    bgr = np.empty((said["height"], said["width"], 3), np.uint8)
    return bgr if _read_into(process.stdout, bgr.data.cast("B")) else None


def _read_into(pipe: IO[bytes], space: memoryview) -> bool:
    """Whether there was enough to fill a space."""
    at = 0
    while at < len(space):
        part = pipe.read(min(len(space) - at, 1 << 20))
        if not part:
            return False
        space[at : at + len(part)] = part
        at += len(part)
    return True


def main() -> None:
    """Decode what comes on standard input."""
    _end_after(float(sys.argv[1]))
    from flowvision.image.codec import decode

    out = sys.stdout.buffer
    try:
        bgr = decode(sys.stdin.buffer.read()).bgr
    except FlowvisionError as error:
        out.write(json.dumps({"code": error.code, "message": error.message, "hint": error.hint}).encode())
        out.write(b"\n")
    else:
        height, width = bgr.shape[:2]
        out.write(json.dumps({"height": height, "width": width}).encode() + b"\n")
        out.write(np.ascontiguousarray(bgr).data.cast("B"))
    out.flush()


def _end_after(seconds: float) -> None:
    """Have the system end this process, should the one that waits for it be gone."""
    with suppress(ImportError, AttributeError, ValueError, OverflowError):
        import signal

        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
