import subprocess
import sys
from io import BytesIO, StringIO

import numpy as np
import pytest
from PIL import Image

from flowvision import (
    FlowvisionError,
    Options,
    debug_page,
    generate_puzzle,
    parse_puzzle,
    solve_folder,
    solve_image,
)
from flowvision.api import OptionFields
from flowvision.errors import (
    GaveUpError,
    ImageUnreadableError,
    OutputError,
    PuzzleInvalidError,
    UnsolvableError,
)
from flowvision.image.codec import encode
from flowvision.words import COMMAND
from flowvision.workers import pool
from tests.drawing import CURLED, FIVE, FIVE_SOLVED, NONE, SEVERAL, screenshot_of

SOLVED = tuple(FIVE_SOLVED.split())


@pytest.fixture(scope="module")
def picture():
    return screenshot_of(FIVE)


def test_every_kind_of_source_is_answered_alike(picture, tmp_path) -> None:
    data, path = encode(picture), tmp_path / "shot.png"
    path.write_bytes(data)
    rgb = np.ascontiguousarray(picture[..., ::-1])
    with path.open("rb") as file:
        answers = [solve_image(file)]
    answers += [solve_image(source) for source in (str(path), path, data, BytesIO(data), picture)]
    answers += [solve_image(Image.fromarray(rgb)), solve_image(rgb, rgb=True)]
    for answer in answers:
        assert answer.solution == SOLVED
        assert answer.flows[0].rgb == answers[0].flows[0].rgb


@pytest.mark.parametrize("source", [StringIO("text"), 5, None, object()])
def test_other_sources_are_named(source: object) -> None:
    with pytest.raises(TypeError, match=r"text|screenshot"):
        solve_image(source)


@pytest.mark.parametrize("source", ["shot.png", b"", np.zeros((4, 4), np.uint8)])
def test_rgb_goes_with_pixels_alone(source: object) -> None:
    with pytest.raises(TypeError, match="rgb=True"):
        solve_image(source, rgb=True)


def test_options_are_keywords_too(picture) -> None:
    assert solve_image(picture, grid="5x5", seconds=20).options == Options(grid="5x5", seconds=20)
    both = solve_image(picture, Options(colours=5, seconds=3), seconds=20)
    assert both.options == Options(colours=5, seconds=20)
    with pytest.raises(TypeError, match="colors"):
        solve_image("missing.png", colors=6)
    kinds = {name: kind.removeprefix("CropBox | ") for name, kind in Options.__annotations__.items()}
    assert kinds == {name: kind.__forward_arg__ for name, kind in OptionFields.__annotations__.items()}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_folder_gives_answers_in_order(picture, tmp_path, monkeypatch, workers: int) -> None:
    (tmp_path / "b.png").write_bytes(encode(picture))
    (tmp_path / "a.png").write_bytes(b"no picture")
    (tmp_path / "c.png").write_bytes(encode(picture))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "d.png").write_bytes(b"no picture")
    if workers == 1:
        monkeypatch.setattr(pool, "start_worker", None)
    found = list(solve_folder(tmp_path, workers=workers, grid="5x5"))
    assert [path.rsplit("/", 1)[-1] for path, _ in found] == ["a.png", "b.png", "c.png"]
    assert isinstance(found[0][1].error, ImageUnreadableError)
    assert [answer.solution for _, answer in found[1:]] == [SOLVED] * 2
    assert found[1][1].options.grid == "5x5"


def test_a_folder_can_be_left_early(picture, tmp_path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.png").write_bytes(encode(picture))
    answers = solve_folder(tmp_path, workers=2)
    assert next(answers)[1].unique
    answers.close()


def test_a_folder_that_is_none_is_refused_at_once(tmp_path) -> None:
    with pytest.raises(ImageUnreadableError, match="No such folder"):
        solve_folder(tmp_path / "gone")
    (tmp_path / "shot.png").write_bytes(b"")
    with pytest.raises(ImageUnreadableError, match=r"No such folder[^~]*solve_image"):
        solve_folder(str(tmp_path / "shot.png"))
    with pytest.raises(ValueError, match="workers is -1"):
        solve_folder(tmp_path, workers=-1)


def test_puzzles_are_solved_and_counted() -> None:
    solved = parse_puzzle(FIVE).solve()
    assert solved.solution == parse_puzzle(FIVE.split()).solve().solution == SOLVED
    assert solved.unique
    assert (solved.confidence, solved.warnings, solved.state) == (1.0, (), "empty")
    assert [parse_puzzle(text).count(at_most=2).number for text in (FIVE, SEVERAL, NONE)] == [1, 2, 0]
    assert parse_puzzle(CURLED).solve().outcome.rules == "free"
    assert solved.to_dict()["unique"] is True


def test_puzzles_without_an_answer_raise() -> None:
    with pytest.raises(UnsolvableError):
        parse_puzzle(NONE).solve()
    for text in ("", "R.R\n..G", '{"a": 1}', "Hello, world!", "hello there\nand goodbye\n"):
        with pytest.raises(PuzzleInvalidError):
            parse_puzzle(text)
    with pytest.raises(GaveUpError):
        generate_puzzle("15x15", seed=1).solve(seconds=1e-6)


def test_generated_puzzles_have_one_solution_and_follow_their_seed() -> None:
    made = [generate_puzzle("6x5", colours=4, seed=3) for _ in range(2)]
    assert made[0].grid == made[1].grid
    assert made[0].solve().unique
    assert made[0].size == (6, 5)
    assert generate_puzzle(6, seed=1).grid == generate_puzzle("6x6", seed=1).grid
    assert len({str(generate_puzzle("6x6")) for _ in range(4)}) > 1
    assert generate_puzzle("6x6", seed=2, difficulty="medium").solve().difficulty.grade == "medium"


@pytest.mark.parametrize(("name", "value"), [("colours", -3), ("seed", -1), ("holes", -1), ("warps", -2)])
def test_numbers_below_zero_are_refused(name: str, value: int) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        generate_puzzle("8x8", **{name: value})


def test_a_puzzle_is_drawn_without_its_answer() -> None:
    puzzle = parse_puzzle(FIVE)
    for drawn in (puzzle.image, puzzle.to_bytes("png"), puzzle._repr_png_()):
        answer = solve_image(drawn)
        assert answer.grid == puzzle.grid == tuple(FIVE.split())
        assert answer.state == "empty"
    assert puzzle.to_bytes("svg").startswith(b"<svg")
    assert puzzle.to_bytes("pdf").startswith(b"%PDF")
    with pytest.raises(OutputError, match="not animated"):
        puzzle.to_bytes("gif")


def test_a_puzzle_in_a_file(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "level.txt"
    place.write_text(FIVE)
    (tmp_path / "noname").write_text(FIVE)
    (tmp_path / "shot.png").write_bytes(encode(screenshot_of(FIVE)))
    for given in (place, "level.txt", "noname", str(place)):
        assert parse_puzzle(given).grid == tuple(FIVE.split())
    for gone in ("levle.txt", "shot.jpg", tmp_path / "gone"):
        with pytest.raises(ImageUnreadableError, match="No such file"):
            parse_puzzle(gone)
    with pytest.raises(PuzzleInvalidError, match=r"holds no text(.*\n)*.*`solve_image\('shot.png'\)`"):
        parse_puzzle("shot.png")


def test_debug_page_takes_answers_and_errors(picture, tmp_path) -> None:
    assert "<html" in debug_page(solve_image(picture))
    for source in (np.zeros((300, 300, 3), np.uint8), b"no picture"):
        with pytest.raises(FlowvisionError) as caught:
            solve_image(source)
        page, place = debug_page(caught.value), tmp_path / "why.html"
        page.save(place, force=True)
        page.save(place)
        assert place.read_text() == page
        place.write_text("mine")
        with pytest.raises(OutputError, match="exists already"):
            page.save(place)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"grid": "4x4"}, "Without `grid` it is read: 5 rows and 5 columns"),
        ({"colours": 3}, "Without `colours` it is read"),
    ],
)
def test_an_error_advises_what_python_takes(picture, wrong, words) -> None:
    with pytest.raises(FlowvisionError, match=words) as caught:
        solve_image(picture, **wrong)
    error = caught.value
    assert str(error) == f"{error.message}\n{error.hint}"
    assert "`--" in error.words(COMMAND)[1]


def test_channels_that_come_first_are_refused() -> None:
    with pytest.raises(ImageUnreadableError, match=r"\(3, 90, 80\)[^~]*they come last"):
        solve_image(np.zeros((3, 90, 80), np.uint8))


def test_a_script_that_workers_cannot_import_is_refused(picture, tmp_path) -> None:
    (tmp_path / "a.png").write_bytes(encode(picture))
    script = tmp_path / "script.py"
    script.write_text(
        "from flowvision import solve_folder\n"
        f"for path, answer in solve_folder({str(tmp_path)!r}, workers=2): print(answer.unique)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "if __name__ == '__main__':" in done.stderr
    assert "CrashedError: No process was started" in done.stderr
