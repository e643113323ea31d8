"""Pictures with one thing wrong: its cause is told, and advice that was tried does what it says."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.diagnosis.picture import BLOCKY, SHARP_CELL_PX, blockiness
from flowvision.diagnosis.trials import followed
from flowvision.errors import FlowvisionError
from flowvision.image.codec import decode
from flowvision.reading.doubt import Doubt
from flowvision.reading.options import Options
from flowvision.reading.wording import WORDS, filled
from flowvision.words import COMMAND, Without, is_whole
from tests import pictures
from tests.boards import pairs_of
from tests.seeing import refusal


def cause_of(bgr: object, options: Options) -> tuple[Doubt, str]:
    error = refusal(bgr, options)
    return error.cause, f"{error.words(COMMAND)[0]}\n{error.words(COMMAND)[1]}"


@cache
def spoilt_cause(name: str) -> tuple[Doubt, str]:
    spoilt = pictures.BY_NAME[name]
    return cause_of(spoilt.draw(), spoilt.options)


@pytest.mark.sweep(20)
@pytest.mark.parametrize("spoilt", pictures.SPOILT, ids=lambda spoilt: spoilt.name)
def test_the_one_cause_is_told(spoilt: pictures.Spoilt) -> None:
    cause, said = spoilt_cause(spoilt.name)
    assert cause.code == spoilt.code
    found = {"stage": cause.stage, **cause.facts}
    assert {key: found[key] for key in spoilt.facts} == spoilt.facts
    assert not any(sign in said for sign in "{}[]")
    assert not any(word in said for word in ("Lab", "margin", "k-means", "ring ", "0.283"))
    assert cause.trial or not any(map(is_whole, cause.advice)) or cause.code == "two-boards"


@pytest.mark.parametrize("name", ["wrong grid", "wrong crop"])
def test_advice_that_was_tried_reads_the_board(name: str) -> None:
    spoilt, (cause, said) = pictures.BY_NAME[name], spoilt_cause(name)
    assert cause.trial
    assert filled(WORDS[cause.code].todo, {}) not in said
    reading = solve_image(spoilt.draw(), followed(spoilt.options, cause.advice)).reading
    assert pairs_of(reading.puzzle) == pairs_of(pictures.puzzle().puzzle)


def test_a_dot_that_is_hidden_is_set_where_it_was() -> None:
    bgr = pictures.whole()
    row, col = pictures.ends()[0]
    wide = pictures.px(0, 1)[0] - pictures.px(0, 0)[0]
    x, y = pictures.px(row, col)
    half = round(0.44 * wide)
    cv2.rectangle(bgr, (x - half, y - half), (x + half, y + half), (90, 90, 60), -1)
    cause, _ = cause_of(bgr, Options())
    (advice,) = cause.advice
    assert (cause.code, bool(cause.trial), advice.cell) == ("covered", True, (int(row), int(col)))
    reading = solve_image(bgr, followed(Options(), cause.advice)).reading
    assert pairs_of(reading.puzzle) == pairs_of(pictures.puzzle().puzzle)


SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def test_an_option_without_which_the_picture_is_read_is_the_cause() -> None:
    drawn, bgr = pictures.scene(7, "old", "iphone-15")
    (left, top), (right, bottom) = (pictures.px(*at, drawn) for at in ((1.5, 0), (3.5, 7)))
    options = Options(crop=(left, top, right - left, bottom - top))
    cause, _ = cause_of(bgr, options)
    assert (cause.code, cause.option) == ("wrong-option", "crop")
    assert (cause.advice, cause.trial.size) == (
        (Without("crop"),),
        "7 rows and 7 columns with 6 pairs of dots",
    )
    assert len(solve_image(bgr, followed(options, cause.advice)).reading.puzzle.terminals) == 6
    cause, _ = cause_of(bgr, Options(colours=7))
    assert (cause.code, cause.advice) == ("wrong-option", (Without("colours"),))


@pytest.mark.parametrize(
    ("sample", "grid", "read"),
    [
        ("05.png", "7x7", "14 rows and 12 columns"),
        ("15-hex.png", "3x3", "7 rows and 7 columns"),
        ("15-hex.png", "7x7", "7 rows and 7 columns"),
    ],
)
def test_a_size_without_which_the_picture_is_read_is_the_cause(sample: str, grid: str, read: str) -> None:
    cause, _ = cause_of(decode((SAMPLES / sample).read_bytes()).bgr, Options(grid=grid))
    assert (cause.code, cause.advice) == ("wrong-option", (Without("grid"),))
    assert cause.trial.size.startswith(read)
    assert cause.facts["hexagons"] == ("hex" in sample)


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
    error = refusal(SAMPLES / sample, Options(**given))
    assert error.code == code
    assert error.cause.option in given
    assert error.stage == next(step.stage for step in error.steps if step.error is error.origin)


def test_a_part_beyond_the_picture_is_told_as_such() -> None:
    _, bgr = pictures.scene(7, "old", "iphone-15")
    for picture, is_read in ((bgr, True), (bgr[: len(bgr) // 2], False)):
        cause, _ = cause_of(picture, Options(crop=(bgr.shape[1] + 10, 0, 100, 100)))
        assert cause.code == "wrong-option"
        assert cause.facts == {"option": "crop", "width": picture.shape[1], "height": len(picture)}
        assert cause.advice == (Without("crop"),) * is_read


def test_two_boards_are_told_by_where_they_lie() -> None:
    cause, said = spoilt_cause("two boards")
    assert (cause.facts["first"], cause.facts["second"]) == ("6 × 6", "7 × 7")
    assert [mark.label for mark in cause.marks] == ["upper board", "lower board"]
    numbers = [tuple(map(int, found.split(","))) for found in re.findall(r"--crop ([\d,]+)`", said)]
    (_, upper, _, high), (_, lower, _, _) = numbers
    assert upper + high <= lower


@pytest.mark.parametrize(("cell", "is_padded"), [(8, True), (8, False), (16, False), (24, False)])
def test_lines_at_distances_of_whole_blocks_are_no_compression(cell: int, is_padded: bool) -> None:
    known, size = pictures.puzzle(7), 7 * cell + 1
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
        solve_image(bgr)
    except FlowvisionError as error:
        told.append(error.cause.code)
    assert told == [] or (cell < SHARP_CELL_PX and told == ["too-small"])


COLOURS = (
    (60, 60, 230), (60, 200, 60), (230, 120, 50), (40, 210, 240), (200, 60, 200), (240, 240, 240),
)  # fmt: skip
"""BGR, of six flows."""
