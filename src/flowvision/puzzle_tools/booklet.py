"""Puzzles to print: one HTML page with all of them, and their solutions at its end."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from flowvision.export.pictures import vectors_on_paper
from flowvision.image.mark import HTML_MARK
from flowvision.puzzle.formats import NamedPuzzle
from flowvision.puzzle.model import Solution
from flowvision.words import count_of

STYLE = """
@page { margin: 15mm }
body { font-family: system-ui, sans-serif; margin: 2em auto; max-width: 190mm; color: #222; background: #fff }
h1, h2 { font-weight: 600; margin: 0 0 8mm }
h2 { break-before: page; margin-top: 16mm }
.puzzles, .solutions { display: grid; gap: 8mm }
.puzzles { grid-template-columns: repeat(2, 1fr) }
.puzzles.large { grid-template-columns: 1fr }
.solutions { grid-template-columns: repeat(4, 1fr) }
figure { margin: 0; break-inside: avoid; text-align: center }
figcaption { margin-top: 2mm }
svg { width: 100%; height: auto; max-height: 230mm }
@media print {
  body { margin: 0; max-width: none; print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
"""
LARGE = 10
"""Rows or columns of a board that takes the whole width of a page."""


def booklet_of(puzzles: Sequence[tuple[NamedPuzzle, Solution]], title: str) -> str:
    """The page; nothing in it is fetched from elsewhere. Numbers join puzzles and solutions."""
    large = any(
        item.board.lattice is None or max(item.board.lattice.rows, item.board.lattice.cols) >= LARGE
        for item, _ in puzzles
    )
    unsolved = [_figure(number, vectors_on_paper(item)) for number, (item, _) in enumerate(puzzles, 1)]
    solved = [
        _figure(number, vectors_on_paper(item, solution))
        for number, (item, solution) in enumerate(puzzles, 1)
    ]
    heading = escape(title)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        f'<head><meta charset="utf-8">{HTML_MARK}<title>{heading}</title><style>{STYLE}</style></head>',
        f"<body><h1>{heading}</h1>",
        f'<div class="puzzles{" large" if large else ""}">',
        *unsolved,
        "</div>",
        f"<h2>{'The solution' if len(puzzles) == 1 else 'The solutions'}</h2>",
        '<div class="solutions">',
        *solved,
        "</div></body></html>",
    ]
    return "\n".join(lines) + "\n"


def title_of(count: int, size: str, grade: str | None) -> str:
    """Such as ``12 hard puzzles, 7 × 7``."""
    return f"{count_of(count, f'{grade} puzzle' if grade else 'puzzle')}, {size.replace('x', ' × ')}"


def _figure(number: int, drawing: str) -> str:
    return f"<figure>{drawing.strip()}<figcaption>{number}</figcaption></figure>"
