"""``flowvision sample`` as its users call it."""

from __future__ import annotations

import pytest

from flowvision.errors import ExitCode, ImageUnreadableError
from flowvision.pipeline import read_image
from flowvision.puzzle.text import parse
from tests.cli.runner import invoke
from tests.drawing import FIVE, NONE


def run(*arguments):
    """The result of ``flowvision sample``."""
    return invoke("sample", *arguments)


def test_a_random_board_is_drawn_with_its_puzzle_beside_it(tmp_path):
    """What is read from the picture is what the text beside it says."""
    result = run("--size", "6x8", "--seed", 2, "--theme", "old", "--drawn", 0.5, "-o", tmp_path / "a.png")
    assert result.exit_code == 0, result.output
    truth = parse((tmp_path / "a.txt").read_text())
    reading = read_image(tmp_path / "a.png").reading
    assert reading.board == truth.board
    assert dict(zip(reading.letters, reading.puzzle.terminals, strict=True)) == dict(
        zip(truth.letters, truth.puzzle.terminals, strict=True)
    )


def test_a_given_puzzle_is_drawn(tmp_path):
    """From its text; the file itself is left alone."""
    (tmp_path / "five.txt").write_text(FIVE)
    assert run(tmp_path / "five.txt", "--letters", "white", "-o", tmp_path / "five.jpg").exit_code == 0
    assert (tmp_path / "five.txt").read_text() == FIVE
    assert len(read_image(tmp_path / "five.jpg").reading.puzzle.terminals) == 5


def test_bad_input_is_named(tmp_path):
    """A size that is none, a puzzle without a solution to draw, a suffix that cannot be written."""
    for size in ("big", "2x9", "9x²"):
        assert "COLSxROWS" in run("--size", size, "-o", tmp_path / "a.png").stderr
    (tmp_path / "none.txt").write_text(NONE)
    drawn = run(tmp_path / "none.txt", "--drawn", 1, "-o", tmp_path / "b.png")
    assert "no solution" in str(drawn.exception)
    assert "Cannot write a picture" in str(run("-o", tmp_path / "c.gif").exception)
    assert not list(tmp_path.glob("*.gif"))


@pytest.mark.parametrize("option", ["--scale", "--dim", "--drawn"])
def test_what_is_no_number_is_wrong_usage(option, tmp_path):
    """Neither below nor above a bound: refused all the same."""
    done = run(option, "nan", "-o", tmp_path / "a.png")
    assert done.exit_code == ExitCode.USAGE
    assert "not a number" in done.stderr


@pytest.mark.parametrize("name", ["a.png", "a.txt"])
def test_a_file_that_is_there_stays(name, tmp_path):
    """The picture's and the puzzle's, whoever wrote it; ``--force`` replaces both."""
    (tmp_path / name).write_text("mine")
    refused = run("-o", tmp_path / "a.png")
    assert f"{name} is there already" in str(refused.exception)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "mine"}
    assert run("-o", tmp_path / "a.png", "--force").exit_code == 0
    assert parse((tmp_path / "a.txt").read_text())


def test_a_size_in_place_of_a_puzzle(tmp_path):
    """As `generate` takes it; a name that is neither is told as a missing file."""
    assert run("4x6", "-o", str(tmp_path / "a.png")).exit_code == 0
    assert len((tmp_path / "a.txt").read_text().split()) == 6
    assert isinstance(run("none.txt", "-o", str(tmp_path / "b.png")).exception, ImageUnreadableError)


def test_letters_that_name_colours_are_these(tmp_path):
    """What `read` prints of the screenshot is the text that it was drawn of."""
    (tmp_path / "p.txt").write_text("R.G.Y\n..B.O\n.....\n.G.Y.\n.RBO.\n")
    assert run(str(tmp_path / "p.txt"), "-o", str(tmp_path / "p.png")).exit_code == 0
    assert invoke("read", str(tmp_path / "p.png")).stdout.startswith("R.G.Y\n..B.O\n")
