import pytest

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.solvers.deductions import Deduction, Fault, Rung
from flowvision.solvers.hints import FlowNames, Hint, flow_hint, hint_of, play_order, several_flows, words_of
from tests.boards import MADE
from tests.drawing import FIVE, SEVERAL

BOARDS = {"five": FIVE, "several": SEVERAL} | MADE


@pytest.mark.parametrize("name", BOARDS)
def test_the_order_of_play_has_every_flow_once(name: str) -> None:
    puzzle = parse(BOARDS[name]).puzzle
    solution = solve(puzzle).solution
    flows = list(range(len(solution.paths)))
    for seconds in (30, 1e-9):
        assert sorted(play_order(puzzle, solution, (), seconds)) == flows
        assert play_order(puzzle, solution, solution.paths[-1].edges, seconds)[0] == flows[-1]


def test_several_flows_are_the_first_that_are_left() -> None:
    parsed = parse(FIVE)
    puzzle = parsed.puzzle
    solution = solve(puzzle).solution
    order = play_order(puzzle, solution)
    hint = several_flows(puzzle, solution, 2)
    assert tuple(dict.fromkeys(hint.flows)) == order[:2]
    assert set(hint.edges) == {edge for flow in order[:2] for edge in solution.paths[flow].edges}
    drawn = solution.paths[order[0]].edges
    assert tuple(dict.fromkeys(several_flows(puzzle, solution, 1, drawn).flows)) == order[1:2]
    every = [edge for path in solution.paths for edge in path.edges]
    assert several_flows(puzzle, solution, 9, every).edges == ()
    first, second = (f"the flow {parsed.letters[flow]}" for flow in order[:2])
    for count, said in (
        (1, f"The easiest flow: {first}."),
        (2, f"The easiest flows, in order: {first} and {second}."),
    ):
        told = words_of(
            several_flows(puzzle, solution, count), puzzle, parsed.board, FlowNames(parsed.letters)
        )
        assert told[0] == said


@pytest.mark.parametrize(
    ("asked", "flows"), [("Flow", 1), ("R", 1), ("r", 1), ("red", 1), ("2", 2), ("99", 5)]
)
def test_what_is_asked_for_is_given(asked: str, flows: int) -> None:
    parsed = parse(FIVE)
    solution = solve(parsed.puzzle).solution
    hint = hint_of(parsed.puzzle, solution, parsed.letters, asked)
    assert len(set(hint.flows)) == flows
    if asked in "Rred":
        assert hint.edges == solution.paths[0].edges
        assert hint_of(parsed.puzzle, solution, parsed.letters, "R", hint.edges).code == "flow-drawn"


@pytest.mark.parametrize("asked", ["Q", "0", "", "²"])
def test_what_is_no_hint_says_what_there_is(asked: str) -> None:
    parsed = parse(FIVE)
    with pytest.raises(PuzzleInvalidError) as raised:
        hint_of(parsed.puzzle, solve(parsed.puzzle).solution, parsed.letters, asked)
    assert "R, G, Y, B and O" in raised.value.hint


def test_flows_are_called_by_the_colours_that_they_have() -> None:
    parsed = parse(FIVE)
    given = parsed.puzzle, solve(parsed.puzzle).solution, parsed.letters
    colours = ("green", "red", "tan", "white", "lime")
    hint = hint_of(*given, "Red", colours=colours)
    assert hint == hint_of(*given, "G")
    with pytest.raises(PuzzleInvalidError) as raised:
        hint_of(*given, "blue", colours=colours)
    assert "R (green), G (red), " in raised.value.hint


def test_a_limit_that_passes_is_said() -> None:
    parsed = parse(SEVERAL)
    solution, known = solve(parsed.puzzle).solution, set[int]()
    while (hint := hint_of(parsed.puzzle, solution, parsed.letters, "next", known)).code.startswith("way"):
        known.update(hint.edges)
    with pytest.raises(GaveUpError, match="No hint within"):
        hint_of(parsed.puzzle, solution, parsed.letters, "next", known, 0.0)


@pytest.mark.parametrize("name", BOARDS)
def test_next_is_one_step_with_one_reason(name: str) -> None:
    parsed = parse(BOARDS[name])
    solution, known = solve(parsed.puzzle).solution, set[int]()
    while (hint := hint_of(parsed.puzzle, solution, parsed.letters, "next", known)).edges:
        assert len(hint.reasons) == 1
        assert len(hint.edges) <= 2
        assert known.isdisjoint(hint.edges)
        words = words_of(hint, parsed.puzzle, parsed.board, FlowNames(parsed.letters))
        assert words
        assert all(sentence.endswith(".") for sentence in words)
        known.update(hint.edges)
    assert hint.code == "all-drawn"
    assert known == {edge for path in solution.paths for edge in path.edges}


def test_reasons_in_words() -> None:
    parsed = parse("R.B\n...\nR.B\n")
    puzzle, board, near = parsed.puzzle, parsed.board, parsed.puzzle.graph.incident
    names = FlowNames(parsed.letters, ("red", "blue"))

    def said(step: Deduction) -> str:
        return " ".join(
            words_of(Hint("way-out", step.edges, (0,) * len(step.edges), (step,)), puzzle, board, names)
        )

    assert said(Deduction(Rung.WAY_OUT, near[0][:1], 0)) == (
        "The red dot R in row 1, column 1 has one way out: to row 1, column 2."
    )
    assert said(Deduction(Rung.WAY_THROUGH, near[1][:2], 1)).startswith(
        "A pipe through row 1, column 2 has one way: from "
    )
    assert said(Deduction(Rung.WAY_OUT, near[1][:1], 1)).startswith(
        "The red pipe R in row 1, column 2 can only"
    )
    ahead = Deduction(
        Rung.ONE_AHEAD,
        near[4][:1],
        4,
        tuple((e, Fault(*fault)) for e, fault in zip(near[4][1:], FAULTS, strict=True)),
    )
    words = said(ahead)
    assert "the blue dot B in row 3, column 3 would have no way out" in words
    assert "the blue flow B could no longer be joined" in words
    assert "a pipe would touch itself in row 2, column 2" in words
    assert said(Deduction(Rung.SEARCH, near[0][:1])).startswith("The red flow R goes between row 1, column 1")


FAULTS = ("dead-end", 8), ("cut-off", 8), ("beside-itself", 4)


def test_one_flow_is_the_shortest_that_is_left():
    solution = solve(parse(FIVE).puzzle).solution
    lengths = [len(path.edges) for path in solution.paths]
    hint = flow_hint(solution)
    assert len(hint.edges) == min(lengths)
    assert flow_hint(solution, 3).edges == solution.paths[3].edges
    known = {edge for path in solution.paths for edge in path.edges}
    assert flow_hint(solution, known=known).edges == ()
