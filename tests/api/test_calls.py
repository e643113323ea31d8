"""What the library takes, does and refuses."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, StringIO

import numpy as np
import pytest
from PIL import Image

from flowvision import (
    Answer,
    FlowvisionError,
    Look,
    Options,
    ReadBoard,
    SetBoard,
    SetCell,
    count_solutions,
    debug_page,
    generate_puzzle,
    parse_puzzle,
    read_image,
    solve_folder,
    solve_image,
    solve_puzzle,
)
from flowvision.advice import COMMAND
from flowvision.api.calls import OptionFields
from flowvision.errors import (
    GaveUpError,
    ImageUnreadableError,
    OutputError,
    PuzzleInvalidError,
    UnsolvableError,
)
from flowvision.image.codec import encode
from flowvision.workers import pool
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


@pytest.mark.parametrize("call", [solve_image, read_image])
def test_options_are_keywords_too(picture, call: Callable[..., ReadBoard]) -> None:
    """Alone, and in place of those of ``Options``; a wrong name is told at once."""
    assert call(picture, grid="5x5", seconds=20).options == Options(grid="5x5", seconds=20)
    both = call(picture, Options(colours=5, seconds=3), seconds=20)
    assert both.options == Options(colours=5, seconds=20)
    with pytest.raises(FlowvisionError):
        call(picture, grid="4x4")
    with pytest.raises(TypeError, match="colors"):
        call("missing.png", colors=6)


def test_every_option_is_a_keyword() -> None:
    """Of the same type."""
    kinds = {name: kind.removeprefix("CropBox | ") for name, kind in Options.__annotations__.items()}
    assert kinds == {name: kind.__forward_arg__ for name, kind in OptionFields.__annotations__.items()}


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
    answers = solve_folder(tmp_path, workers=2)
    assert next(answers)[1].unique
    answers.close()


def test_one_worker_is_this_process(picture, tmp_path, monkeypatch) -> None:
    """No other process is started, and a script needs no guard."""
    (tmp_path / "a.png").write_bytes(encode(picture))
    (tmp_path / "b.png").write_bytes(b"no picture")
    monkeypatch.setattr(pool, "start_worker", None)
    (_, solved), (_, refused) = solve_folder(tmp_path, workers=1, grid="5x5")
    assert isinstance(solved, Answer)
    assert solved.options.grid == "5x5"
    assert isinstance(refused, ImageUnreadableError)


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2"])
def test_a_number_of_workers_is_refused_by_name(tmp_path, workers) -> None:
    """At once: none of them would ever answer."""
    with pytest.raises((TypeError, ValueError), match="workers is"):
        solve_folder(tmp_path, workers=workers)


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
    assert made[0].grid == made[1].grid
    assert solve_puzzle(made[0]).unique
    assert made[0].solution == solve_puzzle(made[0]).solution
    assert made[0].size == (6, 5)
    assert generate_puzzle(6, seed=1).grid == generate_puzzle("6x6", seed=1).grid
    assert len({str(generate_puzzle("6x6")) for _ in range(4)}) > 1


def test_a_puzzle_has_the_difficulty_that_was_wanted() -> None:
    """As the solved puzzle says of itself."""
    assert solve_puzzle(generate_puzzle("6x6", seed=2, difficulty="medium")).difficulty.grade == "medium"


def test_a_puzzle_is_drawn_without_its_answer() -> None:
    """The reader reads the same puzzle from the drawing, with no pipe on it."""
    puzzle = parse_puzzle(FIVE)
    for drawn in (puzzle.image, puzzle.to_bytes("png"), puzzle._repr_png_()):
        board = read_image(drawn)
        assert board.grid == puzzle.grid == tuple(FIVE.split())
        assert board.state == "empty"
    assert puzzle.svg().startswith("<svg")
    assert puzzle.to_bytes("pdf").startswith(b"%PDF")
    assert str(puzzle).split() == FIVE.split()
    with pytest.raises(OutputError, match="not animated"):
        puzzle.to_bytes("gif")


def test_debug_page_takes_answers_boards_and_errors(picture) -> None:
    """As they come: nobody need have watched."""
    for final in (solve_image(picture), read_image(picture)):
        assert "<html" in debug_page(final)
    for source in (np.zeros((300, 300, 3), np.uint8), b"no picture"):
        with pytest.raises(FlowvisionError) as caught:
            solve_image(source)
        assert "<html" in debug_page(caught.value)


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: solve_image("shot.png", look={"letters": True}), "give Look, such as Look(letters=True)"),
        (lambda: solve_folder(["a.png"]), "A folder is its path, not ['a.png']"),
        (lambda: Options(corrections=SetCell((0, 0), "R")), "give them in a tuple, such as (SetCell("),
        (lambda: SetBoard(5), "5 is no board; give its text or its rows, such as answer.grid"),
        (lambda: debug_page("shot.png"), "not 'shot.png': debug_page(solve_image('shot.png'))"),
        (lambda: solve_image(None), "None is no screenshot: give a path"),
    ],
)
def test_a_wrong_name_or_type_is_told_at_once(work, said) -> None:
    """With the right one, before anything is read."""
    with pytest.raises(TypeError, match=re.escape(said)):
        work()


@pytest.mark.parametrize("options", [Options(grid="4x4"), Options(colours=3)])
def test_an_error_advises_what_python_takes(picture, options) -> None:
    """``hint`` and ``str`` have no option of the command; what they say in its place works as it stands."""
    with pytest.raises(FlowvisionError) as caught:
        solve_image(picture, options)
    error = caught.value
    advice = re.search(r"`(\w+=.*?)`", error.hint)
    assert advice is not None
    assert str(error) == f"{error.message}\n{error.hint}"
    assert "`--" in error.words(COMMAND)[1]
    assert solve_image(picture, **eval(f"dict({advice[1]})")).solution == tuple(FIVE_SOLVED.split())


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
    assert parse_puzzle(place).grid == parse_puzzle(FIVE).grid
    for gone in ("levle.txt", "shot.jpg", tmp_path / "gone"):
        with pytest.raises(PuzzleInvalidError, match=r"No such file.*\nGive the text of a puzzle"):
            solve_puzzle(gone)
    with pytest.raises(PuzzleInvalidError, match=r"holds no text(.*\n)*.*`solve_image\('shot.png'\)`"):
        count_solutions("shot.png")
    for text in ("Hello, world!", "hello there\nand goodbye\n", "\0\1"):
        place.write_text(text)
        with pytest.raises(PuzzleInvalidError, match=r"holds no (puzzle|text)"):
            solve_puzzle("level.txt")
    with pytest.raises(PuzzleInvalidError):
        count_solutions("elsewhere")


def test_a_folder_that_is_none_is_told_at_once(tmp_path) -> None:
    """Before anything is asked of the iterator."""
    with pytest.raises(ImageUnreadableError, match="No such folder"):
        solve_folder(tmp_path / "gone")
    (tmp_path / "shot.png").write_bytes(b"")
    with pytest.raises(ImageUnreadableError, match=r"no folder[^~]*solve_image"):
        solve_folder(str(tmp_path / "shot.png"))


def test_cells_are_counted_from_0_in_errors_of_the_library(picture) -> None:
    """As they are given; what the command says counts from 1."""
    with pytest.raises(PuzzleInvalidError) as caught:
        solve_image(picture, corrections=[SetCell((9, 8), "R")])
    assert "no cell (9, 8)" in caught.value.message
    assert "row 10, column 9" in caught.value.words(COMMAND)[0]


def test_channels_that_come_first_are_told() -> None:
    """With what puts them last."""
    with pytest.raises(ImageUnreadableError, match=r"\(3, 90, 80\)[^~]*transpose\(1, 2, 0\)"):
        solve_image(np.zeros((3, 90, 80), np.uint8))


def test_a_page_is_saved_as_an_answer_is(tmp_path) -> None:
    """Never over a file of somebody else."""
    with pytest.raises(FlowvisionError) as caught:
        solve_image(np.zeros((90, 80, 3), np.uint8))
    page, place = debug_page(caught.value), tmp_path / "why.html"
    page.save(place)
    page.save(place)
    assert place.read_text() == page
    place.write_text("mine")
    with pytest.raises(OutputError, match="there already"):
        page.save(place)
    page.save(place, force=True)
    assert place.read_text() == page


@pytest.mark.parametrize(
    ("name", "value"),
    [("colours", "hard"), ("colours", -3), ("seed", "x"), ("holes", -1), ("walls", 1.5), ("warps", -2)],
)
def test_numbers_of_a_puzzle_to_make_are_refused_by_name(name: str, value: object) -> None:
    """And by value, before anything is made."""
    with pytest.raises((TypeError, ValueError), match=f"^{name} is {value!r}: give"):
        generate_puzzle("8x8", **{name: value})


def test_any_board_is_a_puzzle(picture) -> None:
    """One that was read, solved, parsed or made."""
    answer = solve_image(picture)
    for board in (
        answer,
        read_image(picture),
        parse_puzzle(FIVE),
        solve_puzzle(FIVE),
        answer.text,
        answer.grid,
    ):
        assert count_solutions(board).number == 1
    assert str(answer.hint(2)) == str(answer.hint("2"))


def test_a_script_without_a_guard_is_told(picture, tmp_path) -> None:
    """In one error, whose last line says what to write."""
    (tmp_path / "a.png").write_bytes(encode(picture))
    script = tmp_path / "script.py"
    script.write_text(
        "from flowvision import solve_folder\n"
        f"for path, answer in solve_folder({str(tmp_path)!r}, workers=2): print(answer.unique)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert "__main__" in done.stderr.splitlines()[-1]
    assert "fault of Flowvision" not in done.stderr


def test_a_script_on_standard_input_is_told_that_workers_cannot_import_it(tmp_path) -> None:
    """Before any picture is said to have failed."""
    script = "import flowvision\nlist(flowvision.solve_folder('.', workers=2))\n"
    command = [sys.executable, "-"]
    done = subprocess.run(command, input=script, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "save it in a file" in done.stderr
