"""The page about the fewest colours: its examples, its proof, and two ways to count boards."""

from typing import Any

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
        flows_of_top = {flow_of[first * size + col] for col in range(first + 1, last + 1)}
        flows_of_left = {flow_of[row * size + first] for row in range(first, last + 1)}
        assert flows_of_top == {1 - ring % 2}
        assert flows_of_left == {ring % 2}


def counts(of_boards: Any) -> tuple[int, object]:
    """Return how many boards can be filled, and those with one solution."""
    return of_boards.fillable, renamed_in_order(of_boards.unique)


@pytest.mark.parametrize(("rows", "cols", "colours"), [(2, 2, 1), (3, 3, 1), (3, 3, 2), (4, 3, 1), (4, 4, 1)])
def test_sweep_and_solver_count_the_same_boards(rows: int, cols: int, colours: int) -> None:
    assert counts(by_sweep(rows, cols, colours)) == counts(by_minisat(rows, cols, colours, "free"))


def test_colourings_and_solver_count_the_same_strict_boards() -> None:
    assert counts(TwoColours(3).count()) == counts(by_minisat(3, 3, 2, "strict"))


def test_strict_rules_allow_no_board_of_one_colour() -> None:
    """A single path through all cells touches itself."""
    assert not by_minisat(3, 3, 1, "strict").fillable


def test_the_table_has_the_numbers_of_the_script() -> None:
    # A count is written as "unique of fillable".
    assert all(f"| {TwoColours(size).count()} |" in PAGE for size in range(2, 6))
    for size, colours, word in ((3, 2, "two"), (4, 1, "one"), (5, 1, "one"), (5, 2, "two")):
        assert f"{word}: {by_sweep(size, size, colours)}" in PAGE


def test_random_boards_have_one_strict_solution_more_often_than_one_of_any_kind() -> None:
    share_of_rules = shares(6, 4, 20)
    assert share_of_rules is not None
    assert share_of_rules["strict"] > share_of_rules["free"]
