import json
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from flowvision import __version__
from flowvision.cli.doctor import REPORT, installed
from flowvision.errors import ExitCode
from tests.commands import exit_code

Capture = pytest.CaptureFixture[str]


def report_on(picture: Path | str) -> dict[str, bytes]:
    """Return the files of the report that ``flowvision doctor`` writes to the working folder; remove it."""
    assert exit_code("doctor", picture) == 0
    with zipfile.ZipFile(REPORT) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    Path(REPORT).unlink()
    return parts


def test_what_is_installed(capsys: Capture) -> None:
    assert exit_code("doctor") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"flowvision {__version__} in ")
    assert lines[1].startswith("Python 3.")
    assert {f"{name} {version(name)}" for name in ("click", "numpy", "python-sat")} <= set(lines)
    assert len(lines) == len(set(lines))
    assert any(line.endswith(" (extra heic)") for line in lines)
    assert any(line.startswith("OpenCV ") for line in lines)


@pytest.mark.usefixtures("cwd")
def test_a_report_about_a_refused_picture(menu: Path, capsys: Capture) -> None:
    parts = report_on(menu)
    assert REPORT in capsys.readouterr().err
    assert parts["picture.png"] == menu.read_bytes()
    assert b"<html" in parts["debug/index.html"]
    assert json.loads(parts["outcome.json"])["error"]["code"] == "board-not-found"
    assert parts["versions.txt"].decode().splitlines() == list(installed())


def test_a_report_about_a_picture_that_is_solved_or_none(cwd: Path) -> None:
    assert json.loads(report_on("shot.png")["outcome.json"])["ok"] is True
    (cwd / "shot.png").write_bytes(b"no picture")
    assert report_on("shot.png")["picture.png"] == b"no picture"


def test_a_file_in_the_way_of_a_report_is_kept(cwd: Path) -> None:
    (cwd / REPORT).write_text("mine")
    assert exit_code("doctor", "shot.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert (cwd / REPORT).read_text() == "mine"


@pytest.mark.usefixtures("cwd")
def test_there_is_no_report_about_a_missing_file() -> None:
    assert exit_code("doctor", "gone.png") == ExitCode.IMAGE_UNREADABLE


@pytest.mark.usefixtures("cwd")
def test_a_bug_is_in_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a fault made for the test")

    monkeypatch.setattr("flowvision.export.answer.read", fail)
    parts = report_on("shot.png")
    assert b"a fault made for the test" in parts["bugs.txt"]
    assert json.loads(parts["outcome.json"])["error"]["code"] == "crashed"
