import re
from string import Formatter

import pytest

from flowvision.puzzle.check import wall_name
from flowvision.reading.doubt import Doubt
from flowvision.reading.wording import WORDS, cause_object, filled
from flowvision.words import PYTHON, Option
from tests.commands import error_kinds


@pytest.mark.parametrize("code", WORDS)
def test_every_row_is_whole(code: str) -> None:
    words = WORDS[code]
    assert words.says
    for template in (words.says, words.means, words.todo):
        assert template.count("[") == template.count("]")
        assert [*Formatter().parse(re.sub(r"[\[\]]", "", template))] or not template


def test_parts_without_their_facts_are_left_out() -> None:
    assert filled("{n:# dot|# dots}[, {more} more][ and {names:list}].", {"n": 1}) == "1 dot."
    assert filled("{n:# dot|# dots}[, {more} more].", {"n": 2, "more": 0}) == "2 dots."
    assert filled("[{more} more.]", {"more": 3}) == "3 more."
    assert filled("Here[ it is{yes:if}].", {"yes": True}) == "Here it is."


def test_people_count_from_one_and_python_from_zero() -> None:
    facts = {"at": [(0, 0), 6]}
    assert filled("{at:places}", facts) == "row 1, column 1 and cell 7"
    assert filled("{at:places}", facts, PYTHON) == "cell (0, 0) and cell 6"
    assert wall_name(((2, 3), (3, 3))) == "rows 3 and 4, column 4"


def test_no_error_names_an_option_of_the_command_in_python() -> None:
    assert not any("`-" in str(kind("It failed.")) for kind in error_kinds())


def test_a_doubt_in_json_has_its_advice_as_typed() -> None:
    crop = (Option("crop", "1,2,3,4"),)
    made = cause_object(Doubt("two-boards", "board", {"other": crop}, advice=crop))
    assert made["advice"] == [{"option": "--crop", "value": "1,2,3,4", "came": None}]
    assert made["seen"]["other"] == "--crop 1,2,3,4"
    assert "--crop" in made["says"]
