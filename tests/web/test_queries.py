import asyncio
from types import SimpleNamespace

import pytest

from flowvision.doubts import LeftOut, LoneDots, WeakPart
from flowvision.errors import CrashedError, OddDotsError, PuzzleInvalidError
from flowvision.web.queries import (
    PAGE,
    PuzzleQuery,
    ReadingQuery,
    RefusedError,
    checked,
    failure_object,
    puzzle_in,
)
from flowvision.words import Change, Part

HUGE = "9" * 5000
"""More digits than Python converts."""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("limit", ("x", "nan", "inf", "-inf", "1e999", "-1", "٣ 3", "0x3", HUGE)),
        ("colours", ("0", "401", "2.5", "#ff0000", "nan", HUGE)),
        ("rotate", ("x", "nan", "361")),
        ("crop", ("1,2,3", "0,0,0,9", "1,2,3,99999999999999999999", ",".join([HUGE] * 4))),
        ("grid", ("x", "1x1", "9999x2", "3,4", f"{HUGE}x{HUGE}")),
        ("keep_drawn", ("perhaps",)),
    ],
)
def test_parameters_lie_within_bounds(name: str, words: tuple[str, ...]) -> None:
    for word in words:
        with pytest.raises(RefusedError, match=name) as refused:
            checked({name: word}, ReadingQuery)
        assert refused.value.status == 400
        assert len(refused.value.message) < 300


def test_options_are_those_of_the_command_line() -> None:
    query = {
        "crop": "-1,2,30,40",
        "grid": "8x6",
        "rotate": "-90",
        "limit": "2",
        "keep_drawn": "1",
        "colours": "7",
    }
    options = checked(query, ReadingQuery).options(30)
    assert (options.crop, options.grid, options.colours) == ((-1, 2, 30, 40), "8x6", 7)
    assert (options.rotate, options.seconds, options.keep_drawn) == (-90, 2, True)
    options = checked(dict.fromkeys(query, ""), ReadingQuery).options(30)
    assert (options.crop, options.grid, options.rotate, options.seconds) == (None, None, 0, 30)


def test_a_puzzle_comes_alone_or_with_parameters() -> None:
    named, query = puzzle_in(b"R.R\n", {"count": "2"})
    assert query == PuzzleQuery(count=2)
    body = b'{"puzzle": "R.R", "repair": true, "count": 3, "known": [[0, 1], [[0, 1], [0, 2]]]}'
    again, query = puzzle_in(body, {"limit": "1"})
    assert again.puzzle == named.puzzle
    assert query == PuzzleQuery(count=3, repair=True, known=[(0, 1), ((0, 1), (0, 2))], limit=1.0)
    for text in ('{"rows": 1}', f'{{"puzzle": {HUGE}}}'):
        with pytest.raises(PuzzleInvalidError):
            puzzle_in(text.encode(), {})
    with pytest.raises(RefusedError, match="known"):
        puzzle_in(b'{"puzzle": "R.R", "known": 7}', {})


def test_the_page_shows_advice_as_buttons_alone() -> None:
    doubt = LoneDots(("red",), ((0, 0),), 9, (), advice=(Change((1, 4), "R"),), reads="5 rows, 5 columns")
    error = OddDotsError("Odd.")
    error.diagnosis = SimpleNamespace(cause=doubt)
    shown = PAGE.refusal(error)
    assert shown["put"] == [{"place": (1, 4), "letter": "R"}]
    assert doubt.reads not in shown["says"] + shown["more"]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (PuzzleInvalidError("No dots.", ""), 422, "puzzle-invalid"),
        (CrashedError("A bug."), 500, "crashed"),
        (KeyError("key"), 500, "crashed"),
        (asyncio.CancelledError(), 503, "stopped"),
    ],
)
def test_a_failure_has_the_status_of_who_is_to_blame(error: BaseException, status: int, code: str) -> None:
    described, answered = failure_object(error)
    assert answered == status
    assert described["error"]["code"] == code


def test_cells_are_marked_in_words_of_the_page_and_ringed() -> None:
    doubt, error = WeakPart(Part("the dots in {} and {}", ((0, 2), 7))), OddDotsError("Odd.")
    error.diagnosis = SimpleNamespace(cause=doubt)
    advice = PAGE.refusal(error)
    assert ("⟨0,2⟩ and ⟨7⟩" in advice["says"], advice["places"]) == (True, ((0, 2), 7))


def test_marks_of_cells_are_separated_by_commas() -> None:
    words = LeftOut(((0, 2), (1, 4), (3, 3))).words(PAGE)
    assert "⟨0,2⟩, ⟨1,4⟩ and ⟨3,3⟩" in words.message
