import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from flowvision.errors import ExitCode, MissingExtraError, OutputError
from flowvision.export import clipboard
from flowvision.export.clipboard import copy_picture, paste_picture
from flowvision.image.codec import encode
from tests.commands import flowvision, python, wait_until
from tests.drawing import LEVEL_5X5, LEVEL_5X5_SOLVED, screenshot_of

needs_screen = pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xclip")), reason="needs Xvfb and xclip"
)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[dict[str, str]]:
    pytest.importorskip("copykitten")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "320x240x24", "-nolisten", "tcp"]
    running = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    environment = os.environ | {"DISPLAY": f":{number}", "WAYLAND_DISPLAY": ""}
    yield environment
    xclip(environment, "-i", given=b"")  # copykitten's process ends once another program has copied
    time.sleep(0.5)
    running.terminate()
    running.wait()


def xclip(screen: dict[str, str], *arguments: str, given: bytes | None = None) -> bytes:
    command = ["xclip", "-selection", "clipboard", "-t", "image/png", *arguments]
    if given is not None:
        # The process that offers it stays behind, so it must not keep a pipe of ours.
        subprocess.run(command, env=screen, input=given, stdout=subprocess.DEVNULL, check=True)
        return b""
    return subprocess.run(command, env=screen, capture_output=True, check=False).stdout


@needs_screen
def test_a_picture_is_pasted_solved_and_copied(screen: dict[str, str], tmp_path: Path) -> None:
    before = screenshot_of(LEVEL_5X5)
    xclip(screen, "-i", given=encode(before))
    wait_until(lambda: xclip(screen, "-o"))  # X11 hands pictures over in its own time
    process = flowvision("--paste", "--copy", env=screen, cwd=tmp_path, text=True)
    assert process.stdout == LEVEL_5X5_SOLVED + "\n"
    assert "solved on the clipboard" in process.stderr
    assert list(tmp_path.iterdir()) == []
    wait_until(lambda: xclip(screen, "-o"))
    copied = np.asarray(Image.open(BytesIO(xclip(screen, "-o"))).convert("RGB"))[:, :, ::-1]
    assert copied.shape == before.shape
    assert (copied != before).any()


@needs_screen
def test_an_empty_clipboard_is_reported(screen: dict[str, str], tmp_path: Path) -> None:
    process = flowvision("--paste", env=screen, cwd=tmp_path, text=True)
    assert process.returncode == ExitCode.IMAGE_UNREADABLE
    assert "no picture on the clipboard" in process.stderr


def test_without_a_screen_there_is_no_clipboard() -> None:
    pytest.importorskip("copykitten")
    if sys.platform != "linux":
        pytest.skip("other systems always have one")
    code = (
        "from flowvision.export.clipboard import *\nimport numpy as np\n"
        "for work in (paste_picture, lambda: copy_picture(np.zeros((4, 4, 3), np.uint8))):\n"
        "    try: work()\n    except Exception as error: print(type(error).__name__, error.message)\n"
    )
    bare = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    assert python(code, env=bare).stdout.splitlines() == [
        "ImageUnreadableError There is no clipboard here.",
        "OutputError There is no clipboard here.",
    ]


def copy_black() -> None:
    copy_picture(np.zeros((4, 4, 3), np.uint8))


@pytest.mark.parametrize("work", [paste_picture, copy_black])
def test_copykitten_is_an_extra(work: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError) as raised:
        work()
    assert "[clipboard]" in raised.value.hint
    assert raised.value.exit_code == ExitCode.MISSING_EXTRA


def test_a_copy_that_fails_is_an_output_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("copykitten")
    monkeypatch.setattr(clipboard, "COPY", "import sys; sys.exit('the lid is shut')")
    with pytest.raises(OutputError, match="the lid is shut"):
        copy_black()
