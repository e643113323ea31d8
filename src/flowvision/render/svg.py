"""A board as SVG: vectors on any tiling, labelled for screen readers, animated on request.

Lengths are in cell units until ``_n`` writes them in units of the SVG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from xml.etree import ElementTree as Xml

from msgspec import Struct, field

from flowvision.colours import Rgb, ink_on
from flowvision.files import NAME, SVG_MARK
from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.render.curves import (
    INK,
    LETTERED,
    Piece,
    Turn,
    arrows_along,
    bridges_passed,
    curves_of,
    lines_along,
    middles_passed,
)
from flowvision.render.look import (
    BRIDGE_GAP,
    PIPE,
    PIPE_LETTER,
    cell_width,
    dot_radius,
    letter_size,
    usual_width,
)
from flowvision.render.look import LINE as THIN
from flowvision.render.ruling import MARGIN, SCREEN, BoardStyle, ruling_of
from flowvision.words import count_of

NAMESPACE = "http://www.w3.org/2000/svg"
UNIT = 100
"""SVG units per cell unit: two decimals are then finer than any screen."""
CELL_PX = 64
"""Width of a cell on the screen, in CSS pixels."""
STYLE = """
.fv-pipe{fill:none;stroke-linecap:round;stroke-linejoin:round}
.fv-label{font-family:system-ui,sans-serif;font-weight:600;text-anchor:middle;dominant-baseline:central}
"""
MOTION = """
@media screen and (prefers-reduced-motion:no-preference){
.fv-grow{stroke-dasharray:1;animation:fv-grow var(--fv-for) linear var(--fv-after) both}
.fv-show{animation:fv-show .05s linear var(--fv-after) both}
@keyframes fv-grow{from{stroke-dashoffset:1}to{stroke-dashoffset:0}}
@keyframes fv-show{from{opacity:0}to{opacity:1}}
}
"""


class SvgBoard(Struct, frozen=True):
    """Content of an SVG: a puzzle, its colours and letters, and the paths, if any.

    ``names``: of the colours, for screen readers. ``still``: pieces shown from the start; ``turns``: pieces
    that grow. ``labels``: on the dots of a flow. ``letters_along``, ``arrows``: along pipes. ``cell_mm``:
    width of a printed cell.
    """

    board: Board
    puzzle: Puzzle
    palette: Sequence[Rgb]
    names: Sequence[str]
    letters: Sequence[str]
    solution: Solution | None = None
    still: Sequence[Piece] = ()
    turns: Sequence[Turn] = ()
    labels: Mapping[int, str] = field(default_factory=dict)
    letters_along: bool = False
    arrows: bool = False
    style: BoardStyle = SCREEN
    cell_mm: float | None = None

    def turns_of(self, flow: int) -> list[Turn]:
        """Return the pieces of a flow; those shown from the start take no time."""
        still = (Turn(piece, start=0.0, end=0.0) for piece in self.still)
        return [turn for turn in (*still, *self.turns) if turn.piece.flow == flow]

    def is_whole(self, flow: int) -> bool:
        """Return true if all of a flow's path is drawn at the end."""
        if self.solution is None:
            return False
        drawn = sum(turn.piece.length for turn in self.turns_of(flow))
        return round(drawn) == len(self.solution.paths[flow].edges)


def svg_of(drawn: SvgBoard) -> str:
    """Return an SVG file of the board.

    Every flow is a group with a ``<title>``. Paths grow one after the other, unless the system asks for less
    motion (``prefers-reduced-motion``).
    """
    board = drawn.board
    xs, ys = zip(*board.layout.corners, strict=True)
    x0, x1 = min(xs) - MARGIN, max(xs) + MARGIN
    y0, y1 = min(ys) - MARGIN, max(ys) + MARGIN
    width, height = x1 - x0, y1 - y0
    root = Xml.Element("svg", {"xmlns": NAMESPACE, SVG_MARK: NAME.decode()})
    root.set("viewBox", " ".join(map(_n, (x0, y0, width, height))))
    root.set("width", _length(width, drawn.cell_mm))
    root.set("height", _length(height, drawn.cell_mm))
    root.set("role", "graphics-document document")
    _add(root, "title", _board_name(drawn))
    _add(root, "style", STYLE + (MOTION if drawn.turns else ""))
    _add(root, "rect", x=x0, y=y0, width=width, height=height, fill=drawn.style.ground.hex)
    _draw_sides(root, board, drawn.style)
    for draw in (_draw_flow, _draw_upper, _draw_marks):
        for flow in range(len(drawn.puzzle.terminals)):
            draw(root, drawn, flow)
    return Xml.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _add(
    parent: Xml.Element, tag: str, words: str | None = None, /, **attributes: str | float
) -> Xml.Element:
    """Add an element; ``stroke_width`` becomes ``stroke-width``, numbers are lengths in cell units."""
    element = Xml.SubElement(parent, tag)
    element.text = words
    for name, value in attributes.items():
        text = value if isinstance(value, str) else _n(value)
        element.set(name.rstrip("_").replace("_", "-"), text)
    return element


def _label(parent: Xml.Element, middle: Sequence[float], words: str, ink: str, size: float) -> None:
    """Write words centred on a point, in cell units."""
    x, y = middle
    _add(parent, "text", words, x=x, y=y, class_="fv-label", fill=ink, style=f"font-size:{_n(size)}px")


def _appear_after(element: Xml.Element, seconds: float) -> None:
    """Show an element from that time of the animation on; with 0, from the start."""
    if seconds:
        element.set("class", "fv-show")
        element.set("style", f"--fv-after:{seconds:.2f}s")


def _n(value: float) -> str:
    """Return a length in units of the SVG."""
    return f"{value * UNIT:.2f}".rstrip("0").rstrip(".")


def _length(cells: float, cell_mm: float | None) -> str:
    """Return a side of the whole picture in pixels, or in millimetres for printing."""
    if cell_mm is None:
        return f"{cells * CELL_PX:.0f}"
    return f"{cells * cell_mm:.1f}mm"


def _board_name(drawn: SvgBoard) -> str:
    """Return the description of a board for screen readers."""
    size, lattice = f"{len(drawn.board.layout.cells)} cells", drawn.board.lattice
    if lattice is not None:
        size = f"{lattice.rows} rows and {lattice.cols} columns"
    flows = len(drawn.puzzle.terminals)
    state = "solved" if all(map(drawn.is_whole, range(flows))) else "not solved"
    return f"Flow board of {size} with {count_of(flows, 'flow')}, {state}"


def _flow_name(drawn: SvgBoard, flow: int) -> str:
    """Return the description of a flow for screen readers."""
    first, last = (position_name(dot, drawn.board) for dot in drawn.puzzle.terminals[flow])
    letter, colour = drawn.letters[flow], drawn.names[flow]
    name = f"{letter}, {colour}: from {first} to {last}"
    if drawn.solution is None or not drawn.is_whole(flow):
        return name
    return f"{name}, over {len(drawn.solution.paths[flow].vertices)} cells"


def _draw_sides(root: Xml.Element, board: Board, style: BoardStyle) -> None:
    """Draw cells and their sides; cells that lie apart cover the lines between them."""
    cells = " ".join(_line(cell.outline) + "Z" for cell in board.layout.cells)
    group = _add(root, "g", fill="none", stroke_linecap="square", aria_hidden="true")
    line, ground = style.line.hex, style.ground.hex
    if board.layout.links:
        links = "".join(map(_line, chain.from_iterable(board.layout.strokes)))
        _add(group, "path", stroke=line, stroke_width=THIN, d=links)
        _add(group, "path", stroke=line, stroke_width=THIN, d=cells, fill=ground)
        return
    _add(group, "path", d=cells, fill=ground)
    for lines, colour, width in ruling_of(board, style):
        if lines:
            drawn = "".join(map(_line, lines))
            _add(group, "path", d=drawn, stroke=colour.hex, stroke_width=width * THIN)


def _draw_flow(root: Xml.Element, drawn: SvgBoard, flow: int) -> None:
    """Draw the pieces of a flow's path, and its dots with their labels."""
    group = _add(root, "g", role="img")
    _add(group, "title", _flow_name(drawn, flow))
    colour, layout = drawn.palette[flow], drawn.board.layout
    width = PIPE * usual_width(drawn.board)
    for turn in drawn.turns_of(flow):
        lines = _lines(drawn, turn.piece)
        pipe = _add(group, "path", d=lines, stroke=colour.hex, stroke_width=width, class_="fv-pipe")
        if turn.end:
            pipe.set("class", "fv-pipe fv-grow")
            pipe.set("pathLength", "1")
            after, seconds = turn.start, turn.end - turn.start
            pipe.set("style", f"--fv-after:{after:.2f}s;--fv-for:{seconds:.2f}s")
    for dot in drawn.puzzle.terminals[flow]:
        cell = layout.cell_at(dot)
        x, y = cell.centre
        _add(group, "circle", cx=x, cy=y, r=dot_radius(cell), fill=colour.hex)
        if flow in drawn.labels:
            label = drawn.labels[flow]
            size = letter_size(label) * cell_width(cell)
            _label(group, cell.centre, label, ink_on(colour).hex, size)


def _draw_marks(root: Xml.Element, drawn: SvgBoard, flow: int) -> None:
    """Draw arrows and letters along the path of a flow, if all of it is drawn."""
    if drawn.solution is None or not drawn.is_whole(flow) or not (drawn.letters_along or drawn.arrows):
        return
    board, path = drawn.board, drawn.solution.paths[flow]
    width, ink = usual_width(board), ink_on(drawn.palette[flow]).hex
    group = _add(root, "g", aria_hidden="true")
    _appear_after(group, drawn.turns_of(flow)[-1].end)
    if drawn.arrows:
        lines = "".join(map(_line, arrows_along(board, path, width)))
        _add(group, "path", d=lines, fill="none", stroke=ink, stroke_width=INK * width)
    if drawn.letters_along:
        for middle in middles_passed(board, path)[LETTERED]:  # every third of the inner cells
            _label(group, middle, drawn.letters[flow], ink, PIPE_LETTER * width)


def _draw_upper(root: Xml.Element, drawn: SvgBoard, flow: int) -> None:
    """Draw a flow again over bridges that it crosses from left to right."""
    if drawn.solution is None:
        return
    width = usual_width(drawn.board)
    ground, colour = drawn.style.ground.hex, drawn.palette[flow].hex
    for position, _, line in bridges_passed(drawn.board, drawn.solution.paths[flow]):
        (start_x, start_y), _, (end_x, end_y) = line
        if abs(end_y - start_y) > abs(end_x - start_x):
            continue
        for turn in drawn.turns_of(flow):
            if turn.piece.start < position < turn.piece.end:
                group = _add(root, "g", fill="none", aria_hidden="true")
                _appear_after(group, turn.time_at(position))
                # The pipe extends over the gap's ends, so that no seam shows.
                strokes = (ground, PIPE + 2 * BRIDGE_GAP, "butt"), (colour, PIPE, "round")
                for ink, wide, ends in strokes:
                    bar = _add(group, "path", d=_line(line), stroke=ink, stroke_width=wide * width)
                    bar.set("stroke-linecap", ends)


def _line(points: Sequence[Sequence[float]]) -> str:
    """Return a polyline as the commands of an SVG path."""
    corners = [f"{_n(x)} {_n(y)}" for x, y in points]
    return "M" + "L".join(corners)


def _lines(drawn: SvgBoard, piece: Piece) -> str:
    """Return a piece as the commands of an SVG path; without rows and columns it grows by whole cells."""
    assert drawn.solution is not None
    board, path = drawn.board, drawn.solution.paths[piece.flow]
    if board.lattice is not None:
        return "".join(map(_line, lines_along(board, path, piece)))
    part = path.part(round(piece.start), round(piece.end))
    return "".join(map(_line, curves_of(board, part)))
