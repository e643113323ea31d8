"""Closed, full or unread streams, a folder that is gone, Ctrl-C at any time: a sentence reports each."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from flowvision.errors import ExitCode
from flowvision.files import is_marked, marked
from flowvision.image.codec import decode
from tests.commands import (
    UNSOLVABLE_PNG,
    exit_code,
    flowvision,
    interruptible,
    posix_only,
    python,
    write_shots,
)
from tests.drawing import LEVEL_5X5

pytestmark = posix_only

FLOWVISION = f"{sys.executable} -m flowvision"


def shell(line: str, **options: object) -> subprocess.CompletedProcess[str]:
    """A line for the shell, which fails when any part of a pipe does; ``flowvision`` is this one."""
    script = f'set -o pipefail; flowvision() {{ {FLOWVISION} "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", script], capture_output=True, check=False, text=True, **options)


@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_stop_no_work(closed: str, shot: Path, tmp_path: Path) -> None:
    commands = {"one": f"solve '{shot}' -o one/", "many": f"batch '{shot}' -o many --jobs 1"}
    for command in commands.values():
        process = shell(f"flowvision {command} {closed}", cwd=tmp_path)
        assert process.returncode == 0
        assert "Error" not in process.stdout + process.stderr
    one, many = (decode((tmp_path / out / "shot.solved.png").read_bytes()).bgr for out in commands)
    assert np.array_equal(one, many)


@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("command", ["solve -", "read -", "batch - -o out", "puzzle -"])
def test_a_closed_standard_input_is_reported(command: str, tmp_path: Path) -> None:
    process = shell(f"flowvision {command} <&-", cwd=tmp_path)
    assert process.returncode == ExitCode.IMAGE_UNREADABLE
    assert "Standard input is closed." in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.sweep(at_landing=3)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
@pytest.mark.parametrize(
    "command",
    [
        "--help", "batch --help", "solve shot.png --force", "solve shot.png -o -", "read shot.png --json",
        "solve gone.png --json", "batch shot.png -o out --json", "generate 5x5",
    ],
)  # fmt: skip
def test_a_full_disk_behind_standard_output_is_reported_once(command: str, shot: Path) -> None:
    process = shell(f"flowvision {command} >/dev/full", cwd=shot.parent)
    assert process.returncode == ExitCode.OUTPUT_NOT_WRITTEN
    assert process.stderr.count("No space left on device") == 1
    assert "Traceback" not in process.stderr
    assert "fault" not in process.stderr


@pytest.mark.sweep(at_landing=1)
@pytest.mark.parametrize("command", ["--help", "solve --help", "solve shot.png --force -o -"])
def test_a_pipe_that_is_closed_early_is_no_error(command: str, shot: Path) -> None:
    reads_one_byte = shell(f"flowvision {command} | head -c 1 | wc -c", cwd=shot.parent)
    assert (reads_one_byte.stdout.strip(), reads_one_byte.stderr) == ("1", "")
    reads_nothing = shell(f"flowvision {command} | true", cwd=shot.parent)
    assert reads_nothing.stderr == ""
    assert reads_nothing.returncode in (ExitCode.OK, ExitCode.OUTPUT_NOT_WRITTEN)


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("stream", ["| head -1", "2>&1 >&- | head -1", ">/dev/full", "2>/dev/full"])
@pytest.mark.parametrize("command", ["solve -o out/", "solve -o out/ --json", "batch -o out --jobs 1 --json"])
def test_text_that_is_lost_stops_no_files(stream: str, command: str, shot: Path) -> None:
    """The files are the job: a pipe without a reader, or a full disk behind the text, loses none of them."""
    folder = shot.parent
    write_shots(folder, **dict.fromkeys("abcd", shot.read_bytes()), bad=UNSOLVABLE_PNG)
    process = shell(f"flowvision {command} [a-d].png bad.png {stream}", cwd=folder)
    assert len(list((folder / "out").glob("*.solved.png"))) == 4
    assert "Traceback" not in process.stdout + process.stderr
    if "head" not in stream:  # which may take all that was written
        assert process.returncode == ExitCode.OUTPUT_NOT_WRITTEN
    if stream == ">/dev/full":
        assert process.stderr.count("No space left on device") == 1


def test_puzzles_are_drawn_though_their_text_is_lost(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(LEVEL_5X5)
    process = shell("flowvision puzzle a.txt b.txt -o out/ >/dev/full", cwd=tmp_path)
    assert process.returncode == ExitCode.OUTPUT_NOT_WRITTEN
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_an_exit_code_says_that_text_was_lost(shot: Path) -> None:
    write_shots(shot.parent, **dict.fromkeys("abcd", shot.read_bytes()))
    process = shell("flowvision [a-d].png --json | true", cwd=shot.parent)
    assert process.returncode == ExitCode.OUTPUT_NOT_WRITTEN
    assert len(list(shot.parent.glob("?.solved.png"))) == 4
    assert process.stderr.splitlines() == [f"{name}.png: solved in {name}.solved.png" for name in "abcd"]


def test_a_fifo_whose_reader_begins_late(shot: Path) -> None:
    fifo, got = shot.parent / "fifo.png", shot.parent / "got.png"
    os.mkfifo(fifo)
    process = shell(f"(sleep 1; cat {fifo} > {got}) & flowvision {shot} -o {fifo}; wait", cwd=shot.parent)
    assert process.returncode == 0
    assert is_marked(got)


SETS_TITLE, TURNS_LINE = "\x1b]0;title\x07", "\u202egnp"
"""Text that sets the title of a terminal, and text that turns the rest of a line round."""


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize(
    "command",
    [
        "solve {} -v", "read {} gone{}", "solve {} --json -o out/", "read {} --debug {}.d",
        "batch {} -o {}.d", "puzzle {}", "puzzle {}.txt -o {}.svg", "solve {} -o {}.bad",
        "solve {} --board {}.no", "doctor {}.no", "batch {}.no -o out",
        "generate 5x5 -o {}.txt", "generate 5x5 -o no/{}.txt",
        "read {}.solved.png {}", "solve {} {} -o {}.png", "{}", "solve {} --{}", "web --certfile {}.no",
    ],
)  # fmt: skip
def test_names_of_files_control_no_terminal(command: str, shot: Path) -> None:
    name = f"{SETS_TITLE}{TURNS_LINE}"
    for copy in (name, f"gone{name}", f"{name}.png"):
        (shot.parent / copy).write_bytes(shot.read_bytes())
    (shot.parent / f"{name}.txt").write_text(LEVEL_5X5)
    (shot.parent / f"{name}.solved.png").write_bytes(marked(shot.read_bytes()))
    process = flowvision(*command.replace("{}", name).split(" "), cwd=shot.parent, text=True)
    assert not set(process.stdout + process.stderr) & {"\x1b", "\x07", "\u202e"}
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('mkdir gone; cd gone; rmdir "$PWD"; flowvision batch shot.png -o out', id="folder gone"),
        pytest.param("flowvision - -o shot.png --force < shot.png", id="over its own input"),
    ],
)
def test_an_output_that_cannot_be_written_leaves_the_screenshot(line: str, shot: Path) -> None:
    before = shot.read_bytes()
    process = shell(line, cwd=shot.parent)
    assert process.returncode == ExitCode.OUTPUT_NOT_WRITTEN
    assert "standard output" not in process.stderr
    assert shot.read_bytes() == before


@pytest.mark.parametrize(
    ("error", "words"), [(MemoryError(), "memory"), (OSError(24, "Too many open files"), "file handles")]
)
def test_a_machine_that_has_run_out(error, words, shot, monkeypatch, capsys):
    def fail(*_: object) -> None:
        raise error

    for function in ("batch.session.run_plan", "puzzle_tools.report.read_puzzles"):
        monkeypatch.setattr(f"flowvision.{function}", fail)
    for command in (("batch", shot, "-o", shot.parent / "out"), ("puzzle", "shot.txt")):
        assert exit_code(*command) == ExitCode.OUT_OF_RESOURCES
        first, hint = capsys.readouterr().err.splitlines()
        assert first == f"The machine has run out of {words}."
        assert "--jobs N" in hint
        assert "fault" not in first + hint


SENT_WHILE = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Interrupting(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
sys.argv = ["flowvision", {shot!r}]
from flowvision.__main__ import run
run()
"""


@pytest.mark.sweep(at_landing=2)
@interruptible
@pytest.mark.parametrize(
    "module", ["click", "flowvision.errors", "flowvision.cli.solve", "cv2", "numpy.linalg"]
)
def test_an_interruption_while_modules_load(module: str, shot: Path) -> None:
    process = python(SENT_WHILE.format(module=module, shot=str(shot)))
    assert (process.returncode, process.stdout, process.stderr.strip()) == (ExitCode.INTERRUPTED, "", "")


ASCII_SYSTEM = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.sweep(at_landing=1)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other encodings")
@pytest.mark.parametrize("command", ["solve", "read", "batch -o out --jobs 1"])
def test_names_beyond_ascii_are_read_on_a_system_that_speaks_ascii(command: str, shot: Path) -> None:
    for name in ("é" * 100, "あ" * 60, "x y"):
        (shot.parent / f"{name}.png").write_bytes(shot.read_bytes())
    environment = os.environ | ASCII_SYSTEM
    process = shell(f"flowvision {command} ?*' '?*.png é*.png あ*.png", cwd=shot.parent, env=environment)
    assert process.returncode == 0
    assert "Traceback" not in process.stderr
    assert len(list(shot.parent.rglob("*.solved.png"))) == (0 if command == "read" else 3)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other encodings")
def test_help_is_printed_on_a_system_that_speaks_ascii() -> None:
    for command in ("solve", "read", "batch"):
        assert shell(f"flowvision {command} --help", env=os.environ | ASCII_SYSTEM).returncode == 0
