"""The files named on the command line: screenshots, solutions of earlier runs, and what is neither."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from flowvision.errors import ExitCode
from tests.cli.runner import exit_code as run


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_all_pictures_of_a_folder_twice(
    shot: Path, suffix: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with ``*.png`` in a shell: the solutions of the first time are passed over the second time."""
    monkeypatch.chdir(shot.parent)
    (shot.parent / "other.png").write_bytes(shot.read_bytes())
    assert run("shot.png", "-o", f"shot.solved.{suffix}") == 0
    before = names(shot.parent)
    for _ in range(2):
        capsys.readouterr()
        assert run(*names(shot.parent), "--json") == 0
        captured = capsys.readouterr()
        assert [json.loads(line)["file"] for line in captured.out.splitlines()] == ["other.png", "shot.png"]
        assert f"shot.solved.{suffix}: passed over" in captured.err
    assert names(shot.parent) == sorted({*before, "other.solved.png", "shot.solved.png"})


def test_a_solution_alone_is_looked_at(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who names nothing else means it; what is no solution of ours is taken, whatever its name."""
    assert run(shot) == 0
    assert run("read", shot.with_name("shot.solved.png")) == 0
    named_so = shot.with_name("b.solved.png")
    named_so.write_bytes(shot.read_bytes())
    capsys.readouterr()
    assert run("read", shot, named_so) == 0
    assert "passed over" not in capsys.readouterr().err


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
