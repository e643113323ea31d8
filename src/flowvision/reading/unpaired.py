"""Why dots make no pairs, in words: which colour lacks its partner or has one too many, what is covered."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from flowvision.corrections.draft import SAME_COLOUR, Draft, Key, draft_of_dots
from flowvision.errors import AmbiguousColoursError, DotsError, FlowvisionError, OddDotsError
from flowvision.events import StageFailed
from flowvision.image.picture import Frame, Rgb, Screenshot
from flowvision.palette import colour_name
from flowvision.puzzle.layout import Place
from flowvision.vision.dots.result import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.kinds.rectangular.tints import CORNERS
from flowvision.vision.pixels.sampling import colour_distance, lab_of, sample
from flowvision.vision.settings import Settings
from flowvision.words import count_of, listed

MAX_LONE = 3
"""Dots without a partner that are named one by one; of more it says how many."""
MAX_PLACES = 3
"""Places that are named one by one."""


def explained(failed: StageFailed, settings: Settings, colours: int | None = None) -> FlowvisionError:
    """The error of a stage that failed; where dots make no pairs, it says which, and what hides them.

    ``colours``: how many there are, where somebody counted them.
    """
    error, sides = failed.error, failed.trail.sides
    dots = error.evidence if isinstance(error.evidence, Dots) else failed.trail.dots
    kinds = OddDotsError | (DotsError if colours else AmbiguousColoursError)
    if not isinstance(error, kinds) or sides is None or dots is None:
        return error
    draft = draft_of_dots(sides, dots)
    lone = _lone(draft)
    if not lone:
        return error
    crowds = {key: _crowd(key, dots, draft) for key in lone[:MAX_LONE]}
    covered = covered_places(sides, draft.frame, settings)
    says = [_says(key, crowd, draft) for key, crowd in crowds.items()]
    if len(lone) > MAX_LONE:
        more = len(lone) - MAX_LONE
        says.append(f"And {more} more {'has' if more == 1 else 'have'} no partner.")
    is_missing = any(len(crowd) < 3 for crowd in crowds.values())
    if covered and is_missing:
        says.append(f"Something covers {_places_named(covered)}.")
    elif is_missing and (edge := _edge(sides, failed.trail.shot)):
        says.append(f"The picture ends right {edge} the board: is a row cut off?")
    count = len(dots.dots)
    head = miscounted(count, colours) if colours else f"Found {count_of(count, 'dot')}; dots come in pairs"
    error.message = f"{head}. {' '.join(says)}"
    error.hint = " ".join((*_hints(crowds, covered, draft), error.default_hint))
    return error


def miscounted(dots: int, colours: int) -> str:
    """That there are too many or too few dots for the colours that somebody counted."""
    return f"Found {count_of(dots, 'dot')}; {count_of(colours, 'colour')} would be {2 * colours}"


def covered_places(sides: BoardGeometry, frame: Frame, settings: Settings) -> list[Place]:
    """The places of a lattice of squares that something lies over: no lines, and not the ground's colour.

    ``frame``: of cells that are 1.0 apart.
    """
    lattice = sides.board.lattice
    if lattice is None or lattice.tiling != "square":
        return []
    places = np.argwhere(np.ones((lattice.rows, lattice.cols), bool))
    seen = sample(sides.fit.view, frame, (places[:, ::-1] + 0.5).astype(np.float64), CORNERS)
    colour = lab_of(np.median(seen.astype(np.float64), axis=1).astype(np.uint8))
    away = colour_distance(colour, np.median(colour, axis=0))
    is_hidden = _lacks_lines(sides, settings) & (away >= settings.reading.covered).reshape(
        lattice.rows, lattice.cols
    )
    return [(int(row), int(col)) for row, col in np.argwhere(is_hidden).tolist()]


def _lacks_lines(sides: BoardGeometry, settings: Settings) -> NDArray[np.bool_]:
    """(rows, cols): which places hold no cell, or show two lines at most."""
    assert sides.board.lattice is not None
    lacks = np.ones((sides.board.lattice.rows, sides.board.lattice.cols), bool)
    lacks[tuple(np.transpose(sides.board.lattice.places))] = False
    if isinstance(sides.fit, GridFit):
        cover = sides.fit.cover
        upright, level = (~(part < settings.grid.side_cover) for part in (cover.upright, cover.level))
        lines = upright[:, :-1].astype(int) + upright[:, 1:] + level[:-1] + level[1:]
        lacks |= lines <= 2
    return lacks


def _edge(sides: BoardGeometry, shot: Screenshot | None) -> str:
    """Where a row may be cut off: the picture ends ``above`` or ``below`` the board, within a cell of it."""
    if shot is None or not isinstance(sides.fit, GridFit):
        return ""
    fit = sides.fit
    corners = fit.frame.to_px([(0, 0), (fit.cols, 0), (fit.cols, fit.rows), (0, fit.rows)])
    if shot.bgr.shape[0] - corners[:, 1].max() < fit.pitch_px:
        return "below"
    return "above" if corners[:, 1].min() < fit.pitch_px else ""


def _lone(draft: Draft) -> list[Key]:
    """The cells whose dots have no partner."""
    count = Counter(dot.letter for dot in draft.seen.values())
    return [key for key, dot in draft.seen.items() if count[dot.letter] == 1]


def _crowd(key: Key, dots: Dots, draft: Draft) -> list[Key]:
    """The cells with dots of the colour of the one in ``key``, that one as well."""
    keys = list(draft.seen)
    lab = np.array([dot.lab for dot in dots.dots])
    away = colour_distance(lab, lab[keys.index(key)])
    return [keys[n] for n in np.flatnonzero(away < SAME_COLOUR).tolist()]


def _says(key: Key, crowd: list[Key], draft: Draft) -> str:
    """What is wrong with a dot without a partner, in a sentence."""
    colour: Rgb = draft.colours[draft.seen[key].letter]
    if len(crowd) > 2:
        return f"{len(crowd)} of them are {colour_name(colour)}: {listed([_name(one) for one in crowd])}."
    return f"A dot of {colour_name(colour)} is missing: only the one in {_name(key)} was found."


def _hints(crowds: dict[Key, list[Key]], covered: list[Place], draft: Draft) -> list[str]:
    """What to type."""
    lone, too_many = (
        [key for key, crowd in crowds.items() if (len(crowd) > 2) == many] for many in (False, True)
    )
    hints = []
    if lone:
        letter = draft.seen[lone[0]].letter
        place = f"{covered[0][0]},{covered[0][1]}" if len(covered) == 1 else "ROW,COLUMN"
        hints.append(f"If you know where it is, say so, counted from 0: `--set {place}={letter}`.")
    if too_many:
        one = too_many[0]
        place = f"{one[0]},{one[1]}" if isinstance(one, tuple) else f"{one}"
        hints.append(f"Take away what is no dot, such as {_name(one)}: `--set {place}=.`.")
    return hints


def _places_named(places: list[Place]) -> str:
    if len(places) <= MAX_PLACES:
        return listed([_name(place) for place in places])
    row, col = np.median(np.array(places), axis=0).astype(int).tolist()
    return f"{len(places)} cells round {_name((row, col))}"


def _name(key: Key) -> str:
    return f"row {key[0] + 1}, column {key[1] + 1}" if isinstance(key, tuple) else f"cell {key}"
