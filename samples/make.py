"""Draw the samples again: ``python samples/make.py``. Every one is synthetic; the seeds fix them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from flowvision.files import write_bytes, write_text
from flowvision.image.codec import encode
from flowvision.puzzle.boards import hexagonal, square
from flowvision.puzzle.layout import Board
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import format_puzzle
from flowvision.solvers import Solved, solve
from tests.tools.synthetic import PHONES, THEMES, Style, draw_screenshot

HOURGLASS = [(3, c) for c in range(7) if c != 3]
CORNERS = [(0, 0), (0, 6), (6, 0), (6, 6)]
ROUND = [(r, c) for r in (0, 6) for c in (0, 1, 5, 6)]
COURT = [((r, 2), (r, 3)) for r in range(1, 5)] + [((2, c), (3, c)) for c in (4, 5)]


@dataclass(frozen=True)
class Sample:
    """A board, its number of flows, and how it is drawn."""

    name: str
    board: Board
    flows: int
    style: Style = field(default_factory=Style)
    suffix: str = ".png"


def style(theme: str = "current", phone: str = "small", **look: object) -> Style:
    """Return a style by the names of its theme and phone."""
    return Style(THEMES[theme], PHONES[phone], **look)  # type: ignore[arg-type]


SAMPLES = (
    Sample("01", square(7, 7), 6, style(phone="galaxy", line=1)),
    Sample("02", square(5, 5), 4, style()),
    Sample("03", square(10, 8), 8, style("old", "small", line=4)),
    Sample("04", square(9, 9), 8, style("wide", "iphone-xr", line=0, quality=85), ".jpg"),
    Sample("05", square(14, 12), 12, style(phone="vivo", line=4)),
    Sample("06", square(18, 15), 16, style(phone="tablet", line=2, quality=80), ".jpg"),
    Sample("07", square(8, 8), 7, style(phone="small", line=5, letters="white")),
    Sample("08", square(7, 7), 6, style(phone="slim", line=3, drawn=0.5)),
    Sample("09", square(6, 6), 5, style("old", "small", drawn=1.0)),
    Sample("10", square(8, 8), 7, style(phone="small", line=2, dim=0.7, scale=0.75, quality=60), ".jpg"),
    Sample("11-holes", square(7, 7, holes=HOURGLASS), 5, style(line=1)),
    Sample("12-walls", square(7, 7, walls=COURT), 6, style(line=0)),
    Sample("13-bridge", square(7, 7, holes=CORNERS, bridges=[(3, 3)]), 6, style(line=2)),
    Sample("14-warp", square(6, 6, warps=[((2, 0), (2, 5)), ((0, 3), (5, 3))]), 5, style(line=5)),
    Sample("15-hex", hexagonal(7, 7, holes=ROUND), 6, style(line=3)),
)


def draw(sample: Sample) -> tuple[bytes, str]:
    """Draw the picture and puzzle of a sample, with the first seed from 0 that has exactly one solution."""
    for seed in range(1000):
        puzzle, solution = random_puzzle(sample.board, seed, sample.flows)
        outcome = solve(puzzle)
        if isinstance(outcome, Solved) and outcome.unique and outcome.rules == "strict":
            shot = draw_screenshot(sample.board, puzzle, sample.style, seed, solution)
            text = format_puzzle(sample.board, puzzle, shot.letters)
            return encode(shot.screenshot.bgr, sample.suffix), text
    raise RuntimeError(f"{sample.name}: no seed gives exactly one solution")


if __name__ == "__main__":
    here = Path(__file__).parent
    for sample in SAMPLES:
        picture, text = draw(sample)
        write_bytes(here / f"{sample.name}{sample.suffix}", picture)
        write_text(here / f"{sample.name}.txt", text)
