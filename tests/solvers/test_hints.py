from itertools import takewhile

import pytest

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.deductions import Deduction, Fault, Rung
from flowvision.solvers.hints import FlowNames, Hint, easiest_flows, flow_hint, hint_of, play_order, words_of
from tests.boards import MADE
from tests.drawing import FIVE, SEVERAL

BOARDS = {"five": FIVE, "several": SEVERAL} | MADE
PARSED = parse(FIVE)
PUZZLE, SOLUTION = PARSED.puzzle, solve(PARSED.puzzle).solution
GIVEN = PUZZLE, SOLUTION, PARSED.letters
ALL = SOLUTION.edges


@pytest.mark.parametrize("name", BOARDS)
def test_the_order_of_play_has_every_flow_once(name: str) -> None:
    puzzle = parse(BOARDS[name]).puzzle
    solution = solve(puzzle).solution
    flows = list(range(len(solution.paths)))
    for seconds in (30, 1e-9):
        assert sorted(play_order(puzzle, solution, (), seconds)) == flows
        assert play_order(puzzle, solution, solution.paths[-1].edges, seconds)[0] == flows[-1]


def test_easiest_flows_are_the_first_that_are_left() -> None:
    order = play_order(PUZZLE, SOLUTION)
    hint = easiest_flows(PUZZLE, SOLUTION, 2)
    assert tuple(dict.fromkeys(hint.flows)) == order[:2]
    assert set(hint.edges) == {edge for flow in order[:2] for edge in SOLUTION.paths[flow].edges}
    drawn = SOLUTION.paths[order[0]].edges
    assert tuple(dict.fromkeys(easiest_flows(PUZZLE, SOLUTION, 1, drawn).flows)) == order[1:2]
    assert easiest_flows(PUZZLE, SOLUTION, 9, ALL) == Hint("all-drawn")
    first, second = (f"the flow {PARSED.letters[flow]}" for flow in order[:2])
    headlines = {1: f"The easiest flow: {first}.", 2: f"The easiest flows, in order: {first} and {second}."}
    for count, words in headlines.items():
        several = easiest_flows(PUZZLE, SOLUTION, count)
        assert words_of(several, PUZZLE, PARSED.board, FlowNames(PARSED.letters))[0] == words


def test_one_flow_is_given_whole() -> None:
    edges = SOLUTION.paths[3].edges
    assert flow_hint(SOLUTION, 3) == Hint("whole-flow", edges, (3,) * len(edges))
    assert flow_hint(SOLUTION, 3, edges[:1]) == Hint("whole-flow", edges[1:], (3,) * (len(edges) - 1))
    assert flow_hint(SOLUTION, 3, ALL) == Hint("flow-drawn")
    assert hint_of(*GIVEN, "flow") == easiest_flows(PUZZLE, SOLUTION, 1)


@pytest.mark.parametrize(
    ("kind", "flows"), [("Flow", 1), ("R", 1), ("r", 1), ("red", 1), ("2", 2), ("99", 5)]
)
def test_the_chosen_kind_of_hint_is_given(kind: str, flows: int) -> None:
    hint = hint_of(*GIVEN, kind)
    assert len(set(hint.flows)) == flows
    assert kind not in "Rred" or hint.edges == SOLUTION.paths[0].edges


def test_flows_are_called_by_the_colours_that_they_have() -> None:
    for kind in ("Q", "0", "", "²"):
        with pytest.raises(PuzzleInvalidError) as raised:
            hint_of(*GIVEN, kind)
        assert "R, G, Y, B and O" in raised.value.hint
    colours = ("green", "red", "tan", "white", "lime")
    assert hint_of(*GIVEN, "Red", colours=colours) == hint_of(*GIVEN, "G")
    with pytest.raises(PuzzleInvalidError) as raised:
        hint_of(*GIVEN, "blue", colours=colours)
    assert "R (green), G (red), " in raised.value.hint


def test_a_limit_that_passes_is_an_error() -> None:
    parsed = parse(SEVERAL)
    solution, known = solve(parsed.puzzle).solution, set[int]()
    while (hint := hint_of(parsed.puzzle, solution, parsed.letters, "next", known)).code.startswith("way"):
        known.update(hint.edges)
    with pytest.raises(GaveUpError, match="No hint within"):
        hint_of(parsed.puzzle, solution, parsed.letters, "next", known, 0.0)


@pytest.mark.parametrize("name", BOARDS)
def test_next_is_one_step_with_one_reason(name: str) -> None:
    parsed = parse(BOARDS[name])
    solution, known, steps = solve(parsed.puzzle).solution, set[int](), list[Hint]()
    while (hint := hint_of(parsed.puzzle, solution, parsed.letters, "next", known)).edges:
        assert len(hint.reasons) == 1
        assert len(hint.edges) <= 2
        assert known.isdisjoint(hint.edges)
        words = words_of(hint, parsed.puzzle, parsed.board, FlowNames(parsed.letters))
        assert words
        assert all(sentence.endswith(".") for sentence in words)
        known.update(hint.edges)
        steps.append(hint)
    assert (hint.code, known) == ("all-drawn", set(solution.edges))
    forced = hint_of(parsed.puzzle, solution, parsed.letters, "forced")
    ways = [*takewhile(lambda hint: hint.reasons[0].rung <= Rung.WAY_THROUGH, steps)] or steps[:1]
    assert set(forced.edges) == {edge for hint in ways for edge in hint.edges}


def test_reasons_in_words() -> None:
    parsed = parse("R.B\n...\nR.B\n")
    near, names = parsed.puzzle.graph.incident, FlowNames(parsed.letters, ("red", "blue"))
    faults = (Fault("dead-end", 8), Fault("cut-off", 8), Fault("beside-itself", 4))
    ahead = Deduction(Rung.ONE_AHEAD, near[4][:1], 4, tuple(zip(near[4][1:], faults, strict=True)))
    for step, *parts in (
        (
            Deduction(Rung.WAY_OUT, near[0][:1], 0),
            "The red dot R in row 1, column 1 has one way out: to row 1, column 2.",
        ),
        (Deduction(Rung.WAY_THROUGH, near[1][:2], 1), "A pipe through row 1, column 2 has one way: from "),
        (Deduction(Rung.WAY_OUT, near[1][:1], 1), "The red pipe R in row 1, column 2 can only"),
        (
            ahead,
            "the blue dot B in row 3, column 3 would have no way out",
            "the blue flow B could no longer be joined",
            "a pipe would touch itself in row 2, column 2",
        ),
        (Deduction(Rung.SEARCH, near[0][:1]), "The red flow R goes between row 1, column 1"),
    ):
        hint = Hint("way-out", step.edges, (0,) * len(step.edges), (step,))
        words = " ".join(words_of(hint, parsed.puzzle, parsed.board, names))
        assert all(part in words for part in parts)
