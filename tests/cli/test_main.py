"""The command line as a whole: help, codes, and what goes where."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flowvision.cli import COMMANDS
from flowvision.errors import ExitCode
from tests.commands import exit_code, interruptible, posix_only


def run(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "flowvision", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, **options)


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Help names every command of the table."""
    assert exit_code("--help") == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("arguments", [["solve"], ["solve", "--nonsense", "x"], ["--nonsense"], ["read"]])
def test_wrong_usage_is_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Missing arguments and unknown options leave with 2 and say so on stderr."""
    assert exit_code(*arguments) == ExitCode.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Usage" in captured.err


def test_a_screenshot_alone_means_solve(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``flowvision SHOT`` is ``flowvision solve SHOT``, with options before or after."""
    assert exit_code(shot) == 0
    plain = capsys.readouterr().out
    assert exit_code("--limit", "10", shot) == 0
    assert exit_code("solve", shot) == 0
    assert capsys.readouterr().out == 2 * plain


@pytest.mark.parametrize(("word", "near"), [("slove", "solve"), ("Batch", "batch"), ("genrate", "generate")])
def test_a_misspelt_command_is_named(word: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong usage, with a command like it."""
    assert exit_code(word, "shot.png") == ExitCode.USAGE
    assert f"`flowvision {near}`" in capsys.readouterr().err


def test_a_file_called_like_a_command_is_solved(shot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is there is no slip, and one that is like no command is a file."""
    shot.rename(shot.with_name("slove"))
    monkeypatch.chdir(shot.parent)
    assert exit_code("slove") == 0
    assert exit_code("holiday") == ExitCode.IMAGE_UNREADABLE


def test_usage_names_the_screenshots(capsys: pytest.CaptureFixture[str]) -> None:
    """As the README does."""
    assert exit_code("--help") == 0
    assert "flowvision [OPTIONS] SHOT… | COMMAND …" in capsys.readouterr().out
    assert exit_code("solve", "--help") == 0
    assert "flowvision solve [OPTIONS] SHOT…\n" in capsys.readouterr().out


def test_a_library_that_the_system_lacks(shot: Path, tmp_path: Path) -> None:
    """Said in one line, with the commands that mend it: no traceback."""
    broken = tmp_path / "broken" / "cv2"
    broken.mkdir(parents=True)
    missing = "libGL.so.1: cannot open shared object file: No such file or directory"
    (broken / "__init__.py").write_text(f"raise ImportError({missing!r})")
    environment = {**os.environ, "PYTHONPATH": str(broken.parent)}
    for command in (["solve", str(shot)], ["batch", str(tmp_path), "-o", str(tmp_path / "out")]):
        done = run(*command, env=environment, text=True)
        assert done.returncode == ExitCode.MISSING_EXTRA
        assert done.stdout == ""
        first, hint = done.stderr.splitlines()
        assert "libGL.so.1" in first
        assert "pip install opencv-python-headless" in hint
        assert "apt-get install libgl1" in hint
    code = (
        "import flowvision\nfrom flowvision.errors import MissingExtraError\n"
        "try: flowvision.solve_image\nexcept MissingExtraError as e: print(e)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "libGL.so.1" in done.stdout


def test_errors_are_short(tmp_path: Path) -> None:
    """An error is a message and a hint on stderr, with the file's name once: no traceback."""
    done = run(tmp_path / "missing.png")
    assert done.returncode == ExitCode.IMAGE_UNREADABLE
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 2
    assert lines[0] == f"No such file: {tmp_path / 'missing.png'}"


def test_verbose_has_no_traceback_of_what_is_no_fault(tmp_path: Path) -> None:
    """With ``-v`` an error says no more of our code than without."""
    done = run(tmp_path / "missing.png", "-v")
    assert b"Traceback" not in done.stderr
    assert done.returncode == ExitCode.IMAGE_UNREADABLE


def test_verbose_says_what_each_stage_took(shot: Path, menu: Path) -> None:
    """A line for every stage; with the reason of one that failed."""
    lines = run(shot, "-v", "-q").stderr.decode().splitlines()
    assert {"decode", "solve", "draw"} <= {line.split()[1] for line in lines}
    assert all(" ms" in line for line in lines)
    assert "failed: " in run(menu, "-v").stderr.decode()


@posix_only
@interruptible
def test_interruption() -> None:
    """Ctrl-C while a picture is waited for leaves with 130 and no traceback."""
    import fcntl
    import termios

    its_end, our_end = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "flowvision", "-"],
        stdin=its_end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        try:
            os.write(our_end, b"\x89")
            # Once it has taken the first byte, it waits for the next.
            deadline = time.monotonic() + 300
            while any(fcntl.ioctl(its_end, termios.FIONREAD, bytes(4))):
                assert time.monotonic() < deadline
                time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            running.wait(300)
            assert running.stderr is not None
            errors = running.stderr.read()
        finally:
            running.kill()
            os.close(its_end)
            os.close(our_end)
    assert running.returncode == ExitCode.INTERRUPTED
    assert b"Traceback" not in errors
