"""Diagnoses of refused pictures, each with one known cause, and their cost.

    python benchmarks/refusals.py [NAME]… [--keep FOLDER]
    FLOWVISION_DATA=folder python benchmarks/refusals.py --real

With ``--real``: other people's pictures, whose causes were labelled by eye twice, without seeing what the
program says, and a third time where the two differed; 30 of them once (``refused_causes.tsv``: the cause,
others that are true as well, what a person would do; ``read``: refused once, answered now). Prints how many
causes are right, vague or wrong.

Without it: draws the pictures of ``tests/pictures.py`` and prints for each the cause, right or wrong, the
seconds of CPU for refusing and for the diagnosis, what the terminal says, and what comes of following it:
options that are named with their values are typed, those between the same backticks together. ``--keep``
writes pictures and debug pages.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

from data import keep_picture, options, shared_folder
from flowvision import solve_image
from flowvision.debug.page import story_of, write_story
from flowvision.diagnosis.causes import followed
from flowvision.errors import FlowvisionError
from flowvision.export.answer import answer_to
from flowvision.image.picture import Bgr, Screenshot
from flowvision.words import COMMAND, is_whole
from tests.pictures import BOARDS, SPOILT, Spoilt, puzzle


def refused(one: Spoilt, keep: Path | None) -> tuple[bool, float, list[bool]]:
    """Return whether the right cause is named, the seconds it took, and whether its advice helps."""
    name = one.name.replace(" ", "-").replace("%", "percent")
    bgr, start = one.draw(), process_time()
    answer = answer_to(Screenshot(bgr, f"{name}.png"), one.options)
    refusing, error = process_time() - start, answer.error
    code, told, seconds = "READ", f"{answer!r}", 0.0
    if error is not None:
        told = "\n    → ".join(error.words(COMMAND))
        seconds = process_time() - start - refusing
        code = error.cause.code if error.cause else error.code
    is_right = code == one.code
    print(f"{'ok ' if is_right else 'NO '} {one.name}: {code} ({refusing:.2f} + {seconds:.2f} s)\n    {told}")
    came = list(outcomes(one, bgr, error)) if error else []
    for said, what, _ in came:
        print(f"    followed: {said}: {what}")
    if keep:
        keep_picture(keep, name, bgr)
        write_story(keep / name, story_of(answer))
    return is_right, seconds, [is_good for _, _, is_good in came]


def outcomes(one: Spoilt, bgr: Bgr, error: FlowvisionError) -> Iterator[tuple[str, str, bool]]:
    """Options that are advised, what comes of them, and whether that is the board."""
    advice = error.cause.advice if error.cause else ()
    if advice and all(map(is_whole, advice)):
        said = COMMAND.advice(advice)
        try:
            reading = solve_image(bgr, followed(one.options, advice)).reading
            pairs = set(map(frozenset, reading.puzzle.terminals))
            is_drawn = any(pairs == set(map(frozenset, puzzle(cells).puzzle.terminals)) for cells in BOARDS)
            yield said, "the board that was drawn" if is_drawn else "ANOTHER BOARD", is_drawn
        except FlowvisionError as next_error:
            code = next_error.cause.code if next_error.cause else next_error.code
            yield said, f"next cause {code}: {next_error.message}", False


LABELS = Path(__file__).with_name("refused_causes.tsv")
TRUE_OF = {
    "faint": {"unclear"},
    "too-small": {"too-small"},
    "unclear": {"unclear"},
    "no-board": {"no-board", "readable"},
    "other-game": {"other-game"},
    "other-cells": {"other-game", "readable"},
    "no-dots": {"no-dots"},
    "two-boards": {"several-boards"},
    "cut-off": {"cut-off"},
    "runs-on": {"cut-off"},
    "title": {"readable", "cut-off", "covered"},
    "covered": {"covered"},
    "tinted": {"grey"},
    "lone-dots": {"lone-dots", "covered"},
    "many-dots": {"other-game", "lone-dots", "alike-colours"},
    "alike-dots": {"alike-colours"},
    "no-solution": {"no-full-cover"},
}
"""By code, the labels of which it is true. A board that a person reads is best called not recognized."""
VAGUE = {"no-board", "unsure", "unknown", "late"}
"""Codes that claim nothing that could be wrong."""


def score_real(shared: Path) -> None:
    """Print the causes of other people's pictures, and how many of them are right."""
    totals, blanks = Counter[str](), 0
    for row in csv.DictReader(LABELS.open(), delimiter="\t"):
        answer = answer_to(shared / "screenshots" / "images" / row["name"])
        error, causes = answer.error, {row["cause"], *row["also"].split()}
        if error is None:
            verdict, code, words = "read", "", repr(answer)
        else:
            code = error.cause.code if error.cause else error.code
            is_true = TRUE_OF.get(code, set()) & causes
            verdict = "right" if is_true else "vague" if code in VAGUE else "wrong"
            words = " ".join(error.words(COMMAND))
            blanks += bool(error.cause) and not all(map(is_whole, error.cause.advice))
        totals[verdict] += 1
        print(f"{verdict} {row['name']}: {row['cause']} ({row['also']}), told {code}\n    {words}")
    print(dict(totals), f"{blanks} with advice to fill in")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    parser.add_argument("--keep", type=Path, help="write the pictures and their debug pages there")
    parser.add_argument("--real", action="store_true", help="other people's pictures, labelled by eye")
    given = parser.parse_args()
    if given.real:
        score_real(
            shared_folder() or sys.exit("No pictures: set FLOWVISION_DATA to the folder that holds them.")
        )
        return
    chosen = [one for one in SPOILT if not given.names or one.name in given.names]
    found = [refused(one, given.keep) for one in chosen]
    seconds = [taken for _, taken, _ in found]
    ends = [is_good for *_, came in found for is_good in came]
    print(
        f"{sum(right for right, *_ in found)} of {len(found)} told right; a diagnosis takes "
        f"{median(seconds):.2f} s in the median, {max(seconds):.2f} s at most; {sum(ends)} of {len(ends)} "
        "times advice that names options ends in the board that was drawn"
    )


if __name__ == "__main__":
    main()
