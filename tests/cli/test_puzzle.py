import json
import re

import pytest

from flowvision.errors import ExitCode
from flowvision.files import is_marked
from flowvision.puzzle.formats import WRITTEN_FORMS
from flowvision.puzzle.text import parse
from flowvision.words import COMMAND
from tests.commands import exit_code, invoke
from tests.drawing import DOT_MISPLACED, LEVEL_5X5, LEVEL_5X5_SOLVED, SEVERAL, TOUCHING, UNSOLVABLE

RECORD = {"id": "a/0", "rows": 1, "cols": 3, "pairs": [[[0, 0], [0, 2]]]}


@pytest.fixture
def cwd(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "five.txt").write_text(LEVEL_5X5)
    (tmp_path / "none.txt").write_text(UNSOLVABLE)
    return tmp_path


def described(*arguments, given=LEVEL_5X5):
    """Return the object that ``flowvision puzzle --json`` prints for a text."""
    return json.loads(invoke("puzzle", "-", "--json", *arguments, given=given).stdout)


def printed(*arguments, given=LEVEL_5X5):
    """Return what ``flowvision puzzle`` prints for a text."""
    return invoke("puzzle", "-", *arguments, given=given).stdout


def paths(answer):
    return [flow["path"] for flow in answer["flows"]]


@pytest.mark.parametrize("options", [[], ["--solver", "search"]])
def test_a_puzzle_is_solved_and_called_the_only_one(options):
    result = invoke("puzzle", "-", *options, given=LEVEL_5X5)
    assert result.exit_code == 0
    assert result.stdout.startswith(LEVEL_5X5_SOLVED)
    assert "the only solution" in result.stdout


@pytest.mark.usefixtures("cwd")
def test_only_several_puzzles_are_printed_with_their_names():
    assert invoke("puzzle", "five.txt", "five.txt").stdout.startswith("five.txt:\n")
    assert not invoke("puzzle", "five.txt").stdout.startswith("five.txt")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (UNSOLVABLE, ExitCode.UNSOLVABLE, "no solution"),
        ("A.A.\n....\n....\n", ExitCode.UNSOLVABLE, "chessboard"),
        ("R.\n..", ExitCode.PUZZLE_NOT_READ, "appears once, not twice"),
        ("...", ExitCode.PUZZLE_NOT_READ, ""),
        ("", ExitCode.PUZZLE_NOT_READ, ""),
    ],
)
def test_a_puzzle_without_a_solution_has_its_exit_code(text, code, words):
    result = invoke("puzzle", "-", given=text)
    assert getattr(result.exception, "exit_code", result.exit_code) == code
    failed = described(given=text)
    assert (failed["ok"], failed["error"]["exit_code"]) == (False, code)
    assert words in json.dumps(failed)


def test_records_give_one_object_each(cwd):
    two_dots_in_one_cell = RECORD | {"id": "y", "pairs": [[[0, 0], [0, 2]], [[0, 0], [0, 1]]]}
    lines = [json.dumps(RECORD), "{bad", json.dumps(two_dots_in_one_cell)]
    (cwd / "levels.jsonl").write_text("\n".join(lines))
    result = invoke("puzzle", "--json", "levels.jsonl")
    assert result.exit_code == ExitCode.SOME_FAILED
    right, bad, wrong = map(json.loads, result.stdout.splitlines())
    assert (right["file"], right["ok"], paths(right)) == ("a/0", True, [[[0, 0], [0, 1], [0, 2]]])
    assert (bad["file"], bad["ok"]) == ("levels.jsonl:2", False)
    assert (wrong["file"], wrong["ok"], wrong["board"]["cols"]) == ("y", False, 3)
    assert "row 1, column 1 holds 2 dots" in result.stderr


@pytest.mark.usefixtures("cwd")
def test_the_name_of_a_record_controls_no_terminal():
    result = invoke("puzzle", "-", "-o", "drawn/", given=json.dumps(RECORD | {"id": "a\a"}))
    assert "\a" not in result.stdout + result.stderr


def test_a_second_solution_is_shown_by_the_cells_that_differ():
    between = r"\none of several .*?\nanother differs in (\d+) cells:\n"
    solution, count, second = re.split(between, printed(given=SEVERAL), flags=re.DOTALL)
    marked = [(a, b) for a, b in zip(solution, second, strict=False) if b not in ".\n"]
    assert len(marked) == int(count) > 0
    assert all(a != b for a, b in marked)
    in_the_same_cells = printed(given="A..\n...\n..A\n")
    assert "another has the same flows in the same cells, joined differently" in in_the_same_cells


def test_the_object_of_a_puzzle_has_a_second_solution():
    answer = described(given=SEVERAL)
    assert answer["unique"] is False
    assert answer["second"] != paths(answer)
    assert answer["differs"]


def test_solutions_are_counted():
    answer = described("--count", "100", given=SEVERAL)
    assert (answer["count"] > 1, answer["count_complete"], bool(answer["common"])) == (True, True, True)
    assert "at least 1 solution" in printed("--count", "1", given=SEVERAL)
    assert "\n1 solution\n" in printed("--count", "5", given=LEVEL_5X5)


def test_cells_without_rows_are_counted_from_1():
    numbered_from_0 = "free\ncells 4\nR 0 3\n0: 1 2\n1: 2 3\n2: 3\n"
    solution, *_, common = printed("--count", "5", given=numbered_from_0).splitlines()
    assert (solution, common) == ("R: 1 3 2 4", "1:R 2:R 3:R 4:R")


ONE_STRICT = "A....\n..A..\n..B..\n.....\nB....\n"
"""One solution in which no path touches itself, eight in which one does."""


@pytest.mark.parametrize(("rules", "unique", "count"), [("strict", True, 1), ("free", False, 9)])
def test_solutions_are_counted_under_the_chosen_rules(rules, unique, count):
    answer = described("--rules", rules, "--count", "9", given=ONE_STRICT)
    assert (answer["rules"], answer["unique"], answer["count"]) == (rules, unique, count)


def test_rules_are_strict_where_they_can_be():
    assert described(given=ONE_STRICT)["rules"] == "strict"
    assert "one of several solutions, counting those in which a path touches itself" in printed(
        "--rules", "free", given=ONE_STRICT
    )
    refused = invoke("puzzle", "-", "--rules", "strict", given=TOUCHING)
    assert refused.exit_code == ExitCode.UNSOLVABLE
    assert "in which no path touches itself" in refused.stderr


def test_a_hint_gives_no_more_than_a_part():
    assert LEVEL_5X5_SOLVED not in printed("--hint", "next")
    answer = described("--hint", "Y")
    assert answer["hint"]
    assert not any("path" in flow for flow in answer["flows"])


def test_a_hint_about_another_flow_names_those_of_the_board():
    result = invoke("puzzle", "-", "--hint", "Q", given=LEVEL_5X5)
    assert result.exit_code == ExitCode.PUZZLE_NOT_READ
    assert "R, G, Y, B and O" in result.stderr


@pytest.mark.parametrize("form", WRITTEN_FORMS)
def test_a_puzzle_is_written_in_another_form_and_read_back(form):
    text = printed("--write", form)
    assert sorted(map(sorted, paths(described(given=text)))) == sorted(map(sorted, paths(described())))
    unsolvable = invoke("puzzle", "-", "--write", form, given=UNSOLVABLE)
    needs_solution = form == "level"
    assert unsolvable.exit_code == (ExitCode.UNSOLVABLE if needs_solution else 0)


def test_a_board_without_rows_is_written_as_text_alone():
    result = invoke("puzzle", "-", "--write", "record", given="free\ncells 3\nR 0 2\n0: 1\n1: 2\n")
    assert result.exit_code == ExitCode.PUZZLE_NOT_READ
    assert "as text" in result.stderr


def test_a_misplaced_dot_is_found():
    answer = described("--repair", given=DOT_MISPLACED)
    orange = parse(LEVEL_5X5).letters.index("O")
    assert answer["repairs"][0]["changes"] == [{"flow": orange, "read": [1, 3], "meant": [1, 4]}]
    assert answer["ok"] is False
    assert printed("--repair", given=LEVEL_5X5).endswith("nothing to repair\n")


def test_a_picture_or_a_folder_in_place_of_a_puzzle_is_refused_with_advice(shot, tmp_path):
    of_picture, of_folder = invoke("puzzle", shot), invoke("puzzle", tmp_path)
    assert (of_picture.exit_code, of_folder.exit_code) == (
        ExitCode.PUZZLE_NOT_READ,
        ExitCode.IMAGE_UNREADABLE,
    )
    assert f"`flowvision {shot}`" in of_picture.stderr
    assert f"{tmp_path}/*" in of_folder.stderr


@pytest.mark.usefixtures("cwd")
def test_quiet_prints_errors_and_pictures_alone():
    for options, is_printed in (("", False), ("-o a.svg", False), ("-o -", True)):
        result = invoke("puzzle", "five.txt", "-q", *options.split())
        assert (result.exit_code, result.stderr, bool(result.stdout_bytes)) == (0, "", is_printed)
    unsolvable = invoke("puzzle", "none.txt", "-q")
    assert (unsolvable.exit_code, unsolvable.stdout) == (ExitCode.UNSOLVABLE, "")
    assert "no solution" in unsolvable.stderr


def test_the_limit_has_its_exit_code():
    large = "A" + "." * 29 + "\n" + ("." * 30 + "\n") * 28 + "." * 28 + "A." + "\n"
    result = invoke("puzzle", "-", "--limit", "0.001", given=large)
    assert result.exit_code == ExitCode.GAVE_UP
    assert "gave up after" in result.stderr
    assert invoke("generate", "9x9", "--limit", "0.000001").exception.exit_code == ExitCode.GAVE_UP


@pytest.mark.parametrize("name", ["p.svg", "p.png", "p.gif"])
def test_a_puzzle_is_drawn_as_its_options_say(cwd, name):
    drawings = set()
    for options in ([], ["--hint", "2"], ["--letters"], ["--arrows"]):
        assert exit_code("puzzle", "five.txt", "-o", name, *options) == 0
        drawings.add((cwd / name).read_bytes())
    assert len(drawings) == 4


def test_a_puzzle_without_a_solution_is_not_drawn(cwd):
    assert exit_code("puzzle", "none.txt", "-o", "x.png") == ExitCode.UNSOLVABLE
    assert not (cwd / "x.png").exists()


def test_a_file_of_the_user_is_replaced_by_force_alone(cwd):
    (cwd / "mine.png").touch()
    assert exit_code("puzzle", "five.txt", "-o", "mine.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert exit_code("puzzle", "five.txt", "-o", "mine.png", "--force") == 0


@pytest.mark.parametrize(
    ("ids", "files"), [(("a/0", "a/1"), ["a-0.png", "a-1.png"]), (("a/0", "a/0"), ["a-0-2.png", "a-0.png"])]
)
def test_several_puzzles_are_drawn_in_a_folder(cwd, ids, files):
    (cwd / "two.jsonl").write_text("\n".join(json.dumps(RECORD | {"id": id_}) for id_ in ids))
    assert exit_code("puzzle", "two.jsonl", "-o", "drawn/") == 0
    assert sorted(path.name for path in (cwd / "drawn").iterdir()) == files
    assert exit_code("puzzle", "two.jsonl", "-o", "one.png") == ExitCode.OUTPUT_NOT_WRITTEN


def test_a_puzzle_is_shown_without_its_answer(cwd):
    assert parse(invoke("puzzle", "five.txt", "--unsolved").stdout) == parse(LEVEL_5X5)
    has_pipes = {"puzzle five.txt --unsolved": False, "generate 5x5": False, "puzzle five.txt": True}
    for number, line in enumerate(has_pipes):
        assert exit_code(*line.split(), "-o", f"{number}.svg") == 0
        assert ('class="fv-pipe"' in (cwd / f"{number}.svg").read_text()) == has_pipes[line]


def test_a_generated_puzzle_is_made_again_only_by_the_options_that_are_printed():
    first, second = invoke("generate"), invoke("generate")
    assert first.stdout != second.stdout
    options = first.stderr.split(": ")[1].rstrip(".\n").split()
    again = invoke("generate", *options)
    assert (again.stdout, again.stderr) == (first.stdout, "")


def test_size_and_grade_come_in_any_order():
    first, *others = (
        invoke("generate", *line.split(), "--seed", "1").stdout for line in ("5 easy", "EASY 5x5", "5x5 easy")
    )
    assert others == [first, first]
    assert "the only solution" in printed(given=first)


def test_a_generated_picture_is_replaced_by_force_alone(cwd):
    """It cannot be made again without its seed."""
    assert exit_code("generate", "7x7", "--seed", "5", "-o", "g.png") == 0
    assert exit_code("generate", "5", "-o", "g.png") == ExitCode.OUTPUT_NOT_WRITTEN
    assert exit_code("generate", "5", "-o", "g.png", "--force") == 0
    assert is_marked(cwd / "g.png")


@pytest.mark.parametrize("name", ["x.html", "x.json", "x"])
def test_a_record_is_written_under_any_name_and_a_picture_is_not(cwd, name):
    assert exit_code("generate", "5", "-o", name) == ExitCode.OUTPUT_NOT_WRITTEN
    assert not (cwd / name).exists()
    assert exit_code("generate", "5", "--write", "record", "-o", name) == 0
    assert json.loads((cwd / name).read_text())


@pytest.mark.parametrize("name", ["y.png", "y.SVG"])
def test_a_record_is_not_written_under_the_name_of_a_picture(cwd, name):
    assert exit_code("generate", "5", "--write", "record", "-o", name) == ExitCode.USAGE
    assert not (cwd / name).exists()


def test_many_puzzles_are_written_one_a_line():
    lines = invoke("generate", "5x5", "-n", "3", "--write", "record").stdout.splitlines()
    assert [json.loads(line)["rows"] for line in lines] == [5, 5, 5]
    assert len(set(lines)) == 3


def test_more_flows_than_letters_are_written_as_the_hint_says():
    error = invoke("generate", "28x28", "--colours", "70").exception
    letters = 62
    flows = int(re.search(r"(\d+) flows", error.message)[1])
    assert flows > letters
    options = re.search(r"`([^`]+)`", error.words(COMMAND)[1])[1]
    record = json.loads(invoke("generate", "28x28", "--colours", "70", *options.split()).stdout)
    assert len(record["pairs"]) == flows
