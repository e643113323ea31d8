"""``flowvision batch``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowvision.cli import main
from flowvision.errors import ExitCode


def batch(*arguments: str | Path) -> int:
    """The exit code of ``flowvision batch`` with these arguments."""
    with pytest.raises(SystemExit) as left:
        main(["batch", *map(str, arguments)])
    return int(left.value.code or 0)


def test_some_failed(shot: Path, menu: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object a screenshot in the order of their names; exit code 11 when some failed."""
    assert batch(tmp_path, "-o", tmp_path / "out", "--json", "--jobs", "1") == ExitCode.SOME_FAILED
    described = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["file"], one["ok"]) for one in described] == [(str(menu), False), (str(shot), True)]
    assert [path.name for path in (tmp_path / "out").glob("*.png")] == ["shot.solved.png"]
    assert (tmp_path / "out" / "results.ndjson").read_text().splitlines() == list(map(json.dumps, described))


def test_all_went_well(shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How many were solved, and exit code 0; a second run, into the same folder, says the same."""
    for _ in range(2):
        assert batch(tmp_path, "-o", tmp_path, "--jobs", "2") == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "1 of 1 solved" in captured.err


def test_no_such_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing folder is an unreadable input, said without a traceback."""
    assert batch(tmp_path / "missing", "-o", tmp_path / "out") == ExitCode.IMAGE_UNREADABLE
    assert "No such folder" in capsys.readouterr().err
