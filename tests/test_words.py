import pytest

from flowvision import Options, words
from flowvision.errors import DotsError
from flowvision.words import COMMAND, PYTHON, Change, Hint, Option, Without


@pytest.mark.parametrize(
    ("number", "counted", "often"),
    [
        (0, "0 dots", "0 times"),
        (1, "1 dot", "once"),
        (2, "2 dots", "twice"),
        (1200, "1,200 dots", "1,200 times"),
    ],
)
def test_count_of_and_times(number: int, counted: str, often: str) -> None:
    assert (words.count_of(number, "dot"), words.times(number)) == (counted, often)


def test_listed_counts_what_it_leaves_out() -> None:
    assert words.listed(["a"], max_parts=6, between=", ") == "a"
    assert words.listed(["a", "b", "c"]) == "a; b and c"
    assert words.listed(list("abcdef"), max_parts=6, between=", ") == "a, b, c, d, e and f"
    assert words.listed(list("abcdefghi"), max_parts=6, between=", ") == "a, b, c, d, e, f and 3 more"


@pytest.mark.parametrize(
    ("word", "number"),
    [("0", 0), ("007", 7), ("123456789", 123456789), ("1234567890", None), ("9" * 5000, None)]
    + [(word, None) for word in ("", "-1", "+1", " 1", "1.0", "1e3", "1_0", "²", "١", "x", "nan")],
)
def test_whole_number(word: str, number: int | None) -> None:
    """Python itself raises beyond 4,300 digits, and takes ``1_0`` and other scripts."""
    assert words.whole_number(word) == number


@pytest.mark.parametrize(
    ("advice", "is_whole"),
    [
        (Option("grid", "5x5"), True),
        (Option("grid"), False),
        (Without("grid"), True),
        (Change((1, 2), "R"), True),
        (Change(mark="R"), False),
    ],
)
def test_advice_is_whole_with_nothing_left_to_fill_in(advice: words.Advice, is_whole: bool) -> None:
    assert words.is_whole(advice) == is_whole


def test_quoted_and_printable() -> None:
    assert words.quoted("x" * 40) == repr("x" * 40)
    assert words.quoted("9" * 5000) == repr("9" * 40 + "…")
    assert words.printable("Snímek 屏幕 🎉.png") == "Snímek 屏幕 🎉.png"
    assert words.printable("a\x1b[2J\udcff") == r"a\x1b[2J\udcff"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8x10", (8, 10)),
        (" 8 X 10 ", (8, 10)),
        ("8×10", (8, 10)),
        (8, (8, 8)),
        (" 8 ", (8, 8)),
        ((8, 10), (8, 10)),
    ],
)
def test_size_of_has_columns_first(text: str | int | tuple[int, int], size: tuple[int, int]) -> None:
    assert words.size_of(text) == size
    cols, rows = size
    assert Options(grid=text).grid == f"{cols}x{rows}"
    assert Options(grid=text).rows_and_cols == (rows, cols)


@pytest.mark.parametrize(
    "text",
    ["", "8x", "8x10x2", "0", "8,10,2", "0x5", "-1x5", "8,10", "8.0x10", "٣x٣", "12345x2", (8, 9, 10), True],
)
def test_size_of_refuses_anything_else(text: object) -> None:
    with pytest.raises(ValueError if isinstance(text, str) else TypeError, match="columns"):
        words.size_of(text)


def test_a_board_of_one_row_is_refused() -> None:
    with pytest.raises(ValueError, match="'1x5' is smaller than 2x2"):
        Options(grid="1x5")


@pytest.mark.parametrize(
    ("advice", "typed", "called"),
    [
        ((Option("grid", "6x8"),), "--grid 6x8", 'grid="6x8"'),
        ((Option("grid"),), "--grid COLSxROWS", 'grid="COLSxROWS"'),
        (
            (Option("crop", "0,4,10,20"), Option("colours", "7")),
            "--crop 0,4,10,20 --colours 7",
            "crop=(0, 4, 10, 20), colours=7",
        ),
        ((Option("limit"),), "--limit SECONDS", "seconds=SECONDS"),
        ((Without("crop"),), "--crop", "crop"),
        ((Change((2, 3), "R"),), "--set 3,4=R", 'corrections=[SetCell((2, 3), "R")]'),
        (
            (Change(7, "K"), Change(8, ".")),
            "--set 8=K --set 9=.",
            'corrections=[SetCell(7, "K"), SetCell(8, ".")]',
        ),
        ((Change(),), "--set CELL=LETTER", 'corrections=[SetCell(cell, "letter")]'),
    ],
)
def test_advice_is_written_for_the_command_and_for_python(advice, typed, called):
    assert (COMMAND.advice(advice), PYTHON.advice(advice)) == (typed, called)
    error = DotsError("It failed.", Hint("Try {}.", advice[0]))
    assert error.words(COMMAND) == ("It failed.", f"Try `{COMMAND.advice(advice[:1])}`.")
    assert str(error) == f"It failed.\nTry `{PYTHON.advice(advice[:1])}`."
