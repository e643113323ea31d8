"""Calls of Minisat as JSON, in the interpreter that has PySAT; ``pysolvers.py`` sends them."""

import json
from itertools import count
from typing import Any

import pysolvers

solvers: dict[int, Any] = {}
numbers = count(1)


def sat(text: str) -> str:
    """Return the result of a call: its name, the number of its solver, and the rest."""
    name, *given = json.loads(text)
    if name == "new":
        number = next(numbers)
        solvers[number] = pysolvers.minisat22_new()
        return json.dumps(number)
    number, *rest = given
    solver, result = solvers[number], None
    match name:
        case "del":
            pysolvers.minisat22_del(solvers.pop(number))
        case "cbudget":
            pysolvers.minisat22_cbudget(solver, *rest)
        case "solve":
            clauses, assumptions = rest
            for clause in clauses:
                pysolvers.minisat22_add_cl(solver, clause)
            result = pysolvers.minisat22_solve_lim(solver, assumptions, 0, 0)
        case "core":
            result = pysolvers.minisat22_core(solver)
        case "model":
            result = pysolvers.minisat22_model(solver)
        case "stats":
            result = pysolvers.minisat22_acc_stats(solver)
    return json.dumps(result)
