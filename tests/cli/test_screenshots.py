"""One screenshot after another: which are looked at, what is said of each, and what that costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import webbrowser
from pathlib import Path
from time import monotonic, sleep

import cv2
import numpy as np
import pytest

from flowvision.cli.solve import still_looking, stopping_after
from flowvision.errors import ExitCode, GaveUpError
from tests.commands import exit_code as run
from tests.commands import posix_only
from tests.tools import refused_pictures as pictures


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_all_pictures_of_a_folder_twice(
    shot: Path, suffix: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with ``*.png`` in a shell: the solutions of the first time are skipped the second time."""
    monkeypatch.chdir(shot.parent)
    (shot.parent / "other.png").write_bytes(shot.read_bytes())
    assert run("shot.png", "-o", f"shot.solved.{suffix}") == 0
    before = names(shot.parent)
    for _ in range(2):
        capsys.readouterr()
        assert run(*names(shot.parent), "--json") == 0
        captured = capsys.readouterr()
        assert [json.loads(line)["file"] for line in captured.out.splitlines()] == ["other.png", "shot.png"]
        assert f"shot.solved.{suffix}: skipped" in captured.err
    assert names(shot.parent) == sorted({*before, "other.solved.png", "shot.solved.png"})


def test_a_solution_alone_is_looked_at(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who names nothing else means it; what is no solution of ours is taken, whatever its name."""
    assert run(shot) == 0
    assert run("read", shot.with_name("shot.solved.png")) == 0
    named_so = shot.with_name("b.solved.png")
    named_so.write_bytes(shot.read_bytes())
    capsys.readouterr()
    assert run("read", shot, named_so) == 0
    assert "skipped" not in capsys.readouterr().err


def test_a_folder_among_screenshots(
    shot: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails with what to do, and the screenshot is solved."""
    monkeypatch.chdir(shot.parent)
    for folder in (".", "..", "/", str(shot.parent)):
        assert run(folder, "shot.png") == ExitCode.SOME_FAILED
        captured = capsys.readouterr()
        assert f"{folder} is a folder." in captured.err
        assert f"flowvision batch {folder} -o OUT" in captured.err
        assert "shot.png: solved" in captured.err
        assert "Traceback" not in captured.err


def test_pictures_of_one_name_have_a_solution_each(shot: Path, tmp_path: Path) -> None:
    """Also where the second is solved later, and where they go to a folder; not beside a picture of ours."""
    other = shot.with_suffix(".jpg")
    other.write_bytes(shot.read_bytes())
    for place in ([], ["-o", f"{tmp_path / 'out'}{os.sep}"]):
        for one in (shot, other):
            assert run(one, *place) == 0
    wanted = [f"{one.name}.solved.png" for one in (other, shot)]
    assert [path.name for path in sorted(shot.parent.glob("*.solved.png"))] == wanted
    assert names(tmp_path / "out") == wanted
    other.unlink()
    assert run(shot, "-o", shot.with_suffix(".gif")) == run(shot) == 0
    assert shot.with_name("shot.solved.png").exists()


@pytest.mark.parametrize("word", ["", "missing.png", "shot.png/inside", "a\0b"])
def test_what_is_not_there(
    shot: Path, word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fails by itself in words, and the screenshot is solved."""
    monkeypatch.chdir(shot.parent)
    assert run("solve", word, "shot.png") == ExitCode.SOME_FAILED
    captured = capsys.readouterr().err
    assert "shot.png: solved" in captured
    assert "Flowvision: please report" not in captured


def test_a_file_that_may_not_be_read(
    shot: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops no other one."""
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    locked = shot.with_name("locked.png")
    locked.mkdir()
    assert run(locked, shot) == ExitCode.SOME_FAILED
    assert "solved in" in capsys.readouterr().err


def test_a_folder_that_may_not_be_entered(
    shot: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not a missing file: the reason is the system's."""

    def refuse(path: str, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    locked = shot.parent / "locked" / "shot.png"
    for name in ("lstat", "stat"):
        monkeypatch.setattr(os, name, refuse)
    monkeypatch.setattr("builtins.open", refuse)
    code = run(locked)
    monkeypatch.undo()
    assert code == ExitCode.IMAGE_UNREADABLE
    assert f"Cannot read {locked}: Permission denied." in capsys.readouterr().err


@pytest.mark.parametrize("command", [["solve"], [], ["read"], ["puzzle"], ["batch", "-o", "out"]])
def test_an_address_is_refused_as_one(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how to get the file."""
    monkeypatch.chdir(tmp_path)
    for address in ("https://example.org/shots/a.png", "http://example.org/x"):
        assert run(*command, address) == ExitCode.IMAGE_UNREADABLE
        said = capsys.readouterr().err
        assert f"{address} is an address; only files are read." in said
        assert f"curl -LO '{address}'" in said


def test_a_bug_stops_no_other_screenshot(
    shot: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said to be one, with its own exit code, and as an object; with ``-v`` its traceback is shown."""
    from flowvision import pipeline

    open_image = pipeline.open_image

    def failing(source: str, *rest: float) -> object:
        if Path(source).stem == "bug":
            raise IndexError("list index out of range")
        return open_image(source, *rest)

    monkeypatch.setattr(pipeline, "open_image", failing)
    bug = shot.with_name("bug.png")
    bug.write_bytes(shot.read_bytes())
    assert run(bug, shot, "--json") == ExitCode.SOME_FAILED
    captured = capsys.readouterr()
    failed, solved = map(json.loads, captured.out.splitlines())
    assert (failed["error"]["code"], failed["error"]["exit_code"]) == ("crashed", 1)
    assert (failed["file"], solved["ok"]) == (str(bug), True)
    assert "IndexError: list index out of range" in captured.err
    assert "Traceback" not in captured.err
    assert run(bug, "-v") == ExitCode.BUG
    assert "in failing" in capsys.readouterr().err


def test_an_error_ends_with_the_page_that_was_asked_for(
    menu: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who gave ``--debug`` is told where the page is, and not to give it."""
    assert run(menu, "--debug", tmp_path / "out") == ExitCode.BOARD_NOT_FOUND
    said = capsys.readouterr().err.rstrip()
    assert said.endswith(f"Why: {tmp_path / 'out' / 'index.html'}")
    assert "--debug" not in said
    assert "--crop" in said
    run(menu)
    assert "--debug" in capsys.readouterr().err


def test_an_answer_says_where_its_page_is(
    shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a refusal does; not where nothing is to be said."""
    assert run(shot, "--debug", tmp_path / "out") == 0
    assert f"every stage in {tmp_path / 'out' / 'index.html'}" in capsys.readouterr().err
    assert run(shot, "--debug", tmp_path / "out", "--quiet", "--force") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["solve", "read"])
def test_a_page_is_opened(command: str, shot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the browser, of the folder that is given, else of a temporary one."""
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    assert run(command, shot, "--open", "--debug", tmp_path / "out") == 0
    assert shown == [(tmp_path / "out" / "index.html").as_uri()]
    assert run(command, shot, "--open") == 0
    assert shown[1].startswith("file://")
    assert shown[1].endswith("/index.html")


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_says_that_it_is_still_looking(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, after a while, on stderr; nothing where it is done before, or where nobody watches."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    with still_looking("quick.png", 3600):
        pass
    with still_looking("slow.png", 0.001):
        sleep(1.0)
    said = capsys.readouterr().err
    assert said == ("slow.png: still looking …\n" if is_terminal else "")


@posix_only
def test_the_limit_is_one_of_the_clock() -> None:
    """Work that does not look at the time is stopped all the same."""
    began = monotonic()
    with pytest.raises(GaveUpError), stopping_after(0.2):
        sleep(60)
    assert monotonic() - began < 30


def test_the_hint_names_the_size_that_was_seen(
    shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a wrong size was given, the right one is what to try, on the command line as on the page."""
    assert run(shot, "--grid", "6x6", "--debug", tmp_path / "out") != 0
    assert "`--grid 5x5` reads it" in capsys.readouterr().err
    assert "<span>--grid</span> <span>5x5</span>" in (tmp_path / "out" / "index.html").read_text()


RUN = """
import resource, sys
from flowvision.cli import main
try:
    main(["read", *sys.argv[1:]])
except SystemExit as left:
    print(left.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def most_memory(shots: list[str]) -> int:
    """The most memory that a run needs which refuses all of them, in units of the system's own."""
    done = subprocess.run([sys.executable, "-c", RUN, *shots], capture_output=True, text=True, check=True)
    code, most = done.stderr.splitlines()[-1].split()
    assert code == "11"
    return int(most)


@pytest.mark.parametrize(("name", "is_shown"), [("fingertip on a dot", True), ("popup", False)])
def test_a_board_is_shown_to_be_put_right_where_it_can_be(
    tmp_path: Path, name: str, is_shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under a window cells are seen as one: the rows and columns of the board are others."""
    spoilt = next(one for one in pictures.SPOILT if one.name == name)
    cv2.imwrite(str(tmp_path / "shot.png"), spoilt.draw())
    refused = ExitCode.PUZZLE_NOT_READ, ExitCode.UNSOLVABLE, ExitCode.READING_DOUBTFUL
    assert run(str(tmp_path / "shot.png")) in refused
    assert ("to be corrected with" in capsys.readouterr().err) == is_shown


@pytest.mark.parametrize("moved", [("1,1=.", "1,2=R"), ("1,1=.",)])
def test_a_refusal_shows_the_board_with_its_corrections(
    shot: Path, moved: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether the board has no solution with them, or is no puzzle."""
    assert run(shot, *(word for one in moved for word in ("--set", one))) != 0
    assert f"With the corrections:\n    {'.R' if len(moved) == 2 else '..'}G.Y\n" in capsys.readouterr().err


@posix_only
def test_pictures_that_were_refused_are_let_go(tmp_path: Path) -> None:
    """Thirty need hardly more memory than three, though error, traceback and frames hold one another."""
    picture = np.full((2400, 1080, 3), 60, np.uint8)
    cv2.circle(picture, (500, 900), 200, (30, 200, 90), -1)
    shots = [str(tmp_path / f"{number}.png") for number in range(30)]
    for shot in shots:
        cv2.imwrite(shot, picture)
    assert most_memory(shots) < 1.5 * most_memory(shots[:3])
