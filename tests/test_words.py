import pytest

from flowvision import Options, generate_puzzle
from flowvision.words import count_of, listed, printable, quoted, size_of, times, whole_number


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 dots"), (1, "1 dot"), (2, "2 dots"), (1200, "1,200 dots")]
)
def test_one_is_singular(number: int, said: str) -> None:
    assert count_of(number, "dot") == said


@pytest.mark.parametrize(("number", "said"), [(0, "0 times"), (1, "once"), (2, "twice"), (3, "3 times")])
def test_how_often(number: int, said: str) -> None:
    assert times(number) == said


def test_no_list_ends_in_silence() -> None:
    assert listed(["a"], 6, ", ") == "a"
    assert listed(["a", "b", "c"]) == "a; b and c"
    assert listed(list("abcdefghi"), 6, ", ") == "a, b, c, d, e, f and 3 more"


@pytest.mark.parametrize(
    ("word", "number"),
    [("0", 0), ("007", 7), ("123456789", 123456789), ("1234567890", None), ("9" * 5000, None)]
    + [(word, None) for word in ("", "-1", "+1", " 1", "1.0", "1e3", "1_0", "²", "١", "x", "nan")],
)
def test_a_number_that_somebody_wrote(word: str, number: int | None) -> None:
    """Python itself raises beyond 4,300 digits, and takes ``1_0`` and other scripts."""
    assert whole_number(word) == number


def test_long_words_are_cut_where_they_are_quoted() -> None:
    assert quoted("1,2") == "'1,2'"
    assert len(quoted("9" * 5000)) < 50


@pytest.mark.parametrize("text", ["8x10", " 8 X 10 ", "8×10"])
def test_sizes_have_columns_first(text: str) -> None:
    assert size_of(text) == (8, 10)


@pytest.mark.parametrize("square", [8, "8", " 8 ", "8x8"])
def test_one_number_is_the_size_of_a_square(square: str | int) -> None:
    assert size_of(square) == (8, 8)
    assert Options(grid=square).grid == "8x8"
    assert generate_puzzle(square, seed=1).grid == generate_puzzle("8x8", seed=1).grid


@pytest.mark.parametrize(
    "text", ["", "8x", "8x10x2", "0", "8,10,2", "0x5", "-1x5", "8,10", "8.0x10", "٣x٣", "12345x2"]
)
def test_what_is_no_size_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="COLSxROWS, such as 8x10"):
        size_of(text)


def test_a_size_that_is_no_text_says_so() -> None:
    with pytest.raises(TypeError, match='columns first, such as "8x10"'):
        size_of((8, 10))


def test_printable_text_stays() -> None:
    assert printable("Snímek 屏幕 🎉.png") == "Snímek 屏幕 🎉.png"
