"""What people type who have read the README's first screen: done as meant, or one line on what to type."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from flowvision import __version__
from flowvision.cli import COMMANDS
from flowvision.errors import ExitCode
from flowvision.image.mark import is_marked
from tests.cli.runner import exit_code, invoke
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


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str, capsys: Said) -> None:
    """``help NAME`` is ``NAME --help``."""
    assert exit_code(name, "--help") == 0
    expected = capsys.readouterr().out
    assert exit_code("help", name) == 0
    assert capsys.readouterr().out == expected
    assert not re.search("INTEGER|NUMBER|TEXT", expected)  # numbers are all called N


def test_help_and_version(capsys: Said) -> None:
    """As words or as options, short or long."""
    for asked, wanted in (("help", "--help"), ("version", "--version"), ("-V", "--version")):
        assert exit_code(wanted) == 0
        expected = capsys.readouterr().out
        assert exit_code(asked) == 0
        assert capsys.readouterr().out == expected
    assert __version__ in expected
    assert exit_code("help", "slove") == ExitCode.USAGE
    assert "Did you mean `flowvision solve`?" in words(capsys)
    assert exit_code("help", "everything") == ExitCode.USAGE
    assert "`flowvision help` lists them." in words(capsys)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("solve", "Name its file, or `-` for one that comes through a pipe."),
        ("read", "Name its file, or `-` for one that comes through a pipe."),
        ("puzzle", "Say which: `flowvision puzzle FILE…`, with `-` for what comes through a pipe."),
    ],
)
def test_a_command_without_a_file_says_how_one_is_given(line: str, said: str, capsys: Said) -> None:
    """Also where it came through a pipe."""
    assert exit_code(line) == ExitCode.USAGE
    assert said in words(capsys)


def test_a_second_name_for_the_solution(there: Path, capsys: Said) -> None:
    """``shot.png out.png``: what to type is said and nothing done, whatever else has nearly that name."""
    assert exit_code("shot.png", "out.png") == ExitCode.USAGE
    assert "To write the solution there: `flowvision shot.png -o out.png`." in words(capsys)
    assert [path.name for path in there.iterdir()] == ["shot.png"]
    (there / "other.png").write_bytes((there / "shot.png").read_bytes())
    assert exit_code("shot.png", "othr.png") == ExitCode.USAGE
    assert "`flowvision shot.png -o othr.png`. Did you mean other.png?" in words(capsys)
    assert {path.name for path in there.iterdir()} == {"shot.png", "other.png"}


@pytest.mark.parametrize("typed", ["shot.pgn", "shoot.png", "Shot.PNG", "./sho.png", "shot"])
def test_a_mistyped_name(typed: str, there: Path, capsys: Said) -> None:
    """The picture beside it with nearly that name is named."""
    assert exit_code(typed) == ExitCode.IMAGE_UNREADABLE
    assert f"Did you mean {'./' if typed.startswith('./') else ''}shot.png?" in words(capsys)
    assert exit_code("holiday.png") == ExitCode.IMAGE_UNREADABLE
    assert "Did you mean" not in words(capsys)


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet(option: str, there: Path, capsys: Said) -> None:
    """The picture is written, and nothing is said but what went wrong."""
    assert exit_code("shot.png", option) == 0
    assert (there / "shot.solved.png").exists()
    assert exit_code("shot.png", "shot.solved.png", option) == 0
    assert words(capsys) == ""
    assert exit_code("gone.jpg", option) == ExitCode.IMAGE_UNREADABLE
    assert "No such file" in words(capsys)


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        *(("--dry-run", "`flowvision read SHOT`"), ("--no-output", "`flowvision read SHOT`")),
        *(("--text", "`flowvision read SHOT`"), ("--colour", "`--colours`"), ("--letter", "`--letters`")),
        *(("--gif", "`-o OUT.gif`"), ("--svg", "`-o OUT.svg`"), ("-V", "`flowvision version`")),
    ],
)
def test_options_that_there_are_not(option: str, meant: str, there: Path, capsys: Said) -> None:
    """One line says what there is in their place."""
    assert exit_code("shot.png", option) == ExitCode.USAGE
    assert meant in words(capsys).split("Error: ")[1]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("read shot.png -o x.txt", "`flowvision read SHOT > FILE`"),
        ("batch . -o out -v", "`results.ndjson`"),
        ("generate --json", "`flowvision generate | flowvision puzzle - --json`"),
        ("generate --seed x", "'x' is not a valid whole number."),
        ("shot.png --rotate x", "'x' is not a valid number."),
        ("shot.png --hint rde", "the letter or colour of a flow"),
        ("shot.png --hint", "--hint takes a value: --hint next|forced|"),
        ("batch .", "`flowvision batch . -o OUT`"),
        ("batch . out3", "`flowvision batch . -o out3`"),
        ("batch shot.png out3 --limit 3", "`flowvision batch shot.png -o out3`"),
        ("batch . -o out --workers 2", "it is called `--jobs`"),
        ("batch . -o out --format svg", "`flowvision FOLDER/* -o OUT/ --format svg`"),
        ("watch .", "`flowvision watch . -o OUT`"),
        ("shot.png --out x.png", "it is called `-o`"),
        ("shot.png --format", "--format takes a value: --format png|"),
        ("puzzle p.txt -v", "`--json`"),
        ("shot.png --debug shot.png", "shot.png is a file; a folder is expected."),
        ("batch . -o shot.png", "shot.png is a file; a folder is expected."),
        ("help phone paly", "`flowvision help phone` lists them."),
        *((name, "`flowvision web` opens the page") for name in ("serve", "gui", "ui", "GUI")),
        ("hint shot.png", "`flowvision SHOT --hint next`"),
        ("generate --hard", "`--difficulty hard`"),
        ("generate 5x5 hard easy", "such as 9x9 hard"),
        ("generate 9x9 harder", "(easy, medium, hard, expert)"),
        ("web shot.png", "`flowvision web` opens the page; drop the screenshot there."),
        ("web 70000", "70000 is not in the range"),
        ("shot.png --size 5x5", "`--grid`"),
        ("shot.png --overwrite", "`--force`"),
        ("shot.png --set 1,1=redd", "such as 3,4=R, 3,4=red"),
    ],
)
def test_what_a_command_does_not_take(line: str, meant: str, there: Path, capsys: Said) -> None:
    """One line says what does it."""
    assert exit_code(*line.split()) == ExitCode.USAGE
    assert meant in words(capsys).split("Error: ")[1]


@pytest.mark.parametrize("line", ["solve help", "batch help", "web help", "phone help"])
def test_help_behind_a_command(line: str, there: Path, capsys: Said) -> None:
    """The same as in front of it; a picture of that name is solved."""
    assert exit_code(*line.split()) == 0
    assert f"Usage: flowvision {line.split(maxsplit=1)[0]}" in capsys.readouterr().out
    (there / "help").write_bytes((there / "shot.png").read_bytes())
    assert exit_code("solve", "help") == 0
    assert capsys.readouterr().out.startswith(FIVE_SOLVED)


def test_help_of_a_command_of_a_command(capsys: Said) -> None:
    """``help phone play`` is ``phone play --help``."""
    assert exit_code("phone", "play", "--help") == 0
    expected = capsys.readouterr().out
    assert exit_code("help", "phone", "play") == 0
    assert capsys.readouterr().out == expected


def test_a_picture_through_a_pipe_without_a_command(there: Path) -> None:
    """``cat shot.png | flowvision``: what solves it is said; a terminal, or nothing, gets the help."""
    command = [sys.executable, "-m", "flowvision"]
    piped = subprocess.run(command, input=b"picture", capture_output=True, check=False)
    assert piped.returncode == ExitCode.USAGE
    assert b"`flowvision -` solves the picture" in piped.stderr
    empty = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert b"Commands:" in empty.stdout + empty.stderr


def test_corrections_that_make_no_puzzle_show_the_board(there: Path, capsys: Said) -> None:
    """As it is with them, and what to type next."""
    assert exit_code("shot.png", "--set", "1,1=.") == ExitCode.PUZZLE_NOT_READ
    said = capsys.readouterr().err
    assert "`--set ROW,COLUMN=.` takes one away" in said
    assert FIVE.replace("R.G.Y", "..G.Y").split() == said.split("With the corrections:")[1].split()


def test_places_that_cannot_be_written(there: Path, capsys: Said) -> None:
    """A folder that is missing has the command that makes it, a name without a suffix that of a folder."""
    assert exit_code("shot.png", "-o", "my out/x.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert "there is no folder my out. Make it first: `mkdir -p 'my out'`." in words(capsys)
    assert exit_code("shot.png", "-o", "out") == ExitCode.OUTPUT_NOT_WRITTEN
    assert "a folder ends with /, as `out/`" in words(capsys)
    assert exit_code("shot.png", "--debug", "/dev/null/x") == ExitCode.OUTPUT_NOT_WRITTEN
    assert "`-o`" not in words(capsys)


def test_a_port_in_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other servers take it."""
    seen: list[int] = []
    monkeypatch.setattr("flowvision.web.server.serve", lambda options, _: seen.append(options.port))
    assert exit_code("web", "8000") == exit_code("web", "--port", "9000") == 0
    assert seen == [8000, 9000]


def test_a_puzzle_in_place_of_a_picture(there: Path, capsys: Said) -> None:
    """The command for puzzles is named; a picture may have any suffix."""
    (there / "p.txt").write_text(FIVE)
    assert exit_code("p.txt") == ExitCode.IMAGE_UNREADABLE
    assert "`flowvision puzzle p.txt`" in words(capsys)
    (there / "shot.txt").write_bytes((there / "shot.png").read_bytes())
    assert exit_code("shot.txt") == 0


@pytest.mark.parametrize(
    "line", [*("shot.png --colors 5", "read shot.png --colors 5", "generate --size 5x5 --colors 3")]
)
def test_either_spelling_of_colours(line: str, there: Path) -> None:
    """Wherever colours are counted."""
    assert exit_code(*line.split()) == 0


@pytest.mark.parametrize("word", ["r", "R", "red", "NEXT", "Flow"])
def test_letters_of_either_case(word: str, there: Path, capsys: Said) -> None:
    """Hints and corrections take a flow's letter as it is typed."""
    assert exit_code("shot.png", "--hint", word) == 0
    assert exit_code("shot.png", "--set", "1,1=r", "--force") == 0
    assert exit_code("shot.png", "--set", "1, 1 = red", "--force") == 0
    assert capsys.readouterr().out.count(FIVE_SOLVED) == 2


def test_a_pattern_that_nothing_matches(there: Path, capsys: Said) -> None:
    """The shell hands it on as it is."""
    assert exit_code("*.bmp") == ExitCode.IMAGE_UNREADABLE
    assert words(capsys).startswith("Nothing matches *.bmp.")


@pytest.mark.parametrize("word", ["5s", "5", "5.5", "5 s", "5000ms", "0.1min", "inf"])
def test_times_with_units(word: str, there: Path) -> None:
    """Seconds unless another unit is named."""
    assert exit_code("shot.png", "--limit", word) == 0


@pytest.mark.parametrize("word", ["x", "-1", "0", "nan", "5 weeks", "", "1e", "٣"])
def test_no_times(word: str, there: Path, capsys: Said) -> None:
    """What would be one is said."""
    assert exit_code("shot.png", "--limit", word) == ExitCode.USAGE
    assert "is not a number of seconds above 0, such as 5 or 0.5." in words(capsys)


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


def test_the_board_as_a_text_file(there: Path, capsys: Said) -> None:
    """``-o x.txt`` holds what is printed, a hint too; nothing else is written."""
    assert exit_code("shot.png", "-o", "x.txt") == 0
    assert (there / "x.txt").read_text() == f"{FIVE_SOLVED}\n" == capsys.readouterr().out
    assert exit_code("shot.png", "-o", "x.txt") == ExitCode.OUTPUT_NOT_WRITTEN
    assert exit_code("shot.png", "-o", "x.txt", "--force", "--hint", "r") == 0
    assert (there / "x.txt").read_text() in capsys.readouterr().out
    assert sorted(path.name for path in there.iterdir()) == ["shot.png", "x.txt"]


def test_one_name_twice_is_no_place_for_the_solution(there: Path, capsys: Said) -> None:
    """A file that is not there, named twice, is not told as the place to write its own solution to."""
    exit_code("none.png", "none.png")
    assert "-o" not in words(capsys)


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        (("shot.png", "--hint", "nxt"), "next"),
        (("shot.png", "--hint", "ornge"), "orange"),
        (("shot.png", "--format", "jpgg"), "jpg"),
        (("generate", "7x7", "hrd"), "hard"),
    ],
)
def test_a_value_that_is_nearly_one(there: Path, typed: tuple[str, ...], near: str, capsys: Said) -> None:
    """The one that was meant is named; one like none is answered with all alone."""
    assert exit_code(*typed) == ExitCode.USAGE
    assert words(capsys).endswith(f"Did you mean {near}?")
    assert exit_code("generate", "--tiling", "zzz") == ExitCode.USAGE
    assert "Did you mean" not in words(capsys)
