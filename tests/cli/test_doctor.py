import json
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from flowvision import __version__
from flowvision.cli.doctor import REPORT, installed
from flowvision.errors import ExitCode
from tests.commands import exit_code

Said = pytest.CaptureFixture[str]


def in_report(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_is_installed(capsys: Said) -> None:
    assert exit_code("doctor") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"flowvision {__version__} in ")
    assert lines[1].startswith("Python 3.")
    assert {f"{name} {version(name)}" for name in ("click", "numpy", "python-sat")} <= set(lines)
    assert len(lines) == len(set(lines))
    assert any(line.endswith(" (extra heic)") for line in lines)
    assert any(line.startswith("OpenCV ") for line in lines)


def test_a_report_about_a_refused_picture(menu: Path, there: Path, capsys: Said) -> None:
    assert exit_code("doctor", menu) == 0
    parts = in_report(there / REPORT)
    assert parts["picture.png"] == menu.read_bytes()
    assert b"<html" in parts["debug/index.html"]
    assert json.loads(parts["outcome.json"])["error"]["code"] == "board-not-found"
    assert parts["versions.txt"].decode().splitlines() == list(installed())
    assert REPORT in capsys.readouterr().err
    assert exit_code("doctor", "shot.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert in_report(there / REPORT) == parts


def test_a_report_about_a_solved_one_and_no_picture(there: Path) -> None:
    assert exit_code("doctor", "shot.png") == 0
    assert json.loads(in_report(there / REPORT)["outcome.json"])["ok"] is True
    (there / REPORT).unlink()
    (there / "shot.png").write_bytes(b"no picture")
    assert exit_code("doctor", "shot.png") == 0
    assert in_report(there / REPORT)["picture.png"] == b"no picture"
    assert exit_code("doctor", "gone.png") == ExitCode.IMAGE_UNREADABLE


def test_a_bug_is_in_the_report(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a fault made for the test")

    monkeypatch.setattr("flowvision.export.answer.read", fail)
    assert exit_code("doctor", "shot.png") == 0
    parts = in_report(there / REPORT)
    assert b"a fault made for the test" in parts["bugs.txt"]
    assert json.loads(parts["outcome.json"])["error"]["code"] == "crashed"
