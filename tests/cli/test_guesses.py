"""Command lines that people type: done as intended, or refused with what to type."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from flowvision import __version__
from flowvision.cli import COMMANDS, INSTEAD, cli
from flowvision.cli.options import HEADINGS
from flowvision.errors import ExitCode
from flowvision.image.mark import is_marked
from tests.commands import exit_code, invoke
from tests.drawing import FIVE, FIVE_SOLVED

Said = pytest.CaptureFixture[str]


@pytest.fixture
def there(shot: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a screenshot called ``shot.png``, which is the working folder."""
    monkeypatch.chdir(shot.parent)
    return shot.parent


def words(said: Said) -> str:
    """All that was said, in one line."""
    captured = said.readouterr()
    return " ".join((captured.out + captured.err).split())


def command_of(line: list[str]) -> tuple[click.Command, list[str]]:
    """The command that a line runs, and its arguments."""
    command: click.Command = cli
    while isinstance(command, click.Group):
        name = line.pop(0) if line[0] in command.list_commands(click.Context(command)) else "solve"
        inner = command.get_command(click.Context(command), name)
        assert inner is not None
        command = inner
    return command, line


@pytest.mark.parametrize(("typed", "line"), INSTEAD.items())
def test_what_is_suggested_exists(typed: str, line: str, there: Path, capsys: Said) -> None:
    """The command line of each suggestion is parsed; what was typed is refused with it."""
    first, *rest = shlex.split(line)
    assert first == "flowvision"
    command, given = command_of(rest)
    command.make_parser(click.Context(command)).parse_args(given)
    assert exit_code(*(["shot.png", typed] if typed.startswith("-") else [typed])) == ExitCode.USAGE
    assert f"`{line}`" in words(capsys)


def test_few_slips_are_known() -> None:
    """Those that people really type; click suggests near names."""
    assert len(INSTEAD) <= 25


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str, capsys: Said) -> None:
    """``help NAME`` and ``NAME help`` are ``NAME --help``."""
    assert exit_code(name, "--help") == 0
    expected = capsys.readouterr().out
    for line in (("help", name), (name, "help")):
        assert exit_code(*line) == 0
        assert capsys.readouterr().out == expected


def test_help_of_a_command_of_a_command(capsys: Said) -> None:
    """``help phone play`` is ``phone play --help``."""
    assert exit_code("phone", "play", "--help") == 0
    expected = capsys.readouterr().out
    assert exit_code("help", "phone", "play") == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("name", ["solve", "read"])
def test_help_has_every_option_below_a_heading(name: str, capsys: Said) -> None:
    """All but ``--help`` itself."""
    assert exit_code(name, "--help") == 0
    shown = capsys.readouterr().out
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    grouped = {option for options in HEADINGS.values() for option in options}
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.name in grouped
            assert shown.count(f"  {', '.join(option.opts)} ") + shown.count(f"  {option.opts[0]}\n") == 1


def test_help_and_version(capsys: Said) -> None:
    """As words or as options, short or long."""
    for asked, wanted in (("help", "--help"), ("version", "--version"), ("-V", "--version")):
        assert exit_code(wanted) == 0
        expected = capsys.readouterr().out
        assert exit_code(asked) == 0
        assert capsys.readouterr().out == expected
    assert __version__ in expected


@pytest.mark.parametrize(
    "line",
    [
        *("solve", "read", "puzzle", "help slove", "phone paly", "generate --seed x", "shot.png --rotate x"),
        *("shot.png --hint rde", "shot.png --format", "shot.png --debug shot.png", "batch .", "watch ."),
        *("batch . -o shot.png", "generate 5x5 hard easy", "generate 9x9 harder", "web shot.png"),
        *("web 70000", "shot.png --board shot.png", "shot.png --set 1,1=redd", "shot.png other.png"),
    ],
)
def test_wrong_usage(line: str, there: Path, capsys: Said) -> None:
    """Refused before any work, and nothing is written."""
    assert exit_code(*line.split()) == ExitCode.USAGE
    assert "Error: " in words(capsys)
    assert [path.name for path in there.iterdir()] == ["shot.png"]


@pytest.mark.parametrize(
    ("line", "usual"),
    [
        *(("shot.png --hint", "shot.hint.png"), ("shot.png --debug", "debug/index.html")),
        ("batch . -o out --jobs 1 --debug", "out/shot.solved.png"),
    ],
)
def test_bare_options_take_their_usual_value(line: str, usual: str, there: Path) -> None:
    """``--hint`` is ``--hint next``, ``--debug`` is ``--debug debug``."""
    assert exit_code(*line.split()) == 0
    assert (there / usual).exists()


def test_a_file_called_help(there: Path, capsys: Said) -> None:
    """It is solved."""
    (there / "help").write_bytes((there / "shot.png").read_bytes())
    assert exit_code("solve", "help") == 0
    assert capsys.readouterr().out.startswith(FIVE_SOLVED)


@pytest.mark.parametrize("line", ["", "solve", "--letters -o out.png", "read"])
def test_a_piped_picture_is_read(line: str, there: Path) -> None:
    """Also without ``-``; without a pipe the help is shown."""
    command = [sys.executable, "-m", "flowvision", *line.split()]
    done = subprocess.run(command, input=(there / "shot.png").read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.decode().split() == (FIVE if line == "read" else FIVE_SOLVED).split()
    if not line:
        empty = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        assert b"Commands:" in empty.stdout + empty.stderr


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals")
def test_a_terminal_is_told_that_a_picture_is_awaited() -> None:
    """``flowvision -`` without a pipe says how to send one."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "flowvision", "-"]
    with subprocess.Popen(command, stdin=theirs, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        assert b"flowvision - < SHOT" in running.stderr.readline()
        running.kill()
    os.close(ours)
    os.close(theirs)


def test_places_that_cannot_be_written(there: Path, capsys: Said) -> None:
    """A missing folder comes with the command that makes it."""
    assert exit_code("shot.png", "-o", "my out/x.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert "`mkdir -p 'my out'`" in words(capsys)
    assert exit_code("shot.png", "-o", "out") == ExitCode.OUTPUT_NOT_WRITTEN
    assert exit_code("shot.png", "--debug", "/dev/null/x") == ExitCode.OUTPUT_NOT_WRITTEN


def test_a_puzzle_in_place_of_a_picture(there: Path, capsys: Said) -> None:
    """The command for puzzles is named; a picture may have any suffix."""
    (there / "p.txt").write_text(FIVE)
    assert exit_code("p.txt") == ExitCode.IMAGE_UNREADABLE
    assert "`flowvision puzzle p.txt`" in words(capsys)
    (there / "shot.txt").write_bytes((there / "shot.png").read_bytes())
    assert exit_code("shot.txt") == 0


@pytest.mark.parametrize(
    "line", ["shot.png --colors 5", "read shot.png --colors 5", "generate 5x5 --colors 3"]
)
def test_either_spelling_of_colours(line: str, there: Path) -> None:
    """Wherever colours are counted."""
    assert exit_code(*line.split()) == 0


@pytest.mark.parametrize("word", ["x", "-1", "0", "nan", "inf", "5s", ""])
def test_no_times(word: str, there: Path) -> None:
    """Anything but a positive number of seconds."""
    assert exit_code("shot.png", "--limit", word) == ExitCode.USAGE


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet(option: str, there: Path, capsys: Said) -> None:
    """The picture is written, and nothing is said but what went wrong."""
    assert exit_code("shot.png", option) == 0
    assert (there / "shot.solved.png").exists()
    assert exit_code("shot.png", "shot.solved.png", option) == 0
    assert words(capsys) == ""
    assert exit_code("gone.jpg", option) == ExitCode.IMAGE_UNREADABLE
    assert "No such file" in words(capsys)


def test_corrections_that_make_no_puzzle_show_the_board(there: Path, capsys: Said) -> None:
    """As it is with them, and what to type next."""
    assert exit_code("shot.png", "--set", "1,1=.") == ExitCode.PUZZLE_NOT_READ
    said = capsys.readouterr().err
    assert "`--set ROW,COLUMN=.` takes one away" in said
    assert FIVE.replace("R.G.Y", "..G.Y").split() == said.split("With the corrections:")[1].split()


def test_a_port_in_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other servers take it."""
    seen: list[int] = []
    monkeypatch.setattr("flowvision.web.server.serve", lambda options, _: seen.append(options.port))
    assert exit_code("web", "8000") == exit_code("web", "--port", "9000") == 0
    assert seen == [8000, 9000]


@pytest.mark.parametrize("word", ["r", "R", "red", "NEXT", "Flow"])
def test_letters_of_either_case(word: str, there: Path, capsys: Said) -> None:
    """Hints and corrections take a flow's letter as it is typed."""
    assert exit_code("shot.png", "--hint", word) == 0
    assert exit_code("shot.png", "--set", "1,1=r", "--force") == 0
    assert exit_code("shot.png", "--set", "1, 1 = red", "--force") == 0
    assert capsys.readouterr().out.count(FIVE_SOLVED) == 2


@pytest.mark.parametrize("form", ["png", "jpg", "webp", "pdf", "gif", "svg"])
def test_a_form_by_name(form: str, there: Path) -> None:
    """``--format`` where no file is named: the usual name with its suffix, or standard output."""
    assert exit_code("shot.png", "--format", form) == 0
    assert is_marked(there / f"shot.solved.{form}")
    assert invoke("shot.png", "--format", form, "-o", "-").stdout_bytes == (
        (there / f"shot.solved.{form}").read_bytes()
    )
    assert exit_code("shot.png", "--format", form, "-o", f"x.{form}") == 0
    assert exit_code("shot.png", "--format", form, "-o", "x.mp4") == ExitCode.USAGE


def test_a_solution_is_told_from_a_screenshot(there: Path, capsys: Said) -> None:
    """Given alone it is looked at, and said to be what it is; a hint leads to the solution of its picture."""
    assert exit_code("shot.png") == 0
    assert exit_code("shot.solved.png") == 0
    said = words(capsys)
    assert "shot.solved.png: made by Flowvision, a solution or a hint" in said
    assert "solved already: nothing is written" in said
    assert exit_code("shot.png", "--hint", "next") == 0
    assert exit_code("shot.hint.png") == 0
    assert sorted(path.name for path in there.iterdir()) == ["shot.hint.png", "shot.png", "shot.solved.png"]


@pytest.mark.parametrize("line", ["shot.png -o mine.png", "puzzle p.txt -o mine.png", "generate -o mine.png"])
def test_an_empty_file_of_somebody_stays(line: str, there: Path, capsys: Said) -> None:
    """Whatever writes there asks for ``--force``."""
    (there / "p.txt").write_text(FIVE)
    (there / "mine.png").touch()
    assert exit_code(*line.split()) == ExitCode.OUTPUT_NOT_WRITTEN
    assert "`--force`" in words(capsys)
    assert (there / "mine.png").stat().st_size == 0
    assert exit_code(*line.split(), "--force") == 0
    assert is_marked(there / "mine.png")


def test_a_puzzle_drawn_with_letters_and_arrows(there: Path, capsys: Said) -> None:
    """As ``solve`` draws them; they need a picture to be drawn on."""
    (there / "p.txt").write_text(FIVE)
    for name, more in (("plain", []), ("letters", ["--letters"]), ("arrows", ["--arrows"])):
        assert exit_code("puzzle", "p.txt", "-o", f"{name}.png", *more) == 0
    made = {(there / f"{name}.png").read_bytes() for name in ("plain", "letters", "arrows")}
    assert len(made) == 3
    assert exit_code("puzzle", "p.txt", "--letters") == ExitCode.USAGE
    assert "go with -o" in words(capsys)
