"""Doubts write their sentences, and their facts for JSON."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision import doubts
from flowvision.contract import cause_object
from flowvision.doubts import (
    CutOff,
    Doubt,
    ManyDots,
    RefusedBoard,
    SmallerBoard,
    Tinted,
    Unsure,
    WallsDisagree,
    WrongOption,
)
from flowvision.words import PYTHON, Option, Part, Without
from tests.commands import NIGHTLY, error_kinds


def kinds(parent: type[Doubt]) -> list[type[Doubt]]:
    """Return the doubts that occur: those without kinds of their own."""
    return [kind for child in parent.__subclasses__() for kind in (kinds(child) or [child])]


CROP = Option("crop", "1,2,3,4")
WEAKEST = st.sampled_from([Part(), Part("the dots in {} and {}", (3, (0, 2)))])
WORD = st.sampled_from(["red", "2 rows", "a dot in row 1"])
PLACES = st.lists(st.integers(0, 9), min_size=1, max_size=9).map(tuple)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("size", "title_size", "name", "change", "one", "hint"), WORD),
    **dict.fromkeys(("places", "near"), PLACES),
    **dict.fromkeys(("other", "failed"), st.just(CROP)),
    **dict.fromkeys(("given", "advice"), st.just((CROP,))),
    "names": st.lists(WORD, min_size=1).map(tuple),
    "weakest": WEAKEST,
    "sides": st.lists(st.sampled_from(["left", "top"]), min_size=1).map(tuple),
    "walls": st.lists(st.just(((2, 3), (3, 3))), min_size=1).map(tuple),
    "message": st.just("It failed."),
    "reads": WORD,
    "board": st.builds(RefusedBoard, others=st.just((Tinted(8),)), weakest=WEAKEST),
}


@pytest.mark.parametrize("kind", kinds(Doubt))
@settings(max_examples=500 if NIGHTLY else 20)
@given(data=st.data())
def test_every_doubt_has_whole_sentences(kind: type[Doubt], data: st.DataObject) -> None:
    own = {name: values for name, values in FIELDS.items() if name in kind.__struct_fields__}
    doubt = data.draw(st.builds(kind, **own))
    words = doubt.words()
    for sentence in (words.says, words.means, words.todo):
        assert not any(sign in sentence for sign in ("None", "  ", "{", "}"))
        assert sentence == sentence.strip()
    assert words.says.endswith(".")
    if isinstance(doubt, Unsure):
        assert words.means == " ".join(other.words().message for other in doubt.board.others)


def test_people_count_from_one_and_python_from_zero() -> None:
    cause = ManyDots("red", ((0, 0), 6, (2, 2)))
    assert "row 1, column 1; cell 7 and row 3, column 3" in cause.words().says
    assert "cell (0, 0); cell 6 and cell (2, 2)" in cause.words(PYTHON).says
    assert doubts.wall_name(((0, 1), (0, 2))) == "row 1, columns 2 and 3"
    assert doubts.wall_name(((2, 3), (3, 3))) == "rows 3 and 4, column 4"


@pytest.mark.parametrize(
    ("is_likely", "words"), [(None, "left and top"), (True, "most likely"), (False, "left or top")]
)
def test_an_edge_that_may_cut_is_not_certain(is_likely: bool | None, words: str) -> None:
    assert words in CutOff(("left", "top"), is_likely).words().says


def test_trust_is_the_next_step_where_it_may_be_given() -> None:
    doubt = WallsDisagree((), board=RefusedBoard("2 rows", weakest=Part(), others=(), may_trust=True))
    assert "`--trust`" in doubt.words().todo
    assert "trust=True" in doubt.words(PYTHON).todo


@pytest.mark.parametrize(
    ("advice", "start"), [(CROP, "With `--crop 1,2,3,4`"), (Without("crop"), "Without `--crop`")]
)
def test_advice_that_was_tried_is_the_next_step(advice: Option | Without, start: str) -> None:
    doubt = Tinted(8, advice=(advice,), reads="5 rows")
    assert doubt.words().todo.startswith(f"{start} it is read: 5 rows")


def test_no_error_names_an_option_of_the_command_in_python() -> None:
    assert not any("`-" in str(kind("It failed.")) for kind in error_kinds())


def test_a_doubt_in_json_has_its_advice_as_typed() -> None:
    made = cause_object(SmallerBoard(CROP, advice=(CROP,)))
    assert made["advice"] == [{"option": "--crop", "value": "1,2,3,4", "came": None}]
    assert "--crop" in made["says"]


def test_json_names_the_refused_board_and_what_was_seen() -> None:
    board = RefusedBoard("2 rows", Part("the dot in {}", ((0, 2),)), (Tinted(8),), may_trust=True)
    assert Tinted(6).seen == {"dots": 6}
    assert Tinted(6, board=board).seen == {
        "dots": 6,
        "size": "2 rows",
        "weakest": "the dot in row 1, column 3",
        "warnings": Tinted(8).words().message,
        "trust": "--trust",
    }


def test_kinds_of_wrong_options_have_one_code() -> None:
    assert {kind.code for kind in WrongOption.__subclasses__()} == {WrongOption.code}
