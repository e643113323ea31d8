from itertools import takewhile

import pytest

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Solution
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.deductions import Deduction, Fault, Rung
from flowvision.solvers.hints import FlowNames, Hint, easiest_flows, flow_hint, hint_of, play_order, words_of
from flowvision.words import COMMAND
from tests.boards import SPECIAL_BOARDS
from tests.drawing import LEVEL_5X5, SEVERAL

BOARDS = {"five": LEVEL_5X5, "several": SEVERAL} | SPECIAL_BOARDS
PARSED = parse(LEVEL_5X5)
PUZZLE, SOLUTION = PARSED.puzzle, solve(PARSED.puzzle).solution
FLOWS = {letter: flow for flow, letter in enumerate(PARSED.letters)}


def hint_about(kind: str, **how: object) -> Hint:
    """Return a hint on the first level."""
    return hint_of(PUZZLE, SOLUTION, PARSED.letters, kind, **how)


@pytest.mark.parametrize("name", BOARDS)
def test_the_order_of_play_has_every_flow_once(name: str) -> None:
    puzzle = parse(BOARDS[name]).puzzle
    solution = solve(puzzle).solution
    flows = list(range(len(solution.paths)))
    for seconds in (30, 1e-9):
        assert sorted(play_order(puzzle, solution, (), seconds)) == flows
        assert play_order(puzzle, solution, solution.paths[-1].edges, seconds)[0] == flows[-1]


def distinct_flows(hint: Hint) -> tuple[int, ...]:
    return tuple(dict.fromkeys(hint.flows))


def test_easiest_flows_are_the_first_that_are_left() -> None:
    first, second, *_ = play_order(PUZZLE, SOLUTION)
    hint = easiest_flows(PUZZLE, SOLUTION, count=2)
    assert distinct_flows(hint) == (first, second)
    assert set(hint.edges) == {*SOLUTION.paths[first].edges, *SOLUTION.paths[second].edges}
    words, *_ = words_of(hint, PUZZLE, PARSED.board, FlowNames(PARSED.letters))
    a, b = PARSED.letters[first], PARSED.letters[second]
    assert words == f"The easiest flows, in order: the flow {a} and the flow {b}."
    drawn = SOLUTION.paths[first].edges
    assert distinct_flows(easiest_flows(PUZZLE, SOLUTION, count=1, drawn=drawn)) == (second,)
    assert easiest_flows(PUZZLE, SOLUTION, count=9, drawn=SOLUTION.edges) == Hint("all-drawn")


def test_one_flow_is_given_whole() -> None:
    flow = 3
    edges, starts = SOLUTION.paths[flow].edges, SOLUTION.paths[flow].vertices[:-1]
    assert flow_hint(SOLUTION, flow) == Hint("whole-flow", edges, (flow,) * len(edges), starts)
    rest = Hint("whole-flow", edges[1:], (flow,) * len(edges[1:]), starts[1:])
    assert flow_hint(SOLUTION, flow, edges[:1]) == rest
    assert flow_hint(SOLUTION, flow, SOLUTION.edges) == Hint("flow-drawn")
    assert hint_about("flow") == easiest_flows(PUZZLE, SOLUTION, count=1)


@pytest.mark.parametrize("kind", ["R", "r", "red"])
def test_a_flow_is_chosen_by_its_letter_or_its_colour(kind: str) -> None:
    red = FLOWS["R"]
    assert hint_about(kind) == flow_hint(SOLUTION, red)


@pytest.mark.parametrize(("kind", "flows"), [("Flow", 1), ("2", 2), ("99", 5)])
def test_a_number_of_flows_is_given_at_most(kind: str, flows: int) -> None:
    assert len(distinct_flows(hint_about(kind))) == flows


@pytest.mark.parametrize("kind", ["Q", "0", "", "²"])
def test_an_unknown_flow_is_refused_with_those_of_the_board(kind: str) -> None:
    with pytest.raises(PuzzleInvalidError) as raised:
        hint_about(kind)
    assert "R, G, Y, B and O" in raised.value.hint


def test_flows_are_called_by_the_colours_that_they_have() -> None:
    colours = ("green", "red", "tan", "white", "lime")
    assert hint_about("Red", colours=colours) == hint_about("G")
    with pytest.raises(PuzzleInvalidError) as raised:
        hint_about("blue", colours=colours)
    assert "R (green), G (red), " in raised.value.hint


def test_a_limit_that_passes_is_an_error() -> None:
    named = parse(SEVERAL)
    solution, known = solve(named.puzzle).solution, set[int]()
    # Steps that need no search take no time.
    while (hint := hint_of(named.puzzle, solution, named.letters, "next", known)).code.startswith("way"):
        known.update(hint.edges)
    with pytest.raises(GaveUpError, match="No hint within"):
        hint_of(named.puzzle, solution, named.letters, "next", known, seconds=0.0)


def next_hints(named: NamedPuzzle, solution: Solution) -> list[Hint]:
    """Return the hints to the next step, each followed, up to the one that there is none."""
    hints, known = list[Hint](), set[int]()
    while not hints or hints[-1].edges:
        hints.append(hint_of(named.puzzle, solution, named.letters, "next", known))
        assert known.isdisjoint(hints[-1].edges)
        known.update(hints[-1].edges)
    assert known == set(solution.edges)
    return hints


@pytest.mark.parametrize("name", BOARDS)
def test_next_is_one_step_with_one_reason(name: str) -> None:
    named = parse(BOARDS[name])
    *steps, last = next_hints(named, solve(named.puzzle).solution)
    assert last.code == "all-drawn"
    for hint in steps:
        assert len(hint.reasons) == 1
        assert len(hint.edges) <= 2
        words = words_of(hint, named.puzzle, named.board, FlowNames(named.letters))
        assert words
        assert all(sentence.endswith(".") for sentence in words)


@pytest.mark.parametrize("name", BOARDS)
def test_forced_are_all_next_steps_with_one_way_and_at_least_one(name: str) -> None:
    named = parse(BOARDS[name])
    solution = solve(named.puzzle).solution
    *steps, _ = next_hints(named, solution)
    ways = [*takewhile(lambda hint: hint.reasons[0].rung <= Rung.WAY_THROUGH, steps)] or steps[:1]
    forced = hint_of(named.puzzle, solution, named.letters, "forced")
    assert set(forced.edges) == {edge for hint in ways for edge in hint.edges}


CORNERS = parse("R.B\n...\nR.B\n")
EDGES_AT = CORNERS.puzzle.graph.incident
FAULTS = (Fault("dead-end", 8), Fault("cut-off", 8), Fault("beside-itself", 4))
AHEAD = Deduction(Rung.ONE_AHEAD, EDGES_AT[4][:1], 4, tuple(zip(EDGES_AT[4][1:], FAULTS, strict=True)))
"""The middle cell has one way: what would follow each other one."""
WORDS = {
    Deduction(Rung.WAY_OUT, EDGES_AT[0][:1], 0): [
        "The red dot R in row 1, column 1 has one way out: to row 1, column 2."
    ],
    Deduction(Rung.WAY_THROUGH, EDGES_AT[1][:2], 1): ["A pipe through row 1, column 2 has one way: from "],
    Deduction(Rung.WAY_OUT, EDGES_AT[1][:1], 1): ["The red pipe R in row 1, column 2 can only"],
    AHEAD: [
        "the blue dot B in row 3, column 3 would have no way out",
        "the blue flow B could no longer be joined",
        "a pipe would touch itself in row 2, column 2",
    ],
    Deduction(Rung.SEARCH, EDGES_AT[0][:1]): ["The red flow R goes between row 1, column 1"],
}


@pytest.mark.parametrize("step", WORDS)
def test_reasons_in_words(step: Deduction) -> None:
    hint = Hint("way-out", step.edges, (0,) * len(step.edges), reasons=(step,))
    names = FlowNames(CORNERS.letters, ("red", "blue"))
    words = " ".join(words_of(hint, CORNERS.puzzle, CORNERS.board, names))
    assert all(part in words for part in WORDS[step])


SHORT = {
    Deduction(Rung.WAY_OUT, EDGES_AT[0][:1], 0): "The red dot R has one way out: right.",
    Deduction(Rung.WAY_THROUGH, EDGES_AT[1][:2], 1): "A pipe has one way: left and right.",
    Deduction(
        Rung.ONE_AHEAD, EDGES_AT[4][:1], 4, ((EDGES_AT[4][3], FAULTS[0]),)
    ): "The red pipe R can only continue: "
    "up. After a step down, the blue dot B in row 3, column 3 would have no way out.",
}


@pytest.mark.parametrize("step", SHORT)
def test_short_reasons_have_directions_in_place_of_the_cells_of_the_step(step: Deduction) -> None:
    hint = Hint("way-out", step.edges, (0,) * len(step.edges), reasons=(step,))
    names = FlowNames(CORNERS.letters, ("red", "blue"))
    assert words_of(hint, CORNERS.puzzle, CORNERS.board, names, COMMAND) == [SHORT[step]]


@pytest.mark.parametrize("name", BOARDS)
def test_every_step_leads_on_from_a_pipe_or_through_a_cell(name: str) -> None:
    named = parse(BOARDS[name])
    graph, reached = named.puzzle.graph, set(named.puzzle.dots)
    *steps, _ = next_hints(named, solve(named.puzzle).solution)
    for hint in steps:
        ends = [graph.other_end(edge, start) for edge, start in zip(hint.edges, hint.starts, strict=True)]
        if hint.code == "way-through" and len(ends) == 2:
            assert ends[0] == hint.starts[1]
        elif hint.code == "way-out":
            assert hint.starts[0] in reached
        reached.update(hint.starts, ends)
