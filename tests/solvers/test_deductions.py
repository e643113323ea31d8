from itertools import islice, takewhile
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.counting import solutions
from flowvision.solvers.deductions import GRADES, Position, Rung, deductions, difficulty
from flowvision.solvers.sat import SatSearch
from tests.boards import SMALL_BOARDS, begun
from tests.drawing import FIVE, SEVERAL

AMPLE = 600.0


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_deductions_hold_in_every_solution(board: Board, seed: int) -> None:
    puzzle, made = random_puzzle(board, seed)
    steps = takewhile(lambda step: step.rung < Rung.SEARCH, deductions(puzzle, made, (), AMPLE))
    drawn = {edge for step in steps for edge in step.edges}
    found = [solution.edges for solution in islice(solutions(puzzle, AMPLE), 200)]
    assert found
    assert all(edges >= drawn for edges in found)


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_together_they_are_the_solution(board: Board, seed: int) -> None:
    puzzle, solution = random_puzzle(board, seed)
    known = set().union(*begun(solution, Random(seed)))
    drawn = [edge for step in deductions(puzzle, solution, known, AMPLE) for edge in step.edges]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) | known == {edge for path in solution.paths for edge in path.edges}


@pytest.mark.parametrize(
    ("text", "rung"), [(FIVE, Rung.WAY_OUT), ("....\n.AB.\n.AB.\n....\n", Rung.WAY_THROUGH)]
)
def test_the_easiest_comes_first(text: str, rung: Rung) -> None:
    puzzle = parse(text).puzzle
    assert next(deductions(puzzle, solve(puzzle).solution)).rung == rung


def test_a_fault_means_that_there_is_no_solution() -> None:
    kinds = set()
    for seed, board in enumerate([boards.square(6, 6), boards.hexagonal(5, 5), SMALL_BOARDS["mixed"]] * 5):
        puzzle, solution = random_puzzle(board, seed)
        position = Position(puzzle, strict=True)
        for path, _ in zip(solution.paths, range(seed % 4), strict=False):
            for edge in path.edges:
                position.draw(edge)
        drawn = [edge + 1 for edge in sorted(position.used)]
        for edge in filter(position.is_open, range(len(puzzle.graph.edges))):
            for fault in filter(None, (position.fault_after(edge), position.fault_after(edge, 4))):
                kinds.add(fault.kind)
                with SatSearch(puzzle, inf) as search:
                    for literal in (*drawn, edge + 1):
                        search.add([literal])
                    assert search.next_solution("strict") is None
    assert kinds == {"dead-end", "cut-off", "stranded", "beside-itself"}


@pytest.mark.parametrize("text", ["..A..\n....A\n", "....A\n..A..\n"])
def test_what_the_only_flow_cuts_off_is_seen_one_step_ahead(text: str) -> None:
    position = Position(parse(text).puzzle, strict=True)
    assert position.fault_after(position.edges.index((2, 7))).kind == "stranded"


def test_grades_are_those_of_the_hardest_step() -> None:
    for text, grade in ((FIVE, "easy"), (SEVERAL, GRADES[-1])):
        puzzle = parse(text).puzzle
        solution = solve(puzzle).solution
        found = difficulty(puzzle, solution)
        assert (found.grade, found.score == 0) == (grade, grade == "easy")
        assert sum(found.steps) == len(list(deductions(puzzle, solution)))
