"""Pictures with one thing wrong: its cause is told, and advice that was tried does what it says."""

from functools import cache
from typing import Any

import cv2
import pytest

from flowvision import solve_image
from flowvision.diagnosis.picture import BLOCKY, SHARP_CELL_PX, blockiness
from flowvision.diagnosis.trials import followed
from flowvision.errors import FlowvisionError
from flowvision.reading.options import Options
from flowvision.reading.wording import WORDS, explain, filled
from flowvision.words import COMMAND, is_whole
from tests import pictures
from tests.boards import pairs_of
from tests.drawing import drawn_board
from tests.pictures import Spoilt
from tests.seeing import refusal


@cache
def refused(spoilt: Spoilt) -> Any:
    return refusal(spoilt.draw(), spoilt.options)


@pytest.mark.sweep(26)
@pytest.mark.parametrize("spoilt", pictures.SPOILT, ids=lambda spoilt: spoilt.name)
def test_the_one_cause_is_told(spoilt: Spoilt) -> None:
    cause, said = refused(spoilt).cause, " ".join(refused(spoilt).words(COMMAND))
    labels = {mark.label for mark in cause.marks}
    found = {"stage": cause.stage, "advice": cause.advice, "tried": bool(cause.trial), **cause.facts}
    found |= {"marks": len(cause.marks), "labels": labels}
    assert (cause.code, {key: found[key] for key in spoilt.facts}) == (spoilt.code, spoilt.facts)
    assert said.startswith(explain(cause).message)
    assert not any(sign in said for sign in "{}[]")
    assert cause.trial or not any(map(is_whole, cause.advice)) or cause.code == "two-boards"
    given = [name for name in ("grid", "crop", "colours") if getattr(spoilt.options, name)]
    assert cause.code == "wrong-option" or not any(f"--{name}" in said for name in given)


@pytest.mark.parametrize("name", ["wrong grid", "wrong crop", "wrong colours", "hidden dot"])
def test_advice_that_was_tried_reads_the_board(name: str) -> None:
    spoilt = pictures.BY_NAME[name]
    cause = refused(spoilt).cause
    assert filled(WORDS[cause.code].todo, {}) not in refused(spoilt).words(COMMAND)[1]
    reading = solve_image(spoilt.draw(), followed(spoilt.options, cause.advice)).reading
    assert cause.trial.size == reading.size
    assert pairs_of(reading.puzzle) == pairs_of(pictures.puzzle().puzzle)


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
    error = refusal(pictures.SAMPLES / sample, Options(**given), code=code)
    assert error.cause.option in given
    assert error.stage == next(step.stage for step in error.steps if step.error is error.origin)


@pytest.mark.parametrize(("cell", "is_padded"), [(8, True), (8, False), (16, False), (24, False)])
def test_lines_at_distances_of_whole_blocks_are_no_compression(cell: int, is_padded: bool) -> None:
    text, large = pictures.BOARDS[7][1].translate(str.maketrans("ADEF", "RGYO")), 8 * cell
    bgr = drawn_board(text, 0.35, (large, large), (4, 4), line=(110, 110, 110), line_px=8)
    bgr = cv2.resize(bgr, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    assert blockiness(bgr) < BLOCKY
    if is_padded:
        bgr = cv2.copyMakeBorder(bgr, cell, cell, cell, cell, cv2.BORDER_CONSTANT)
    told = []
    try:
        solve_image(bgr)
    except FlowvisionError as error:
        told.append(error.cause.code)
    assert told == [] or (cell < SHARP_CELL_PX and told == ["too-small"])
