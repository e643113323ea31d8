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
from tests.drawing import LEVEL_5X5, screenshot_of

DOCS = ROOT / "docs"
PAGES = {page: page.read_text("utf-8") for page in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"))}
OUTPUT = {"debug/", "thumbs/", ".flowvision/", "solved/"}
"""Folders that commands write."""


def test_the_lists_are_those_in_the_code() -> None:
    tables = script("docs/tables.py")
    lists_of = {
        page: [match["name"] for match in tables.LISTED.finditer(text)] for page, text in PAGES.items()
    }
    assert {name for names in lists_of.values() for name in names} == set(tables.LISTS)
    for page, text in PAGES.items():
        assert text == tables.with_lists(text), f"{page.name}: run `just tables`"
        begins, ends = text.count("written by docs/tables.py -->"), text.count("<!-- end -->")
        assert begins == ends == len(lists_of[page])
        is_kept_up_to_date = page in tables.PAGES
        assert is_kept_up_to_date or not lists_of[page]


def test_every_command_solver_and_stage_is_explained() -> None:
    commands, readme = PAGES[DOCS / "commands.md"], PAGES[ROOT / "README.md"]
    assert [name for name in COMMANDS if f"flowvision {name}" not in readme + commands] == []
    assert [name for name in ENGINES if f"`{name}`" not in commands] == []
    assert [stage for stage in STAGES if f"| `{stage}` |" not in PAGES[DOCS / "architecture.md"]] == []


def test_every_exit_code_is_explained() -> None:
    page = PAGES[DOCS / "errors.md"]
    below_table = page[page.index("Other exit codes:") :].split("\n\n")[0]
    for code in ExitCode:
        assert f"` | {code:d} | `" in page or re.search(rf"\b{code:d}[, ]", below_table), code


def test_every_name_of_an_answer_is_explained() -> None:
    page, fields = PAGES[DOCS / "api.md"], Answer.__struct_fields__
    for name in (name for name in dir(Answer) if not name.startswith("_")):
        assert re.search(rf"`{name}(\(\))?`", page), name
        assert f"``{name}``" in Answer.__doc__ if name in fields else getattr(Answer, name).__doc__, name


def test_the_json_in_the_documents_has_the_fields_there_are() -> None:
    example = PAGES[DOCS / "json.md"].partition("```json\n")[2].partition("```")[0]
    solved, failed = map(json.loads, re.split(r"\n(?=\{)", example.strip()))
    answer = solve_image(screenshot_of(LEVEL_5X5)).to_dict()
    error = error_object("menu.png", BoardNotFoundError("none"))
    assert solved.keys() == answer.keys()
    assert solved["board"].keys() == answer["board"].keys()
    assert solved["flows"][0].keys() == answer["flows"][0].keys()
    assert failed.keys() == error.keys()
    assert failed["error"].keys() == error["error"].keys()


def test_files_that_the_documents_link_to_exist() -> None:
    for page, text in PAGES.items():
        for target in re.findall(r"\]\(([^)#:]+?)\)|(?:src=\")([^\":]+)\"", text):
            assert (page.parent / "".join(target)).exists(), f"{page.name} names {''.join(target)}"
    sample = re.search(r"samples/\S+\.png", PAGES[ROOT / "README.md"])
    assert (ROOT / sample[0]).exists()


def test_modules_that_the_documents_name_exist() -> None:
    folders = (ROOT, ROOT / "src" / "flowvision", ROOT / "src" / "flowvision" / "vision")
    for page, text in PAGES.items():
        for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)*/(?:[a-z_]+\.(?:py|js))?)`", text):
            assert name in OUTPUT or any((folder / name).exists() for folder in folders), (
                f"{page.name}: {name}"
            )
