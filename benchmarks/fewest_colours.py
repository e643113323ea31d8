"""The fewest colours with which a board has exactly one solution: the lines of docs/notes/fewest-colours.md.

    python benchmarks/fewest_colours.py                           every line that takes under ten minutes
    python benchmarks/fewest_colours.py 8x8 --colours 3           all boards of one size, free rules
    python benchmarks/fewest_colours.py random [--plot FILE.svg]  how likely a random board has one solution

A sweep over the cells counts all boards at once; Minisat checks it on small boards, and every example. The
plot needs matplotlib. Seconds are those of the processor.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from statistics import fmean
from time import process_time

from flowvision.errors import GaveUpError
from flowvision.puzzle import boards
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.solvers import Rules, Solved, solve_lazily
from flowvision.solvers.sat import SatSearch

FREE = {
    (2, 2): "AA/..",
    (3, 3): "AAB/.B./...",
    (4, 4): ".A../..../..../.A..",
    (5, 5): "A.A../.B.../...../...../.B...",
    (6, 6): "..B.../...A../..A.../..C.../.B..../....C.",
    (7, 7): "...B.A./......./......./.A...../......./.C.B.../......C",
    (8, 8): "A.B...../.....A../......../......../......../......../.C....../....B.C.",
    (9, 9): "A......../........./........./........./B...A..../........./C....C.../........./.B.......",
    **{(rows, 2): "AA" + "/.." * (rows - 1) for rows in range(3, 9)},
    (4, 3): "A../..A/.../...",
    (5, 3): "AA./.B./.../.B./...",
    (6, 3): ".../.../A../..A/.../...",
    (7, 3): "AA./.B./.../.../.../.B./...",
    (8, 3): "AA./.B./.../.../.../.../.B./...",
    (5, 4): "..../A..A/..../..../....",
    (6, 4): "AB../..../.A../.B../..../....",
    (7, 4): "A.A./..../..../..../.B../..B./....",
    (8, 4): "A.A./..../..../..../..../B.../..../..B.",
    (6, 5): "A..B./..B../...../...../...../...A.",
    (7, 5): ".A.../...../...../.B.../B.A../...../.....",
    (8, 5): ".A.../...../...../B..../..A../...../...../...B.",
    (7, 6): "....../A....B/....../.....A/.B..../....../......",
    (8, 6): "ABA..C/....../....../.C..../....../..B.../....../......",
    (8, 7): "AA.B.C./......./......./......./......./.C...../......./.....B.",
}
"""Rows, columns, and a board with one solution under free rules, in as few colours as any has."""
SLOW = {
    (7, 7, 3): "some minutes",
    (8, 6, 3): "some minutes",
    (8, 7, 3): "half an hour",
    (8, 8, 3): "two hours",
    (9, 9, 2): "some minutes",
    (9, 9, 3): "a day",
}
"""Boards that are counted only by name, and about how long that takes."""
CHECKED = ((3, 3, 1), (3, 3, 2), (4, 4, 1), (4, 4, 2), (5, 4, 2))
"""Boards that are counted by Minisat as well."""

SIZES, MOST_COLOURS = range(4, 10), 13
"""Of random boards."""
TRIES, SECONDS = 20, 10.0
"""Limits for making a random board, and for a search."""

EMPTY = "."
PIECES = "abcdefgh"
"""Both ends of a piece of path without a dot have the same letter."""
MEETING = PIECES.upper()
"""A letter at the ends of two pieces that must meet: each has a dot of the same colour."""
WAITING = "012345678"
"""The end of a piece with the first dot of a colour; the digit is the colour's."""


def joined(state: str, first: str, second: str) -> str | None:
    """Join two ends that were taken out of a state; ``None`` if they would close a loop or mix colours."""
    if first == second:
        return state if first in MEETING else None
    if first in PIECES:
        return state.replace(first, second)
    return state.replace(second, first) if second in PIECES else None


def canonical(state: str) -> str:
    """Name the letters of a state in order of appearance: equal states get equal names."""
    names: dict[str, str] = {}
    for letters in (PIECES, MEETING):
        used = [end for end in dict.fromkeys(state) if end in letters]
        names |= dict(zip(used, letters, strict=False))
    return state.translate(str.maketrans(names))


Fillings = tuple[int, int]
"""Two sets of boards, a bit each: those with at least one filling, those with at least two."""


def both(one: Fillings, other: Fillings) -> Fillings:
    """Add two disjoint families of fillings."""
    return one[0] | other[0], one[1] | other[1] | one[0] & other[0]


class Sweep:
    """All boards of one size, cell by cell. Of the cells so far only the ends that leave them matter.

    A state is a string: the end that goes down in each column, then the end that goes right to the next cell.
    """

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols, self.cells = rows, cols, rows * cols
        self.start = EMPTY * (cols + 1)
        self.plain = cache(self._plain)
        self.dotted = cache(self._dotted)
        self.completions = cache(self._completions)

    def _taken_out(self, cell: int, state: str) -> tuple[str, list[str]]:
        """Return a state without the ends that enter a cell, and these ends."""
        col = cell % self.cols
        ends = [end for end in (state[col], state[-1]) if end != EMPTY]
        return f"{state[:col]}{EMPTY}{state[col + 1 : -1]}{EMPTY}", ends

    def _leaving(self, cell: int, state: str, end: str) -> tuple[str, ...]:
        """Return the states in which an end leaves a cell: downwards, to the right."""
        row, col = divmod(cell, self.cols)
        down = f"{state[:col]}{end}{state[col + 1 :]}" if row < self.rows - 1 else ""
        right = f"{state[:-1]}{end}" if col < self.cols - 1 else ""
        return tuple(canonical(after) for after in (down, right) if after)

    def _plain(self, cell: int, state: str) -> tuple[str, ...]:
        """Return the states after a cell without a dot: two of its sides are crossed."""
        rest, ends = self._taken_out(cell, state)
        if len(ends) == 2:
            after = joined(rest, *ends)
            return () if after is None else (canonical(after),)
        if ends:
            return self._leaving(cell, rest, ends[0])
        row, col = divmod(cell, self.cols)
        if row == self.rows - 1 or col == self.cols - 1:
            return ()
        new = next(letter for letter in PIECES if letter not in rest)
        return (canonical(f"{rest[:col]}{new}{rest[col + 1 : -1]}{new}"),)

    def _dotted(self, cell: int, state: str, colour: str) -> tuple[str, ...]:
        """Return the states after a dot: one side is crossed. It is the second dot if an end waits for it."""
        rest, ends = self._taken_out(cell, state)
        if ends == [colour]:
            return (canonical(rest),)
        end = colour
        if colour in rest:
            end = next(letter for letter in MEETING if letter not in rest)
            rest = rest.replace(colour, end)
        if not ends:
            return self._leaving(cell, rest, end)
        after = joined(rest, ends[0], end) if len(ends) == 1 and ends[0] in PIECES else None
        return () if after is None else (canonical(after),)

    def _completions(self, cell: int, state: str, left: int) -> Fillings:
        """Return the boards, by the places of the last ``left`` dots (0 to 2), that a state can become.

        A board's bit has the digits ``w``, ``p``, ``q`` in base ``cells``: the first of two dots is in cell
        ``p`` and has the waiting colour ``w``, 0 or 1; the last dot is in cell ``q``.
        """
        if cell == self.cells:
            return int(not left and state == self.start), 0
        found: Fillings = (0, 0)
        for after in self.plain(cell, state):
            found = both(found, self.completions(cell + 1, after, left))
        waiting = [colour for colour in WAITING[:left] if colour in state] or ["0"]
        for number, colour in enumerate(waiting if left else ()):
            shift = (number * self.cells + cell) * self.cells if left == 2 else cell
            for after in self.dotted(cell, state, colour):
                once, twice = self.completions(cell + 1, after.replace("1", "0"), left - 1)
                found = both(found, (once << shift, twice << shift))
        return found


Dots = tuple[tuple[int, str], ...]
"""Cells with the colours of their dots, in reading order."""


def families(sweep: Sweep, colours: int) -> Iterator[tuple[Dots, Fillings]]:
    """Yield all but the last two dots of every board, with the boards that the last two make of them."""

    def grow(cell: int, table: dict[str, bool], dots: Dots) -> Iterator[tuple[Dots, Fillings]]:
        """``table``: the states of the cells before ``cell``, and whether two ways lead there."""
        waiting = waiting_of(dots)
        if len(dots) == 2 * colours - 2:
            yield dots, _completed(sweep, cell, table, waiting)
            return
        opened = (len(dots) + len(waiting)) // 2
        for at in range(cell, sweep.cells):
            for colour in [*waiting, *WAITING[opened:colours][:1]]:
                step = partial(sweep.dotted, at, colour=colour)
                yield from grow(at + 1, advanced(table, step), (*dots, (at, colour)))
            table = advanced(table, partial(sweep.plain, at))

    return grow(0, {sweep.start: False}, ())


def waiting_of(dots: Dots) -> list[str]:
    """Return the colours with one dot so far."""
    seen = [colour for _, colour in dots]
    return [colour for colour in sorted(set(seen)) if seen.count(colour) == 1]


def advanced(table: dict[str, bool], step: Callable[[str], Iterable[str]]) -> dict[str, bool]:
    """Return the table after one more cell."""
    result: dict[str, bool] = {}
    for state, has_two in table.items():
        for after in step(state):
            result[after] = has_two or after in result
    return result


def _completed(sweep: Sweep, cell: int, table: dict[str, bool], waiting: Sequence[str]) -> Fillings:
    names = str.maketrans(dict(zip(waiting, WAITING, strict=False)))
    found: Fillings = (0, 0)
    for state, has_two in table.items():
        once, twice = sweep.completions(cell, state.translate(names), 2)
        found = both(found, (once, once if has_two else twice))
    return found


@dataclass
class Count:
    """Boards that can be filled, and those of them with exactly one solution, a line of text each."""

    fillable: int = 0
    unique: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{len(self.unique):,} of {self.fillable:,}"


def by_sweep(rows: int, cols: int, colours: int) -> Count:
    """Count the boards of one size under free rules."""
    sweep, count = Sweep(rows, cols), Count()
    for dots, (once, twice) in families(sweep, colours):
        count.fillable += once.bit_count()
        for bit in bits_of(once & ~twice):
            rest, last = divmod(bit, sweep.cells)
            number, first = divmod(rest, sweep.cells)
            waiting = waiting_of(dots) or [WAITING[colours - 1]] * 2
            ends = (first, waiting[number]), (last, waiting[1 - number])
            count.unique.append(drawn(rows, cols, dict((*dots, *ends))))
    return count


def bits_of(number: int) -> Iterator[int]:
    """Yield the places of the ones in a number."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def drawn(rows: int, cols: int, colour_of: dict[int, str]) -> str:
    """Return a board as one line of text, its colours as letters."""
    cells = [
        chr(ord("A") + int(colour_of[cell])) if cell in colour_of else EMPTY for cell in range(rows * cols)
    ]
    return "/".join("".join(cells[row * cols : (row + 1) * cols]) for row in range(rows))


def by_minisat(rows: int, cols: int, colours: int, rules: Rules) -> Count:
    """Count the boards of one size by giving each to Minisat."""
    graph, count = boards.square(rows, cols).graph, Count()
    for cells in combinations(range(rows * cols), 2 * colours):
        for pairs in pairings(cells):
            outcome = solve_lazily(SatSearch, Puzzle(graph, pairs), 60, rules)
            if isinstance(outcome, Solved):
                count.fillable += 1
                if outcome.unique:
                    ends = {cell: str(number) for number, pair in enumerate(pairs) for cell in pair}
                    count.unique.append(drawn(rows, cols, ends))
    return count


def pairings(cells: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield every way to join cells in pairs."""
    if not cells:
        yield ()
    for partner in cells[1:]:
        others = [cell for cell in cells[1:] if cell != partner]
        for rest in pairings(others):
            yield ((cells[0], partner), *rest)


def outcome_of(text: str, rules: Rules) -> Solved:
    """Solve a board."""
    outcome = solve_lazily(SatSearch, parse(text.replace("/", "\n")).puzzle, 60, rules)
    assert isinstance(outcome, Solved)
    return outcome


def spiral(size: int) -> str:
    """Return the board of the proof: two colours and one strict solution, for every size from 3."""
    half, is_odd = divmod(size, 2)
    long, short = "01" if half % 2 else "10"
    corners = {(0, 0): "0", (0, size - 1): "1"}
    if is_odd:
        middle = {(half, half + 1): long, (half, half): short}
    else:
        middle = {(half, half): long, (half - 1, half): short}
    ends = {row * size + col: colour for (row, col), colour in (corners | middle).items()}
    return drawn(size, size, ends)


class TwoColours:
    """Strict solutions of two colours on a square board, found by colouring its cells row by row.

    A cell has two neighbours of its colour, a dot one. Four cells round a corner never have one colour, which
    would be a loop, and are never coloured as on a chessboard: the two paths would cross.
    """

    def __init__(self, size: int) -> None:
        self.size, self.cells = size, size * size
        graph = boards.square(size, size).graph
        self.near = graph.neighbours()
        self.colours = [""] * self.cells

    def alike(self, cell: int) -> int:
        """Return how many neighbours have the cell's colour so far."""
        return sum(self.colours[other] == self.colours[cell] for other in self.near[cell])

    def fits(self, cell: int) -> bool:
        """Return whether the corner above and to the left of a cell is allowed."""
        if cell < self.size or cell % self.size == 0:
            return True
        above = self.colours[cell - self.size - 1 : cell - self.size + 1]
        here = self.colours[cell - 1 : cell + 1]
        return len({*above, *here}) == 2 and above != here[::-1]

    def solutions(self, cell: int = 0, dots: int = 0) -> Iterator[str]:
        """Yield the board of every solution; ``dots``: those seen so far, above the cell."""
        if cell == self.cells:
            ends = [at for at in range(cell) if self.alike(at) == 1]
            if self._are_paths(ends):
                yield drawn(self.size, self.size, {at: self.colours[at] for at in ends})
            return
        for colour in "01" if cell else "0":
            self.colours[cell] = colour
            around = self.alike(cell - self.size) if cell >= self.size else 2
            if self.fits(cell) and around in (1, 2) and dots + (around == 1) <= 4:
                yield from self.solutions(cell + 1, dots + (around == 1))
        self.colours[cell] = ""

    def _are_paths(self, ends: Sequence[int]) -> bool:
        """Return whether the cells are two paths, one of each colour, without loops."""
        if sorted(self.colours[end] for end in ends) != ["0", "0", "1", "1"]:
            return False
        reached = set(ends)
        waiting = [next(end for end in ends if self.colours[end] == colour) for colour in "01"]
        while waiting:
            cell = waiting.pop()
            ways = [
                at for at in self.near[cell] if self.colours[at] == self.colours[cell] and at not in reached
            ]
            reached |= set(ways)
            waiting += ways
        return len(reached) == self.cells and max(map(self.alike, range(self.cells))) <= 2

    def count(self) -> Count:
        """Count the boards."""
        number = Counter(self.solutions())
        return Count(len(number), [board for board, fillings in number.items() if fillings == 1])


def shares(size: int, colours: int, number: int) -> dict[Rules, float] | None:
    """Return the shares of random boards with one solution, by rules; ``None`` if too few could be made.

    A board is covered with strict paths, as ``flowvision generate`` does.
    """
    board, unique = boards.square(size, size), {rules: list[bool]() for rules in ("strict", "free")}
    for seed in range(number):
        with suppress(GaveUpError):
            puzzle, _ = random_puzzle(board, seed, colours, TRIES)
            for rules, found in unique.items():
                outcome = solve_lazily(SatSearch, puzzle, SECONDS, rules)
                found.append(isinstance(outcome, Solved) and outcome.unique is True)
    if len(unique["free"]) < number / 2:
        return None
    return {rules: fmean(found) for rules, found in unique.items()}


def random_table(number: int, file: Path | None) -> None:
    """Print the shares of all sizes, and plot those under free rules."""
    shown: dict[int, dict[int, float]] = {}
    for size in SIZES:
        for colours in range(3, min(MOST_COLOURS, size**2 // 3) + 1):
            began = process_time()
            if found := shares(size, colours, number):
                shown.setdefault(size, {})[colours] = found["free"]
                kinds = ", ".join(f"{rules} {share:.0%}" for rules, share in found.items())
                print(f"{size}x{size} with {colours:2}: {kinds} ({process_time() - began:.1f} s)", flush=True)
    if file:
        plot(shown, file)


def plot(shares_of: dict[int, dict[int, float]], file: Path) -> None:
    """Draw a line per size."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "flowvision"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for size, line in shares_of.items():
        axes.plot(list(line), [100 * share for share in line.values()], marker="o", label=f"{size} × {size}")
    axes.set(xlabel="colours", ylabel="% of random boards with one solution, free rules")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def line(text: str, count: Callable[[], object]) -> None:
    """Print a line of the tables with the time it took."""
    began = process_time()
    print(f"{text}: {count()} ({process_time() - began:.1f} s)", flush=True)


def free_line(rows: int, cols: int, colours: int) -> None:
    """Print how many boards of one size have one solution under free rules."""
    line(f"{rows}x{cols} with {colours}, free rules", lambda: by_sweep(rows, cols, colours))


def tables() -> None:
    """Print every line of the tables that takes under ten minutes."""
    print("Boards with one solution, of all boards that can be filled.\n\nStrict rules, two colours:")
    for size in range(2, 13):
        line(f"{size}x{size}", TwoColours(size).count)
    print("\nStrict rules, the board of the proof:")
    for size in range(3, 21):
        line(f"{size}x{size}", partial(verdict, spiral(size), "strict"))
    print("\nFree rules:")
    for (rows, cols), text in FREE.items():
        fewest = len(set(text) - {"/", EMPTY})
        for colours in range(1, fewest + 1):
            if (rows, cols, colours) in SLOW:
                command = f"python benchmarks/fewest_colours.py {rows}x{cols} --colours {colours}"
                print(f"{rows}x{cols} with {colours}: {command} takes {SLOW[rows, cols, colours]}")
            else:
                free_line(rows, cols, colours)
        line(f"{rows}x{cols}", partial(verdict, text, "free"))
    print("\nThe same by Minisat, board for board:")
    for size in CHECKED:
        line(f"{size}", lambda size=size: agreement(by_sweep(*size), by_minisat(*size, "free")))
    for size in (3, 4):
        again = partial(by_minisat, size, size, 2, "strict")
        line(
            f"{size}x{size}, strict",
            lambda size=size, again=again: agreement(TwoColours(size).count(), again()),
        )


def verdict(text: str, rules: Rules) -> str:
    """Return what Minisat says about a board."""
    return f"{text} has {'one solution' if outcome_of(text, rules).unique else 'OTHER THAN ONE SOLUTION'}"


def agreement(one: Count, other: Count) -> str:
    """Return whether two ways of counting agree."""
    unique, other_unique = map(renamed_in_order, (one.unique, other.unique))
    is_same = one.fillable == other.fillable and unique == other_unique
    return f"{one}, {'the same boards' if is_same else f'BUT {other}'}"


def renamed_in_order(texts: Iterable[str]) -> list[str]:
    """Return boards in order, with colours named in reading order."""
    return sorted(
        text.translate(
            str.maketrans(dict(zip(dict.fromkeys(re.findall("[A-Z]", text)), "ABCDEFGH", strict=False)))
        )
        for text in texts
    )


def main() -> None:
    from data import options  # found only when this file is run as a script

    parser = options(__doc__)
    parser.add_argument("what", nargs="?", default="tables", help="tables, random, or ROWSxCOLS")
    parser.add_argument("--colours", type=int, default=2)
    parser.add_argument(
        "--number", type=int, default=200, help="random boards per size and number of colours"
    )
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    if given.what == "tables":
        tables()
    elif given.what == "random":
        random_table(given.number, given.plot)
    else:
        rows, cols = map(int, given.what.split("x"))
        free_line(rows, cols, given.colours)


if __name__ == "__main__":
    main()
