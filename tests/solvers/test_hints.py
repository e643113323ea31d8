"""Hints in order, several at once, as people ask for them, and in words."""

from __future__ import annotations

import pytest

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle.text import parse
from flowvision.solvers import Limits, solve
from flowvision.solvers.asked_hints import hint_of, words_of
from flowvision.solvers.hints import NO_OTHER_WAY, Hint, hints_in_order, next_steps, play_order, several_flows
from tests.drawing import FIVE, SEVERAL
from tests.made_boards import MADE

BOARDS = {"five": FIVE, "several": SEVERAL} | MADE


@pytest.mark.parametrize("name", BOARDS)
def test_hints_in_order_are_the_next_steps_one_by_one(name: str) -> None:
    """Each is what is said when those before are drawn; together they are the solution."""
    puzzle = parse(BOARDS[name]).puzzle
    solution = solve(puzzle).solution
    known: set[int] = set()
    for hint in hints_in_order(puzzle, solution):
        assert hint == next_steps(puzzle, solution, known)
        assert known.isdisjoint(hint.edges)
        known.update(hint.edges)
    assert known == {edge for path in solution.paths for edge in path.edges}


@pytest.mark.parametrize("name", BOARDS)
def test_a_cause_shows_that_there_is_no_other_way(name: str) -> None:
    """Counted by hand: the open edges at the strand named are no more than it needs."""
    puzzle = parse(BOARDS[name]).puzzle
    solution = solve(puzzle).solution
    dots = {dot: flow for flow, pair in enumerate(puzzle.terminals) for dot in pair}
    known: set[int] = set()
    for hint in hints_in_order(puzzle, solution):
        used = [
            sum(strand in puzzle.graph.edges[edge] for edge in known) for strand in range(puzzle.graph.size)
        ]
        full = [used[strand] == (1 if strand in dots else 2) for strand in range(puzzle.graph.size)]
        for edge, cause in zip(hint.edges, hint.causes, strict=True):
            if cause is None:
                continue
            assert cause in puzzle.graph.edges[edge]
            ways = [
                e
                for e in puzzle.graph.incident[cause]
                for other in [puzzle.graph.other_end(e, cause)]
                if e not in known
                and not full[other]
                and not (cause in dots and other in dots and dots[cause] != dots[other])
            ]
            assert edge in ways
            assert len(ways) == (1 if cause in dots else 2) - used[cause]
        known.update(hint.edges)


@pytest.mark.parametrize("name", BOARDS)
def test_the_order_of_play_has_every_flow_once(name: str) -> None:
    """What is drawn already comes first; and a limit that passes at once changes nothing about that."""
    puzzle = parse(BOARDS[name]).puzzle
    solution = solve(puzzle).solution
    flows = list(range(len(solution.paths)))
    for limits in (None, Limits(1e-9)):
        assert sorted(play_order(puzzle, solution, (), limits)) == flows
        assert play_order(puzzle, solution, solution.paths[-1].edges, limits)[0] == flows[-1]


def test_several_flows_are_the_first_that_are_left() -> None:
    """In the order of play, numbered, whole."""
    puzzle = parse(FIVE).puzzle
    solution = solve(puzzle).solution
    order = play_order(puzzle, solution)
    hint = several_flows(puzzle, solution, 2)
    assert tuple(dict.fromkeys(hint.flows)) == order[:2]
    assert set(hint.edges) == {edge for flow in order[:2] for edge in solution.paths[flow].edges}
    assert hint.numbered
    drawn = solution.paths[order[0]].edges
    assert tuple(dict.fromkeys(several_flows(puzzle, solution, 1, drawn).flows)) == order[1:2]
    every = [edge for path in solution.paths for edge in path.edges]
    assert several_flows(puzzle, solution, 9, every).edges == ()


@pytest.mark.parametrize(("asked", "flows"), [("flow", 1), ("R", 1), ("2", 2), ("99", 5)])
def test_what_is_asked_for_is_given(asked: str, flows: int) -> None:
    """One flow, that flow, so many; never more than there are."""
    parsed = parse(FIVE)
    solution = solve(parsed.puzzle).solution
    hint = hint_of(parsed.puzzle, solution, parsed.letters, asked)
    assert len(set(hint.flows)) == flows
    if asked == "R":
        assert hint.edges == solution.paths[0].edges
        assert hint_of(parsed.puzzle, solution, parsed.letters, "R", hint.edges).why == "this flow is drawn"


@pytest.mark.parametrize("asked", ["Q", "0", "-1", "", "NEXT", "²", "r"])
def test_what_is_no_hint_says_what_there_is(asked: str) -> None:
    """The letters of the flows, and the other kinds."""
    parsed = parse(FIVE)
    with pytest.raises(PuzzleInvalidError) as raised:
        hint_of(parsed.puzzle, solve(parsed.puzzle).solution, parsed.letters, asked)
    assert "R G Y B O" in raised.value.hint


def test_a_limit_that_passes_is_said() -> None:
    """As giving up, not as a bug: once nothing is forced any more, a search would be needed."""
    parsed = parse(SEVERAL)
    solution = solve(parsed.puzzle).solution
    known: list[int] = []
    for hint in hints_in_order(parsed.puzzle, solution):
        if hint.why != NO_OTHER_WAY:
            break
        known += hint.edges
    with pytest.raises(GaveUpError, match="No hint within"):
        hint_of(parsed.puzzle, solution, parsed.letters, "next", known, Limits(1e-9))


def test_reasons_in_words() -> None:
    """A dot with one way out, a corner, a path with one way on; each names its cells as people count."""
    parsed = parse("R.\n..\n.R\n.G\nG.\n".replace("G", "B"))
    puzzle, board = parsed.puzzle, parsed.board
    first = Hint((0,), (0,), "why", (0,))
    u, v = (f"row {1 + s // 2}, column {1 + s % 2}" for s in puzzle.graph.edges[0])
    assert words_of(first, puzzle, board, parsed.letters) == [f"The dot R in {u} has one way out: to {v}."]
    corner = Hint(puzzle.graph.incident[1], (0, 0), "why", (1, 1))
    assert words_of(corner, puzzle, board, parsed.letters)[0].startswith("A path through row 1, column 2")
    on = Hint(puzzle.graph.incident[1][:1], (0,), "why", (1,))
    assert words_of(on, puzzle, board, parsed.letters)[0].startswith(
        "The path in row 1, column 2 has one way"
    )
    assert words_of(Hint((0,), (0,), "why", (None,)), puzzle, board, parsed.letters) == []
