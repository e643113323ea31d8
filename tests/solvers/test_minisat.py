"""Minisat without PySAT's modules: it does what PySAT's own class does."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pysolvers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver as PysatSolver

from flowvision.puzzle.text import parse
from flowvision.solvers import Solved, sat, solve
from flowvision.solvers.sat import FUNCTIONS, MINISAT, Minisat, SatSolver, sat_solver
from tests.drawing import CURLED, FIVE, NONE, SEVERAL
from tests.solvers.random_puzzles import pigeons
from tests.systems import posix_only

VARIABLES = 12
LITERALS = st.integers(1, VARIABLES).flatmap(lambda variable: st.sampled_from([variable, -variable]))
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=3), max_size=50)
ASSUMED = st.lists(LITERALS, max_size=5)
STEPS = st.lists(st.tuples(CLAUSES, ASSUMED, st.sampled_from([1, 1_000])), min_size=1, max_size=4)


def told(solver: SatSolver, clauses: list[list[int]], assumed: list[int], budget: int) -> list[object]:
    """What a solver says after it was given more clauses."""
    solver.append_formula(clauses[1:])
    for clause in clauses[:1]:
        solver.add_clause(clause)
    solver.conf_budget(budget)
    answer = solver.solve_limited(assumptions=assumed)
    return [answer, solver.get_model(), solver.get_core(), solver.accum_stats()]


@given(STEPS)
def test_it_does_what_the_class_of_pysat_does(steps: list[tuple[list[list[int]], list[int], int]]) -> None:
    """Whatever it is asked, one thing after another: answers, models, contradictions, effort."""
    ours, theirs = Minisat(), PysatSolver(name=MINISAT)
    for clauses, assumed, budget in steps:
        assert told(ours, clauses, assumed, budget) == told(theirs, clauses, assumed, budget)
    ours.delete()
    ours.delete()
    theirs.delete()


def test_it_stops_at_its_budget() -> None:
    """Without an answer, and goes on from there."""
    solver = Minisat()
    solver.append_formula(pigeons(7))
    solver.conf_budget(100)
    assert solver.solve_limited(assumptions=[]) is None
    assert solver.get_model() is None
    assert solver.get_core() is None
    assert solver.accum_stats()["conflicts"] >= 100
    solver.conf_budget(10_000_000)
    assert solver.solve_limited(assumptions=[]) is False


def test_this_pysat_has_all_its_functions() -> None:
    """If a release has renamed some, starting takes longer: ``Minisat`` is to be brought up to date."""
    assert [name for name in FUNCTIONS if not hasattr(pysolvers, name)] == []
    assert isinstance(sat_solver(MINISAT), Minisat)


def test_other_solvers_are_those_of_pysat() -> None:
    """By the names it has for them."""
    assert isinstance(sat_solver("glucose4"), PysatSolver)


SEARCH = """
from flowvision.solvers.sat import MINISAT, sat_solver
from tests.solvers.random_puzzles import pigeons
solver = sat_solver(MINISAT)
solver.append_formula(pigeons(14))
for number in range(1_000_000):
    solver.conf_budget(100)
    assert solver.solve_limited(assumptions=[]) is None
    if not number:
        print("begun", flush=True)
"""


@posix_only
def test_a_search_can_be_interrupted() -> None:
    """By Ctrl-C, as anything else that is written in Python."""
    command = [sys.executable, "-c", SEARCH]
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=Path(__file__).parents[2], **piped) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert said.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.parametrize("text", [FIVE, SEVERAL, CURLED, NONE])
@pytest.mark.parametrize("missing", [FUNCTIONS[:1], FUNCTIONS])
def test_a_pysat_without_these_functions_will_do(
    text: str, missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own class is used then, with the same outcome."""
    usual = solve(parse(text).puzzle)
    for name in missing:
        monkeypatch.setattr(sat, "FUNCTIONS", (*FUNCTIONS, f"{name}_renamed"))
    assert isinstance(sat_solver(MINISAT), PysatSolver)
    unusual = solve(parse(text).puzzle)
    assert type(unusual) is type(usual)
    if isinstance(usual, Solved):
        assert (unusual.unique, unusual.rules) == (usual.unique, usual.rules)
        assert not usual.unique or unusual.solution == usual.solution
