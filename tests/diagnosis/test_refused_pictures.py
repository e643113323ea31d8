"""Pictures with one thing wrong: its cause is told, and advice that was tried does what it says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision.diagnosis.cause import Cause
from flowvision.diagnosis.framing import BLOCKY
from flowvision.diagnosis.surface import blockiness
from flowvision.errors import FlowvisionError
from flowvision.image.codec import decode
from flowvision.pipeline import read_image
from flowvision.reading.options import Options
from flowvision.reading.refused import SHARP_CELL_PX
from tests.tools import refused_pictures as pictures


def cause_of(bgr: object, options: Options) -> tuple[Cause, str]:
    """The cause of a refusal, and all that is said of it."""
    with pytest.raises(FlowvisionError) as caught:
        read_image(bgr, options)  # type: ignore[arg-type]
    return caught.value.cause, f"{caught.value.command_words.message}\n{caught.value.command_words.hint}"


@cache
def spoilt_cause(name: str) -> tuple[Cause, str]:
    """The cause of a picture by its name, and all that is said of it."""
    spoilt = next(one for one in pictures.SPOILT if one.name == name)
    return cause_of(spoilt.draw(), spoilt.options)


MENDED = ("banner over the last row", "large popup", "balls at the edge")
"""Of the pictures of other sizes and looks those whose cause was told wrongly; the benchmark has all."""


@pytest.mark.parametrize(
    "spoilt",
    [one for n, one in enumerate(pictures.SPOILT) if n < pictures.FIRST or one.name in MENDED],
    ids=lambda spoilt: spoilt.name,
)
def test_the_one_cause_is_told(spoilt: pictures.Spoilt) -> None:
    """And what is said is whole: no fact is missing, and nothing is advised that leads nowhere."""
    cause, said = spoilt_cause(spoilt.name)
    assert cause.code in spoilt.codes
    assert not any(sign in said for sign in "{}[]")
    for advice in cause.advice:
        assert advice.came == "solved" or not advice.is_whole or cause.code == "two-boards"


@pytest.mark.parametrize(
    "name", ["wrong grid", "wrong crop", "side bar", "photograph at an angle", "night shift"]
)
def test_advice_that_was_tried_reads_the_board(name: str) -> None:
    """Followed to the letter it leads to the board that was drawn."""
    spoilt = next(one for one in pictures.SPOILT if one.name == name)
    cause, said = spoilt_cause(name)
    assert {advice.came for advice in cause.advice} == {"solved"}
    text = " ".join(advice.text for advice in cause.advice)
    assert (f"`{text}` reads it" if cause.advice[0].value else "Without `--crop` it is read") in said
    reading = read_image(spoilt.draw(), pictures.followed(spoilt.options, cause.advice)).reading
    assert set(map(frozenset, reading.puzzle.terminals)) == set(
        map(frozenset, pictures.puzzle().puzzle.terminals)
    )


@pytest.mark.parametrize("degrees", [-30, 0, 35])
def test_a_photograph_at_any_angle_is_read_with_its_size(degrees: float) -> None:
    """As the board that was photographed, at least when its size is given."""
    bgr = pictures.seen_aside(pictures.whole(), degrees)
    reading = read_image(bgr, Options(grid="8x8")).reading
    assert set(map(frozenset, reading.puzzle.terminals)) == set(
        map(frozenset, pictures.puzzle().puzzle.terminals)
    )


def test_a_dot_that_is_hidden_is_set_where_it_was() -> None:
    """One cell is covered, and its dot's colour lacks a partner: the ``--set`` for it was tried."""
    bgr = pictures.whole()
    row, col = pictures.ends()[0]
    wide = pictures.px(0, 1)[0] - pictures.px(0, 0)[0]
    x, y = pictures.px(row, col)
    half = round(0.44 * wide)
    cv2.rectangle(bgr, (x - half, y - half), (x + half, y + half), (90, 90, 60), -1)
    cause, said = cause_of(bgr, Options())
    assert cause.code == "covered"
    (advice,) = cause.advice
    assert advice.came == "solved"
    assert f"`{advice.text}` reads it" in said
    place, _ = advice.value.split("=")
    typed_row, typed_col = map(int, place.split(","))
    assert (typed_row, typed_col) == (int(row) + 1, int(col) + 1)
    reading = read_image(bgr, pictures.followed(Options(), cause.advice)).reading
    assert set(map(frozenset, reading.puzzle.terminals)) == set(
        map(frozenset, pictures.puzzle().puzzle.terminals)
    )


SAMPLES = Path(__file__).resolve().parents[2] / "samples"
OLD = pictures.looking("old", "iphone-15"), pictures.looking("old", "galaxy")


def test_an_option_without_which_the_picture_is_read_is_the_cause() -> None:
    """A part with two rows of the board, or a number of colours that it has not: the picture is fine."""
    drawn, bgr = pictures.other(pictures.MIDDLE, OLD[0])
    (left, top), (right, bottom) = (pictures.px(*at, drawn) for at in ((1.5, 0), (3.5, 7)))
    options = Options(crop=(left, top, right - left, bottom - top))
    cause, said = cause_of(bgr, options)
    assert cause.code == "wrong-option"
    assert f"With `{cause.facts['given']}` no board could be read" in said
    assert f"Without `{cause.facts['option']}` it is read: 7 rows and 7 columns with 6 pairs" in said
    assert len(read_image(bgr, pictures.followed(options, list(cause.advice))).reading.puzzle.terminals) == 6
    cause, said = cause_of(bgr, Options(colours=7))
    assert cause.code == "wrong-colours"
    assert "`--colours 6` reads it" in said


@pytest.mark.parametrize(
    ("sample", "grid", "read"),
    [
        ("05.png", "7x7", "14 rows and 12 columns"),
        ("15-hex.png", "3x3", "7 rows and 7 columns"),
        ("15-hex.png", "7x7", "7 rows and 7 columns"),
    ],
)
def test_a_size_without_which_the_picture_is_read_is_the_cause(sample: str, grid: str, read: str) -> None:
    """Not that the cells laid over it hold no dots, nor that it is another game."""
    cause, said = cause_of(decode((SAMPLES / sample).read_bytes()).bgr, Options(grid=grid))
    assert cause.code == "wrong-option"
    assert f"Without `--grid` it is read: {read}" in said
    assert ("cells are hexagons, and `--grid` counts squares" in said) == ("hex" in sample)


@pytest.mark.parametrize(
    ("sample", "given", "code"),
    [
        ("02.png", {"grid": "3x3"}, "grid-not-found"),  # no dots make pairs
        ("02.png", {"grid": "12x3"}, "grid-not-found"),  # no solution
        ("08.png", {"grid": "3x3"}, "grid-not-found"),  # not believed
        ("03.png", {"crop": (0, 0, 400, 700)}, "board-not-found"),
        ("03.png", {"colours": 3}, "no-dots"),
    ],
)
def test_an_option_that_does_not_fit_has_one_code(sample: str, given: dict[str, Any], code: str) -> None:
    """Whatever stage it is that fails with it; the error knows its stage, and its cause is the option."""
    with pytest.raises(FlowvisionError) as caught:
        read_image(SAMPLES / sample, Options(**given))
    error = caught.value
    assert error.code == code
    assert error.cause.option.lstrip("-") in given
    assert error.stage == next(step.stage for step in error.steps if step.error is error.origin)


def test_a_part_beyond_the_picture_is_told_as_such() -> None:
    """Not that no board could be read in it; also where the whole picture is refused as well."""
    _, bgr = pictures.other(pictures.MIDDLE, OLD[0])
    for picture, is_read in ((bgr, True), (bgr[: len(bgr) // 2], False)):
        cause, said = cause_of(picture, Options(crop=(bgr.shape[1] + 10, 0, 100, 100)))
        assert cause.code == "wrong-crop"
        assert f"does not lie in the picture of {picture.shape[1]} × {len(picture)} pixels" in said
        assert "no board could be read" not in said
        assert ("Without `--crop` it is read" in said) == is_read


def test_a_filter_that_brings_colours_together_is_no_other_game() -> None:
    """Of twelve colours five are left, with four dots and more each, and the blue ones are gone."""
    _, bgr = pictures.other((pictures.CELLS, pictures.SEED), OLD[1])
    cause, _ = cause_of(np.clip(bgr * np.array([0.05, 0.45, 1.0]), 0, 255).astype(np.uint8), Options())
    assert cause.code == "tinted"
    assert {advice.came for advice in cause.advice} == {"solved"}


def test_two_boards_are_told_by_where_they_lie() -> None:
    """The upper one first, each with the part that it fills."""
    cause, said = spoilt_cause("two boards")
    assert "the upper one has 6 × 6 cells, the lower one 7 × 7" in said
    assert [mark.label for mark in cause.marks] == ["upper board", "lower board"]
    numbers = [tuple(map(int, found.split(","))) for found in re.findall(r"--crop ([\d,]+)`", said)]
    (_, upper, _, high), (_, lower, _, _) = numbers
    assert upper + high <= lower


def test_buttons_beside_a_board_are_framed() -> None:
    """The column of them alone: it lies right of the part that is read, and has the height of the board."""
    cause, said = spoilt_cause("side bar")
    assert "At the right of the board something looks like one more column" in said
    (mark,) = cause.marks
    x, _, width, height = map(int, cause.advice[0].value.split(","))
    across, down = zip(*mark.points_px, strict=True)
    cell = width / pictures.CELLS
    assert min(across) == pytest.approx(x + width, abs=0.2 * cell)
    assert max(across) - min(across) == pytest.approx(cell, rel=0.1)
    assert max(down) - min(down) == pytest.approx(height, rel=0.05)


@pytest.mark.parametrize(("cell", "is_padded"), [(8, True), (8, False), (16, False), (24, False)])
def test_lines_at_distances_of_whole_blocks_are_no_compression(cell: int, is_padded: bool) -> None:
    """A sharp board whose cells are 8 pixels wide, or a multiple, is read, or told to be small."""
    known, size = pictures.puzzle(*pictures.MIDDLE), 7 * cell + 1
    bgr = np.zeros((8 * size, 8 * size, 3), np.uint8)
    for line in range(8):
        at = slice(8 * cell * line, 8 * cell * line + 8)
        bgr[at], bgr[:, at] = 110, 110
    for flow, pair in enumerate(known.puzzle.terminals):
        for dot in pair:
            x, y = np.array(known.board.layout.cells[dot].centre) * 8 * cell + 4
            cv2.circle(bgr, (round(x), round(y)), round(2.8 * cell), COLOURS[flow], -1)
    bgr = cv2.resize(bgr, (size, size), interpolation=cv2.INTER_AREA)
    assert blockiness(bgr) < BLOCKY
    if is_padded:
        bgr = cv2.copyMakeBorder(bgr, cell, cell, cell, cell, cv2.BORDER_CONSTANT)
    told = []
    try:
        read_image(bgr)
    except FlowvisionError as error:
        told.append(error.cause.code)
    assert told == [] or (cell < SHARP_CELL_PX and told == ["too-small"])


COLOURS = (
    (60, 60, 230), (60, 200, 60), (230, 120, 50), (40, 210, 240), (200, 60, 200), (240, 240, 240),
)  # fmt: skip
"""BGR, of six flows."""


def test_a_board_cut_at_a_line_says_how_that_is_known() -> None:
    """No cell is cut through: the shape and the dots without partners say it."""
    cause, said = spoilt_cause("cut at a line")
    assert "ends right at this edge, and has fewer rows than columns" in said
    assert f"{cause.facts['lone']} dots have no partner: " in said
    assert "right at this edge" not in spoilt_cause("cut off below")[1]


def test_a_window_covers_cells_in_part_too() -> None:
    """Drawn from within the third row to within the sixth, over six columns: all of these are named."""
    cause, said = spoilt_cause("popup")
    assert (
        "covers 24 cells, some of them partly, in the middle of the board, rows 3 to 6 and columns 2 to 7"
        in said
    )
    (mark,) = cause.marks
    (x0, y0), (x1, y1) = pictures.px(2.4, 1), pictures.px(5.4, 7)
    assert mark.points_px[0] == pytest.approx((x0, y0), abs=8)
    assert mark.points_px[2] == pytest.approx((x1, y1), abs=8)


def test_dots_are_fine_where_the_option_is_wrong() -> None:
    """Those whose partners lie beyond ``--crop`` are not marked: only its edges are."""
    cause, _ = spoilt_cause("wrong crop")
    assert {mark.kind for mark in cause.marks} == {"line"}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cut off below", "row below"),
        ("cut off above", "row above"),
        ("cut off left", "column to the left"),
        ("cut off right", "column to the right"),
    ],
)
def test_what_is_half_seen_is_named_by_its_side(name: str, line: str) -> None:
    """The next row or column beyond those that are whole."""
    assert f"% of the {line} can be seen" in spoilt_cause(name)[1]


@pytest.mark.parametrize(("name", "whole"), [("cut off right", "6 columns"), ("cut off below", "6 rows")])
def test_of_a_cut_board_what_the_edge_cuts_is_counted(name: str, whole: str) -> None:
    """Rows where it cuts rows, columns where it cuts columns."""
    assert f"only {whole} can be seen whole" in spoilt_cause(name)[1]


def test_a_large_window_is_told_by_rows_and_columns() -> None:
    """It begins at 1.6 rows and 0.8 columns, and ends at 5.3 and 6.2."""
    words = spoilt_cause("large popup")[1]
    assert "covers 35 cells" in words
    assert "rows 2 to 6 and columns 1 to 7" in words


def test_what_is_read_with_the_right_option_is_not_said_to_be_no_board() -> None:
    """The cause and the advice agree."""
    words = spoilt_cause("photograph at an angle")[1]
    assert "its board is read once its size is said" in words
    assert "no board" not in words


@pytest.mark.parametrize(
    ("name", "hidden"), [("banner over a row", "1 row is"), ("banner over two rows", "2 rows are")]
)
def test_hidden_rows_are_counted_only_for_squares(name: str, hidden: str) -> None:
    """That the board is square is not known."""
    assert f"then {hidden} hidden at its top" in spoilt_cause(name)[1]
