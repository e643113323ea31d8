import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from flowvision.image.codec import decode, encode
from tests.commands import PATIENCE, invoke, modules_after
from tests.drawing import FIVE, screenshot_of

START = [sys.executable, "-m", "flowvision", "web", "--no-open", "--port", "0"]


@pytest.fixture
def running() -> object:
    process = subprocess.Popen(START, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = re.search(r"http://127\.0\.0\.1:\d+/#code=\S+", process.stdout.readline())
    assert found
    yield process, found[0]
    process.kill()
    process.communicate()


def test_it_serves_until_it_is_interrupted(running: tuple[subprocess.Popen[str], str]) -> None:
    process, address = running
    with urllib.request.urlopen(address.split("#")[0], timeout=PATIENCE) as page:
        assert b"Flowvision" in page.read()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert not errors


def test_the_request_of_a_shortcut_is_answered() -> None:
    """The request is the one in docs/phone.md."""
    with subprocess.Popen(
        [*START, "--lan", "--api"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            token = address = ""
            while not address:
                line = run.stdout.readline()
                assert line
                token = token or line.partition("Authorization: ")[2].strip()
                address = "".join(re.findall(r"In your network.*(http://[^#]+)#", line))
            headers = {
                "Authorization": token,
                "Content-Type": "image/png",
                "User-Agent": "BackgroundShortcutRunner/2607.1.3 CFNetwork/1494.0.7 Darwin/23.4.0",
                "Accept": "*/*",
                "Accept-Encoding": "gzip, deflate",
            }
            shown = encode(screenshot_of(FIVE))
            asked = urllib.request.Request(f"{address}api/picture", shown, headers, method="POST")
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                assert answer.headers["Content-Type"] == "image/png"
                solved = decode(answer.read()).bgr
            assert solved.shape == screenshot_of(FIVE).shape
            assert not np.array_equal(solved, screenshot_of(FIVE))
        finally:
            run.kill()


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.touch()
    for arguments, code, words in (
        (["--port", "99999"], 2, "65535"),
        (["9" * 5000], 2, "is not a port"),
        (["--keyfile", str(empty)], 2, "--certfile"),
        (["--certfile", str(empty), "--no-open"], 1, "certificate"),
    ):
        done = invoke("web", *arguments)
        assert done.exit_code == code
        assert words in done.stderr or words in str(done.exception)


def test_only_this_command_loads_the_server() -> None:
    code = "import flowvision.cli\ntry: flowvision.cli.main(['web', '--help'])\nexcept SystemExit: pass"
    assert modules_after(code).isdisjoint({"starlette", "uvicorn", "cv2", "numpy", "segno"})
