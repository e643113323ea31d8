"""``flowvision solve``."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flowvision.cli import main
from flowvision.errors import ExitCode
from flowvision.image.codec import decode, encode
from tests.drawing import FIVE, FIVE_SOLVED, screenshot_of


def solve(*arguments: str | Path) -> int:
    """The exit code of ``flowvision solve`` with these arguments."""
    with pytest.raises(SystemExit) as left:
        main(["solve", *map(str, arguments)])
    return int(left.value.code or 0)


def test_the_solution_is_written_and_printed(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The picture lies beside the input, the board is on stdout, the note about it on stderr."""
    before = shot.read_bytes()
    assert solve(shot) == 0
    captured = capsys.readouterr()
    assert captured.out == FIVE_SOLVED + "\n"
    assert str(shot.with_name("shot.solved.png")) in captured.err
    assert decode(shot.with_name("shot.solved.png").read_bytes()).bgr.shape == screenshot_of(FIVE).shape
    assert shot.read_bytes() == before


def test_json_is_one_object_a_screenshot(shot: Path, menu: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the order given, failures included; the rest is still done, and the code says that some failed."""
    assert solve(menu, shot, "--json") == ExitCode.SOME_FAILED
    failed, solved = map(json.loads, capsys.readouterr().out.splitlines())
    assert (failed["file"], failed["ok"], failed["error"]["exit_code"]) == (str(menu), False, 4)
    assert (solved["file"], solved["ok"], solved["unique"]) == (str(shot), True, True)
    assert Path(solved["output"]).exists()


@pytest.mark.parametrize("name", ["out.png", "out.jpg", "out.JPEG"])
def test_the_output_by_suffix(shot: Path, tmp_path: Path, name: str) -> None:
    """``-o`` names the file, and its suffix the kind."""
    assert solve(shot, "-o", tmp_path / name) == 0
    start = (tmp_path / name).read_bytes()[:3]
    assert start == (b"\x89PN" if name.endswith("png") else b"\xff\xd8\xff")
    assert not shot.with_name("shot.solved.png").exists()


@pytest.mark.parametrize("folder", ["new/", "old"])
def test_the_output_in_a_folder(shot: Path, tmp_path: Path, folder: str) -> None:
    """A folder, or a name with a slash at its end, takes the usual name."""
    (tmp_path / "old").mkdir()
    assert solve(shot, "-o", f"{tmp_path}/{folder}") == 0
    assert (tmp_path / folder / "shot.solved.png").exists()


def test_standard_input_and_output(shot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` reads stdin, ``-o -`` writes the picture to stdout and nothing else."""
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(shot.read_bytes())))
    monkeypatch.setattr(sys, "stdout", out)
    assert solve("-", "-o", "-") == 0
    written = out.buffer.getvalue()
    assert decode(written).bgr.shape == screenshot_of(FIVE).shape
    assert written.endswith(b"IEND\xaeB`\x82")


def test_inputs_are_never_overwritten(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither by ``-o`` nor by the usual name of another screenshot's solution."""
    other = shot.with_name("shot.solved.png")
    other.write_bytes(shot.read_bytes())
    before = shot.read_bytes()
    assert solve(shot, "-o", shot) == ExitCode.OUTPUT_NOT_WRITTEN
    assert solve(shot, other, "--json") == ExitCode.SOME_FAILED
    assert shot.read_bytes() == other.read_bytes() == before
    described = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["ok"] for one in described] == [False, True]


def test_one_output_is_never_written_twice(shot: Path, tmp_path: Path) -> None:
    """Two screenshots of one name, bound for one folder: the second one is refused."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "shot.png").write_bytes(shot.read_bytes())
    assert solve(shot, tmp_path / "b" / "shot.png", "-o", tmp_path / "out") == ExitCode.SOME_FAILED


@pytest.mark.parametrize("output", ["-", "one.png"])
def test_several_need_a_folder(shot: Path, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Several pictures do not fit into one file."""
    other = shot.with_name("other.png")
    other.write_bytes(shot.read_bytes())
    assert solve(shot, other, "-o", output) == ExitCode.USAGE
    assert "folder" in capsys.readouterr().err


def test_one_that_is_named_twice_is_solved_once(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As by a pattern and by its name."""
    assert solve(shot, shot) == 0
    assert capsys.readouterr().out.count("\n") == 5


def test_picture_and_json_do_not_share_stdout(shot: Path) -> None:
    """``-o -`` with ``--json`` is wrong usage."""
    assert solve(shot, "-o", "-", "--json") == ExitCode.USAGE


@pytest.mark.parametrize("place", ["missing/x.png", "x.bmp", "x"])
def test_an_output_that_cannot_be_written(shot: Path, tmp_path: Path, place: str) -> None:
    """No such folder, and a kind that cannot be written: nothing is left behind."""
    before = sorted(tmp_path.iterdir())
    assert solve(shot, "-o", tmp_path / place) == ExitCode.OUTPUT_NOT_WRITTEN
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device(shot: Path) -> None:
    """A full device is an output error."""
    target = shot.with_name("full.png")
    target.symlink_to("/dev/full")
    assert solve(shot, "-o", target) == ExitCode.OUTPUT_NOT_WRITTEN


@pytest.mark.parametrize(
    ("name", "code"), [("missing", 3), ("empty", 3), ("text", 3), ("cut", 3), ("menu", 4), ("impossible", 7)]
)
def test_one_file_exits_with_its_own_code(
    name: str, code: int, shot: Path, menu: Path, impossible: Path, tmp_path: Path
) -> None:
    """Every kind of bad input has its code, and leaves no output."""
    (tmp_path / "empty.png").touch()
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "cut.png").write_bytes(shot.read_bytes()[:-500])
    assert solve(tmp_path / f"{name}.png") == code
    assert not list(tmp_path.glob("*.solved.png"))


def test_the_debug_folder(shot: Path, menu: Path, tmp_path: Path) -> None:
    """One screenshot fills the folder itself, several a folder each, failures included."""
    assert solve(shot, "--debug", tmp_path / "one") == 0
    assert (tmp_path / "one" / "07-solution.png").exists()
    solve(shot, menu, "--debug", tmp_path / "two")
    assert (tmp_path / "two" / "shot" / "index.html").exists()
    assert (tmp_path / "two" / "menu" / "index.html").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_text(shot: Path) -> None:
    """A file name that is no valid text can be solved, and does not stop the objects and messages."""
    odd = os.fsencode(shot.parent) + b"/caf\xe9 \xe2\x82\xac.png"
    os.rename(shot, odd)
    for arguments in (["--json"], []):
        command = [sys.executable, "-m", "flowvision", "solve", odd, odd + b".missing", *arguments]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == ExitCode.SOME_FAILED
        assert b"Traceback" not in done.stderr
        if arguments:
            assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, False]


class Terminal(io.StringIO):
    """Standard output that says it is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.mark.parametrize(("no_colour", "coloured"), [(None, True), ("", True), ("1", False)])
def test_colours(shot: Path, no_colour: str | None, coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets colours unless NO_COLOR is set to something; anything else gets plain letters."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_colour is not None:
        monkeypatch.setenv("NO_COLOR", no_colour)
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    assert solve(shot) == 0
    assert ("\x1b[" in out.getvalue()) is coloured


def test_a_jpeg_gets_a_png(tmp_path: Path) -> None:
    """The solution of any kind of picture is a PNG unless asked otherwise."""
    (tmp_path / "a.jpg").write_bytes(encode(screenshot_of(FIVE), ".jpg"))
    assert solve(tmp_path / "a.jpg") == 0
    assert (tmp_path / "a.solved.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--crop", ("1,2,3", "0,0,0,5", "a,b,c,d", "²,0,10,10", f"{'9' * 5000},0,10,10")),
        ("--grid", ("8x", "1x9", "5x²")),
        ("--colours", ("0", "401", "five")),
        ("--rotate", ("much", "nan", "inf")),
    ],
)
def test_where_to_look_is_checked(shot: Path, option: str, values: tuple[str, ...]) -> None:
    """A value without a meaning is a usage error."""
    for value in values:
        assert solve(shot, option, value) == ExitCode.USAGE


def test_where_to_look(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The part, the size and the turn that are given are used; the turned picture is written turned."""
    assert solve(shot, "--crop", "0,100,324,400", "--grid", "5x5") == 0
    assert capsys.readouterr().out == FIVE_SOLVED + "\n"
    assert solve(shot, "--rotate", "90") == 0
    turned = FIVE_SOLVED.split()[::-1]
    assert capsys.readouterr().out.split() == ["".join(column) for column in zip(*turned, strict=True)]
    height, width = screenshot_of(FIVE).shape[:2]
    assert decode(shot.with_name("shot.solved.png").read_bytes()).bgr.shape[:2] == (width, height)


def test_a_part_beyond_the_picture(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No board is there, because of the part."""
    assert solve(shot, "--crop", "0,0,9000,900", "--json") == ExitCode.BOARD_NOT_FOUND
    assert json.loads(capsys.readouterr().out)["error"]["cause"]["code"] == "wrong-crop"


def test_a_picture_of_others_is_not_replaced(shot: Path, tmp_path: Path) -> None:
    """Only what Flowvision wrote itself, or with ``--force`` anything but the screenshot."""
    other = tmp_path / "other.png"
    other.write_bytes(encode(screenshot_of(FIVE) // 2))
    before = other.read_bytes()
    assert solve(shot, "-o", other) == ExitCode.OUTPUT_NOT_WRITTEN
    assert other.read_bytes() == before
    assert solve(shot, "-o", other, "--force") == 0
    assert other.read_bytes() != before
    assert solve(shot, "-o", other) == 0
    other.write_bytes(b"")
    assert solve(shot, "-o", other) == ExitCode.OUTPUT_NOT_WRITTEN
    assert solve(shot, "-o", shot, "--force") == ExitCode.OUTPUT_NOT_WRITTEN


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_solving_again_replaces_the_solution(shot: Path, tmp_path: Path, name: str) -> None:
    """Wherever it is, of whatever kind."""
    for _ in range(2):
        assert solve(shot, "-o", tmp_path / name) == 0
        assert solve(shot) == 0


TALL = """\
....RY
.Y....
R.....
......
.B.G..
..O...
.BC.O.
GC....
"""


def test_the_size_is_columns_by_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in the game's titles, and as ``--size`` has it."""
    tall = tmp_path / "tall.png"
    tall.write_bytes(encode(screenshot_of(TALL)))
    assert solve(tall, "--grid", "6x8", "--json") == 0
    board = json.loads(capsys.readouterr().out)["board"]
    assert (board["cols"], board["rows"]) == (6, 8)
    assert solve(tall, "--grid", "6×8") == 0


def test_colours_that_somebody_counted(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As many as the board has: solved; another number: refused with both numbers."""
    assert solve(shot, "--colours", "5") == 0
    capsys.readouterr()
    assert solve(shot, "--colours", "6") == 6
    assert "10 dots were found, 6 colours would have 12." in capsys.readouterr().err
