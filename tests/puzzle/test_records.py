import json

import pytest

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.records import SHOWN, Record, build_record, invalid_puzzle, load_json, shown

PLAIN = {"id": "a", "rows": 3, "cols": 4, "pairs": [[[0, 0], [2, 3]]]}


def parse_record(line: str) -> NamedPuzzle:
    return build_record(load_json(line, Record))


def test_a_record_becomes_a_board_and_its_pairs():
    record = parse_record(json.dumps(PLAIN | {"holes": [[1, 1]], "walls": [[[0, 2], [0, 3]]]}))
    assert record.name == "a"
    assert record.board == boards.square(3, 4, holes=[(1, 1)], walls=[((0, 2), (0, 3))])
    places = record.board.lattice.places
    assert [tuple(places[dot] for dot in pair) for pair in record.puzzle.terminals] == [((0, 0), (2, 3))]


def test_wrap_joins_the_ends_of_rows_and_columns_unless_a_wall_parts_them():
    walls = [[[r, 0], [r, 3]] for r in (0, 2)] + [[[0, c], [2, c]] for c in range(4)]
    record = parse_record(json.dumps(PLAIN | {"wrap": "both", "walls": walls}))
    assert record.board == boards.square(3, 4, warps=[((1, 0), (1, 3))])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "Not a JSON record"),
        ("{}", "required field `rows`"),
        ('{"rows": 1e999, "cols": 3, "pairs": []}', "out of range"),
        *(
            (json.dumps(PLAIN | extra), message)
            for extra, message in (
                ({"pairs": [[[0, 0]]]}, "length 2"),
                ({"pairs": [[[0, 0], [9, 9]]]}, r"off the board: \(9, 9\)"),
                ({"rows": 100_000}, "1 to 250,000"),
                ({"bridges": [[0, 0]]}, "dots on bridges"),
                ({"bridges": [[7, 0]]}, "Bridges are off"),
                ({"topology": "round"}, "topology"),
                ({"topology": "x" * 10_000}, "Invalid enum"),
                ({"wrap": "rows"}, "wrap"),
                ({"topology": "hex", "wrap": "both"}, "no warps"),
                ({"warps": [[[0, 0], [1, 1]]]}, "two ends"),
                ({"holes": [[0, 0]]}, "off the board"),
            )
        ),
    ],
)
def test_a_fault_is_named_and_quoted_in_part(line, message):
    with pytest.raises(PuzzleInvalidError, match=message) as raised:
        parse_record(line)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize("count", [1, SHOWN, SHOWN + 3])
def test_the_first_of_many_are_shown_and_the_others_counted(count):
    names = [str(n) for n in range(count)]
    more = count - SHOWN
    said = shown(names).replace(" and ", ", ").split(", ")
    assert said == names[:SHOWN] + [f"{more} more"] * (more > 0)
    assert invalid_puzzle(names).message.split() == names[:SHOWN] + f"And {more} more.".split() * (more > 0)
