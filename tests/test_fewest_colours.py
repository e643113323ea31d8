"""The page about the fewest colours: its examples, its proof, and two ways to count boards."""

import pytest
from benchmarks.fewest_colours import (
    FREE,
    TwoColours,
    by_minisat,
    by_sweep,
    outcome_of,
    renamed_in_order,
    shares,
    spiral,
)

from flowvision import parse_puzzle
from tests.commands import ROOT

PAGE = (ROOT / "docs" / "notes" / "fewest-colours.md").read_text("utf-8")


@pytest.mark.parametrize("text", FREE.values())
def test_an_example_has_one_solution_under_free_rules(text: str) -> None:
    puzzle = parse_puzzle(text.replace("/", "\n"))
    assert puzzle.count(2, rules="free").number == 1
    assert puzzle.solve(rules="free").unique


@pytest.mark.parametrize("size", range(3, 16))
def test_the_board_of_the_proof_has_two_colours_and_one_strict_solution(size: int) -> None:
    assert set(spiral(size)) == set("AB./")
    outcome = outcome_of(spiral(size), "strict")
    assert (outcome.unique, outcome.rules) == (True, "strict")


def test_the_solution_of_the_proof_alternates_from_ring_to_ring() -> None:
    size = 9
    flow_of = outcome_of(spiral(size), "strict").solution.flow_of
    for ring in range(size // 2):
        first, last = ring, size - 1 - ring
        top = [flow_of[first * size + col] for col in range(first + 1, last + 1)]
        left = [flow_of[row * size + first] for row in range(first, last + 1)]
        assert (set(top), set(left)) == ({1 - ring % 2}, {ring % 2})


@pytest.mark.parametrize(("rows", "cols", "colours"), [(2, 2, 1), (3, 3, 1), (3, 3, 2), (4, 3, 1), (4, 4, 1)])
def test_sweep_and_solver_count_the_same_boards(rows: int, cols: int, colours: int) -> None:
    swept, solved = by_sweep(rows, cols, colours), by_minisat(rows, cols, colours, "free")
    assert (swept.fillable, renamed_in_order(swept.unique)) == (
        solved.fillable,
        renamed_in_order(solved.unique),
    )


def test_colourings_and_solver_count_the_same_strict_boards() -> None:
    coloured, solved = TwoColours(3).count(), by_minisat(3, 3, 2, "strict")
    assert (coloured.fillable, renamed_in_order(coloured.unique)) == (
        solved.fillable,
        renamed_in_order(solved.unique),
    )
    # A single path through all cells touches itself: strict rules allow no board of one colour.
    assert not by_minisat(3, 3, 1, "strict").fillable


def test_the_table_has_the_numbers_of_the_script() -> None:
    # A count is written as "unique of fillable".
    assert all(f"| {TwoColours(size).count()} |" in PAGE for size in range(2, 6))
    for size, colours, word in ((3, 2, "two"), (4, 1, "one"), (5, 1, "one"), (5, 2, "two")):
        assert f"{word}: {by_sweep(size, size, colours)}" in PAGE


def test_random_boards_have_one_strict_solution_more_often_than_one_of_any_kind() -> None:
    found = shares(6, 4, 20)
    assert found is not None
    assert found["strict"] > found["free"]
