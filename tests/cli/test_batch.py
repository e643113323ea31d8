import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from flowvision.batch.jobs import Request
from flowvision.cli.batch import batch as batch_command
from flowvision.cli.batch import request_of, watch
from flowvision.errors import ExitCode
from flowvision.image.mark import marked
from flowvision.reading.options import Options
from flowvision.render.look import Look
from tests.commands import Terminal
from tests.commands import exit_code as run

batch = partial(run, "batch")


def test_some_failed(shot: Path, menu: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert batch(tmp_path, "-o", tmp_path / "out", "--json", "--jobs", "1") == ExitCode.SOME_FAILED
    described = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["file"], one["ok"]) for one in described] == [(str(menu), False), (str(shot), True)]
    assert all(min(one["seconds"].values()) >= 0 for one in described)
    assert [path.name for path in (tmp_path / "out").glob("*.png")] == ["shot.solved.png"]
    assert (tmp_path / "out" / "results.ndjson").read_text().splitlines() == list(map(json.dumps, described))


def test_all_went_well(shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert batch(tmp_path, "-o", tmp_path, "--jobs", "2") == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "1 of 1 solved" in captured.err


def test_a_pattern_without_matches_makes_no_folder(shot, tmp_path, capsys):
    assert batch(tmp_path / "*.gif", "-o", tmp_path / "out") == ExitCode.IMAGE_UNREADABLE
    assert "No such folder, file or pattern with matches" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert batch(tmp_path / "*.png", "-o", tmp_path / "out", "-j", "1") == 0


@pytest.mark.parametrize("name", ["results.ndjson", "summary.csv", "index.html"])
def test_files_of_somebody_else_stay(name, shot, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    assert batch(shot, "-o", out) == ExitCode.OUTPUT_NOT_WRITTEN
    assert f"{name} exists already" in capsys.readouterr().err
    assert [path.read_text() for path in out.rglob("*")] == ["mine"]


@pytest.mark.parametrize("option", ["--limit=nan", "--output=", "--jobs=0", "--ship", "--never"])
def test_options_that_make_no_sense(option, shot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert batch(shot, "-o", tmp_path / "out", option) == ExitCode.USAGE
    assert sorted(tmp_path.rglob("*")) == before


def test_quiet_says_nothing(shot, menu, tmp_path, capfd):
    assert batch(tmp_path, "-o", tmp_path / "out", "--quiet", "--jobs", "1") == ExitCode.SOME_FAILED
    assert capfd.readouterr() == ("", "")


def test_lines_where_there_is_no_terminal(shot, menu, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("flowvision.cli.batch.LINE_SECONDS", 0.0)
    (tmp_path / "made.png").write_bytes(marked(shot.read_bytes()))
    batch(tmp_path, "-o", tmp_path / "out", "--jobs", "1")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Skipped: 1 × a picture that Flowvision made."
    assert lines[1].startswith(f"{menu}: ")
    assert lines[2].startswith("1 of 2, 0 solved, 1 failed")
    assert lines[3].startswith("2 of 2, 1 solved, 1 failed")
    assert lines[4].startswith("1 of 2 solved, 1 no board; see ")


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


def test_debug_pages_of_what_failed(shot: Path, menu: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert batch(tmp_path, "-o", out, "--jobs", "1", "--quiet") == ExitCode.SOME_FAILED
    assert not (out / "debug").exists()
    batch(tmp_path, "-o", out, "--jobs", "1", "--quiet", "--debug", "failed")
    assert [path.name for path in (out / "debug").iterdir()] == ["menu.page.html"]
    assert "No board was found: no grid is larger" in (out / "debug" / "menu.page.html").read_text()
    batch(tmp_path, "-o", out, "--jobs", "1", "--quiet", "--debug", "all")
    assert {path.name for path in (out / "debug").iterdir()} == {"menu.page.html", "shot.page.html"}
    sheet = (out / "index.html").read_text()
    assert 'href="debug/shot.page.html"' in sheet
    assert 'href="../shot.png"' in sheet
    batch(tmp_path, "-o", out, "--jobs", "1", "--quiet")
    assert (out / "debug" / "shot.page.html").exists()


def test_options_are_those_of_a_screenshot() -> None:
    given = {"limit": 5.0, "grid": "5x5", "colours": 5, "rotate": 90.0, "crop": (0, 0, 9, 9)}
    more = {"debug": "all", "letters": True, "arrows": True, "hint": "flow", "animate": True}
    options = Options(5.0, "5x5", 5, (0, 0, 9, 9), 90.0)
    wanted = Request(options, "all", Look(letters=True, arrows=True), "flow", animate=True)
    assert request_of(given | more) == wanted
    names = [{param.name for param in command.params} for command in (batch_command, watch)]
    assert all(one >= {*given, *more, "quiet"} for one in names)


def test_hints_of_a_folder(shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert batch(shot, "-o", out, "--json", "--jobs", "1", "--hint", "flow") == 0
    many = json.loads(capsys.readouterr().out)
    assert run(shot, "--hint", "flow", "--json") == 0
    one = json.loads(capsys.readouterr().out)
    assert (out / "shot.hint.png").read_bytes() == shot.with_name("shot.hint.png").read_bytes()
    assert not (out / "shot.solved.png").exists()
    changing = {"seconds": None, "output": None}
    assert many | changing == one | changing
    assert all("path" not in flow for flow in many["flows"])
    assert "shot.hint.png" in (out / "index.html").read_text()


def test_watching_with_debug_pages(shot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flowvision.batch import inbox

    def once(folder: str, recursive: bool, stop: object, tell: object) -> Iterator[bool]:
        yield True
        time.sleep(inbox.SETTLED_SECONDS)
        yield True

    monkeypatch.setattr(inbox, "_beats", once)
    out = tmp_path / "out"
    assert run("watch", shot.parent, "-o", out, "--debug", "all", "--jobs", "1", "-q") == 0
    assert (out / "debug" / "shot.page.html").exists()
