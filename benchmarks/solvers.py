"""Engines × sizes on the same real levels, in one run: medians and worst, as a table.

    python benchmarks/solvers.py [--levels 10] [--limit 10] [--engines sat,search]

``clauses`` is the yardstick: PySAT's Minisat fed the clauses of the very same puzzle from a prepared list,
solved, one solution ruled out, solved again. ``sat`` is ``solve()`` whole: clauses, loops, proof of
uniqueness, referee. ``sat, new shape`` is the same with no template at hand. Each is the best of five.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

from pysat.solvers import Minisat22

from data import levels, options
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Puzzle
from flowvision.solvers import ENGINES, Solved, solve
from flowvision.solvers.sat import clauses_of, template_of

SIZES = ("5×5", "8×8", "10×10", "12×12", "14×14", "15×15", "15×18")
Timer = Callable[[Puzzle], float | None]


def yardstick(puzzle: Puzzle) -> float:
    """Seconds to feed and solve the clauses of a puzzle twice, made beforehand."""
    template, clauses = clauses_of(puzzle)
    outcome = solve(puzzle)
    assert isinstance(outcome, Solved)
    ruled_out = [-edge - 1 for path in outcome.solution.paths for edge in path.edges]
    began = perf_counter()
    with Minisat22() as solver:
        solver.append_formula(clauses)
        solver.solve(assumptions=[template.strict])
        solver.get_model()
        solver.add_clause(ruled_out)
        solver.solve(assumptions=[template.strict])
    return perf_counter() - began


def new_shape(puzzle: Puzzle) -> float:
    """Seconds for ``sat`` on a board whose like was never seen."""
    template_of.cache_clear()
    began = perf_counter()
    solve(puzzle)
    return perf_counter() - began


def engine_timer(name: str, limit: float) -> Timer:
    """A timer of an engine: seconds, or ``None`` when it gave up."""

    def timed(puzzle: Puzzle) -> float | None:
        began = perf_counter()
        outcome = solve(puzzle, name, limit)
        settled = isinstance(outcome, Solved) and outcome.unique is not None
        return perf_counter() - began if settled else None

    return timed


def best_of(count: int, timer: Timer, puzzle: Puzzle) -> float | None:
    """The shortest of several runs; one run alone when it is long."""
    first = timer(puzzle)
    if first is None or first > 0.1:
        return first
    return min(first, *(time for _ in range(count - 1) if (time := timer(puzzle)) is not None))


def by_size(count: int) -> dict[str, list[NamedPuzzle]]:
    """The first levels of every size."""
    kept: dict[str, list[NamedPuzzle]] = {size: [] for size in SIZES}
    for record in levels("official_square") + levels("official_rect"):
        assert record.board.lattice is not None
        size = f"{record.board.lattice.cols}×{record.board.lattice.rows}"
        if size in kept and len(kept[size]) < count:
            kept[size].append(record)
    return kept


def measure(count: int, limit: float, engines: list[str]) -> dict[str, dict[str, list[float | None]]]:
    """Seconds per engine, size and level; an engine is left out after a size at which half gave up."""
    timers: dict[str, Timer] = {"clauses": yardstick, "sat": engine_timer("sat", limit)}
    timers["sat, new shape"] = new_shape
    timers |= {name: engine_timer(name, limit) for name in engines if name != "sat"}
    times: dict[str, dict[str, list[float | None]]] = {name: {} for name in timers}
    tired: set[str] = set()
    for size, records in by_size(count).items():
        for record in records:
            # One after the other on each level, so that a busy moment of the machine hits all alike.
            for name in timers.keys() - tired:
                times[name].setdefault(size, []).append(best_of(5, timers[name], record.puzzle))
        for name in timers.keys() - tired:
            taken = times[name][size]
            print(f"{size:6} {name:15} {cell(taken)}", flush=True)
            if sum(time is None for time in taken) * 2 > len(taken):
                tired.add(name)
    return times


def cell(taken: list[float | None] | None) -> str:
    """Median and worst in milliseconds."""
    if not taken:
        return "–"
    known = [1000 * time for time in taken if time is not None]
    gave_up = len(taken) - len(known)
    if gave_up * 2 > len(taken):
        return f"gave up on {gave_up} of {len(taken)}"
    return f"{number(median(known))} ({'gave up' if gave_up else number(max(known))})"


def number(milliseconds: float) -> str:
    """Two or three digits."""
    return f"{milliseconds:.2f}" if milliseconds < 10 else f"{milliseconds:,.0f}"


def table(times: dict[str, dict[str, list[float | None]]]) -> str:
    """Markdown: median and, in brackets, worst milliseconds."""
    lines = [f"| ms | {' | '.join(SIZES)} |", f"|---|{'---|' * len(SIZES)}"]
    for name, sizes in times.items():
        lines.append(f"| {name} | {' | '.join(cell(sizes.get(size)) for size in SIZES)} |")
    for name, beside in (("sat", "clauses"), ("sat, new shape", "sat")):
        ratios = [f"{median(ratios_of(times[name][size], times[beside][size])):.2f}" for size in SIZES]
        lines.append(f"| {name} ÷ {beside} | {' | '.join(ratios)} |")
    return "\n".join(lines)


def ratios_of(taken: list[float | None], beside: list[float | None]) -> list[float]:
    """Level by level, how many times longer the one took."""
    return [a / b for a, b in zip(taken, beside, strict=True) if a and b]


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--levels", type=int, default=10)
    parser.add_argument("--limit", type=float, default=10)
    parser.add_argument("--engines", default=",".join(ENGINES), help="sat is always among them")
    given = parser.parse_args()
    times = measure(given.levels, given.limit, given.engines.split(","))
    print(f"\n{table(times)}")


if __name__ == "__main__":
    main()
