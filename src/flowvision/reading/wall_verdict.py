"""Which walls of a settled reading stay on its board: those that the answer proves, and those seen whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flowvision.events import StageRunner
from flowvision.reading.messages import left_out_warning, unlikely_warning
from flowvision.reading.result import Candidate
from flowvision.reading.walls import crossed, incomplete, touched, unlikely, walls_seen, without
from flowvision.solvers import Limits, Outcome, Solved, has_one_strict_solution, solve
from flowvision.vision.reading import Interpretation, Wall
from flowvision.vision.settings import WallSettings


def with_believed_walls(
    candidate: Candidate, settings: WallSettings, seconds: float, runner: StageRunner
) -> tuple[Candidate, tuple[str, ...]]:
    """The candidate with the walls that are believed, and what is to be said about the others.

    A wall that a path touches itself over is proved: without it the solution would be none. One that a path
    passes through is none. Of the others those are left out that were seen in part; where nothing is proved,
    those that no published board has are named. The solution stays what it is. Only of settled readings.
    """
    walls = () if candidate.repair else walls_seen(candidate.source)
    if not walls or not has_one_strict_solution(candidate.outcome):
        return candidate, ()
    limits, solution = Limits(seconds), candidate.outcome.solution
    passed = crossed(walls, solution)
    proved = touched([wall for wall in walls if wall not in candidate.source.ignored_walls], solution)
    doubted = [wall for wall in walls if wall not in passed and wall not in proved]
    left_out = [*passed, *incomplete(doubted, settings.complete)]
    if candidate.source.ignored_walls:
        settled, said = _put_back(candidate, left_out, limits, runner), list[str]()
    else:
        settled, said = _left_out(candidate, left_out, limits, runner)
    kept = [wall for wall in walls if wall not in left_out]
    odd = () if proved else unlikely(kept, settled.reading.board, settings)
    if odd:
        bare = without(candidate.source, [*left_out, *odd])
        said.append(unlikely_warning(odd, _is_only(_solved(bare, limits, runner))))
    return settled, tuple(said)


def _left_out(
    candidate: Candidate, walls: Sequence[Wall], limits: Limits, runner: StageRunner
) -> tuple[Candidate, list[str]]:
    """The candidate without walls that its solution does not need, and what is to be said of them."""
    assert isinstance(candidate.outcome, Solved)
    if not walls:
        return candidate, []
    bare = replace(without(candidate.source, walls), ignored_walls=())
    found, outcome = _solved(bare, limits, runner), candidate.outcome
    if isinstance(found, Solved) and found.unique is False:
        own = [path.vertices for path in outcome.solution.paths]
        others = [one for one in (found.solution, found.second) if one is not None]
        second = next(one for one in others if [path.vertices for path in one.paths] != own)
        outcome = replace(outcome, unique=False, second=second)
    elif not _is_only(found):
        outcome = replace(outcome, unique=None)
    return replace(candidate, source=bare, outcome=outcome), [left_out_warning(walls, _is_only(found))]


def _put_back(candidate: Candidate, out: Sequence[Wall], limits: Limits, runner: StageRunner) -> Candidate:
    """The candidate with all walls but these, where that leaves it its one solution."""
    if set(out) == set(candidate.source.ignored_walls):
        return candidate
    kept = without(candidate.source, out)
    found = _solved(kept, limits, runner)
    return replace(candidate, source=kept, outcome=found) if has_one_strict_solution(found) else candidate


def _solved(one: Interpretation, limits: Limits, runner: StageRunner) -> Outcome:
    """What the solver makes of a reading."""
    return runner.run("solve", one, solve, one.reading.puzzle, "sat", limits)


def _is_only(outcome: Outcome) -> bool:
    return has_one_strict_solution(outcome)
