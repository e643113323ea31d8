"""The page about the fewest colours: its examples, its proof, and two ways to count boards."""

from typing import Any

import pytest
from benchmarks import fewest_colours

from flowvision import parse_puzzle
from tests.commands import ROOT

PAGE = (ROOT / "docs" / "notes" / "fewest-colours.md").read_text("utf-8")


@pytest.mark.parametrize("text", fewest_colours.FREE.values())
def test_an_example_has_one_solution_under_free_rules(text: str) -> None:
    puzzle = parse_puzzle(text.replace("/", "\n"))
    assert puzzle.count(at_most=2, rules="free").number == 1
    assert puzzle.solve(rules="free").unique


@pytest.mark.parametrize("size", range(3, 16))
def test_the_board_of_the_proof_has_two_colours_and_one_strict_solution(size: int) -> None:
    assert set(fewest_colours.spiral(size)) == set("AB./")
    outcome = fewest_colours.outcome_of(fewest_colours.spiral(size), "strict")
    assert (outcome.unique, outcome.rules) == (True, "strict")


def counts(of_boards: Any) -> tuple[int, object]:
    """Return how many boards can be filled, and those with one solution."""
    return of_boards.fillable, fewest_colours.renamed_in_order(of_boards.unique)


@pytest.mark.parametrize(("rows", "cols", "colours"), [(2, 2, 1), (3, 3, 1), (3, 3, 2), (4, 3, 1), (4, 4, 1)])
def test_sweep_and_solver_count_the_same_boards(rows: int, cols: int, colours: int) -> None:
    assert counts(fewest_colours.by_sweep(rows, cols, colours)) == counts(
        fewest_colours.by_minisat(rows, cols, colours, "free")
    )


def test_the_table_has_the_numbers_of_the_script() -> None:
    # A count is written as "unique of fillable".
    assert all(f"| {fewest_colours.TwoColours(size).count()} |" in PAGE for size in range(2, 6))
    for size, colours, word in ((3, 2, "two"), (4, 1, "one"), (5, 1, "one"), (5, 2, "two")):
        assert f"{word}: {fewest_colours.by_sweep(size, size, colours)}" in PAGE
