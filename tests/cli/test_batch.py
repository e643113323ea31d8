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
from tests.commands import Terminal, exit_code

batch = partial(exit_code, "batch")
Capture = pytest.CaptureFixture[str]


def test_a_batch_prints_and_writes_an_object_a_picture(shot, menu, tmp_path, capfd) -> None:
    out = tmp_path / "out"
    assert batch(tmp_path, "-o", out, "--json", "--jobs", "1") == ExitCode.SOME_FAILED
    printed = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert {each["file"]: each["ok"] for each in printed} == {str(menu): False, str(shot): True}
    assert all(min(each["seconds"].values()) >= 0 for each in printed)
    assert (out / "results.ndjson").read_text().splitlines() == list(map(json.dumps, printed))
    assert [path.name for path in out.glob("*.png")] == ["shot.solved.png"]
    assert batch(tmp_path, "-o", out, "--quiet", "--jobs", "1") == ExitCode.SOME_FAILED
    assert capfd.readouterr() == ("", "")


def test_a_batch_may_be_run_again(shot: Path, tmp_path: Path, capsys: Capture) -> None:
    for _ in range(2):
        assert batch(tmp_path / "*.png", "-o", tmp_path, "--jobs", "2") == 0
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "1 of 1 solved" in printed.err


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


def test_nothing_is_written_without_pictures(tmp_path: Path) -> None:
    assert batch(tmp_path / "*.gif", "-o", tmp_path / "out") == ExitCode.IMAGE_UNREADABLE
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["results.ndjson", "summary.csv", "index.html"])
def test_files_of_the_user_are_not_overwritten(
    name: str, shot: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    assert batch(shot, "-o", out) == ExitCode.OUTPUT_NOT_WRITTEN
    assert f"{name} exists already" in capsys.readouterr().err
    assert [path.read_text() for path in out.rglob("*")] == ["mine"]


def test_progress_is_a_line_a_picture_where_there_is_no_terminal(shot, menu, tmp_path, capsys, monkeypatch):
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


def test_progress_is_one_line_on_a_terminal_beside_the_objects(shot, menu, tmp_path, capsys, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    odd = tmp_path / "[red]x.png"  # markup of the library that draws the line
    odd.write_bytes(b"not a picture")
    batch(tmp_path, "-o", tmp_path / "out", "--json", "--jobs", "1")
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["file"]: each["ok"] for each in objects} == {
        str(odd): False,
        str(menu): False,
        str(shot): True,
    }
    drawn = terminal.getvalue()
    assert "3 of 3, 1 solved, 2 failed" in drawn.split("\r")[-1]
    assert f"{menu.name}: " in drawn
    assert f"{odd.name}: " in drawn


def test_debug_pages_are_added_and_never_removed(shot: Path, menu: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    pages_after = {"": [], "failed": ["menu"], "all": ["menu", "shot"]}
    for debug in ("", "failed", "all"):
        options = ["--debug", debug] if debug else []
        batch(tmp_path, "-o", out, "--jobs", "1", "--quiet", *options)
        assert sorted(path.name for path in out.glob("debug/*")) == [
            f"{name}.page.html" for name in pages_after[debug]
        ]
    batch(tmp_path, "-o", out, "--jobs", "1", "--quiet")
    assert len(list(out.glob("debug/*"))) == 2


def test_debug_pages_are_linked(menu: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert batch(menu, "-o", out, "--jobs", "1", "--quiet", "--debug", "all") == ExitCode.SOME_FAILED
    assert "No board was found: no grid is larger" in (out / "debug" / "menu.page.html").read_text()
    sheet = (out / "index.html").read_text()
    assert 'href="debug/menu.page.html"' in sheet
    assert 'href="../menu.png"' in sheet


def test_options_of_the_command_line_become_a_request() -> None:
    reading = {"limit": 5.0, "grid": "5x5", "colours": 5, "rotate": 90.0, "crop": (0, 0, 9, 9)}
    output = {"debug": "all", "letters": True, "arrows": True, "hint": "flow", "animate": True}
    options = Options(seconds=5.0, grid="5x5", colours=5, rotate=90.0, crop=(0, 0, 9, 9))
    look = Look(letters=True, arrows=True)
    assert request_of(reading | output) == Request(options, "all", look, "flow", animate=True)
    for command in (batch_command, watch):
        assert {parameter.name for parameter in command.params} >= {*reading, *output, "quiet"}


def test_hints_of_a_folder_are_those_of_a_picture(shot: Path, tmp_path: Path, capsys: Capture) -> None:
    def hint(*command: object) -> dict[str, object]:
        assert exit_code(*command, "--hint", "flow", "--json") == 0
        printed = capsys.readouterr()
        assert "solved" not in printed.err
        return json.loads(printed.out) | {"seconds": None, "output": None}

    out = tmp_path / "out"
    assert hint("batch", shot, "-o", out, "--jobs", "1") == hint(shot)
    assert (out / "shot.hint.png").read_bytes() == shot.with_name("shot.hint.png").read_bytes()
    assert not (out / "shot.solved.png").exists()
    assert "shot.hint.png" in (out / "index.html").read_text()


def test_watching_with_debug_pages(shot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"

    class SetOnceWritten(Event):
        """Ends the watch as soon as a sheet is written."""

        def wait(self, timeout: float | None = None) -> bool:
            if (out / "index.html").exists():
                self.set()
            return super().wait(timeout)

    monkeypatch.setattr("flowvision.batch.session.Event", SetOnceWritten)
    assert exit_code("watch", shot.parent, "-o", out, "--debug", "all", "--jobs", "1", "-q") == 0
    assert (out / "debug" / "shot.page.html").exists()
