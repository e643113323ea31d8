import json
import re

import pytest

from flowvision.errors import ExitCode
from flowvision.files import is_marked
from flowvision.puzzle.formats import WRITTEN_FORMS
from flowvision.puzzle.text import parse
from flowvision.words import COMMAND
from tests.commands import exit_code, invoke
from tests.drawing import CURLED, FIVE, FIVE_SOLVED, MISPLACED, NONE, SEVERAL

RECORD = {"id": "a/0", "rows": 1, "cols": 3, "pairs": [[[0, 0], [0, 2]]]}


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "five.txt").write_text(FIVE)
    (tmp_path / "none.txt").write_text(NONE)
    return tmp_path


def described(*arguments, given=FIVE):
    return json.loads(invoke("puzzle", "-", "--json", *arguments, given=given).stdout)


def paths(answer):
    return [flow["path"] for flow in answer["flows"]]


def test_a_puzzle_is_solved_and_called_the_only_one(there):
    for more in ([], ["--solver", "search"]):
        result = invoke("puzzle", "-", *more, given=FIVE)
        assert result.exit_code == 0
        assert result.stdout.startswith(FIVE_SOLVED)
        assert "the only solution" in result.stdout
    shown = invoke("puzzle", "five.txt", "five.txt").stdout
    assert shown.startswith("five.txt:\n")
    assert not invoke("puzzle", "five.txt").stdout.startswith("five.txt")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (NONE, 7, "no solution"),
        ("A.A.\n....\n....\n", 7, "chessboard"),
        ("R.\n..", 6, "appears once, not twice"),
        ("...", 6, ""),
        ("", 6, ""),
    ],
)
def test_a_puzzle_without_a_solution_has_its_exit_code(text, code, words):
    result = invoke("puzzle", "-", given=text)
    assert getattr(result.exception, "exit_code", result.exit_code) == code
    failed = described(given=text)
    assert (failed["ok"], failed["error"]["exit_code"]) == (False, code)
    assert re.search(words, json.dumps(failed))


def test_records_give_one_object_each(there):
    pairs = [[[0, 0], [0, 2]], [[0, 0], [0, 1]]]
    lines = [json.dumps(RECORD), "{bad", json.dumps(RECORD | {"id": "y", "pairs": pairs})]
    (there / "levels.jsonl").write_text("\n".join(lines))
    result = invoke("puzzle", "--json", "levels.jsonl")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["file"] for one in objects] == ["a/0", "levels.jsonl:2", "y"]
    assert [one["ok"] for one in objects] == [True, False, False]
    assert paths(objects[0]) == [[[0, 0], [0, 1], [0, 2]]]
    assert objects[2]["board"]["cols"] == 3
    assert "row 1, column 1 holds 2 dots" in result.stderr
    assert result.exit_code == 11
    result = invoke("puzzle", "-", "-o", "drawn/", given=json.dumps(RECORD | {"id": "a\a"}))
    assert "\a" not in result.stdout + result.stderr, "a name controls the terminal"


def test_a_second_solution_is_shown_by_the_cells_that_differ():
    found = described(given=SEVERAL)
    assert found["unique"] is False
    assert found["second"] != paths(found)
    shown = invoke("puzzle", "-", given=SEVERAL).stdout
    solution, drawn = re.split(
        r"\none of several .*?\nanother differs in \d+ cells:\n", shown, flags=re.DOTALL
    )
    marked = [(one, other) for one, other in zip(solution, drawn, strict=False) if other not in ".\n"]
    assert f"differs in {len(marked)} cells" in shown
    assert all(one != other for one, other in marked)
    assert 0 < len(marked) <= len(found["differs"])
    shown = invoke("puzzle", "-", given="A..\n...\n..A\n").stdout
    assert "another has the same flows in the same cells, joined differently" in shown


def test_solutions_are_counted():
    found = described("--count", "100", given=SEVERAL)
    assert (found["count"] > 1, found["count_complete"], bool(found["common"])) == (True, True, True)
    assert "at least 1 solution" in invoke("puzzle", "-", "--count", "1", given=SEVERAL).stdout
    assert "\n1 solution\n" in invoke("puzzle", "-", "--count", "5", given=FIVE).stdout
    numbered = "free\ncells 4\nR 0 3\n0: 1 2\n1: 2 3\n2: 3\n"
    shown = invoke("puzzle", "-", "--count", "5", given=numbered).stdout.splitlines()
    assert (shown[0], shown[-1]) == ("R: 1 3 2 4", "1:R 2:R 3:R 4:R")


def test_both_questions_about_one_board_are_answered():
    """The board has one solution in which no path touches itself, and others in which one does."""
    alone = "A....\n..A..\n..B..\n.....\nB....\n"
    strict, free = (described("--rules", rules, "--count", "9", given=alone) for rules in ("strict", "free"))
    assert (strict["rules"], strict["unique"], strict["count"]) == ("strict", True, 1)
    assert (free["rules"], free["unique"], free["count"]) == ("free", False, 9)
    assert described(given=alone)["rules"] == "strict"
    assert "touches itself" in invoke("puzzle", "-", "--rules", "free", given=alone).stdout
    refused = invoke("puzzle", "-", "--rules", "strict", given=CURLED)
    assert (refused.exit_code, "in which no path touches itself" in refused.stderr) == (
        ExitCode.UNSOLVABLE,
        True,
    )
    assert invoke("puzzle", "-", "--rules", "free", "--repair", given=alone).exit_code == 2


def test_a_hint_gives_no_more_than_a_part():
    assert FIVE_SOLVED not in invoke("puzzle", "-", "--hint", "next", given=FIVE).stdout
    found = described("--hint", "Y")
    assert found["hint"]
    assert not any("path" in flow for flow in found["flows"])
    result = invoke("puzzle", "-", "--hint", "Q", given=FIVE)
    assert result.exit_code == 6
    assert "R, G, Y, B and O" in result.stderr


@pytest.mark.parametrize("form", WRITTEN_FORMS)
def test_a_puzzle_is_written_in_another_form_and_read_back(form):
    shown = invoke("puzzle", "-", "--write", form, given=FIVE).stdout
    assert sorted(map(sorted, paths(described(given=shown)))) == sorted(map(sorted, paths(described())))
    assert invoke("puzzle", "-", "--write", form, given=NONE).exit_code == (7 if form == "level" else 0)
    result = invoke("puzzle", "-", "--write", "record", given="free\ncells 3\nR 0 2\n0: 1\n1: 2\n")
    assert result.exit_code == 6
    assert "as text" in result.stderr


def test_a_misplaced_dot_is_found():
    found = described("--repair", given=MISPLACED)
    assert found["repairs"][0]["changes"] == [{"flow": 4, "read": [1, 3], "meant": [1, 4]}]
    assert found["ok"] is False
    assert invoke("puzzle", "-", "--repair", given=FIVE).stdout.endswith("nothing to repair\n")


def test_wrong_files_are_refused_with_advice(shot, tmp_path):
    result = invoke("puzzle", shot)
    assert result.exit_code == 6
    assert f"`flowvision {shot}`" in result.stderr
    result = invoke("puzzle", tmp_path)
    assert result.exit_code == ExitCode.IMAGE_UNREADABLE
    assert f"{tmp_path}/*" in result.stderr


def test_quiet_leaves_the_exit_code(there):
    for more in ([], ["-o", "a.svg"], ["-o", "-"]):
        made = invoke("puzzle", "five.txt", "-q", *more)
        assert (made.exit_code, made.stderr) == (0, "")
        assert bool(made.stdout_bytes) == ("-" in more)
    none = invoke("puzzle", "none.txt", "-q")
    assert (none.exit_code, none.stdout) == (7, "")
    assert "no solution" in none.stderr


def test_the_limit_exits_with_8():
    board = "A" + "." * 29 + "\n" + ("." * 30 + "\n") * 28 + "." * 28 + "A." + "\n"
    result = invoke("puzzle", "-", "--limit", "0.001", given=board)
    assert result.exit_code == 8
    assert "gave up after" in result.stderr
    assert invoke("generate", "9x9", "--limit", "0.000001").exception.exit_code == ExitCode.GAVE_UP


@pytest.mark.parametrize("name", ["p.svg", "p.png", "p.gif"])
def test_a_puzzle_is_drawn(there, name):
    drawn = set()
    for more in ([], ["--hint", "2"], ["--letters"], ["--arrows"]):
        assert exit_code("puzzle", "five.txt", "-o", name, *more) == 0
        drawn.add((there / name).read_bytes())
    assert len(drawn) == 4
    assert exit_code("puzzle", "none.txt", "-o", "x.png") == ExitCode.UNSOLVABLE
    assert not (there / "x.png").exists()
    (there / "mine.png").touch()
    assert exit_code("puzzle", "five.txt", "-o", "mine.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert exit_code("puzzle", "five.txt", "-o", "mine.png", "--force") == 0
    assert invoke("puzzle", "five.txt", "-o", "-").stdout_bytes.startswith(b"\x89PNG")


def test_several_puzzles_are_drawn_in_a_folder(there):
    for name, ids in (("two", ("a/0", "a/1")), ("alike", ("a/0", "a/0"))):
        (there / f"{name}.jsonl").write_text("\n".join(json.dumps(RECORD | {"id": one}) for one in ids))
        assert exit_code("puzzle", f"{name}.jsonl", "-o", f"{name}/") == 0
    assert sorted(path.name for path in (there / "two").iterdir()) == ["a-0.png", "a-1.png"]
    assert sorted(path.name for path in (there / "alike").iterdir()) == ["a-0-2.png", "a-0.png"]
    assert exit_code("puzzle", "two.jsonl", "-o", "one.png") == ExitCode.OUTPUT_NOT_WRITTEN


def test_a_puzzle_is_shown_without_its_answer(there):
    assert parse(invoke("puzzle", "five.txt", "--unsolved").stdout) == parse(FIVE)
    assert exit_code("puzzle", "five.txt", "-o", "drawn.svg", "--unsolved") == 0
    assert exit_code("generate", "5x5", "-o", "made.svg") == 0
    assert exit_code("puzzle", "five.txt", "-o", "solved.svg") == 0
    files = [there / f"{name}.svg" for name in ("drawn", "made", "solved")]
    assert ['class="fv-pipe"' in file.read_text() for file in files] == [False, False, True]


def test_every_generated_puzzle_is_new():
    made = list[str]()
    for _ in range(2):
        result = invoke("generate")
        made.append(result.stdout)
        again = invoke("generate", *result.stderr.split(": ")[1].rstrip(".\n").split())
        assert (again.stdout, again.stderr) == (result.stdout, "")
    assert made[0] != made[1]
    easy = [
        invoke("generate", *line.split(), "--seed", "1").stdout for line in ("5 easy", "EASY 5x5", "5x5 easy")
    ]
    assert easy[0] == easy[1] == easy[2]
    assert "the only solution" in invoke("puzzle", "-", given=easy[0]).stdout


def test_a_generated_puzzle_is_replaced_by_force_alone_and_in_the_chosen_form(there):
    """It cannot be made again without its seed."""
    assert exit_code("generate", "7x7", "--seed", "5", "-o", "g.png") == 0
    assert exit_code("generate", "5", "-o", "g.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert exit_code("generate", "5", "-o", "g.png", "--force") == 0
    assert is_marked(there / "g.png")
    for name in ("x.html", "x.json", "x"):
        assert exit_code("generate", "5", "-o", name) == ExitCode.OUTPUT_NOT_WRITTEN
        assert not (there / name).exists()
        assert exit_code("generate", "5", "--write", "record", "-o", name) == 0
        assert json.loads((there / name).read_text())
    for name in ("y.png", "y.SVG"):
        assert exit_code("generate", "5", "--write", "record", "-o", name) == ExitCode.USAGE
        assert not (there / name).exists()


def test_many_puzzles_are_written_one_a_line():
    lines = invoke("generate", "5x5", "-n", "3", "--write", "record").stdout.splitlines()
    assert len({line for line in lines if json.loads(line)["rows"] == 5}) == 3
    error = invoke("generate", "28x28", "--colours", "70").exception
    options = re.search(r"`([^`]+)`", error.words(COMMAND)[1])[1]
    made = json.loads(invoke("generate", "28x28", "--colours", "70", *options.split()).stdout)
    assert len(made["pairs"]) == int(re.search(r"(\d+) flows", error.message)[1]) > 62
