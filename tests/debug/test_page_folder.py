"""The debug folder."""

from pathlib import Path

import numpy as np
import pytest

from flowvision.advice import Change, Option, Without
from flowvision.debug.canvas import MARGIN
from flowvision.debug.page import PICTURES, command_of, story_of, write_story
from flowvision.errors import OutputError
from flowvision.export.answer import answer_to
from flowvision.image.codec import decode
from flowvision.image.picture import Bgr, Screenshot
from flowvision.reading.options import Options
from tests.commands import ROOT
from tests.drawing import FIVE, NONE, rings, screenshot_of


def written(bgr: Bgr, folder: Path) -> set[str]:
    write_story(folder, story_of(answer_to(bgr)))
    return {path.name for path in folder.iterdir()}


LINES = ("02-sobel-x", "02b-sobel-y")
PLAIN = [name for name in PICTURES if name not in ("00b-cause", "05b-crossings")]
"""The pictures of a board without bridges and warps."""


def test_a_solved_board_has_a_picture_of_every_stage(tmp_path: Path) -> None:
    names = written(screenshot_of(FIVE), tmp_path / "debug")
    assert names == {"index.html", *(f"{name}.png" for name in PLAIN)}
    for name in PLAIN:
        bgr = decode((tmp_path / "debug" / f"{name}.png").read_bytes()).bgr
        assert max(bgr.shape) >= 500
        assert bgr.std() > 5


def test_a_board_without_lines_has_its_circles_drawn(tmp_path: Path) -> None:
    """Every picture but that of the lines, of which there are none."""
    names = written(rings(FIVE), tmp_path)
    assert names == {*(f"{name}.png" for name in PLAIN if name not in LINES), "index.html"}


@pytest.mark.parametrize(
    ("bgr", "last", "words"),
    [
        (np.zeros((200, 150, 3), np.uint8), "01-board", "board-not-found"),
        (screenshot_of(".....\n.....\n.....\n"), "04-dots", "no-dots"),
        (screenshot_of(FIVE.replace("R", ".", 1)), "04-dots", "odd-dots"),
        (screenshot_of(NONE), "07-solution", "unsolvable"),
    ],
)
def test_the_stage_that_failed_has_its_picture(tmp_path: Path, bgr: Bgr, last: str, words: str) -> None:
    names = written(bgr, tmp_path)
    assert max(name for name in names if name.endswith(".png")) == f"{last}.png"
    assert words in (tmp_path / "index.html").read_text()


def test_pictures_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    (tmp_path / "mine.png").write_bytes(b"kept")
    written(screenshot_of(FIVE), tmp_path)
    names = written(np.zeros((200, 150, 3), np.uint8), tmp_path)
    assert names == {"00-input.png", "00b-cause.png", "01-board.png", "mine.png", "index.html"}


@pytest.mark.parametrize("name", ["index.html", "06-cnf.png", ".flowvision"])
def test_foreign_files_stay(tmp_path: Path, name: str) -> None:
    """Files of other programs, and the folder of a batch, are neither replaced nor removed."""
    if name == ".flowvision":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(b"mine")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OutputError):
        written(screenshot_of(FIVE), tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_nothing_is_drawn_of_a_file_that_is_no_picture(tmp_path: Path) -> None:
    write_story(tmp_path, story_of(answer_to(b"no picture")))
    assert {path.name for path in tmp_path.iterdir()} == {"index.html"}
    assert "image-unreadable" in (tmp_path / "index.html").read_text()


DOCS = (ROOT / "docs" / "debug.md").read_text()


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_explained(name: str) -> None:
    assert f"`{name}.png`" in DOCS


SHOT = Screenshot(np.zeros((9, 9, 3), np.uint8), "my shot.png")


@pytest.mark.parametrize(
    ("options", "advice", "command"),
    [
        (
            Options(grid="5x7", colours=4),
            (Change((0, 1), "."), Change((1, 1), "R")),
            "--grid 5x7 --colours 4 --set 1,2=. --set 2,2=R",
        ),
        (Options(crop=(1, 2, 3, 4)), (Without("crop"),), ""),
        (Options(crop=(1, 2, 3, 4)), (Option("crop", "5,6,7,8"),), "--crop 5,6,7,8"),
    ],
)
def test_the_command_combines_options_and_advice(options: Options, advice: tuple, command: str) -> None:
    """Options that were given are kept, unless the advice replaces or removes them."""
    assert command_of(SHOT, options, None, advice) == f"flowvision 'my shot.png' {command}".strip()


@pytest.mark.parametrize("options", [Options(grid="6x6"), Options(crop=(20, 310, 300, 300))])
def test_a_wrong_option_shows_the_whole_picture(options: Options) -> None:
    """With it, only a part of the board may have been seen."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    marked = story_of(answer_to(bgr, options)).marked
    assert marked is not None
    (height, width), margin = bgr.shape[:2], round(MARGIN * max(bgr.shape[:2]))
    shown = marked.bgr.shape[0] / marked.bgr.shape[1]
    assert abs(shown - (height + 2 * margin) / (width + 2 * margin)) < 0.02
