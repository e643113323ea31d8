"""The documents say what the code does."""

import json
import re

from flowvision import Answer, solve_image
from flowvision.cli import COMMANDS
from flowvision.contract import error_object
from flowvision.errors import BoardNotFoundError, ExitCode
from flowvision.log import STAGES
from flowvision.solvers import ENGINES
from tests.commands import ROOT, script
from tests.drawing import FIVE, screenshot_of

DOCS = ROOT / "docs"
PAGES = {page: page.read_text("utf-8") for page in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"))}
OUTPUT = {"debug/", "thumbs/", ".flowvision/", "solved/"}
"""Folders that commands write."""


def test_the_lists_are_those_in_the_code() -> None:
    tables = script("docs/tables.py")
    listed = {page: [found[2] for found in tables.LISTED.finditer(text)] for page, text in PAGES.items()}
    assert {name for names in listed.values() for name in names} == set(tables.LISTS)
    for page, text in PAGES.items():
        assert text == tables.with_lists(text), f"{page.name}: run `just tables`"
        marks = text.count("written by docs/tables.py -->"), text.count("<!-- end -->")
        assert marks == (len(listed[page]), len(listed[page]))
        assert page in tables.PAGES or not listed[page]


def test_every_command_solver_stage_and_exit_code_is_explained() -> None:
    commands, errors = PAGES[DOCS / "commands.md"], PAGES[DOCS / "errors.md"]
    others = errors[errors.index("Other exit codes:") :].split("\n\n")[0]
    missing = [name for name in COMMANDS if f"flowvision {name}" not in PAGES[ROOT / "README.md"] + commands]
    missing += [name for name in ENGINES if f"`{name}`" not in commands]
    missing += [stage for stage in STAGES if f"| `{stage}` |" not in PAGES[DOCS / "architecture.md"]]
    numbers = [f"{code:d}" for code in ExitCode if f"` | {code:d} | `" not in errors]
    assert missing + [code for code in numbers if not re.search(rf"\b{code}[, ]", others)] == []


def test_every_name_of_an_answer_is_explained() -> None:
    page, words = PAGES[DOCS / "api.md"], Answer.__doc__ or ""
    for name in (name for name in dir(Answer) if not name.startswith("_")):
        assert re.search(rf"`{name}(\(\))?`", page), name
        is_field = name in Answer.__struct_fields__
        assert f"``{name}``" in words if is_field else getattr(Answer, name).__doc__, name


def test_the_json_in_the_documents_has_the_fields_there_are() -> None:
    example = PAGES[DOCS / "json.md"].partition("```json\n")[2].partition("```")[0]
    solved, failed = map(json.loads, re.split(r"\n(?=\{)", example.strip()))
    answer = solve_image(screenshot_of(FIVE)).to_dict()
    error = error_object("menu.png", BoardNotFoundError("none"))
    for shown, made in (
        (solved, answer),
        (solved["board"], answer["board"]),
        (solved["flows"][0], answer["flows"][0]),
        (failed, error),
        (failed["error"], error["error"]),
    ):
        assert set(shown) == set(made)


def test_files_and_modules_named_in_the_documents_exist() -> None:
    for page, text in PAGES.items():
        for target in re.findall(r"\]\(([^)#:]+?)\)|(?:src=\")([^\":]+)\"", text):
            assert (page.parent / "".join(target)).exists(), f"{page.name} names {''.join(target)}"
        for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)*/(?:[a-z_]+\.(?:py|js))?)`", text):
            places = (ROOT, ROOT / "src" / "flowvision", ROOT / "src" / "flowvision" / "vision")
            assert any((place / name).exists() for place in places) or name in OUTPUT, f"{page.name}: {name}"
    sample = re.search(r"samples/\S+\.png", PAGES[ROOT / "README.md"])
    assert (ROOT / sample[0]).exists()
