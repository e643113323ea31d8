from itertools import pairwise
from xml.etree import ElementTree as Xml

import pytest

from flowvision.colours import colour_name, palette_for
from flowvision.puzzle import boards
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import parse
from flowvision.render.curves import Piece, arrows_along, turns_of
from flowvision.render.ruling import SCREEN
from flowvision.render.svg import NAMESPACE, SvgBoard, svg_of
from flowvision.solvers import solve
from tests.boards import SPECIAL_BOARDS, free_of
from tests.drawing import LEVEL_5X5, whole_paths

SVG = f"{{{NAMESPACE}}}"
TEXTS = {"squares": LEVEL_5X5} | SPECIAL_BOARDS


def drawn(text: str, **how: object) -> tuple[SvgBoard, Xml.Element]:
    """Return a board with its whole solution, or as ``how`` says, and its vectors."""
    named = parse(text)
    solution = solve(named.puzzle).solution
    how = how if "turns" in how else {"still": whole_paths(solution)} | how
    palette = palette_for(named.letters)
    names = [colour_name(rgb) for rgb in palette]
    board = SvgBoard(named.board, named.puzzle, palette, names, named.letters, solution, **how)
    return board, Xml.fromstring(svg_of(board))


def paths_of(root: Xml.Element, name: str = "fv-pipe") -> list[Xml.Element]:
    return [path for path in root.iter(f"{SVG}path") if name in path.get("class", "")]


@pytest.mark.parametrize("name", TEXTS)
def test_every_flow_is_a_group_with_a_title(name: str) -> None:
    board, root = drawn(TEXTS[name])
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    assert len(groups) == len(board.puzzle.terminals)
    for flow, group in enumerate(groups):
        title = group.find(f"{SVG}title").text
        assert title.startswith(f"{board.letters[flow]}, ")
        assert f"over {len(board.solution.paths[flow].vertices)} cells" in title
        assert len(group.findall(f"{SVG}circle")) == 2
        assert group.find(f"{SVG}path").get("stroke") == board.palette[flow].hex
    assert "solved" in root.find(f"{SVG}title").text


@pytest.mark.parametrize("name", TEXTS)
def test_pipes_pass_the_middles_of_their_cells(name: str) -> None:
    board, root = drawn(TEXTS[name])
    for path, pipe in zip(board.solution.paths, paths_of(root), strict=True):
        for strand in path.vertices:
            centre = board.board.layout.cell_at(strand).centre
            x, y = (f"{100 * part:.2f}".rstrip("0").rstrip(".") for part in centre)
            assert f"{x} {y}" in pipe.get("d")


def test_a_board_off_any_lattice() -> None:
    """Four cells in an L, without rows and columns."""
    free = free_of(boards.square(2, 3, holes=[(1, 0), (1, 1)]))
    puzzle = Puzzle(free.graph, ((0, 3),))
    solution = solve(puzzle).solution
    board = SvgBoard(free, puzzle, palette_for("R"), ["red"], "R", solution, whole_paths(solution))
    root = Xml.fromstring(svg_of(board))
    (pipe,) = paths_of(root)
    assert pipe.get("d").startswith("M50 50L")
    assert pipe.get("d").endswith("L250 150")
    strokes_of_colour = {path.get("stroke"): path.get("d").count("M") for path in root.iter(f"{SVG}path")}
    inner_sides = len(free.layout.strokes)
    outer_sides = 4 * 4 - 2 * inner_sides
    assert strokes_of_colour[SCREEN.line.hex] == inner_sides
    assert strokes_of_colour[SCREEN.wall.hex] == outer_sides


def test_motion_is_only_for_those_who_want_it() -> None:
    board, root = drawn(LEVEL_5X5)
    assert "animation" not in root.find(f"{SVG}style").text
    _, moving = drawn(LEVEL_5X5, turns=turns_of(whole_paths(board.solution)))
    style = moving.find(f"{SVG}style").text
    assert style.index("prefers-reduced-motion:no-preference") < style.index("animation")
    growing = paths_of(moving, "fv-grow")
    assert len(growing) == len(board.solution.paths)
    assert all(path.get("pathLength") == "1" for path in growing)


def test_a_part_of_the_solution_is_not_called_solved() -> None:
    _, root = drawn(LEVEL_5X5, still=(Piece(0, start=0, end=2),))
    assert "not solved" in root.find(f"{SVG}title").text
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert not any("over" in title for title in titles)
    assert len(paths_of(root)) == 1


def test_the_level_path_is_the_upper_one_on_a_bridge() -> None:
    board, root = drawn(TEXTS["bridge"])
    layout = board.board.layout
    bridge = layout.cell_of[-1]
    x, y = layout.cells[bridge].centre
    on_top = [g for g in root.iter(f"{SVG}g") if g.get("aria-hidden") and len(g.findall(f"{SVG}path")) == 2]
    rim, pipe = on_top[-1].findall(f"{SVG}path")
    level = next(
        flow
        for flow, path in enumerate(board.solution.paths)
        for before, here in pairwise(path.vertices)
        if layout.cell_of[here] == bridge and layout.cells[layout.cell_of[before]].centre[1] == y
    )
    assert (rim.get("stroke"), pipe.get("stroke")) == ("#000000", board.palette[level].hex)
    from_left, from_right = (f"M{100 * x + aside:g} {100 * y:g}L" for aside in (-50, 50))
    assert rim.get("d").startswith((from_left, from_right))


def test_letters_stand_along_pipes_of_more_than_three_cells() -> None:
    board, root = drawn(LEVEL_5X5, letters_along=True)
    long_flows = {
        letter
        for letter, path in zip(board.letters, board.solution.paths, strict=True)
        if len(path.vertices) > 3
    }
    assert {text.text for text in root.iter(f"{SVG}text")} == long_flows
    _, without = drawn(LEVEL_5X5)
    assert not list(without.iter(f"{SVG}text"))


def test_arrows_point_along_their_pipe() -> None:
    named = parse("A......A\n")
    (path,) = solve(named.puzzle).solution.paths
    way = path.vertices[-1] - path.vertices[0]
    arrows = arrows_along(named.board, path, 1.0)
    assert arrows
    for (x, y), (tip_x, tip_y), (other_x, other_y) in arrows:
        assert tip_y == pytest.approx(0.5)
        assert x == pytest.approx(other_x)
        assert y + other_y == pytest.approx(1.0)
        assert (tip_x - x) * way > 0
