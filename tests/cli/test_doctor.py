"""``flowvision doctor``: what is installed, and a report that leaves nothing out and sends nothing."""

from __future__ import annotations

import json
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from flowvision import __version__
from flowvision.cli import fault_log
from flowvision.cli.doctor import installed
from flowvision.errors import ExitCode
from tests.commands import exit_code, invoke

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No faults but those of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def in_report(path: Path) -> dict[str, bytes]:
    """The files of a report."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_is_installed(capsys: Said) -> None:
    """Versions of this, of Python and of what is needed, each once; extras; how OpenCV was built."""
    assert exit_code("doctor") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"flowvision {__version__} in ")
    assert lines[1].startswith("Python 3.")
    assert {f"{name} {version(name)}" for name in ("click", "numpy", "python-sat")} <= set(lines)
    assert len(lines) == len(set(lines))
    assert any(line.endswith(" (extra heic)") for line in lines)
    assert any(line.startswith("OpenCV ") for line in lines)
    assert lines[-1] == "last fault: none"


def test_a_report_is_a_zip_file_that_replaces_none(shot: Path, tmp_path: Path, capsys: Said) -> None:
    """Another suffix is told, a report of earlier stays; a picture that is not there is told first."""
    assert exit_code("doctor", "-o", tmp_path / "r.pdf") == ExitCode.USAGE
    assert f"`-o {tmp_path / 'r.zip'}`" in capsys.readouterr().err
    place = tmp_path / "r.zip"
    assert exit_code("doctor", shot, "-o", place) == 0
    before = place.read_bytes()
    assert exit_code("doctor", shot, "-o", place) == ExitCode.OUTPUT_NOT_WRITTEN
    assert "there already" in capsys.readouterr().err
    assert exit_code("doctor", tmp_path / "gone.png", "-o", place) == ExitCode.IMAGE_UNREADABLE
    assert place.read_bytes() == before


def test_a_report_about_a_refused_picture(menu: Path, tmp_path: Path, capsys: Said) -> None:
    """The picture as it is, its debug page, what came of it, and what is installed."""
    place = tmp_path / "report.zip"
    assert exit_code("doctor", menu, "-o", place) == 0
    parts = in_report(place)
    assert parts["picture.png"] == menu.read_bytes()
    assert b"<html" in parts["debug/index.html"]
    assert json.loads(parts["outcome.json"])["error"]["code"] == "board-not-found"
    assert parts["versions.txt"].decode().splitlines() == list(installed())
    assert "last-fault.txt" not in parts
    assert str(place) in capsys.readouterr().err


def test_a_report_about_a_solved_one_and_no_picture(shot: Path, tmp_path: Path) -> None:
    """A wrong answer is worth a report too; so is a file that cannot be decoded."""
    assert exit_code("doctor", shot, "-o", tmp_path / "a.zip") == 0
    assert json.loads(in_report(tmp_path / "a.zip")["outcome.json"])["ok"] is True
    shot.write_bytes(b"no picture")
    assert exit_code("doctor", shot, "-o", tmp_path / "b.zip") == 0
    assert in_report(tmp_path / "b.zip")["picture.png"] == b"no picture"


def test_a_report_without_a_picture(tmp_path: Path) -> None:
    """Versions alone, where no picture may be sent, or none is at fault."""
    assert exit_code("doctor", "-o", tmp_path / "r.zip") == 0
    assert set(in_report(tmp_path / "r.zip")) == {"versions.txt"}


@pytest.mark.parametrize("command", [["solve", "--force"], ["puzzle"]])
def test_a_fault_is_kept_for_the_report(
    command: list[str], shot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The traceback of what nobody foresaw, whichever command it ended."""

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a fault made for the test")

    with monkeypatch.context() as broken:
        broken.setattr("flowvision.export.answer.read", fail)
        broken.setattr("flowvision.puzzle_tools.report.read_puzzles", fail)
        result = invoke(*command, shot)
        if command == ["puzzle"]:
            with pytest.raises(ZeroDivisionError):
                exit_code(*command, shot)
        else:
            assert result.exit_code == ExitCode.BUG
    assert "a fault made for the test" in Path(fault_log()).read_text()
    assert list(installed())[-1].startswith(f"last fault: {fault_log()}")
    assert exit_code("doctor", shot, "-o", tmp_path / "r.zip") == 0
    assert b"ZeroDivisionError" in in_report(tmp_path / "r.zip")["last-fault.txt"]
