"""What a search by clauses says about itself."""

from __future__ import annotations

import pytest

from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.encoding import clauses_of
from flowvision.solvers.sat import SAT_SOLVERS
from tests.drawing import FIVE, NONE, SEVERAL


@pytest.mark.parametrize("text", [FIVE, SEVERAL, NONE])
def test_the_kinds_of_clauses_add_up(text: str) -> None:
    """The numbers of each kind are those of the clauses that are made, and of the variables they use."""
    puzzle = parse(text).puzzle
    clauses = clauses_of(puzzle).clauses
    evidence = solve(puzzle).evidence
    assert evidence is not None
    assert sum(count for _, count in evidence.clauses) == len(clauses)
    used = {abs(literal) for clause in clauses for literal in clause}
    assert sum(count for _, count in evidence.variables) == len(used)
    units = sum(len(clause) == 1 for clause in clauses)
    assert evidence.clauses[0][1] <= units


@pytest.mark.parametrize("name", SAT_SOLVERS)
def test_every_sat_solver_counts(name: str) -> None:
    """The evidence names the solver, and a proof that there is no solution took conflicts or propagations."""
    evidence = solve(parse(NONE).puzzle, f"sat:{name}").evidence
    assert evidence is not None
    assert evidence.solver == name
    assert min(evidence.conflicts, evidence.decisions, evidence.propagations) >= 0


def test_evidence_is_no_part_of_an_outcome() -> None:
    """Two solutions are equal however they were found, and are shown without the numbers."""
    puzzle = parse(FIVE).puzzle
    one, other = solve(puzzle), solve(puzzle, "sat:glucose4")
    assert one.evidence != other.evidence
    assert "conflicts" not in repr(one)
