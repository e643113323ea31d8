"""Puzzles to play on the page, the paths that solve them, and the pipes that are drawn."""

from __future__ import annotations

from flowvision.puzzle.text import parse
from flowvision.solvers import Solved, solve
from tests.web.chromium import Tab


def paths_of(text: str) -> list[list[tuple[int, int]]]:
    """The cells of every path of the solution."""
    named = parse(text)
    outcome = solve(named.puzzle)
    assert isinstance(outcome, Solved)
    assert named.board.lattice is not None
    return [[named.board.lattice.places[v] for v in path.vertices] for path in outcome.solution.paths]


def generated(tab: Tab) -> Tab:
    """A puzzle to play is there."""
    tab.page.locator("#panel-Play", has_text="Difficulty").wait_for()
    return tab


def lines(tab: Tab) -> int:
    """How many pieces of pipe are drawn on the board."""
    return int(tab.page.locator("#board .lines path").count())
