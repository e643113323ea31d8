"""The command line as a whole: help, guesses, completion, exit codes."""

import os
import shlex
import subprocess
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from flowvision import __version__
from flowvision.cli import COMMANDS, EPILOG, INSTEAD, cli
from flowvision.errors import ExitCode
from tests.commands import exit_code, flowvision, invoke, python
from tests.drawing import FIVE, FIVE_SOLVED

Capture = pytest.CaptureFixture[str]
HUGE = "9" * 5000
"""More digits than Python converts."""


def words(capsys: Capture) -> str:
    captured = capsys.readouterr()
    return " ".join((captured.out + captured.err).split())


def command_of(line: list[str]) -> tuple[click.Command, list[str]]:
    command: click.Command = cli
    while isinstance(command, click.Group):
        name = line.pop(0) if line[0] in command.list_commands(click.Context(command)) else "solve"
        inner = command.get_command(click.Context(command), name)
        command = inner
    return command, line


def test_help_names_commands_and_examples() -> None:
    shown = invoke("--help").stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
    examples = [line.split("   ")[0].split() for line in EPILOG.splitlines() if line.startswith("  flow")]
    assert len(examples) == 3
    for line in examples:
        command, given = command_of(line[1:])
        command.make_parser(click.Context(command)).parse_args(given)
        assert " ".join(line) in shown
    assert "SHOT… | COMMAND …" in shown
    assert "solve [OPTIONS] SHOT…\n" in invoke("solve", "--help").stdout
    assert __version__ in invoke("-V").stdout == invoke("--version").stdout == invoke("version").stdout


@pytest.mark.parametrize("name", [*COMMANDS, "phone play"])
def test_help_of_a_command(name: str, capsys: Capture) -> None:
    assert exit_code(*name.split(), "--help") == 0
    expected = capsys.readouterr().out
    assert exit_code("help", *name.split()) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(("typed", "line"), INSTEAD.items())
def test_suggested_commands_exist(typed: str, line: str, there: Path, capsys: Capture) -> None:
    first, *rest = shlex.split(line)
    assert first == "flowvision"
    command, given = command_of(rest)
    command.make_parser(click.Context(command)).parse_args(given)
    assert exit_code(*(["shot.png", typed] if typed.startswith("-") else [typed])) == ExitCode.USAGE
    assert f"`{line}`" in words(capsys)


@pytest.mark.parametrize(("word", "near"), [("slove", "solve"), ("Batch", "batch"), ("genrate", "generate")])
def test_a_misspelt_command_is_named(word: str, near: str, capsys: Capture) -> None:
    assert exit_code(word, "shot.png") == ExitCode.USAGE
    assert f"`flowvision {near}`" in capsys.readouterr().err


@pytest.mark.parametrize("typed", [["frobnicate", "shot.png"], ["shot.png", "--frobnicate"], ["--sorted"]])
def test_nothing_is_suggested_for_what_resembles_nothing(typed: list[str], capsys: Capture) -> None:
    assert exit_code(*typed) != 0
    printed = words(capsys)
    assert "Did you mean" not in printed
    assert "Try `flowvision " not in printed


def test_an_option_that_resembles_one_is_suggested(capsys: Capture) -> None:
    assert exit_code("shot.png", "--gird", "5x5") == ExitCode.USAGE
    assert "--grid" in words(capsys)


@pytest.mark.parametrize("name", ["slove", "help", "version"])
def test_a_file_called_like_a_command_is_solved(name: str, there: Path) -> None:
    (there / "shot.png").rename(there / name)
    assert exit_code("solve", name) == 0
    assert exit_code("holiday") == ExitCode.IMAGE_UNREADABLE


WRONG = {
    "": ("solve", "read", "help slove", "phone paly", "--nonsense", "read --wrong x", "batch .", "watch ."),
    "solve shot.png": (
        *("-o - --json", "other.png -o -", "other.png -o one.png", "--paste", "--format", "--debug shot.png"),
        *("--set 1,4", "--set x=R", "--set 1,4=RR", "--set 0,4=R", f"--set {HUGE},4=R", f"--set {HUGE}=R"),
        *("--crop 1,2,3", "--crop 0,0,0,5", "--crop a,b,c,d", "--crop ²,0,10,10", f"--crop {HUGE},0,9,9"),
        *("--grid 8x", "--grid 1x9", "--grid 5x²", "--colours 0", "--colours 401", "--colours five"),
        *("--rotate much", "--rotate nan", "--rotate inf", "--rotate 361", "--limit x", "--limit -1"),
        *("--limit 0", "--limit nan", "--limit inf", "--limit 5s", "--board shot.png"),
    ),
    "batch shot.png -o out": ("--limit=nan", "--output=", "--jobs=0", "--ship", "--never", "-o shot.png"),
    "puzzle five.txt": (
        *("--hint next --count 5", "--write text --json", "--write record --count 2", "--watch"),
        *("-o - --json", "five.txt -o x.png"),
    ),
    "generate": ("--seed x", "5 hard easy", "9 harder", "2", "-n 2", "-n 2 --write text", "-n 2 -o x.svg"),
    "web": ("shot.png", "70000", f"--port {HUGE}", HUGE),
}


@pytest.mark.parametrize("line", [f"{command} {more}" for command, lines in WRONG.items() for more in lines])
def test_wrong_usage_is_refused_before_any_work(line: str, there: Path, capsys: Capture) -> None:
    (there / "other.png").write_bytes((there / "shot.png").read_bytes())
    (there / "five.txt").write_text(FIVE)
    assert exit_code(*line.split()) == ExitCode.USAGE
    assert "Error: " in words(capsys)
    assert {path.name for path in there.iterdir()} == {"five.txt", "other.png", "shot.png"}


@pytest.mark.parametrize(
    ("line", "usual"),
    [
        ("shot.png --hint", "shot.hint.png"),
        ("shot.png --debug", "debug/index.html"),
        ("batch . -o out --jobs 1 --debug", "out/shot.solved.png"),
        ("--limit 9 shot.png", "shot.solved.png"),
    ],
)
def test_bare_options_take_their_usual_value(line: str, usual: str, there: Path) -> None:
    assert exit_code(*line.split()) == 0
    assert (there / usual).exists()


@pytest.mark.parametrize("line", ["", "solve", "--letters -o out.png", "read"])
def test_a_piped_picture_is_read(line: str, there: Path) -> None:
    picture = (there / "shot.png").read_bytes()
    done = flowvision(*line.split(), input=picture)
    assert done.returncode == 0
    assert done.stdout.decode().split() == (FIVE if line == "read" else FIVE_SOLVED).split()
    if not line:
        empty = flowvision(stdin=subprocess.DEVNULL)
        assert b"Commands:" in empty.stdout + empty.stderr


def test_a_library_that_the_system_lacks(shot: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken" / "cv2"
    broken.mkdir(parents=True)
    missing = "libGL.so.1: cannot open shared object file: No such file or directory"
    (broken / "__init__.py").write_text(f"raise ImportError({missing!r})")
    environment = {**os.environ, "PYTHONPATH": str(broken.parent)}
    for command in (["solve", str(shot)], ["batch", str(tmp_path), "-o", str(tmp_path / "out")]):
        done = flowvision(*command, env=environment, text=True)
        assert done.returncode == ExitCode.MISSING_EXTRA
        first, hint = done.stderr.splitlines()
        assert "libGL.so.1" in first
        assert "opencv-python-headless" in hint


def test_errors_are_short(tmp_path: Path, capsys: Capture) -> None:
    for more in ([], ["-v"]):
        assert exit_code(tmp_path / "missing.png", *more) == ExitCode.IMAGE_UNREADABLE
        captured = capsys.readouterr()
        assert captured.out == ""
        lines = captured.err.splitlines()[len(more) :]
        assert len(lines) == 2
        assert lines[0] == f"No such file: {tmp_path / 'missing.png'}"
        assert "Traceback" not in captured.err


def test_verbose_prints_the_time_of_each_stage(shot: Path, menu: Path, capsys: Capture) -> None:
    assert exit_code(shot, "-v", "-q") == 0
    lines = capsys.readouterr().err.splitlines()
    assert {"decode", "solve", "draw"} <= {line.split()[1] for line in lines}
    assert all(" ms" in line for line in lines)
    exit_code(menu, "-v")
    assert "failed: " in capsys.readouterr().err


def offered(*typed: str) -> list[tuple[str, str]]:
    completion = ShellComplete(cli, {}, "flowvision", "_FLOWVISION_COMPLETE")
    return [(item.type, item.value) for item in completion.get_completions(list(typed[:-1]), typed[-1])]


def test_files_and_commands_are_completed_first() -> None:
    """A screenshot alone means ``solve``; bash needs files before commands."""
    assert offered("") == [("file", ""), *(("plain", name) for name in COMMANDS)]
    assert offered("ge") == [("file", "ge"), ("plain", "generate")]
    assert ("file", "--") not in offered("--")
    environment = {"COMP_WORDS": "flowvision sh", "COMP_CWORD": "1", "_FLOWVISION_COMPLETE": "bash_complete"}
    done = python("from flowvision.__main__ import run; run()", env=environment)
    assert done.stdout.splitlines() == ["file,sh"]


@pytest.mark.parametrize(
    ("line", "item"),
    [
        *((line, ("file", "x")) for line in ("shot.png x", "solve a.png -o x", "read x", "batch x")),
        *((line, ("file", "x")) for line in ("puzzle x", "generate -o x")),
        *((line, ("dir", "x")) for line in ("batch shots -o x", "watch x")),
        *(("solve --format sv", ("plain", "svg")), ("batch --debug fa", ("plain", "failed"))),
        *(("puzzle --solver se", ("plain", "search")), ("puzzle --write rec", ("plain", "record"))),
    ],
)
def test_names_and_values_are_completed(line: str, item: tuple[str, str]) -> None:
    assert offered(*line.split()) == [item]
