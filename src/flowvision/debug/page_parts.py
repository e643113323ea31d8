"""Parts of the debug page that are lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

import numpy as np

from flowvision.debug.canvas import box_round
from flowvision.debug.late_stages import cnf_words
from flowvision.debug.numbers import bounds_of
from flowvision.debug.story import Story
from flowvision.image.picture import Floats
from flowvision.reading.history import RegionRecord, StrategyRecord, appeal_of, attempts_of
from flowvision.vision.kinds.fit import Fit
from flowvision.words import count_of

MOST_DRAWN = 24
"""Attempts that are drawn, those first that look most like a board."""
MOST_LINES = 1_500
"""Cells that are drawn one by one; a board has fewer, a photograph more."""
TITLES = {
    "lines": "Lines",
    "board": "Contours and crop",
    "grid": "Lattice",
    "hexagons": "Hexagons",
    "free_cells": "Cells of any shape",
    "circles": "Circles",
    "walls": "Walls and holes",
    "dots": "Dots",
    "pairing": "Colours",
    "crossings": "Bridges and warps",
    "line_weight": "Weight of lines",
    "tints": "Tinted cells",
    "rims": "Rims of dots",
    "pipes": "Pipes that are drawn",
    "reading": "Which reading to believe",
    "options": "How much to try, and what to believe",
}
"""Names of the groups of thresholds."""


def with_code(text: str) -> str:
    """A sentence in which what is to be typed stands between backticks, broken between words alone."""
    return re.sub(r"`([^`]*)`", lambda found: f"<code>{_words(found[1])}</code>", escape(text))


def _words(typed: str) -> str:
    return re.sub(r"[^ ]+", r"<span>\g<0></span>", typed)


def copied(name: str, text: str, kind: str) -> str:
    """A text with a button that copies it."""
    shown = _words(escape(text)) if kind == "code" else escape(text)
    return f"<{kind} id='{name}'>{shown}</{kind}> <button type='button' data-copy='{name}'>Copy</button>"


def tried(story: Story) -> str:
    """Every region with every strategy and what became of it, one line each."""
    if not story.regions:
        return "<p>Nothing was tried: no part of the picture may hold a board.</p>"
    drawn = sorted(attempts_of(story.regions), key=appeal_of, reverse=True)[:MOST_DRAWN]
    chosen = story.trail.fit
    first = next((one for one in story.regions if _holds(one, chosen)), story.regions[0])
    lines = [_region(first, drawn, chosen)]
    if others := [region for region in story.regions if region is not first]:
        inside = "".join(_region(region, drawn, chosen) for region in others)
        lines.append(
            f"<details><summary>{count_of(len(others), 'more part')} of the picture that were looked at"
            f"</summary>{inside}</details>"
        )
    return "".join(lines)


def _holds(region: RegionRecord, chosen: Fit | None) -> bool:
    """Whether the fit that the pictures show is one of a region's."""
    return chosen is not None and any(one.fit is chosen for one in region.attempts)


def _region(region: RegionRecord, drawn: Sequence[StrategyRecord], chosen: Fit | None) -> str:
    count = sum(one.fit is not None for one in region.attempts)
    head = count_of(count, "explanation") if count else "no explanations"
    lines = "".join(_attempt(one, one in drawn, chosen) for one in region.attempts)
    return (
        f"<details{' open' if _holds(region, chosen) else ''}><summary>Region {region.number} "
        f"({escape(region.words)}): {head}</summary><ol class='tried'>{lines}</ol></details>"
    )


def _attempt(attempt: StrategyRecord, is_drawn: bool, chosen: Fit | None) -> str:
    name = escape(attempt.strategy)
    is_shown = attempt.fit is not None and attempt.fit is chosen
    mark = " <span class='good'>← shown in the pictures</span>" if is_shown else ""
    picture = ""
    if is_drawn:
        label = escape(f"{attempt.strategy}: {attempt.size}")
        picture = f" <details><summary>picture</summary>{svg_of(attempt, label)}</details>"
    kind = " class='skipped'" if attempt.is_skipped else ""
    return f"<li{kind}><b>{name}</b>: {escape(attempt.text)}{mark}{picture}</li>"


def cnf_tables(story: Story) -> str:
    """The variables and clauses by kind, folded."""
    outcome = story.outcome
    evidence = outcome.evidence if outcome else None
    if outcome is None or evidence is None:
        return ""
    rows = [("variables", evidence.variables), ("clauses", evidence.clauses)]
    lines = "".join(
        f"<tr><td class='number'>{count:,}</td><td>{kind}: {escape(name)}</td></tr>"
        for kind, counts in rows
        for name, count in counts
    )
    head = "<tr><th scope='col'>how many</th><th scope='col'>what</th></tr>"
    words = f"<p>{escape(cnf_words(evidence, outcome))}</p>"
    folded = f"{words}<table>{head}{lines}</table>"
    return f"<details><summary>Variables and clauses</summary>{folded}</details>"


def thresholds_by_stage(story: Story) -> str:
    """Times, and the thresholds folded by stage; those that decided are marked, with what was seen."""
    bounds = bounds_of(story.options, story.trail, story.cause)
    parts, others = [_times(story)], list[str]()
    for stage, group in groupby(bounds, key=lambda bound: bound.stage):
        rows, decided = [], False
        for bound in group:
            decided = decided or bound.decided
            seen = "" if bound.seen is None else f"{bound.seen:.3g}"
            kind = " class='decided'" if bound.decided else ""
            rows.append(
                f"<tr{kind}><td>{escape(bound.name)}</td><td class='number'>{escape(bound.value)}</td>"
                f"<td class='number'>{seen}</td><td>{escape(bound.unit)}</td>"
                f"<td class='why'>{escape(bound.reason)}</td></tr>"
            )
        mark = " <span class='bad'>· decided</span>" if decided else ""
        folded = _folded(f"Settings: {TITLES.get(stage, stage)}{mark}", _HEADS, rows, decided)
        (parts if decided else others).append(folded)
    head = f"All {'other ' if len(parts) > 1 else ''}settings, by stage"
    return f"{''.join(parts)}<details><summary>{head}</summary>{''.join(others)}</details>"


_HEADS = ("name", "bound", "seen", "unit", "why")


def _times(story: Story) -> str:
    total: dict[str, tuple[int, float]] = {}
    for event in story.events:
        count, seconds = total.get(event.stage, (0, 0.0))
        total[event.stage] = count + 1, seconds + event.seconds
    rows = [
        f"<tr><td>{stage}</td><td class='number'>{count}</td>"
        f"<td class='number'>{seconds * 1000:.1f}</td></tr>"
        for stage, (count, seconds) in total.items()
    ]
    whole = sum(seconds for _, seconds in total.values())
    return _folded(f"Times: {whole * 1000:.0f} ms in all", ("stage", "times", "ms"), rows, False)


def _folded(title: str, heads: Iterable[str], rows: Iterable[str], is_open: bool) -> str:
    head = "".join(f"<th scope='col'{' class=why' if name == 'why' else ''}>{name}</th>" for name in heads)
    return (
        f"<details{' open' if is_open else ''}><summary>{title}</summary>"
        f"<table><tr>{head}</tr>{''.join(rows)}</table></details>"
    )


def svg_of(attempt: StrategyRecord, title: str) -> str:
    """The part of the picture that a fit explains with its cells and the dots found on it.

    The page holds the picture itself once, by the id ``shot``.
    """
    assert attempt.fit is not None
    path, points = _path_of(attempt.fit)
    x0, y0, x1, y1 = box_round(points)
    found = attempt.trail.dots
    dots, radius_px = (found.dots, found.usual_radius_px) if found else ((), 0.0)
    circles = "".join(
        f"<circle cx='{dot.centre_px[0]:.0f}' cy='{dot.centre_px[1]:.0f}' r='{radius_px:.0f}'/>"
        for dot in dots
    )
    return (
        f"<svg class='fit' viewBox='{x0:.0f} {y0:.0f} {x1 - x0:.0f} {y1 - y0:.0f}' role='img' "
        f"aria-label='{title}'><use href='#shot'/><path d='{path}'/>{circles}</svg>"
    )


def _path_of(fit: Fit) -> tuple[str, Floats]:
    """The lines of the cells as an SVG path in picture pixels, and points on their rim."""
    lines = fit.debug_shape().seen
    if not lines:
        corners = fit.view.to_picture @ [[0, fit.view.size[0]], [0, fit.view.size[1]], [1, 1]]
        return "", corners[:2].T
    path = ("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in line.tolist()) for line in lines[:MOST_LINES])
    return "".join(path), np.concatenate(lines)
