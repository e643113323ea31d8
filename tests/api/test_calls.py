"""What the library takes, does and refuses."""

from __future__ import annotations

import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, StringIO

import numpy as np
import pytest
from PIL import Image

import flowvision
from flowvision import (
    FlowvisionError,
    Look,
    Options,
    SetBoard,
    SetCell,
    count_solutions,
    debug_page,
    draw_puzzle,
    generate_puzzle,
    parse_puzzle,
    puzzle_svg,
    read_image,
    solve_folder,
    solve_image,
    solve_puzzle,
)
from flowvision.errors import (
    GaveUpError,
    ImageUnreadableError,
    OutputError,
    PuzzleInvalidError,
    UnsolvableError,
)
from flowvision.image.codec import encode
from tests.drawing import CURLED, FIVE, FIVE_SOLVED, NONE, SEVERAL, screenshot_of


@pytest.fixture(scope="module")
def picture():
    """The first level, as the game draws it."""
    return screenshot_of(FIVE)


def test_every_kind_of_source_is_answered_alike(picture, tmp_path) -> None:
    """Path, bytes, open file, memory, Pillow image, pixels in either order."""
    data, path = encode(picture), tmp_path / "shot.png"
    path.write_bytes(data)
    rgb = np.ascontiguousarray(picture[..., ::-1])
    with path.open("rb") as file:
        answers = [solve_image(file)]
    answers += [solve_image(source) for source in (str(path), path, data, BytesIO(data), picture)]
    answers += [solve_image(Image.fromarray(rgb)), solve_image(rgb, rgb=True)]
    for answer in answers:
        assert answer.solution == tuple(FIVE_SOLVED.split())
        assert answer.flows[0].rgb == answers[0].flows[0].rgb
        assert answer.hint("R").steps == answers[0].hint("R").steps


def test_an_open_file_is_read_once_and_remembered(picture) -> None:
    """A later hint needs the picture again, when the file was read to its end."""
    answer = solve_image(BytesIO(encode(picture)))
    assert (answer.hint("R").picture == solve_image(picture).hint("R").picture).all()


@pytest.mark.parametrize("source", [StringIO("text"), 5, None, object()])
def test_other_sources_are_named(source: object) -> None:
    """A type that is no screenshot, and what to give."""
    with pytest.raises(TypeError, match=r"text|screenshot"):
        solve_image(source)


@pytest.mark.parametrize("source", ["shot.png", b"", np.zeros((4, 4), np.uint8)])
def test_rgb_goes_with_pixels_alone(source: object) -> None:
    """Nothing else has an order of channels to say."""
    with pytest.raises(TypeError, match="rgb=True"):
        read_image(source, rgb=True)


@pytest.mark.parametrize("options", [{"seconds": 5}, 5, "7x7"])
def test_wrong_options_are_named(picture, options: object) -> None:
    """The type that came, and an example of what is wanted."""
    with pytest.raises(TypeError, match=rf"{type(options).__name__}.*Options\(seconds=5\)"):
        solve_image(picture, options)


@pytest.mark.parametrize("call", [solve_image, read_image, solve_folder])
def test_an_option_among_the_arguments_is_told_its_place(call: Callable[..., object]) -> None:
    """At once, before anything is looked for, with what to type."""
    with pytest.raises(TypeError, match=re.escape(f"{call.__name__}(…, Options(colours=6, grid='5x5'))")):
        call("missing.png", colours=6, grid="5x5")


@pytest.mark.parametrize("grid", [(7, 9), 7.0, "7x", "axb"])
def test_a_wrong_size_is_refused_at_once(grid: object) -> None:
    """With the form that is wanted, columns first."""
    with pytest.raises((TypeError, ValueError), match="8x10"):
        Options(grid=grid)


def test_a_folder_gives_answers_and_errors_in_order(picture, tmp_path) -> None:
    """By name; what fails is an error in its place, and solutions of ours are no inputs."""
    (tmp_path / "b.png").write_bytes(encode(picture))
    (tmp_path / "a.png").write_bytes(b"no picture")
    (tmp_path / "c.png").write_bytes(encode(picture))
    found = list(solve_folder(tmp_path, workers=2))
    assert [path.rsplit("/", 1)[-1] for path, _ in found] == ["a.png", "b.png", "c.png"]
    assert isinstance(found[0][1], ImageUnreadableError)
    assert [answer.solution for _, answer in found[1:]] == [tuple(FIVE_SOLVED.split())] * 2


def test_a_folder_can_be_left_early(picture, tmp_path) -> None:
    """Its workers end with the iterator."""
    for name in "abc":
        (tmp_path / f"{name}.png").write_bytes(encode(picture))
    answers = solve_folder(tmp_path, workers=1)
    assert next(answers)[1].unique
    answers.close()


def test_puzzles_are_solved_and_counted() -> None:
    """As text, or parsed before."""
    solved = solve_puzzle(FIVE)
    assert solved.solution == tuple(FIVE_SOLVED.split())
    assert solved.unique
    assert solve_puzzle(parse_puzzle(FIVE)).solution == solved.solution
    assert count_solutions(FIVE).number == 1
    assert count_solutions(SEVERAL, most=2).number == 2
    assert count_solutions(NONE).number == 0
    assert solve_puzzle(CURLED).outcome.rules == "free"


def test_puzzles_without_an_answer_raise() -> None:
    """No solution, no puzzle, two puzzles, no text."""
    with pytest.raises(UnsolvableError):
        solve_puzzle(NONE)
    for text in ("", "R.R\n..G", '{"a": 1}'):
        with pytest.raises(PuzzleInvalidError):
            parse_puzzle(text)
    with pytest.raises(TypeError, match="text"):
        parse_puzzle(5)
    with pytest.raises(GaveUpError):
        solve_puzzle(generate_puzzle("15x15", seed=1), seconds=1e-6)


def test_generated_puzzles_have_one_solution_and_follow_their_seed() -> None:
    """The same seed, the same puzzle; without one, another each time."""
    made = [generate_puzzle("6x5", colours=4, seed=3) for _ in range(2)]
    assert made[0].puzzle.terminals == made[1].puzzle.terminals
    assert solve_puzzle(made[0]).unique
    assert (len(solve_puzzle(made[0]).grid), len(solve_puzzle(made[0]).grid[0])) == (5, 6)
    assert generate_puzzle(6, seed=1).puzzle.terminals == generate_puzzle("6x6", seed=1).puzzle.terminals
    ends = {str(generate_puzzle("6x6").puzzle.terminals) for _ in range(4)}
    assert len(ends) > 1


def test_a_puzzle_has_the_difficulty_that_was_wanted() -> None:
    """As the solved puzzle says of itself."""
    assert solve_puzzle(generate_puzzle("6x6", seed=2, difficulty="medium")).difficulty.grade == "medium"


def test_a_puzzle_is_drawn_without_its_answer() -> None:
    """The reader reads the same puzzle from the drawing, with no pipe on it."""
    board = read_image(draw_puzzle(FIVE))
    assert board.grid == tuple(FIVE.split())
    assert board.state == "empty"
    assert puzzle_svg(FIVE).startswith("<svg")
    assert str(parse_puzzle(FIVE)).split() == FIVE.split()


def test_debug_page_takes_answers_boards_and_errors(picture) -> None:
    """As they come: nobody need have watched."""
    for final in (solve_image(picture), read_image(picture)):
        assert "<html" in debug_page(final)
    for source in (np.zeros((300, 300, 3), np.uint8), b"no picture"):
        with pytest.raises(FlowvisionError) as caught:
            solve_image(source)
        assert "<html" in debug_page(caught.value)


@pytest.mark.parametrize("name", sorted(set(dir(flowvision)) - {"__version__"}))
def test_every_public_name_is_explained(name: str) -> None:
    """A docstring that is its own."""
    public = getattr(flowvision, name)
    assert inspect.getdoc(public)


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: Options(colors=5), "Did you mean colours?"),
        (lambda: Options(limit=5), "seconds"),
        (lambda: Options(seconds="5"), "seconds is '5': give a number of seconds"),
        (lambda: Options(colours=5.5), "colours is 5.5: give how many"),
        (lambda: Options(crop=(1, 2, 3)), "give x, y, width and height"),
        (lambda: Options(corrections="R"), "SetCell"),
        (lambda: Look(letter=True), "Did you mean letters?"),
        (lambda: solve_image("shot.png", look={"letters": True}), "give Look, such as Look(letters=True)"),
        (lambda: generate_puzzle("5x5", colors=3), "takes no colors; it takes size, colours, "),
        (lambda: solve_folder(["a.png"]), "A folder is its path, not ['a.png']"),
        (lambda: solve_image("shot.png", colors=5), "say solve_image(…, Options(colours=5))"),
        (lambda: Options(corrections=SetCell((0, 0), "R")), "give them in a tuple, such as (SetCell("),
        (lambda: SetBoard(5), "5 is no board; give its text or its rows, such as answer.grid"),
        (lambda: solve_puzzle(FIVE, limit=5), "takes no limit; did you mean seconds?"),
        (lambda: solve_puzzle(FIVE).svg(animated=True), "svg takes no animated; did you mean animate?"),
        (lambda: solve_puzzle(FIVE).save("a.png", to=1), "it takes path, animate, force."),
        (lambda: debug_page("shot.png"), "not 'shot.png': debug_page(solve_image('shot.png'))"),
        (lambda: solve_image(None), "None is no screenshot: give a path"),
        (lambda: flowvision.solve("shot.png"), "solve_image takes pictures"),
    ],
)
def test_a_wrong_name_or_type_is_told_at_once(work, said) -> None:
    """With the right one, before anything is read."""
    with pytest.raises(TypeError, match=re.escape(said)):
        work()


@pytest.mark.parametrize(
    ("name", "instead"), [("paths", ".path"), ("to_json", "to_dict"), ("show", ".image")]
)
def test_what_an_answer_has_in_place_of_what_is_tried(picture, name, instead) -> None:
    """It is named; any other name is refused as usual."""
    answer = solve_image(picture)
    with pytest.raises(AttributeError, match=re.escape(instead)):
        getattr(answer, name)
    assert not hasattr(answer, "nothing")
    with pytest.raises(AttributeError, match=r"'Flow' .* it has \.colour"):
        _ = answer.flows[0].color


@pytest.mark.parametrize("name", ["solution", "save", "picture", "hint"])
def test_a_read_board_says_who_has_the_solution(picture, name) -> None:
    """Nothing was solved for somebody to see."""
    with pytest.raises(AttributeError, match=rf"the answer of solve_image\(…\) has .{name}"):
        getattr(read_image(picture), name)


@pytest.mark.parametrize("options", [Options(grid="4x4"), Options(colours=3)])
def test_an_error_advises_what_python_takes(picture, options) -> None:
    """``hint`` and ``str`` have no option of the command; what they say in its place works as it stands."""
    with pytest.raises(FlowvisionError) as caught:
        solve_image(picture, options)
    error = caught.value
    advice = re.search(r"`(Options\(.*?\))`", error.hint)
    assert advice is not None
    assert str(error) == f"{error.message}\n{error.hint}"
    assert "`--" in error.command_words.hint
    assert solve_image(picture, eval(advice[1])).solution == tuple(FIVE_SOLVED.split())


def test_errors_go_to_other_processes_without_the_picture(picture) -> None:
    """They keep their words and their cause in a few kilobytes."""
    blank = picture.copy()
    blank[...] = 20
    for shot, options in ((picture, Options(grid="4x4")), (blank, Options())):
        with pytest.raises(FlowvisionError) as caught:
            solve_image(shot, options)
        sent = pickle.dumps(caught.value)
        assert len(sent) < 10_000
        assert str(pickle.loads(sent)) == str(caught.value)


def test_a_look_that_cannot_be_drawn_is_refused_at_once(picture) -> None:
    """Flows are numbers; letters are ``True``, or one for each flow, in the picture and as vectors."""
    for wrong in ({"flows": ["R"]}, {"flows": {"R": "#ff00ff"}}):
        with pytest.raises(TypeError, match=r"Look\(flows=\{0, 2\}\)"):
            Look(**wrong)
    for letters in ("12345", {"R": "1"}, ["1"]):
        with pytest.raises(TypeError, match="a tuple with one for each flow"):
            Look(letters=letters)
    with pytest.raises(ValueError, match="2 letters were given; the board has 5 flows"):
        solve_image(picture, look=Look(letters=("1", "2")))
    svg = solve_image(picture, look=Look(letters=tuple("12345"))).svg()
    assert all(f">{letter}</text>" in svg for letter in "12345")


def test_rows_and_boards_are_taken_as_the_library_has_them(picture) -> None:
    """A board's own rows make a puzzle, and a whole board is corrected by its text, rows or puzzle."""
    answer = solve_image(picture)
    assert solve_puzzle(answer.grid).solution == answer.solution
    for board in (FIVE, FIVE.split(), answer.grid, parse_puzzle(FIVE)):
        corrected = solve_image(
            screenshot_of(FIVE.replace("..B.O", "..B..")), Options(corrections=(SetBoard(board),))
        )
        assert corrected.solution == answer.solution
    for name in ("solve_picture", "solve_screenshot"):
        with pytest.raises(AttributeError, match="it has solve_image"):
            getattr(flowvision, name)


def test_a_puzzle_in_a_file(tmp_path, monkeypatch) -> None:
    """By its path or its name; a name that leads nowhere, and a picture, are told as that."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "level.txt"
    place.write_text(FIVE)
    (tmp_path / "noname").write_text(FIVE)
    (tmp_path / "shot.png").write_bytes(encode(screenshot_of(FIVE)))
    for given in (place, "level.txt", "noname", str(place)):
        assert solve_puzzle(given).solution == tuple(FIVE_SOLVED.split())
        assert count_solutions(given).number == 1
    assert draw_puzzle(place).size == draw_puzzle(FIVE).size
    for gone in ("levle.txt", "shot.jpg", tmp_path / "gone"):
        with pytest.raises(PuzzleInvalidError, match=r"No such file.*\nGive the text of a puzzle"):
            solve_puzzle(gone)
    with pytest.raises(PuzzleInvalidError, match=r"holds no text(.*\n)*.*`solve_image\('shot.png'\)`"):
        count_solutions("shot.png")
    for text in ("Hello, world!", "hello there\nand goodbye\n", "\0\1"):
        place.write_text(text)
        with pytest.raises(PuzzleInvalidError, match=r"holds no (puzzle|text)") as told:
            solve_puzzle("level.txt")
        assert "none named" not in str(told.value)
    with pytest.raises(PuzzleInvalidError, match="there is none named elsewhere"):
        count_solutions("elsewhere")


def test_a_folder_that_is_none_is_told_at_once(tmp_path) -> None:
    """Before anything is asked of the iterator."""
    with pytest.raises(ImageUnreadableError, match="No such folder"):
        solve_folder(tmp_path / "gone")
    (tmp_path / "shot.png").write_bytes(b"")
    with pytest.raises(ImageUnreadableError, match=r"no folder[^~]*solve_image"):
        solve_folder(str(tmp_path / "shot.png"))


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_is_no_option(seconds) -> None:
    """The error has the value, and what to give."""
    with pytest.raises(ValueError, match=rf"seconds is {seconds:g}: give a number above 0"):
        Options(seconds=seconds)


def test_cells_are_counted_from_0_in_errors_of_the_library(picture) -> None:
    """As they are given; what the command says counts from 1."""
    for change, said in (
        (SetCell((9, 8), "R"), "There is no cell (9, 8): the board has 5 rows and 5 columns, counted from 0"),
    ):
        with pytest.raises(PuzzleInvalidError) as caught:
            solve_image(picture, Options(corrections=(change,)))
        assert said in caught.value.message
        assert "(" not in caught.value.command_words.message


def test_channels_that_come_first_are_told() -> None:
    """With what puts them last."""
    with pytest.raises(ImageUnreadableError, match=r"\(3, 90, 80\)[^~]*transpose\(1, 2, 0\)"):
        solve_image(np.zeros((3, 90, 80), np.uint8))


def test_what_there_is_in_place_of_what_people_ask_for(picture, tmp_path) -> None:
    """Of hints, errors and pages too; a page is saved as an answer is."""
    answer = solve_image(picture)
    hint = answer.hint()
    with pytest.raises(AttributeError, match=r"it has \.image, with \.save\(path\)"):
        _ = hint.save
    with pytest.raises(AttributeError, match=r"it has \.why"):
        _ = hint.reasons
    assert hint.image.size == answer.image.size
    with pytest.raises(FlowvisionError) as caught:
        solve_image(np.zeros((90, 80, 3), np.uint8))
    with pytest.raises(AttributeError, match=r"debug_page\(error\)"):
        _ = caught.value.page
    assert not hasattr(caught.value, "nonsense")
    page, place = debug_page(caught.value), tmp_path / "why.html"
    page.save(place)
    page.save(place)
    assert place.read_text() == page
    place.write_text("mine")
    with pytest.raises(OutputError, match="there already"):
        page.save(place)
    page.save(place, force=True)
    assert place.read_text() == page


def test_numbers_and_puzzles_of_the_wrong_kind_are_named(picture) -> None:
    """And what to give instead."""
    with pytest.raises(TypeError, match="colours is a whole number, not 'hard'"):
        generate_puzzle("8x8", "hard")
    with pytest.raises(TypeError, match="seed is a whole number"):
        generate_puzzle("8x8", seed="x")
    answer = solve_image(picture)
    with pytest.raises(TypeError, match=r"answer\.text"):
        count_solutions(answer)
    assert count_solutions(answer.text).number == 1
    assert str(answer.hint(2)) == str(answer.hint("2"))


def run_unguarded(folder, workers: int) -> subprocess.CompletedProcess[str]:
    """Run a script that solves a folder, without a guard."""
    script = folder / "script.py"
    script.write_text(
        "from flowvision import solve_folder\n"
        f"answers = dict(solve_folder({str(folder)!r}, workers={workers}))\n"
        "print(*[answer.unique for answer in answers.values()])\n"
    )
    return subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)


def test_a_script_without_a_guard_gets_one_error(picture, tmp_path) -> None:
    """It names the guard, and blames nothing else; with one worker there is no process, and no error."""
    (tmp_path / "a.png").write_bytes(encode(picture))
    done = run_unguarded(tmp_path, 2)
    assert done.returncode == 1
    assert done.stderr.count("Error") == 1
    assert "__main__" in done.stderr
    done = run_unguarded(tmp_path, 1)
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize("workers", [-1, 0, 1.5, True, "2"])
def test_a_folder_needs_a_number_of_workers(tmp_path, workers) -> None:
    """Others are errors that name the argument, and nothing waits."""
    with pytest.raises(ValueError, match="workers"):
        solve_folder(tmp_path, workers=workers)


def test_a_script_on_standard_input_is_told_that_workers_cannot_import_it(tmp_path) -> None:
    """Before any picture is said to have failed."""
    script = "import flowvision\nlist(flowvision.solve_folder('.', workers=2))\n"
    command = [sys.executable, "-"]
    done = subprocess.run(command, input=script, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "save it in a file" in done.stderr
