"""The table of words: every row can be said, and the documents have it."""

from __future__ import annotations

import re
from dataclasses import replace
from string import Formatter

import pytest

from flowvision.diagnosis.cause import Advice, Cause
from flowvision.diagnosis.cells import _said
from flowvision.diagnosis.filling import block_name, filled
from flowvision.diagnosis.wording import WORDS, cause_object, explain
from flowvision.image.picture import Rgb
from flowvision.puzzle.check import key_name, wall_name


def test_parts_without_their_facts_are_left_out() -> None:
    """And those that have them are kept; a fact of 0, or an empty one, is none."""
    template = "A{n:# dot|# dots}[, {more:# more|# more}][ and {names:list}]."
    assert filled("{n:# dot|# dots}[, {more} more][ and {names:list}].", {"n": 1}) == "1 dot."
    assert filled("{n:# dot|# dots}[, {more} more].", {"n": 2, "more": 0}) == "2 dots."
    assert filled("[{more} more.]", {"more": 3}) == "3 more."
    assert template


@pytest.mark.parametrize("came", ["", "solved"])
def test_both_boards_have_their_parts(came: str) -> None:
    """Also where the lower one is read; a page that takes no options hears of neither."""
    facts = {"first_name": "upper", "second_name": "lower", "first_crop": "--crop 1,2,3,4"}
    facts |= {"first": "5 × 5", "second": "6 × 6", "first_px": [1, 2], "second_px": [1, 9]}
    cause = Cause("two-boards", "board", facts, advice=(Advice("--crop", "1,9,3,4", came, "6 rows"),))
    todo = explain(cause).todo
    assert "`--crop 1,2,3,4` takes the upper one" in todo
    assert "`--crop 1,9,3,4`" in todo
    assert "--crop" not in cause_object(cause)["todo_without_options"]


@pytest.mark.parametrize("code", ["no-lattice", "few-cells"])
def test_no_sentence_contradicts_advice_that_reads_the_board(code: str) -> None:
    """It says that there is no board only where none was read."""
    facts = {"cells": 9}
    came = Cause(code, "grid", facts, advice=(Advice("--grid", "5x5", "solved", "5 rows"),))
    assert "No board was found" in explain(replace(came, advice=())).message
    assert "No board was found" not in explain(came).message
    assert "Open a level" not in explain(came).todo


def test_dots_that_are_found_and_those_that_are_told_make_the_pairs() -> None:
    """The numbers of one message agree."""
    facts = {"name": "blue", "share": 0.1, "dots": 20}
    added = tuple(Advice("--set", f"1,{col}=A", "solved", "12 pairs") for col in (1, 2, 3, 4))
    cause = Cause("tinted", "pairs", facts, advice=added)
    assert "20 dots were found, and faint traces of 4 more." in explain(cause).message
    assert "others may be lost" in explain(replace(cause, advice=())).message


def test_the_bluish_grey_of_the_game_is_called_so() -> None:
    """Whoever sees it calls it blue; a grey without a tinge stays grey."""
    names = [_said(Rgb(*rgb)) for rgb in ((159, 159, 189), (166, 166, 166), (12, 41, 254))]
    assert names == ["blue-grey", "grey", "blue"]


def test_a_flag_writes_nothing() -> None:
    """It only decides whether a part is there."""
    assert filled("Here[ it is{yes:if}].", {"yes": True}) == "Here it is."
    assert filled("Here[ it is{yes:if}].", {"yes": False}) == "Here."


def test_people_count_from_one() -> None:
    """Rows, columns, and cells of boards without them."""
    assert key_name((0, 4)) == "row 1, column 5"
    assert key_name(6) == "cell 7"
    assert block_name([(3, 1), (4, 1)]) == "rows 4 to 5 and column 2"
    assert wall_name(((0, 0), (0, 1))) == "row 1, columns 1 and 2"
    assert wall_name(((2, 3), (3, 3))) == "rows 3 and 4, column 4"
    assert filled("{at:places}", {"at": [(0, 0), (1, 1)]}) == "row 1, column 1 and row 2, column 2"


@pytest.mark.parametrize("code", WORDS)
def test_every_row_is_whole(code: str) -> None:
    """It names the cause and what to do, says what it is told by, and its brackets close."""
    words = WORDS[code]
    assert words.says
    assert words.todo
    assert words.measured
    for template in (words.says, words.means, words.todo, words.detail):
        assert "marked" not in template, "a terminal shows no marks"
        assert template.count("[") == template.count("]")
        assert [*Formatter().parse(re.sub(r"[\[\]]", "", template))] or not template
