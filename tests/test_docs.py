"""The documents say what the code does."""

import json
import re

import pytest

from flowvision import solve_image
from flowvision.cli import COMMANDS
from flowvision.contract import error_object
from flowvision.errors import BoardNotFoundError, ExitCode
from flowvision.log import STAGES
from flowvision.solvers import ENGINES
from tests.commands import ROOT, script
from tests.drawing import FIVE, screenshot_of

README = (ROOT / "README.md").read_text()
COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text()
ERRORS = (ROOT / "docs" / "errors.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
OUTPUT = {"debug/", "thumbs/", ".flowvision/", "solved/"}
"""Folders that commands write."""
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_the_lists_are_those_in_the_code():
    tables = script("docs/tables.py")
    listed = {found[2] for page in PAGES for found in tables.LISTED.finditer(page.read_text("utf-8"))}
    assert listed == set(tables.LISTS)
    for page in PAGES:
        text = page.read_text("utf-8")
        assert text == tables.with_lists(text), f"{page.name}: run `just tables`"
        assert (
            text.count("written by docs/tables.py -->")
            == text.count("<!-- end -->")
            == len([*tables.LISTED.finditer(text)])
        )
        assert page in tables.PAGES or not tables.LISTED.search(text)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_documents(name: str) -> None:
    assert f"flowvision {name}" in README + COMMANDS_PAGE


@pytest.mark.parametrize("name", ENGINES)
def test_every_solver_is_in_the_documents(name: str) -> None:
    assert f"`{name}`" in COMMANDS_PAGE


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code_is_explained(code: ExitCode) -> None:
    rest = ERRORS[ERRORS.index("Other exit codes:") :].split("\n\n")[0]
    assert re.search(rf"\b{int(code)}[, ]", rest) or f"` | {int(code)} | `" in ERRORS


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_explained(stage: str) -> None:
    assert f"| `{stage}` |" in ARCHITECTURE


def test_the_json_in_the_documents_has_the_fields_there_are() -> None:
    page = (ROOT / "docs" / "json.md").read_text()
    example = page[page.index("```json\n") + 8 :].split("```")[0]
    solved, failed = map(json.loads, re.split(r"\n(?=\{)", example.strip()))
    answer = solve_image(screenshot_of(FIVE)).to_dict()
    assert set(solved) == set(answer)
    assert set(solved["board"]) == set(answer["board"])
    assert set(solved["flows"][0]) == set(answer["flows"][0])
    made = error_object("menu.png", BoardNotFoundError("none"))
    assert set(failed) == set(made)
    assert set(failed["error"]) == set(made["error"])


def test_files_named_in_the_documents_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+?)\)|(?:src=\")([^\":]+)\"", page.read_text()):
            named = page.parent / "".join(target)
            assert named.exists(), f"{page.name} names {named}"
    sample = re.search(r"samples/\S+\.png", README)
    assert (ROOT / sample[0]).exists()


def test_modules_named_in_the_documents_exist() -> None:
    for page in PAGES:
        for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)*/(?:[a-z_]+\.(?:py|js))?)`", page.read_text("utf-8")):
            places = (ROOT, ROOT / "src" / "flowvision", ROOT / "src" / "flowvision" / "vision")
            assert any((place / name).exists() for place in places) or name in OUTPUT, f"{page.name}: {name}"
