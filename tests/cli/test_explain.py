"""What helps whoever waits or wonders."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from time import sleep

import pytest

from flowvision.cli.explain import still_looking
from flowvision.errors import ExitCode
from tests.cli.runner import exit_code as run


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
    assert "--debug DIR" in capsys.readouterr().err


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


def test_the_hint_names_the_size_that_was_seen(
    shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a wrong size was given, the right one is what to try, on the command line as on the page."""
    assert run(shot, "--grid", "6x6", "--debug", tmp_path / "out") != 0
    assert "`--grid 5x5`." in capsys.readouterr().err
    assert "--grid 5x5" in (tmp_path / "out" / "index.html").read_text()
