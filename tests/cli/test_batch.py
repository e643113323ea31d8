import json
from functools import partial
from pathlib import Path
from threading import Event
from unittest.mock import Mock

import pytest

from flowvision.batch.jobs import Request
from flowvision.cli.batch import batch as batch_command
from flowvision.cli.batch import request_of, watch
from flowvision.errors import ExitCode
from flowvision.files import marked
from flowvision.reading.options import Options
from flowvision.render.look import Look
from tests.commands import Terminal
from tests.commands import exit_code as run

batch = partial(run, "batch")
Capture = pytest.CaptureFixture[str]


def test_some_failed(shot: Path, menu: Path, tmp_path: Path, capfd: Capture) -> None:
    out = tmp_path / "out"
    assert batch(tmp_path, "-o", out, "--json", "--jobs", "1") == ExitCode.SOME_FAILED
    described = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [(one["file"], one["ok"]) for one in described] == [(str(menu), False), (str(shot), True)]
    assert all(min(one["seconds"].values()) >= 0 for one in described)
    assert [path.name for path in out.glob("*.png")] == ["shot.solved.png"]
    assert (out / "results.ndjson").read_text().splitlines() == list(map(json.dumps, described))
    assert batch(tmp_path, "-o", out, "--quiet", "--jobs", "1") == ExitCode.SOME_FAILED
    assert capfd.readouterr() == ("", "")


def test_all_went_well(shot: Path, tmp_path: Path, capsys: Capture) -> None:
    for _ in range(2):
        assert batch(tmp_path / "*.png", "-o", tmp_path, "--jobs", "2") == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "1 of 1 solved" in captured.err


def test_hints_are_not_called_solved(shot: Path, tmp_path: Path, capsys: Capture) -> None:
    assert batch(shot, "-o", tmp_path / "out", "--jobs", "1", "--hint", "next") == 0
    assert "1 of 1 with a hint" in capsys.readouterr().err


def test_an_interruption_is_reported_on_a_line_of_its_own(
    shot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("flowvision.batch.session.run_plan", Mock(side_effect=KeyboardInterrupt))
    assert batch(shot, "-o", tmp_path / "out", "--jobs", "1") == ExitCode.INTERRUPTED
    before, after = screen.getvalue().split("Interrupted: ")
    assert before.endswith("\n")
    assert after.count("\n") == 1


def test_nothing_is_written_without_pictures_or_over_files_of_others(
    shot: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    assert batch(tmp_path / "*.gif", "-o", out) == ExitCode.IMAGE_UNREADABLE
    assert not out.exists()
    out.mkdir()
    for name in ("results.ndjson", "summary.csv", "index.html"):
        (out / name).write_text("mine")
        assert batch(shot, "-o", out) == ExitCode.OUTPUT_NOT_WRITTEN
        assert f"{name} exists already" in capsys.readouterr().err
        assert [path.read_text() for path in out.rglob("*")] == ["mine"]
        (out / name).unlink()


def test_lines_where_there_is_no_terminal(shot, menu, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("flowvision.cli.batch.LINE_SECONDS", 0.0)
    (tmp_path / "made.png").write_bytes(marked(shot.read_bytes()))
    batch(tmp_path, "-o", tmp_path / "out", "--jobs", "1")
    starts = (
        "Skipped: 1 × a picture that Flowvision made.",
        f"{menu}: ",
        "1 of 2, 0 solved, 1 failed",
        "2 of 2, 1 solved, 1 failed",
        "1 of 2 solved, 1 no board; see ",
    )
    for line, start in zip(capsys.readouterr().err.splitlines(), starts, strict=True):
        assert line.startswith(start)


def test_one_line_on_a_terminal(shot, menu, tmp_path, capsys, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    (tmp_path / "[red]x.png").write_bytes(b"not a picture")
    batch(tmp_path, "-o", tmp_path / "out", "--json", "--jobs", "1")
    assert [json.loads(line)["ok"] for line in capsys.readouterr().out.splitlines()] == [False, False, True]
    drawn = screen.getvalue()
    assert "3 of 3, 1 solved, 2 failed" in drawn.split("\r")[-1]
    assert f"{menu.name}: " in drawn


def test_debug_pages_are_added_and_linked(shot: Path, menu: Path, tmp_path: Path) -> None:
    out, seen = tmp_path / "out", list[list[str]]()
    for more in ([], ["--debug", "failed"], ["--debug", "all"], []):
        assert batch(tmp_path, "-o", out, "--jobs", "1", "--quiet", *more) == ExitCode.SOME_FAILED
        seen.append(sorted(path.name for path in out.glob("debug/*")))
    both = ["menu.page.html", "shot.page.html"]
    assert seen == [[], both[:1], both, both]
    assert "No board was found: no grid is larger" in (out / "debug" / "menu.page.html").read_text()
    sheet = (out / "index.html").read_text()
    assert 'href="debug/menu.page.html"' in sheet
    assert 'href="../shot.png"' in sheet


def test_options_are_those_of_a_screenshot() -> None:
    given = {"limit": 5.0, "grid": "5x5", "colours": 5, "rotate": 90.0, "crop": (0, 0, 9, 9)}
    more = {"debug": "all", "letters": True, "arrows": True, "hint": "flow", "animate": True}
    options = Options(5.0, "5x5", 5, (0, 0, 9, 9), 90.0)
    wanted = Request(options, "all", Look(letters=True, arrows=True), "flow", animate=True)
    assert request_of(given | more) == wanted
    names = [{param.name for param in command.params} for command in (batch_command, watch)]
    assert all(one >= {*given, *more, "quiet"} for one in names)


def test_hints_of_a_folder_are_those_of_a_picture(shot: Path, tmp_path: Path, capsys: Capture) -> None:
    out, described = tmp_path / "out", []
    for command in (("batch", shot, "-o", out, "--jobs", "1"), (shot,)):
        assert run(*command, "--hint", "flow", "--json") == 0
        described.append(json.loads(capsys.readouterr().out) | {"seconds": None, "output": None})
    assert described[0] == described[1]
    assert (out / "shot.hint.png").read_bytes() == shot.with_name("shot.hint.png").read_bytes()
    assert not (out / "shot.solved.png").exists()
    assert "shot.hint.png" in (out / "index.html").read_text()


def test_watching_with_debug_pages(shot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    out = tmp_path / "out"

    class UntilWritten(Event):
        def wait(self, timeout: float | None = None) -> bool:
            if (out / "index.html").exists():
                self.set()
            return super().wait(timeout)

    monkeypatch.setattr("flowvision.batch.session.Event", UntilWritten)
    assert run("watch", shot.parent, "-o", out, "--debug", "all", "--jobs", "1", "-q") == 0
    assert (out / "debug" / "shot.page.html").exists()
