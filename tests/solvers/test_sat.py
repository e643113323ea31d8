import signal
import subprocess
import sys
from itertools import islice
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.backtracking import steps
from flowvision.solvers.sat import SatSearch, clauses_of
from tests.commands import PATIENCE, ROOT, interruptible, posix_only
from tests.drawing import LEVEL_5X5, SEVERAL, UNSOLVABLE

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
    puzzle, strict = random_puzzle(board, seed, colours=2)
    some_solutions = islice((step.solution for step in steps(puzzle, "free") if step.solution), 20)
    with SatSearch(puzzle, inf) as search:
        cuts = [(cut, solution) for solution in some_solutions for cut in search.cuts(solution, (), "strict")]
        for cut, solution in cuts:
            assert not holds(cut, solution, search.strict)
            assert holds(cut, strict, search.strict)
        assert search.evidence().touches_cut == len(cuts)


def holds(clause, solution, strict):
    """Tell if a solution satisfies a clause; ``strict``: the variable of strict rules, which is true."""
    true = {edge + 1 for edge in solution.edges} | {strict}
    return any(literal in true if literal > 0 else -literal not in true for literal in clause)


@pytest.mark.parametrize("text", [LEVEL_5X5, SEVERAL, UNSOLVABLE])
def test_variables_and_clauses_are_counted(text: str) -> None:
    puzzle = parse(text).puzzle
    clauses = clauses_of(puzzle)[1]
    evidence = solve(puzzle).evidence
    assert evidence.clauses == len(clauses)
    used = {abs(literal) for clause in clauses for literal in clause}
    assert evidence.variables == len(used)


SEARCH = """
from math import inf
from flowvision.puzzle.text import parse
from flowvision.solvers.sat import SatSearch
from tests.boards import pigeons
from tests.drawing import LEVEL_5X5
search = SatSearch(parse(LEVEL_5X5).puzzle, inf)
above = search._free_variable
for clause in pigeons(14):
    search.add([literal + above if literal > 0 else literal - above for literal in clause])
print("begun", flush=True)
search.used_edges("strict")
"""
"""A search that is not refuted quickly: clauses added to a board say that 15 pigeons fit into 14 holes."""


@posix_only
@interruptible
def test_a_search_can_be_interrupted() -> None:
    piped: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SEARCH], cwd=ROOT, **piped) as running:
        assert running.stdout.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        _stdout, printed = running.communicate(timeout=PATIENCE)
    assert printed.splitlines()[-1] == "KeyboardInterrupt"
