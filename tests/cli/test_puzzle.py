"""``flowvision puzzle`` and ``flowvision generate`` as their users call them."""

from __future__ import annotations

import json
import re

import pytest

from flowvision.advice import COMMAND
from flowvision.cli.puzzle import SOLVERS, WRITTEN_FORMS
from flowvision.errors import ExitCode
from flowvision.palette import palette_for
from flowvision.puzzle import formats
from flowvision.puzzle.text import parse
from flowvision.render.text import solved_text
from flowvision.solvers import ENGINES, solve
from tests.commands import invoke
from tests.drawing import FIVE, FIVE_SOLVED, NONE, SEVERAL
from tests.schema import faults_of


def run(*arguments, given=None):
    """The result of a command."""
    return invoke(*arguments, given=given)


def test_a_puzzle_is_solved_and_called_the_only_one(tmp_path):
    """The board as letters, then what is known of other solutions."""
    file = tmp_path / "five.txt"
    file.write_text(FIVE)
    result = run("puzzle", str(file))
    assert result.exit_code == 0
    assert result.stdout.startswith(FIVE_SOLVED)
    assert "the only solution" in result.stdout


def test_standard_input_is_read():
    """With - in place of a file."""
    assert run("puzzle", "-", given=FIVE).stdout.startswith(FIVE_SOLVED)


def test_an_impossible_puzzle_has_its_own_exit_code():
    """7, and the reason on stderr."""
    result = run("puzzle", "-", given=NONE)
    assert result.exit_code == 7
    assert "no solution" in result.stderr


def test_records_give_one_object_each(tmp_path):
    """In the order of the file, with paths in the order of the pairs; a bad line never stops the rest."""
    file = tmp_path / "levels.jsonl"
    record = {"id": "x", "rows": 1, "cols": 3, "pairs": [[[0, 0], [0, 2]]]}
    file.write_text(
        json.dumps(record) + "\nnonsense\n".replace("nonsense", "{bad") + json.dumps(record | {"id": "y"})
    )
    result = run("puzzle", "--json", str(file))
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["id"] for one in objects][::2] == ["x", "y"]
    assert objects[0]["status"] == "solved"
    assert objects[0]["unique"] is True
    assert objects[0]["paths"] == [[[0, 0], [0, 1], [0, 2]]]
    assert result.exit_code == 11


@pytest.mark.parametrize("text", ["", "R.\n..", "..."])
def test_what_is_no_puzzle_exits_with_6(text):
    """And says what is wrong."""
    result = run("puzzle", "-", given=text)
    assert result.exit_code == 6 or isinstance(result.exception, Exception)


def test_generating_ends_in_time():
    """Given too little time, it gives up."""
    result = run("generate", "--size", "9x9", "--limit", "0.000001")
    assert result.exception.exit_code == ExitCode.GAVE_UP


def test_a_puzzle_that_letters_do_not_suffice_for_is_not_lost():
    """The options that are named write it as a record."""
    error = run("generate", "28x28", "--colours", "70").exception
    options = re.search(r"`([^`]+)`", error.words(COMMAND)[1])[1]
    made = json.loads(run("generate", "28x28", "--colours", "70", *options.split()).stdout)
    assert len(made["pairs"]) == int(re.search(r"(\d+) flows", error.message)[1]) > 62


def test_a_generated_puzzle_has_one_solution():
    """The output goes straight into ``flowvision puzzle``; the same seed makes the same one."""
    first = run("generate", "6x8", "--colours", "5", "--seed", "3").stdout
    assert first == run("generate", "--size", "6x8", "--colours", "5", "--seed", "3").stdout
    assert len(first.splitlines()) == 8
    assert "the only solution" in run("puzzle", "-", given=first).stdout


def test_every_engine_is_offered():
    """The command names them itself, so that --help loads no solver."""
    assert set(SOLVERS) == set(ENGINES)
    assert formats.WRITTEN_FORMS == WRITTEN_FORMS


@pytest.mark.parametrize("how", [("--solver", "search"), ("--sat", "cadical195")])
def test_another_engine_gives_the_same_answer(how):
    """Chosen by name."""
    assert run("puzzle", "-", *how, given=FIVE).stdout.startswith(FIVE_SOLVED)


def test_an_unknown_sat_solver_is_a_usage_error():
    """Which lists those there are; and it goes with sat alone."""
    result = run("puzzle", "-", "--sat", "magic", given=FIVE)
    assert result.exit_code == 2
    assert "minisat22" in result.stderr
    assert run("puzzle", "-", "--solver", "search", "--sat", "minisat22", given=FIVE).exit_code == 2


def test_a_second_solution_is_told_by_the_cells_that_differ():
    """In JSON as places, in text as a number."""
    found = json.loads(run("puzzle", "-", "--json", given=SEVERAL).stdout)
    assert found["unique"] is False
    assert found["differs"]
    assert found["second"] != found["paths"]
    shown = run("puzzle", "-", given=SEVERAL).stdout
    solution, drawn = re.split(
        r"\none of several .*?\nanother differs in \d+ cells:\n", shown, flags=re.DOTALL
    )
    marked = [(one, other) for one, other in zip(solution, drawn, strict=False) if other not in ".\n"]
    assert f"differs in {len(marked)} cells" in shown
    assert all(one != other for one, other in marked)
    assert 0 < len(marked) <= len(found["differs"])


def test_what_solutions_share_is_none_of_what_differs():
    """Where a path touches itself too: no cell is the same in all and another one in the next."""
    shown = run("puzzle", "-", "--count", "5", given="A..A\n....\n....\nB..B\n").stdout
    other, shared = re.split(r"at least 5 solutions.*?:\n", shown.split("cells:\n")[1])
    assert "?" in shared
    assert all(same == "?" for one, same in zip(other, shared, strict=True) if one not in ".\n")


def test_another_way_through_the_same_cells_is_told_as_that():
    """One flow on a board of two rows: nothing is marked, for every cell has the same letter."""
    shown = run("puzzle", "-", given="A..\n...\n..A\n").stdout
    assert "another leads the same flows through the same cells in another way" in shown
    assert "differs" not in shown


def test_solutions_are_counted():
    """Up to the number given; then what they share is shown."""
    found = json.loads(run("puzzle", "-", "--json", "--count", "100", given=SEVERAL).stdout)
    assert found["count"] > 1
    assert found["count_complete"]
    assert found["common"]
    shown = run("puzzle", "-", "--count", "1", given=SEVERAL).stdout
    assert "at least 1 solution" in shown
    assert "the same in all" in run("puzzle", "-", "--count", "100", given=SEVERAL).stdout
    assert "\n1 solution\n" in run("puzzle", "-", "--count", "5", given=FIVE).stdout


@pytest.mark.parametrize("kind", ["next", "flow", "Y"])
def test_a_hint_gives_no_more_than_a_part(kind):
    """The rest of the board stays empty, in JSON too."""
    shown = run("puzzle", "-", "--hint", kind, given=FIVE).stdout
    assert FIVE_SOLVED not in shown
    assert "." in shown
    found = json.loads(run("puzzle", "-", "--json", "--hint", kind, given=FIVE).stdout)
    assert found["paths"] == []
    assert found["hint"]


def test_a_hint_about_no_flow_says_which_there_are():
    """Exit code 6."""
    result = run("puzzle", "-", "--hint", "Q", given=FIVE)
    assert result.exit_code == 6
    assert "R, G, Y, B and O" in result.stderr


def test_a_reason_is_given_where_there_is_one():
    """Both on stderr and in JSON."""
    result = run("puzzle", "-", "--json", given="A.A.\n....\n....\n")
    assert "chessboard" in json.loads(result.stdout)["reason"]
    assert "chessboard" in result.stderr


def test_two_dots_in_one_cell_is_unsolvable_for_programs(tmp_path):
    """The contract knows three statuses; the exit code says that the puzzle is at fault."""
    file = tmp_path / "one.jsonl"
    pairs = [[[0, 0], [0, 2]], [[0, 0], [0, 1]]]
    file.write_text(json.dumps({"id": "x", "rows": 1, "cols": 3, "pairs": pairs}))
    result = run("puzzle", "--json", str(file))
    assert result.exit_code == 6
    assert json.loads(result.stdout)["status"] == "unsolvable"
    assert "row 1, column 1 holds 2 dots" in result.stderr


@pytest.mark.parametrize("form", WRITTEN_FORMS)
def test_a_puzzle_is_written_in_another_form_and_read_back(form):
    """The same solution comes of every form; without a solution there is no level line."""
    shown = run("puzzle", "-", "--write", form, given=FIVE).stdout
    again = json.loads(run("puzzle", "-", "--json", given=shown).stdout)
    first = json.loads(run("puzzle", "-", "--json", given=FIVE).stdout)
    assert sorted(map(sorted, again["paths"])) == sorted(map(sorted, first["paths"]))
    assert run("puzzle", "-", "--write", form, given=NONE).exit_code == (7 if form == "level" else 0)


def test_what_a_form_cannot_say_is_an_error():
    """Exit code 6, and another form is named."""
    result = run("puzzle", "-", "--write", "record", given="free\ncells 3\nR 0 2\n0: 1\n1: 2\n")
    assert result.exit_code == 6
    assert "as text" in result.stderr


def test_a_misplaced_dot_is_found():
    """NamedPuzzle in words and in JSON, with the solution it would have; the verdict stays what it was."""
    misread = FIVE.replace("..B.O", "..BO.")
    result = run("puzzle", "-", "--repair", given=misread)
    assert result.exit_code == 7
    assert "row 2, column 4 may lie in row 2, column 5" in result.stdout
    assert FIVE_SOLVED in result.stdout
    found = json.loads(run("puzzle", "-", "--repair", "--json", given=misread).stdout)
    assert found["repairs"][0]["changes"] == [{"flow": 4, "read": [1, 3], "meant": [1, 4]}]
    assert found["status"] == "unsolvable"
    good = run("puzzle", "-", "--repair", given=FIVE).stdout
    assert "may lie" not in good
    assert good.endswith("nothing to repair\n")
    lost = run("puzzle", "-", "--repair", given="A.B\n...\nB.A\n").stderr
    assert lost.endswith("Check its dots, walls and holes.\n")


@pytest.mark.parametrize(
    "how",
    [
        ("--hint", "next", "--count", "5"),
        ("--write", "text", "--json"),
        ("--write", "record", "--count", "2"),
    ],
)
def test_what_does_not_go_together_is_a_usage_error(how):
    """Rather than one of the two done silently."""
    assert run("puzzle", "-", *how, given=FIVE).exit_code == 2


def test_a_screenshot_is_told_from_a_puzzle(shot):
    """With the command that solves it."""
    result = run("puzzle", str(shot))
    assert result.exit_code == 6
    assert f"`flowvision {shot}`" in result.stderr


def test_several_puzzles_have_their_names_above_them(tmp_path):
    """One alone has not."""
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for file in files:
        file.write_text(FIVE)
    shown = run("puzzle", *map(str, files)).stdout
    assert shown.startswith(f"{files[0]}:\n")
    assert f"{files[1]}:\n" in shown
    assert "a.txt" not in run("puzzle", str(files[0])).stdout


def test_quiet_leaves_the_exit_code(tmp_path):
    """Errors are still said; a drawing is made in silence, and one in place of the text too."""
    (tmp_path / "a.txt").write_text(FIVE)
    (tmp_path / "b.txt").write_text(NONE)
    for more in ([], ["-o", str(tmp_path / "a.svg")], ["-o", "-"]):
        made = run("puzzle", str(tmp_path / "a.txt"), "-q", *more)
        assert (made.exit_code, made.stderr) == (0, "")
        assert bool(made.stdout) == ("-" in more)
    none = run("puzzle", str(tmp_path / "b.txt"), "-q")
    assert (none.exit_code, none.stdout) == (7, "")
    assert "no solution" in none.stderr


def test_a_folder_of_puzzles_is_refused(tmp_path):
    """With the pattern that gives its files."""
    result = run("puzzle", str(tmp_path))
    assert result.exit_code == ExitCode.IMAGE_UNREADABLE
    assert f"{tmp_path}/*" in result.stderr


def test_watch_needs_a_terminal():
    """Its drawing would spoil a file."""
    assert run("puzzle", "-", "--watch", given=FIVE).exit_code == 2


def test_the_limit_exits_with_8():
    """And says how long it took."""
    board = "A" + "." * 29 + "\n" + ("." * 30 + "\n") * 28 + "." * 28 + "A." + "\n"
    result = run("puzzle", "-", "--limit", "0.001", given=board)
    assert result.exit_code == 8
    assert "gave up after" in result.stderr


def test_several_puzzles_are_written_one_a_line():
    """In a form that says so; the text form holds one puzzle."""
    lines = run("generate", "--size", "5x5", "-n", "3", "--write", "record").stdout.splitlines()
    assert len({line for line in lines if json.loads(line)["rows"] == 5}) == 3
    for wrong in (["-n", "2"], ["-n", "2", "--write", "text"], ["-n", "2", "-o", "x.svg"]):
        assert run("generate", *wrong).exit_code == 2
    assert run("generate", "--write", "record", "-o", "x.png").exit_code == 2


def test_a_puzzle_is_drawn_without_its_answer(tmp_path):
    """By ``generate``, and by ``puzzle`` with an option; no pipe is on it."""
    (tmp_path / "five.txt").write_text(FIVE)
    drawn, made, solved = (tmp_path / name for name in ("drawn.svg", "made.svg", "solved.svg"))
    assert run("puzzle", str(tmp_path / "five.txt"), "-o", str(drawn), "--unsolved").exit_code == 0
    assert run("generate", "--size", "5x5", "-o", str(made)).exit_code == 0
    assert run("puzzle", str(tmp_path / "five.txt"), "-o", str(solved)).exit_code == 0
    assert ['class="fv-pipe"' in file.read_text() for file in (drawn, made, solved)] == [False, False, True]


def test_a_puzzle_is_shown_without_its_answer(tmp_path, monkeypatch):
    """As text, or in colours as ``read`` shows it: its dots alone, and not a word of the answer."""
    (tmp_path / "five.txt").write_text(FIVE)
    shown = run("puzzle", str(tmp_path / "five.txt"), "--unsolved")
    assert shown.exit_code == 0
    assert parse(shown.stdout) == parse(FIVE)
    monkeypatch.setattr("flowvision.cli.terminal.depth", lambda: 24)
    coloured = run("puzzle", str(tmp_path / "five.txt"), "--unsolved").stdout
    parsed = parse(FIVE)
    palette, solution = palette_for(parsed.letters), solve(parsed.puzzle).solution
    bare = solved_text(parsed.board, parsed.puzzle, solution, parsed.letters, palette, 24, ())
    assert coloured == f"{bare}\n"
    assert run("puzzle", str(tmp_path / "five.txt"), "--unsolved", "--json").exit_code == 2


def test_the_difficulty_is_said(tmp_path):
    """In words and as an object; a board with several solutions has none."""
    for name, text in (("five", FIVE), ("several", SEVERAL)):
        (tmp_path / name).write_text(text)
    assert "difficulty: easy (" in run("puzzle", str(tmp_path / "five"), "--difficulty").stdout
    described = json.loads(run("puzzle", str(tmp_path / "five"), "--difficulty", "--json").stdout)
    assert faults_of(described) == []
    assert described["difficulty"]["grade"] == "easy"
    assert sum(described["difficulty"]["steps"].values()) > 0
    described = json.loads(run("puzzle", str(tmp_path / "several"), "--difficulty", "--json").stdout)
    assert faults_of(described) == []
    assert described["difficulty"] is None
