import signal
import subprocess
import sys
from itertools import islice
from math import inf
from typing import Any

import pysolvers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import Solved, sat, solve
from flowvision.solvers.backtracking import steps
from flowvision.solvers.encoding import clauses_of
from flowvision.solvers.sat import FUNCTIONS, Minisat, SatSearch, minisat
from tests.commands import PATIENCE, ROOT, posix_only
from tests.drawing import CURLED, FIVE, NONE, SEVERAL

ROOMY = {
    "square": boards.square(5, 5),
    "walls": boards.square(5, 4, walls=[((1, 1), (1, 2))]),
    "hex": boards.hexagonal(4, 4),
}
"""Boards on which paths can touch themselves further away than in a square."""


@pytest.mark.parametrize("board", ROOMY.values(), ids=list(ROOMY))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000))
def test_a_cut_rules_out_what_touches_itself_and_no_strict_solution(board, seed):
    puzzle, strict = random_puzzle(board, seed, 2)
    free = islice((step.solution for step in steps(puzzle, "free") if step.solution), 20)
    with SatSearch(puzzle, inf) as search:
        for found in free:
            for cut in search.cuts(found, (), "strict"):
                assert not holds(cut, found, search.strict)
                assert holds(cut, strict, search.strict)


def holds(clause, solution, strict):
    true = {edge + 1 for path in solution.paths for edge in path.edges} | {strict}
    return any(literal in true if literal > 0 else -literal not in true for literal in clause)


@pytest.mark.parametrize("text", [FIVE, SEVERAL, NONE])
def test_variables_and_clauses_are_counted(text: str) -> None:
    puzzle = parse(text).puzzle
    clauses = clauses_of(puzzle)[1]
    evidence = solve(puzzle).evidence
    assert evidence.clauses == len(clauses)
    used = {abs(literal) for clause in clauses for literal in clause}
    assert evidence.variables == len(used)


VARIABLES = 12
LITERALS = st.integers(1, VARIABLES).flatmap(lambda variable: st.sampled_from([variable, -variable]))
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=3), max_size=50)
ASSUMED = st.lists(LITERALS, max_size=5)
STEPS = st.lists(st.tuples(CLAUSES, ASSUMED, st.sampled_from([1, 1_000])), min_size=1, max_size=4)


def told(solver: Any, clauses: list[list[int]], assumed: list[int], budget: int) -> list[object]:
    solver.append_formula(clauses[1:])
    for clause in clauses[:1]:
        solver.add_clause(clause)
    solver.conf_budget(budget)
    answer = solver.solve_limited(assumptions=assumed)
    return [answer, solver.get_model(), solver.get_core(), solver.accum_stats()]


@given(STEPS)
def test_it_does_what_the_class_of_pysat_does(steps: list[tuple[list[list[int]], list[int], int]]) -> None:
    ours, theirs = Minisat(), Minisat22()
    for clauses, assumed, budget in steps:
        assert told(ours, clauses, assumed, budget) == told(theirs, clauses, assumed, budget)
    ours.delete()
    assert ours._handle is None
    ours.delete()
    theirs.delete()


def test_this_pysat_has_all_its_functions() -> None:
    """If a release renames some, starting takes longer and ``Minisat`` needs an update."""
    assert [name for name in FUNCTIONS if not hasattr(pysolvers, name)] == []
    assert isinstance(minisat(), Minisat)


SEARCH = """
from flowvision.solvers.sat import minisat
from tests.boards import pigeons
solver = minisat()
solver.append_formula(pigeons(14))
for number in range(1_000_000):
    solver.conf_budget(100)
    assert solver.solve_limited(assumptions=[]) is None
    if not number:
        print("begun", flush=True)
"""


@posix_only
def test_a_search_can_be_interrupted() -> None:
    piped: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SEARCH], cwd=ROOT, **piped) as running:
        assert running.stdout.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
    assert said.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.parametrize("text", [FIVE, SEVERAL, CURLED, NONE])
def test_a_pysat_without_these_functions_will_do(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = solve(parse(text).puzzle)
    monkeypatch.setattr(sat, "FUNCTIONS", (*FUNCTIONS, "minisat22_renamed"))
    assert isinstance(minisat(), Minisat22)
    unusual = solve(parse(text).puzzle)
    assert type(unusual) is type(usual)
    if isinstance(usual, Solved):
        assert (unusual.unique, unusual.rules) == (usual.unique, usual.rules)
        assert not usual.unique or unusual.solution == usual.solution
