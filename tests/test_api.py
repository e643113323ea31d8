import pickle
import subprocess
import sys
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from flowvision import (
    FlowvisionError,
    Options,
    debug_page,
    errors,
    generate_puzzle,
    parse_puzzle,
    solve_folder,
    solve_image,
)
from flowvision import workers as pool_module
from flowvision.api import OptionFields
from flowvision.image.codec import encode
from flowvision.words import COMMAND
from tests.commands import write_shots
from tests.drawing import LEVEL_5X5, LEVEL_5X5_SOLVED, SEVERAL, TOUCHING, UNSOLVABLE, screenshot_of

SOLVED = tuple(LEVEL_5X5_SOLVED.split())
PICTURE = screenshot_of(LEVEL_5X5)
SHOT = encode(PICTURE)


def test_solve_image_answers_every_kind_of_source_alike(shot: Path) -> None:
    rgb = np.ascontiguousarray(PICTURE[..., ::-1])
    with shot.open("rb") as file:
        of_file = solve_image(file)
    sources = (str(shot), shot, SHOT, BytesIO(SHOT), PICTURE, Image.fromarray(rgb))
    for answer in (of_file, *map(solve_image, sources), solve_image(rgb, rgb=True)):
        assert answer.solution == SOLVED
        assert answer.flows[0].rgb == of_file.flows[0].rgb


@pytest.mark.parametrize(
    ("source", "rgb", "words"),
    [(source, False, "text|screenshot") for source in (StringIO("text"), 5, None, object())]
    + [(source, True, "rgb=True") for source in ("shot.png", b"", np.zeros((4, 4), np.uint8))],
)
def test_solve_image_names_what_is_no_source(source: Any, rgb: bool, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        solve_image(source, rgb=rgb)


def test_channels_come_last() -> None:
    with pytest.raises(errors.ImageUnreadableError, match=r"(?s)\(3, 90, 80\).*they come last"):
        solve_image(np.zeros((3, 90, 80), np.uint8))


ANSWER = solve_image(PICTURE)
FIELDS = tuple(Options.__annotations__)


@pytest.mark.parametrize(
    ("call", "known"),
    [
        (partial(solve_image, PICTURE), FIELDS),
        (partial(solve_folder, "."), FIELDS),
        (Options, FIELDS),
        (ANSWER._again, FIELDS),
        (generate_puzzle, ("size", "colours", "seed", "difficulty", "tiling")),
        (parse_puzzle(LEVEL_5X5).solve, ("seconds", "look")),
        (parse_puzzle(LEVEL_5X5).count, ("at_most", "seconds")),
    ],
)
@pytest.mark.parametrize(("typed", "near"), [("colors", "colours"), ("second", "seconds"), ("zoom", None)])
def test_an_unknown_keyword_lists_what_there_is(call: Any, known: tuple[str, ...], typed, near) -> None:
    with pytest.raises(TypeError, match=f"no argument '{typed}'") as raised:
        call(**{typed: 5})
    assert ", ".join(known) in str(raised.value).partition(" There are ")[2]
    assert ("It may be called" in str(raised.value)) == (near in known)


def test_the_size_of_an_answer_is_a_grid() -> None:
    wide = solve_image(screenshot_of(".BGBY\n.....\n.G...\n...Y.\n"))
    assert solve_image(wide.shot.bgr, grid=wide.size).size == wide.size == (5, 4)
    assert generate_puzzle(wide.size, seed=1).size == wide.size


@pytest.mark.parametrize("call", [solve_image, solve_folder, parse_puzzle])
def test_what_is_missing_is_a_file_not_found(call: Any, tmp_path: Path) -> None:
    gone = tmp_path / "gone.png"
    with pytest.raises(FileNotFoundError) as raised:
        call(gone)
    assert (raised.value.filename, raised.value.code) == (str(gone), "image-unreadable")
    of_another_process = pickle.loads(pickle.dumps(raised.value))
    assert type(of_another_process) is errors.MissingFileError
    assert str(of_another_process) == str(raised.value)


def test_saving_advises_what_python_takes(shot: Path) -> None:
    with pytest.raises(errors.OutputError, match=r"`path`") as raised:
        solve_image(shot).save(shot)
    assert "`-o`" not in str(raised.value)


def test_options_are_keywords_too() -> None:
    answer = solve_image(PICTURE, Options(colours=5, seconds=3), seconds=20, grid="5x5")
    assert answer.options == Options(colours=5, grid="5x5", seconds=20)
    # Types are compared as text; ``Options`` also holds a crop that Flowvision made.
    of_options = {name: kind.removeprefix("CropBox | ") for name, kind in Options.__annotations__.items()}
    of_keywords = {name: kind.__forward_arg__ for name, kind in OptionFields.__annotations__.items()}
    assert of_options == of_keywords


@pytest.mark.parametrize("workers", [1, 2])
def test_solve_folder_yields_answers_in_order(tmp_path, monkeypatch, workers: int) -> None:
    write_shots(tmp_path, b=SHOT, a=b"no picture", c=SHOT)
    write_shots(tmp_path / "below", d=b"no picture")
    if workers == 1:
        monkeypatch.setattr(pool_module, "start_worker", None)
    answers = {
        Path(path).stem: answer for path, answer in solve_folder(tmp_path, workers=workers, grid="5x5")
    }
    assert list(answers) == ["a", "b", "c"]
    assert isinstance(answers["a"].error, errors.ImageUnreadableError)
    assert answers["b"].solution == answers["c"].solution == SOLVED
    assert answers["b"].options.grid == "5x5"


@pytest.mark.parametrize("workers", [1, 2])
def test_solve_folder_may_be_left_early(tmp_path: Path, workers: int) -> None:
    answers = solve_folder(write_shots(tmp_path, a=b"no picture", b=SHOT), workers=workers)
    assert next(answers)[1].error
    answers.close()


def test_solve_folder_refuses_what_is_no_folder_at_once(shot: Path) -> None:
    for place in (shot.parent / "gone", str(shot)):
        with pytest.raises(errors.ImageUnreadableError, match=r"No such folder[^~]*solve_image"):
            solve_folder(place)


def test_a_script_that_workers_cannot_import_gets_advice(shot: Path) -> None:
    script = shot.with_name("script.py")
    script.write_text(
        "from flowvision import solve_folder\n"
        f"for path, answer in solve_folder({str(shot.parent)!r}, workers=2): print(answer.unique)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.splitlines()[-1].count('if __name__ == "__main__":') == 1
    assert "bug" not in done.stderr


def test_a_puzzle_is_solved() -> None:
    solved = parse_puzzle(LEVEL_5X5).solve()
    assert solved.solution == parse_puzzle(LEVEL_5X5.split()).solve().solution == SOLVED
    assert solved.unique
    assert solved.to_dict()["unique"] is True
    assert (solved.confidence, solved.warnings, solved.state) == (1.0, (), "empty")
    assert parse_puzzle(TOUCHING).solve().outcome.rules == "free"
    with pytest.raises(errors.UnsolvableError):
        parse_puzzle(UNSOLVABLE).solve()


@pytest.mark.parametrize(("text", "solutions"), [(LEVEL_5X5, 1), (SEVERAL, 2), (UNSOLVABLE, 0)])
def test_solutions_are_counted_up_to_a_number(text: str, solutions: int) -> None:
    assert parse_puzzle(text).count(at_most=2).number == solutions


def test_generate_puzzle_follows_its_seed() -> None:
    puzzle = generate_puzzle("6x5", colours=4, seed=3)
    assert (puzzle.size, puzzle.solve().unique) == ((6, 5), True)
    assert generate_puzzle("6x5", colours=4, seed=3).grid == puzzle.grid
    assert generate_puzzle(6, seed=1).grid == generate_puzzle("6x6", seed=1).grid
    assert len({str(generate_puzzle("6x6")) for _ in range(4)}) > 1
    assert generate_puzzle("6x6", seed=2, difficulty="medium").solve().difficulty.grade == "medium"


def test_the_time_of_a_puzzle_is_limited() -> None:
    with pytest.raises(errors.GaveUpError):
        generate_puzzle("15x15", seed=1).solve(seconds=1e-6)


def test_a_puzzle_is_drawn_without_its_answer() -> None:
    puzzle = parse_puzzle(LEVEL_5X5)
    for picture in (puzzle.image, puzzle.to_bytes("png"), puzzle._repr_png_()):
        answer = solve_image(picture)
        assert answer.grid == puzzle.grid == tuple(LEVEL_5X5.split())
        assert answer.state == "empty"
    assert puzzle.to_bytes("svg").startswith(b"<svg")
    with pytest.raises(errors.OutputError, match="not animated"):
        puzzle.to_bytes("gif")


def test_parse_puzzle_reads_a_file(cwd: Path) -> None:
    for name in ("level.txt", "noname"):
        (cwd / name).write_text(LEVEL_5X5)
    for file in (cwd / "level.txt", "level.txt", "noname", str(cwd / "level.txt")):
        assert parse_puzzle(file).grid == tuple(LEVEL_5X5.split())


def test_parse_puzzle_names_a_missing_file_and_a_picture(cwd: Path) -> None:
    for gone in ("levle.txt", "shot.jpg", cwd / "gone"):
        with pytest.raises(errors.ImageUnreadableError, match="No such file"):
            parse_puzzle(gone)
    with pytest.raises(errors.PuzzleInvalidError, match=r"holds no text(.*\n)*.*`solve_image\('shot.png'\)`"):
        parse_puzzle("shot.png")


@pytest.mark.parametrize("source", [np.zeros((300, 300, 3), np.uint8), b"no picture"])
def test_a_debug_page_is_not_saved_over_a_file_of_the_user(source: Any, tmp_path: Path) -> None:
    with pytest.raises(FlowvisionError) as raised:
        solve_image(source)
    page, place = debug_page(raised.value), tmp_path / "why.html"
    place.write_text("mine")
    with pytest.raises(errors.OutputError, match="exists already"):
        page.save(place)
    page.save(place, force=True)
    page.save(place)
    assert place.read_text() == page


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"grid": "4x4"}, "Without `grid` it is read: 5 rows and 5 columns"),
        ({"colours": 3}, "Without `colours` it is read"),
    ],
)
def test_an_error_advises_what_python_takes(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(FlowvisionError, match=words) as raised:
        solve_image(PICTURE, **wrong)
    assert str(raised.value) == f"{raised.value.message}\n{raised.value.hint}"
    assert "`--" in raised.value.words(COMMAND)[1]
