"""What is asked for is checked before anything is done."""

from __future__ import annotations

import pytest

from flowvision.web.queries import RefusedError, flag, number, puzzle_body, reading_options, whole


@pytest.mark.parametrize("word", ["x", "nan", "inf", "-inf", "1e999", "11", "-1", "٣ 3", "0x3"])
def test_numbers_lie_within_bounds(word: str) -> None:
    """Everything else is refused, by name."""
    with pytest.raises(RefusedError, match="limit"):
        number({"limit": word}, "limit", 0, 10, 5)


def test_what_is_not_given_is_as_usual() -> None:
    """No word, an empty word."""
    assert number({}, "limit", 0, 10, 5) == number({"limit": ""}, "limit", 0, 10, 5) == 5
    assert not flag({}, "repair")
    assert not flag({"repair": "0"}, "repair")
    assert flag({"repair": "1"}, "repair")
    options = reading_options({}, 30)
    assert (options.crop, options.grid, options.rotate, options.seconds) == (None, None, 0, 30)


def test_whole_numbers_are_whole() -> None:
    """Not nearly."""
    assert whole({"count": "7"}, "count", 0, 9, 0) == 7
    with pytest.raises(RefusedError, match="whole"):
        whole({"count": "7.5"}, "count", 0, 9, 0)


def test_options_are_those_of_the_command_line() -> None:
    """Part, size, angle, time."""
    query = {"crop": "1,2,30,40", "grid": "8x6", "rotate": "-90", "limit": "2", "keep_drawn": "1"}
    options = reading_options(query, 30)
    assert options.crop == (1, 2, 30, 40)
    assert options.grid == "8x6"
    assert (options.rotate, options.seconds, options.keep_drawn) == (-90, 2, True)


def test_a_puzzle_comes_alone_or_with_questions() -> None:
    """As text, as a record, and in an object with more."""
    assert puzzle_body(b"R.R\n", {"count": "2"}).asked == {"count": "2"}
    assert puzzle_body(b'{"rows": 1}', {}).puzzle == '{"rows": 1}'
    body = puzzle_body(
        b'{"puzzle": {"rows": 1}, "repair": true, "count": 3, "known": [[0, 1]]}', {"limit": "1"}
    )
    assert body.puzzle == '{"rows": 1}'
    assert body.asked == {"limit": "1", "repair": "1", "count": "3"}
    assert body.known == ([0, 1],)


def test_colours_are_counted_unless_they_are_those_of_a_puzzle() -> None:
    """A number from 1 to 400 for a picture that is read; #rrggbb for a puzzle that is drawn."""
    assert reading_options({"colours": "7"}, 30).colours == 7
    assert reading_options({"colours": "#ff0000,#00ff00", "puzzle": "R.R"}, 30).colours is None
    for word in ("0", "401", "2.5", "#ff0000", "nan"):
        with pytest.raises(RefusedError, match="colours"):
            reading_options({"colours": word}, 30)


def test_numbers_of_thousands_of_digits_are_refused() -> None:
    """By name and in short: Python raises an error of its own when it converts them."""
    huge = "9" * 5000
    for name, word in (("crop", ",".join([huge] * 4)), ("grid", f"{huge}x{huge}")):
        with pytest.raises(RefusedError, match=name) as refused:
            reading_options({name: word}, 30)
        assert len(refused.value.message) < 200
    for name in ("colours", "limit"):
        with pytest.raises(RefusedError, match=name):
            reading_options({name: huge}, 30)
    assert puzzle_body(f'{{"puzzle": {huge}}}'.encode(), {}).puzzle.startswith("{")
