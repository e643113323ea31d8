"""Deductions are forced, by an oracle that searches; they lead to the solution, the easiest first."""

from __future__ import annotations

from itertools import islice, takewhile
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import Limits, Solved, solve
from flowvision.solvers.counting import solutions
from flowvision.solvers.deductions import GRADES, Deduction, Position, Rung, deductions, difficulty
from flowvision.solvers.sat import SatSearch
from tests.boards import MADE, SMALL_BOARDS, begun
from tests.drawing import CURLED, FIVE, SEVERAL

NAMED = {"five": FIVE, "several": SEVERAL, "curled": CURLED} | MADE
AMPLE = Limits(600.0)


@pytest.mark.parametrize("board", SMALL_BOARDS.values(), ids=list(SMALL_BOARDS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_deductions_hold_in_every_solution(board: Board, seed: int) -> None:
    """What a deduction draws is in all solutions that have what was drawn before, as SAT finds them."""
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
    """Whatever is drawn already, every other edge comes once, and no edge of another solution."""
    puzzle, solution = random_puzzle(board, seed)
    known = set().union(*begun(solution, Random(seed)))
    drawn = [edge for step in deductions(puzzle, solution, known, AMPLE) for edge in step.edges]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) | known == {edge for path in solution.paths for edge in path.edges}


@pytest.mark.parametrize("name", NAMED)
def test_each_is_the_first_from_where_it_is(name: str) -> None:
    """A deduction depends on what is drawn, not on how one got there."""
    puzzle = parse(NAMED[name]).puzzle
    solution = solved(puzzle)
    known: set[int] = set()
    for step in deductions(puzzle, solution, (), AMPLE):
        assert next(deductions(puzzle, solution, known, AMPLE)) == step
        known.update(step.edges)


@pytest.mark.parametrize("name", NAMED)
def test_a_reason_shows_that_there_is_no_other_way(name: str) -> None:
    """Counted by hand: the edges, those refuted, and those that are drawn or full are all at the strand."""
    puzzle = parse(NAMED[name]).puzzle
    dots = {dot: flow for flow, pair in enumerate(puzzle.terminals) for dot in pair}
    known: set[int] = set()
    for step in deductions(puzzle, solved(puzzle), (), AMPLE):
        if step.strand is not None:
            used = [sum(s in puzzle.graph.edges[e] for e in known) for s in range(puzzle.graph.size)]
            need = [(1 if s in dots else 2) - used[s] for s in range(puzzle.graph.size)]
            assert len(step.edges) == need[step.strand]
            others = set(puzzle.graph.incident[step.strand]) - known - set(step.edges)
            for edge in others - {edge for edge, _ in step.refuted}:
                there = puzzle.graph.other_end(edge, step.strand)
                assert need[there] == 0 or meets(puzzle, known, step.strand, there)
            assert bool(step.refuted) == (step.rung in (Rung.ONE_AHEAD, Rung.FURTHER_AHEAD))
        known.update(step.edges)


def meets(puzzle: Puzzle, known: set[int], a: int, b: int) -> bool:
    """Whether the pieces of two strands are one, or lead to dots of two flows."""
    flow_of = {dot: flow for flow, pair in enumerate(puzzle.terminals) for dot in pair}
    pieces = [piece(puzzle, known, strand) for strand in (a, b)]
    flows = [{flow_of[s] for s in strands if s in flow_of} for strands in pieces]
    return pieces[0] == pieces[1] or len(flows[0] | flows[1]) > 1


def piece(puzzle: Puzzle, known: set[int], start: int) -> set[int]:
    """All strands that known edges join to one."""
    found, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for edge in known.intersection(puzzle.graph.incident[here]):
            there = puzzle.graph.other_end(edge, here)
            if there not in found:
                found.add(there)
                todo.append(there)
    return found


def solved(puzzle: Puzzle):
    """The solution."""
    outcome = solve(puzzle)
    assert isinstance(outcome, Solved)
    return outcome.solution


def first(text: str) -> Deduction:
    """The first deduction on a board."""
    puzzle = parse(text).puzzle
    return next(deductions(puzzle, solved(puzzle)))


def test_the_easiest_comes_first() -> None:
    """A dot in a corner of others before a corner of the board; that before what takes looking ahead."""
    assert first(FIVE).rung == Rung.WAY_OUT
    assert first("....\n.AB.\n.AB.\n....\n").rung == Rung.WAY_THROUGH


def test_a_fault_means_that_there_is_no_solution() -> None:
    """Asked of SAT: none has what is drawn and the step that is tried. Every kind of fault occurs."""
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


def test_grades_are_those_of_the_hardest_step() -> None:
    """And the steps of all rungs are counted."""
    puzzle = parse(FIVE).puzzle
    found = difficulty(puzzle, solved(puzzle))
    assert (found.grade, found.score) == ("easy", 0)
    assert sum(found.steps) == len(list(deductions(puzzle, solved(puzzle))))
    puzzle = parse(SEVERAL).puzzle
    assert difficulty(puzzle, solved(puzzle)).grade == GRADES[-1]
