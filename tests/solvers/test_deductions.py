from collections.abc import Iterable
from itertools import islice, takewhile
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.counting import solutions
from flowvision.solvers.deductions import GRADES, Position, Rung, deductions, difficulty
from flowvision.solvers.sat import SatSearch
from tests.boards import SMALL_BOARDS, begun
from tests.drawing import LEVEL_5X5, SEVERAL

AMPLE = 600.0


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_deductions_hold_in_every_solution(board: Board, seed: int) -> None:
    puzzle, solution = random_puzzle(board, seed)
    steps = deductions(puzzle, solution, (), AMPLE)
    deduced = {edge for step in takewhile(lambda step: step.rung < Rung.SEARCH, steps) for edge in step.edges}
    some_solutions = list(islice(solutions(puzzle, AMPLE), 200))
    assert some_solutions
    assert all(deduced <= other.edges for other in some_solutions)


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_deductions_together_are_the_rest_of_the_solution(board: Board, seed: int) -> None:
    puzzle, solution = random_puzzle(board, seed)
    known = set().union(*begun(solution, Random(seed)))
    deduced = [edge for step in deductions(puzzle, solution, known, AMPLE) for edge in step.edges]
    assert len(deduced) == len(set(deduced))
    assert set(deduced) | known == solution.edges


@pytest.mark.parametrize(
    ("text", "rung"), [(LEVEL_5X5, Rung.WAY_OUT), ("....\n.AB.\n.AB.\n....\n", Rung.WAY_THROUGH)]
)
def test_the_easiest_comes_first(text: str, rung: Rung) -> None:
    puzzle = parse(text).puzzle
    assert next(deductions(puzzle, solve(puzzle).solution)).rung == rung


def position_with(puzzle: Puzzle, solution: Solution, flows: int) -> Position:
    """Return the position with the first flows drawn."""
    position = Position(puzzle, strict=True)
    for path in solution.paths[:flows]:
        for edge in path.edges:
            position.draw(edge)
    return position


def has_solution_with(puzzle: Puzzle, edges: Iterable[int]) -> bool:
    with SatSearch(puzzle, inf) as search:
        for edge in edges:
            search.add([edge + 1])
        return search.next_solution("strict") is not None


def test_a_fault_means_that_there_is_no_solution() -> None:
    kinds = set()
    for seed, board in enumerate([boards.square(6, 6), boards.hexagonal(5, 5), SMALL_BOARDS["mixed"]] * 5):
        puzzle, solution = random_puzzle(board, seed)
        position = position_with(puzzle, solution, flows=seed % 4)
        for edge in filter(position.is_open, range(len(puzzle.graph.edges))):
            for fault in filter(None, (position.fault_after(edge), position.fault_after(edge, further=4))):
                kinds.add(fault.kind)
                assert not has_solution_with(puzzle, [*position.used, edge])
    assert kinds == {"dead-end", "cut-off", "stranded", "beside-itself"}


def touches(before: Position, after: Position) -> bool:
    """Tell if a step brought two strands of a flow or piece side by side that no edge joins, nor can."""
    joined = {frozenset(after.edges[edge]) for edge in after.used}
    for a, b in ((a, b) for a, around in enumerate(after.near) for b in around):
        is_one_piece = after.piece[a] == after.piece[b]
        has_new_flow = min(before.flow_at(a), before.flow_at(b)) < 0 <= after.flow_at(a) == after.flow_at(b)
        is_final = is_one_piece or (has_new_flow and not (after.need[a] and after.need[b]))
        if is_final and frozenset((a, b)) not in joined:
            return True
    return False


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_an_edge_that_brings_a_pipe_beside_itself_is_seen(board: Board, seed: int) -> None:
    puzzle, solution = random_puzzle(board, seed)
    position, rng = Position(puzzle, strict=True), Random(seed)
    for edge in sorted(solution.edges):
        if rng.random() < 0.5:
            position.draw(edge)
    for edge in filter(position.is_open, range(len(puzzle.graph.edges))):
        after = position.copy()
        after.draw(edge)
        assert (position.touch_by(edge) is not None) == touches(position, after)


@pytest.mark.parametrize("text", ["..A..\n....A\n", "....A\n..A..\n"])
def test_what_the_only_flow_cuts_off_is_seen_one_step_ahead(text: str) -> None:
    position = Position(parse(text).puzzle, strict=True)
    straight_down = position.edges.index((2, 7))
    assert position.fault_after(straight_down).kind == "stranded"


@pytest.mark.parametrize(
    ("text", "grade", "is_score_0"),
    [(LEVEL_5X5, "easy", True), (SEVERAL, GRADES[-1], False)],
    ids=["easy", "hard"],
)
def test_grades_are_those_of_the_hardest_step(text: str, grade: str, is_score_0: bool) -> None:
    puzzle = parse(text).puzzle
    solution = solve(puzzle).solution
    graded = difficulty(puzzle, solution)
    assert (graded.grade, graded.score == 0) == (grade, is_score_0)
    assert sum(graded.steps) == len(list(deductions(puzzle, solution)))
