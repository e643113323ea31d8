"""The command line as a whole: help, guesses, completion, exit codes."""

import os
import subprocess
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from flowvision import __version__
from flowvision.cli import COMMANDS, EPILOG, cli
from flowvision.errors import ExitCode
from tests.commands import exit_code, flowvision, invoke, python
from tests.drawing import LEVEL_5X5, LEVEL_5X5_SOLVED

Capture = pytest.CaptureFixture[str]
HUGE = "9" * 5000
"""More digits than Python converts."""


def words(capsys: Capture) -> str:
    """Return what was printed, on one line."""
    printed = capsys.readouterr()
    return " ".join((printed.out + printed.err).split())


def parse_line(line: list[str]) -> None:
    """Parse a line after ``flowvision`` without running it; raise for wrong usage."""
    words = list(line)
    command: click.Command = cli
    while isinstance(command, click.Group):
        context = click.Context(command)
        name = words.pop(0) if words[0] in command.list_commands(context) else "solve"
        command = command.get_command(context, name)
    command.make_parser(click.Context(command)).parse_args(words)


def test_help_and_the_version_are_printed() -> None:
    shown = invoke("--help").stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert "SHOT… | COMMAND …" in shown
    assert "solve [OPTIONS] SHOT…\n" in invoke("solve", "--help").stdout
    assert __version__ in invoke("-V").stdout == invoke("--version").stdout == invoke("version").stdout


def test_examples_of_help_are_right() -> None:
    shown = invoke("--help").stdout
    examples = [line.split("   ")[0].split() for line in EPILOG.splitlines() if line.startswith("  flow")]
    assert len(examples) == 3
    for example in examples:
        parse_line(example[1:])
        assert " ".join(example) in shown


@pytest.mark.parametrize("name", [*COMMANDS, "phone play"])
def test_help_of_a_command_is_printed_in_two_ways(name: str, capsys: Capture) -> None:
    assert exit_code(*name.split(), "--help") == 0
    by_option = capsys.readouterr().out
    assert exit_code("help", *name.split()) == 0
    assert capsys.readouterr().out == by_option


@pytest.mark.parametrize(("word", "near"), [("slove", "solve"), ("Batch", "batch"), ("genrate", "generate")])
def test_a_misspelt_command_is_named(word: str, near: str, capsys: Capture) -> None:
    assert exit_code(word, "shot.png") == ExitCode.USAGE
    assert f"`flowvision {near}`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("holiday", ExitCode.IMAGE_UNREADABLE),
        ("frobnicate shot.png", ExitCode.SOME_FAILED),
        ("shot.png --frobnicate", ExitCode.USAGE),
        ("--sorted", ExitCode.USAGE),
    ],
)
def test_nothing_is_suggested_for_what_resembles_nothing(line, code, cwd: Path, capsys: Capture) -> None:
    assert exit_code(*line.split()) == code
    printed = words(capsys)
    assert "Did you mean" not in printed
    assert "Try `flowvision " not in printed


def test_an_option_that_resembles_one_is_suggested(capsys: Capture) -> None:
    assert exit_code("shot.png", "--gird", "5x5") == ExitCode.USAGE
    assert "--grid" in words(capsys)


@pytest.mark.parametrize("name", ["slove", "help", "version"])
def test_a_file_called_like_a_command_is_solved(name: str, cwd: Path) -> None:
    (cwd / "shot.png").rename(cwd / name)
    assert exit_code("solve", name) == 0


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
        *("-o - --json", "five.txt -o x.png", "--rules free --repair"),
    ),
    "generate": ("--seed x", "5 hard easy", "9 harder", "2", "-n 2", "-n 2 --write text", "-n 2 -o x.svg"),
    "web": ("shot.png", "70000", f"--port {HUGE}", HUGE),
}


@pytest.mark.parametrize("line", [f"{command} {more}" for command, lines in WRONG.items() for more in lines])
def test_wrong_usage_is_refused_before_any_work(line: str, cwd: Path, capsys: Capture) -> None:
    (cwd / "other.png").write_bytes((cwd / "shot.png").read_bytes())
    (cwd / "five.txt").write_text(LEVEL_5X5)
    assert exit_code(*line.split()) == ExitCode.USAGE
    assert "Error: " in words(capsys)
    assert {path.name for path in cwd.iterdir()} == {"five.txt", "other.png", "shot.png"}


@pytest.mark.parametrize(
    ("line", "usual"),
    [
        ("shot.png --hint", "shot.hint.png"),
        ("shot.png --debug", "debug/index.html"),
        ("batch . -o out --jobs 1 --debug", "out/shot.solved.png"),
        ("--limit 9 shot.png", "shot.solved.png"),
    ],
)
def test_options_stand_before_or_behind_the_picture_and_without_a_value(
    line: str, usual: str, cwd: Path
) -> None:
    assert exit_code(*line.split()) == 0
    assert (cwd / usual).exists()


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("", LEVEL_5X5_SOLVED),
        ("solve", LEVEL_5X5_SOLVED),
        ("--letters -o out.png", LEVEL_5X5_SOLVED),
        ("read", LEVEL_5X5),
    ],
)
def test_a_piped_picture_is_read(line: str, printed: str, cwd: Path) -> None:
    process = flowvision(*line.split(), input=(cwd / "shot.png").read_bytes())
    assert process.returncode == 0
    assert process.stdout.decode().split() == printed.split()


def test_without_a_picture_help_is_printed() -> None:
    process = flowvision(stdin=subprocess.DEVNULL)
    assert b"Commands:" in process.stdout + process.stderr


def test_a_library_that_the_system_lacks(shot: Path, tmp_path: Path) -> None:
    broken_cv2 = tmp_path / "broken" / "cv2"
    broken_cv2.mkdir(parents=True)
    message = "libGL.so.1: cannot open shared object file: No such file or directory"
    (broken_cv2 / "__init__.py").write_text(f"raise ImportError({message!r})")
    environment = {**os.environ, "PYTHONPATH": str(broken_cv2.parent)}
    for command in (["solve", str(shot)], ["batch", str(tmp_path), "-o", str(tmp_path / "out")]):
        process = flowvision(*command, env=environment, text=True)
        assert process.returncode == ExitCode.MISSING_EXTRA
        problem, hint = process.stderr.splitlines()
        assert "libGL.so.1" in problem
        assert "opencv-python-headless" in hint


@pytest.mark.parametrize("options", [[], ["-v"]])
def test_errors_are_short(options: list[str], tmp_path: Path, capsys: Capture) -> None:
    assert exit_code(tmp_path / "missing.png", *options) == ExitCode.IMAGE_UNREADABLE
    printed = capsys.readouterr()
    problem, _hint = printed.err.splitlines()[len(options) :]  # -v prints a line for the stage before it
    assert problem == f"No such file: {tmp_path / 'missing.png'}"
    assert printed.out == ""
    assert "Traceback" not in printed.err


def test_verbose_prints_the_time_of_each_stage_and_what_failed(shot, menu, capsys: Capture) -> None:
    assert exit_code(shot, "-v", "-q") == 0
    lines = capsys.readouterr().err.splitlines()
    assert {"decode", "solve", "draw"} <= {line.split()[1] for line in lines}
    assert all(" ms" in line for line in lines)
    assert exit_code(menu, "-v") == ExitCode.BOARD_NOT_FOUND
    assert "failed: " in capsys.readouterr().err


def offered(*typed: str) -> list[tuple[str, str]]:
    """Return kind and value of what completes the last word."""
    completion = ShellComplete(cli, {}, "flowvision", "_FLOWVISION_COMPLETE")
    return [(item.type, item.value) for item in completion.get_completions(list(typed[:-1]), typed[-1])]


def test_files_are_offered_before_commands() -> None:
    """A screenshot alone means ``solve``; bash needs files before commands."""
    assert offered("") == [("file", ""), *(("plain", name) for name in COMMANDS)]
    assert offered("ge") == [("file", "ge"), ("plain", "generate")]
    assert ("file", "--") not in offered("--")
    bash = {"COMP_WORDS": "flowvision sh", "COMP_CWORD": "1", "_FLOWVISION_COMPLETE": "bash_complete"}
    process = python("from flowvision.__main__ import run; run()", env=bash)
    assert process.stdout.splitlines() == ["file,sh"]


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
