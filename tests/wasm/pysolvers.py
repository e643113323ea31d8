"""Minisat in another interpreter, which has PySAT: what ``flowvision.solvers.sat`` calls."""

import json

import cvbridge

_pending = {}


def _do(name, *a):
    return json.loads(cvbridge.sat(json.dumps([name, *a])))


def minisat22_new():
    s = _do("new")
    _pending[s] = []
    return s


def minisat22_del(s):
    _pending.pop(s, None)
    _do("del", s)


def minisat22_add_cl(s, clause):
    _pending[s].append(list(clause))


def minisat22_cbudget(s, n):
    _do("cbudget", s, n)


def minisat22_solve_lim(s, assumptions, a, b):
    new, _pending[s] = _pending[s], []
    return _do("solve", s, new, list(assumptions))


def minisat22_core(s):
    return _do("core", s)


def minisat22_model(s):
    return _do("model", s)


def minisat22_acc_stats(s):
    return _do("stats", s)
