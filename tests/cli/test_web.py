import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from flowvision.errors import ExitCode
from flowvision.image.codec import decode, encode
from flowvision.web.static import serve_folder
from tests.commands import PATIENCE, exit_code, invoke, modules_after, wait_until
from tests.drawing import LEVEL_5X5, screenshot_of

OTHER_LOOPBACK = "127.0.0.2"
"""An address of this machine where a server answers only if it listens on all."""


@contextmanager
def running(*options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "flowvision", "web", "--no-open", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_serves_until_it_is_interrupted() -> None:
    with running() as process:
        address = re.search(r"http://127\.0\.0\.1:\d+/(?=#code=\S+)", process.stdout.readline())[0]
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            assert b"Flowvision" in page.read()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")


def token_and_address(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return what the command prints for other devices in the network."""
    token = address = ""
    while not address:
        line = process.stdout.readline()
        assert line
        token = token or line.partition("Authorization: ")[2].strip()
        address = "".join(re.findall(r"In your network.*(http://[^#]+)#", line))
    return token, address


def test_the_request_of_a_shortcut_is_answered() -> None:
    """The request is the one in docs/phone.md."""
    with running("--lan", "--api") as process:
        token, address = token_and_address(process)
        two_rows_of_the_code = process.stdout.readline()
        assert "\x1b" not in two_rows_of_the_code  # drawn in half blocks, it fits a small terminal
        headers = {
            "Authorization": token,
            "Content-Type": "image/png",
            "User-Agent": "BackgroundShortcutRunner/2607.1.3 CFNetwork/1494.0.7 Darwin/23.4.0",
            "Accept": "*/*",
            "Accept-Encoding": "gzip, deflate",
        }
        shown = screenshot_of(LEVEL_5X5)
        request = urllib.request.Request(f"{address}api/picture", encode(shown), headers, method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert answer.headers["Content-Type"] == "image/png"
            solved = decode(answer.read()).bgr
    assert solved.shape == shown.shape
    assert not np.array_equal(solved, shown)


def test_certificates_are_checked(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.touch()
    result = invoke("web", "--certfile", empty, "--no-open")
    assert result.exit_code == 1
    assert "certificate" in str(result.exception)


def test_options_that_need_another_are_refused(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    key.touch()
    for options in (("--keyfile", key), ("--serve",), ("--pyodide", tmp_path)):
        assert exit_code("web", *options) == ExitCode.USAGE


def test_only_this_command_loads_the_server() -> None:
    code = "import flowvision.cli\ntry: flowvision.cli.main(['web', '--help'])\nexcept SystemExit: pass"
    assert modules_after(code).isdisjoint({"starlette", "uvicorn", "cv2", "numpy", "segno"})


def test_the_page_is_written_as_files(tmp_path: Path) -> None:
    result = invoke("web", "--static", tmp_path / "page")
    assert (result.exit_code, (tmp_path / "page" / "index.html").exists()) == (0, True)
    (tmp_path / "mine.txt").touch()
    assert exit_code("web", "--static", tmp_path) == ExitCode.OUTPUT_NOT_WRITTEN


def test_a_written_folder_is_shown_on_this_machine_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("the page")
    lines: list[str] = []
    threading.Thread(target=serve_folder, args=(lines.append, str(tmp_path), 0), daemon=True).start()
    wait_until(lambda: lines)
    address = lines[0].split()[0]
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        assert answer.read() == b"the page"
    with pytest.raises(OSError):  # noqa: PT011 - refused or without a route, by system
        socket.create_connection((OTHER_LOOPBACK, urlsplit(address).port), timeout=1)
