"""What the shell offers when the tabulator key is pressed."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from flowvision.cli import COMMANDS, cli


def offered(*words: str) -> list[tuple[str, str]]:
    """The kind and the value of everything offered for the last word."""
    completion = ShellComplete(cli, {}, "flowvision", "_FLOWVISION_COMPLETE")
    return [(item.type, item.value) for item in completion.get_completions(list(words[:-1]), words[-1])]


def test_files_and_commands_come_first() -> None:
    """A screenshot alone means ``solve``; files are asked for before any command, as bash needs it."""
    assert offered("") == [("file", ""), *(("plain", name) for name in COMMANDS)]
    assert offered("sh") == [("file", "sh")]
    assert offered("ge") == [("file", "ge"), ("plain", "generate")]
    assert ("file", "--") not in offered("--")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("shot.png", "x"), "file"),
        (("solve", "x"), "file"),
        (("solve", "a.png", "-o", "x"), "file"),
        (("read", "x"), "file"),
        (("batch", "x"), "file"),
        (("batch", "shots", "-o", "x"), "dir"),
        (("watch", "x"), "dir"),
        (("watch", "shots", "-o", "x"), "dir"),
        (("puzzle", "x"), "file"),
        (("generate", "-o", "x"), "file"),
    ],
)
def test_names_are_completed_wherever_files_go(words: tuple[str, ...], kind: str) -> None:
    """Folders where only a folder can be meant."""
    assert offered(*words) == [(kind, "x")]


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (("solve", "--hint", "ne"), "next"),
        (("batch", "--hint", "fl"), "flow"),
        (("puzzle", "--hint", "R"), "R"),
        (("solve", "--grid", "8x"), "8x10"),
        (("read", "--grid", "7x"), "7x7"),
        (("generate", "--size", "6x"), "6x8"),
        (("solve", "--format", "sv"), "svg"),
        (("puzzle", "--solver", "se"), "search"),
        (("puzzle", "--sat", "cad"), "cadical195"),
        (("puzzle", "--write", "rec"), "record"),
        (("batch", "--debug", "fa"), "failed"),
        (("watch", "--debug", "al"), "all"),
        (("generate", "9x"), "9x12"),
        (("generate", "9x9", "ha"), "hard"),
    ],
)
def test_values_are_completed(words: tuple[str, ...], value: str) -> None:
    """Those of options that take few, and the usual ones of others."""
    assert ("plain", value) in offered(*words)


def test_bash_completes_names_of_files(tmp_path: object) -> None:
    """Through the function that the README has the shell load: files where no command fits."""
    environment = {"COMP_WORDS": "flowvision sh", "COMP_CWORD": "1", "_FLOWVISION_COMPLETE": "bash_complete"}
    code = "from flowvision.cli import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["file,sh"]
