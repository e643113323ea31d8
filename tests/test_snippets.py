"""What the documents show can be copied and run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.solvers import Solved, solve
from tests.commands import ROOT, invoke
from tests.drawing import LEVEL_5X5, screenshot_of

PAGES = {
    page.name: page.read_text(encoding="utf-8") for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""A block of code: its language, and the text."""


def python_in(*names: str) -> list[object]:
    return [
        pytest.param(block, id=f"{name}-{number}")
        for name in sorted(names)
        for number, (language, block) in enumerate(FENCE.findall(PAGES[name]))
        if language == "python"
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shot.png").write_bytes(encode(screenshot_of(LEVEL_5X5)))
    (tmp_path / "level.txt").write_text(LEVEL_5X5)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("block", python_in(*PAGES.keys() - {"opencv.md"}))  # there OpenCV ends the process
def test_python_runs(block: str) -> None:
    exec(compile(block, "snippet", "exec"), {})


def test_the_workflow_runs_the_commands_of_the_readme() -> None:
    workflow = (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8")
    blocks = [block for _, block in FENCE.findall(PAGES["README.md"])]
    installing = [line for block in blocks for line in block.splitlines() if "venv" in line]
    assert len(installing) == 3
    assert [line for line in installing if f"run: {line}\n" not in workflow] == []


WRONG = """
import flowvision
flowvision.solve_picture  # type: ignore[attr-defined]
flowvision.solve_image("shot.png", grd="5x5")  # type: ignore[call-arg]
flowvision.solve_image("shot.png").flow  # type: ignore[attr-defined]
"""
"""Names that there are not: with ``--strict`` an ignored error that is none is one."""


def test_python_is_typed_as_it_says(tmp_path: Path) -> None:
    for number, block in enumerate(python_in("README.md", "library.md", "debug.md")):
        (tmp_path / f"block_{number}.py").write_text(block.values[0], encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache"), "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


WITHOUT_A_PICTURE = PAGES["commands.md"].split("\n## Without a picture")[1].split("\n## ")[0]


WRITTEN = [
    pytest.param(block, id=block.split("\n")[0][:20])
    for kind, block in FENCE.findall(WITHOUT_A_PICTURE) + FENCE.findall(PAGES["puzzle-text.md"])
    if kind in ("", "json")
]


@pytest.mark.parametrize("block", WRITTEN)
def test_puzzles_are_puzzles(block: str) -> None:
    for item in puzzles_in(block):
        assert isinstance(item, NamedPuzzle)
        assert isinstance(solve(item.puzzle), Solved)


OPTIONS = re.findall(r"^\| `(--(?!watch)[^`]+)`", WITHOUT_A_PICTURE, re.MULTILINE)
COMMANDS = [
    *(f"puzzle level.txt {option}" for option in OPTIONS),
    *re.findall(r"^\| `flowvision (generate[^`]*)`", WITHOUT_A_PICTURE, re.MULTILINE),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command: str) -> None:
    result = invoke(*shlex.split(command))
    assert result.exit_code == 0, result.output
