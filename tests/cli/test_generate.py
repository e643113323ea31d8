"""``flowvision generate`` as its users call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowvision.errors import ExitCode
from flowvision.image.codec import decode
from tests.commands import exit_code

Said = pytest.CaptureFixture[str]


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_square_by_one_number(capsys: Said) -> None:
    """``generate 5`` makes a 5x5."""
    assert exit_code("generate", "5", "--seed", "1") == 0
    plain = capsys.readouterr().out
    assert exit_code("generate", "5x5", "--seed", "1") == 0
    assert capsys.readouterr().out == plain
    assert exit_code("generate", "2") == ExitCode.USAGE


def test_a_drawn_puzzle_is_not_replaced_in_silence(there: Path, capsys: Said) -> None:
    """It cannot be made again without its seed."""
    assert exit_code("generate", "5", "-o", "p.png") == 0
    before = (there / "p.png").read_bytes()
    assert exit_code("generate", "5", "-o", "p.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert (there / "p.png").read_bytes() == before
    assert exit_code("generate", "5", "-o", "p.png", "--force") == 0


@pytest.mark.parametrize("line", ["5x5 easy", "EASY 5x5", "--size 5x5 easy", "5x5 --difficulty easy"])
def test_a_difficulty_in_plain(line: str, capsys: Said) -> None:
    """Beside the size, or alone."""
    assert exit_code("generate", *line.split(), "--seed", "1") == 0
    plain = capsys.readouterr().out
    assert exit_code("generate", "--size", "5x5", "--difficulty", "easy", "--seed", "1") == 0
    assert capsys.readouterr().out == plain


def test_every_generated_puzzle_is_new(there: Path, capsys: Said) -> None:
    """Unless a seed is given; the seed that was chosen is said, and makes the same puzzle again."""
    made = list[str]()
    for _ in range(2):
        assert exit_code("generate") == 0
        captured = capsys.readouterr()
        made.append(captured.out)
        assert exit_code("generate", *captured.err.split(": ")[1].rstrip(".\n").split()) == 0
        assert capsys.readouterr() == (captured.out, "")
    assert made[0] != made[1]


@pytest.mark.parametrize("suffix", ["png", "jpg", "svg"])
def test_a_generated_puzzle_as_a_drawing(suffix: str, there: Path, capsys: Said) -> None:
    """To be played: dots without pipes."""
    for more in ([], ["--holes", "3"]):
        arguments = ["generate", "--size", "6x7", "--seed", "4", "-o", f"g.{suffix}", "--force", *more]
        assert exit_code(*arguments) == 0
        assert capsys.readouterr().err.strip() == f"Made in g.{suffix}."
        data = (there / f"g.{suffix}").read_bytes()
        if suffix == "svg":
            assert b"fv-pipe" not in data.split(b"</style>")[1]
        else:
            assert len({tuple(pixel) for pixel in decode(data).bgr[::9, ::9].reshape(-1, 3).tolist()}) > 3
    assert exit_code("generate", "-o", "g.gif") == ExitCode.USAGE
    assert exit_code("generate", "-o", "g.png", "--write", "record") == ExitCode.USAGE


def test_a_generated_drawing_is_read_as_that_puzzle(there: Path, capsys: Said) -> None:
    """The drawing shows the dots of the text, and no pipe: read, it is the same puzzle."""
    arguments = ["generate", "--size", "7x7", "--seed", "5"]
    assert exit_code(*arguments) == 0
    text = capsys.readouterr().out
    assert exit_code(*arguments, "-o", "g.png") == 0
    assert exit_code("read", "g.png") == 0
    seen = capsys.readouterr().out
    assert [[sign == "." for sign in row] for row in seen.split()] == [
        [sign == "." for sign in row] for row in text.split()
    ]
