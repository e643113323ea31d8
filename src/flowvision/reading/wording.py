"""Sentences for all doubts, by code, for the terminal, JSON, pages and Python.

``{name}`` is a fact of the doubt, with a format after a colon: ``place`` and ``places`` name cells, ``list``
joins words, ``# dot|# dots`` counts, ``advice`` writes options, ``if`` writes nothing; others are Python's. A
part in brackets is left out if a fact is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from msgspec import Struct

from flowvision.puzzle.check import wall_name
from flowvision.reading.doubt import Doubt
from flowvision.words import COMMAND, Advice, Change, Form, Option, Without, listed

MAX_PLACES = 6
"""Largest number of places or names in a sentence; the rest are counted."""
COMPARE = "Compare dots, walls and size with the screen, and correct what differs[: {advice:advice}]."


class Words(Struct, frozen=True):
    """Words for a doubt: the sentence that names it, more about it, the next step."""

    says: str
    means: str = ""
    todo: str = ""

    @property
    def message(self) -> str:
        """The problem, for a line of a terminal."""
        return f"{self.says} {self.means}".strip()


WORDS: dict[str, Words] = {
    "faint": Words(
        "The picture is too dark or too faint: its brightness ranges from {low:.0%} to {high:.0%}.",
        todo="Take the screenshot again at full brightness, with no filter or window over the game.",
    ),
    "too-small": Words(
        "The picture is too small: {width} × {height} pixels[; a cell is about {cell_px:.0f} pixels wide].",
        "Cells must be {wanted_px:g} pixels wide, or {sharp_px:g} if the picture is perfectly sharp.",
        "Use the screenshot at its full size.",
    ),
    "unclear": Words(
        "No board was recognized; the picture looks like a photograph.",
        todo="Use the screenshot as the phone made it, not a photograph or a copy from a messenger.",
    ),
    "no-board": Words(
        "No board was recognized.",
        "[The lines show {cols} columns and {rows} rows, which may be no board.]"
        "[The picture is almost blank.{blank:if}]",
        "Use a screenshot of a level as the phone made it, or crop it to the board[: {advice:advice}].",
    ),
    "other-game": Words(
        "This looks like another game: [{inked} of {cells} cells hold symbols, not dots]"
        "[{dots} dots have only {colours:# colour|# colours}].",
        "[In Flow Free every colour has exactly two dots.{colours:if}]",
        "Use a screenshot of the game itself, without a filter.",
    ),
    "no-dots": Words(
        "{dots:# dot was|# dots were} found on the board of {cells} cells.",
        todo="Open a level, and take the screenshot when all its dots have appeared.",
    ),
    "two-boards": Words(
        "[There are two boards in the picture; this is the larger one. For the other: {other:advice}.]"
        "[Another board in the picture could not be read. To see why: {failed:advice}.]"
        "[This board covers a part of a larger one, which could not be read.{covered:if}]"
    ),
    "cut-off": Words(
        "The board is [{likely} ]cut off at the {which} edge of the picture.",
        "[{lone:# dot has|# dots have} no partner: {names:list}. ]",
        "Take the screenshot again with the whole board in it.",
    ),
    "runs-on": Words(
        "The board [perhaps {perhaps:if}]continues past the {cols} columns and {rows} rows that were read.",
        todo="Give the number of columns and rows on the screen[: {advice:advice}].",
    ),
    "title": Words(
        "[The title says {title_size}, but {size} was read][The text above the board counts {title_flows} "
        "flows, but {flows} were read].",
        todo="Compare the board with the screen, and correct what differs[: {advice:advice}].",
    ),
    "wrong-option": Words(
        "[No board of {cols} columns and {rows} rows was found; the lines show {lines_cols} columns and "
        "{lines_rows} rows][The part to crop lies outside the picture of {width} × {height} pixels]"
        "[No board could be read with {given:advice}].",
        todo="Check the value, or leave it out[: {advice:advice}].",
    ),
    "covered": Words(
        "Something covers {hidden:# row|# rows} in the middle of the board.",
        todo="Take the screenshot again with nothing over the board.",
    ),
    "tinted": Words(
        "The picture is grey: its {dots} dots differ only in brightness.",
        todo="Take the screenshot again in colour, with filters off.",
    ),
    "lone-dots": Words(
        "{lone:# dot has|# dots have} no partner: {names:list} ({places:places}).",
        "{dots:# dot was|# dots were} found.[ There may be a dot in {near:places}.]",
        "Is the whole board in the picture, with nothing over it?[ Add what is missing: {advice:advice}.]",
    ),
    "many-dots": Words(
        "{count} dots are {name}, but every colour needs exactly two: {places:places}.",
        "[One of them may be {one}, like the dot in {at:place}.]",
        "Compare these dots with the screen.[ Correct one: {advice:advice}.]",
    ),
    "alike-dots": Words(
        "[The colours of some dots are too similar to pair them: {places:places}.]"
        "[The dots in {chosen:places} look alike; only one pairing has exactly one solution.]",
        todo="[Give each of these dots its letter: {advice:advice}.]",
    ),
    "left-out": Words(
        "{count:# cell holds|# cells hold} a disc that was not read as a dot: {places:places}.",
        todo="Add the missing dots[: {advice:advice}].",
    ),
    "no-solution": Words(
        "[The board as read, {size}, has no solution][; least clear: {weakest}]",
        "[Something was misread, or this game does not ask for every cell.{size:if}]"
        "[ With one change it has exactly one solution: {change}]"
        "[ {others:# other change does|# other changes do} so too.]",
        COMPARE,
    ),
    "late": Words(
        "No answer was found in time; the board was read as {size}.",
        "[Least clear: {weakest}.]",
        "Allow more time[: {advice:advice}].",
    ),
    "walls": Words(
        "[Some walls may not exist; leaving out different ones gives different solutions.{two:if}]"
        "[Walls that may not exist: {walls:walls}. With them the board has no solution, without them "
        "exactly one.{needed:if}]"
        "[Walls seen only in part are left out: {walls:walls}. The solution does not depend on "
        "them.{part:if}]"
        "[Walls that may not exist: {walls:walls}. The solution does not depend on them.{odd:if}]",
        "[Without them it may not be the only one.{others:if}]",
    ),
    "crossings": Words(
        "[A path crosses itself at {places:places}; the bridge there may be misread.]"
        "[The board has no visible border: paths may leave it and come back on the opposite side.{open:if}]"
    ),
    "touches-itself": Words(
        "In every solution a path touches itself[, also in the one on the picture{drawn:if}].",
        "[The board may have been misread.{undrawn:if}]",
        COMPARE,
    ),
    "several-solutions": Words(
        "[There is more than one solution; the board may have been misread.{several:if}]"
        "[There was no time to rule out another solution.{open:if}]"
    ),
    "unsure": Words(
        "[The board as read, {size}, may be wrong]"
        "[: its confidence is {saw:.2f} of 1, and {wanted:g} is needed]"
        "[: levels have at least {pairs_min} pairs of dots][: cells were merged or cut in two{odd:if}]"
        "[.{size:if}]"
        "[ Low confidence: check {weakest}]",
        "[{warnings}]",
        COMPARE,
    ),
    "unknown": Words(
        "{message}", todo="Is the whole board in the picture? Is anything in front of it?[ {hint}]"
    ),
}
"""By code, in the order of the documents."""

READS = "With {advice:advice} it is read: {reads} and exactly one solution. Compare it with the screen."
READS_WITHOUT = "Without {advice:advice} it is read: {reads} and exactly one solution."
"""The next step if the advice was tried and helps."""
TRUST = "[If the board is right: {trust:advice}.]"


def explain(doubt: Doubt, form: Form = COMMAND) -> Words:
    """Return the words for a doubt; ``form``: advice for the command line, Python or the page."""
    words, facts = WORDS[doubt.code], {**doubt.facts, "advice": doubt.advice, "reads": doubt.reads}
    sides, todo = facts.get("sides", ("",)), words.todo
    facts["which"] = listed(sides, between=", ", last="or" if facts.get("likely") else "and")
    if doubt.reads:
        todo = READS_WITHOUT if isinstance(doubt.advice[0], Without) else READS
    says = filled(words.says, facts, form)
    says = says if says.endswith(".") else f"{says}."
    return Words(says, filled(words.means, facts, form), filled(f"{todo} {TRUST}", facts, form))


def filled(template: str, facts: Mapping[str, Any], form: Form = COMMAND) -> str:
    """Return a sentence with its facts, without bracketed parts that lack one."""

    def part(found: re.Match[str]) -> str:
        names = [name for _, name, _, _ in Formatter().parse(found[1]) if name]
        return found[1] if all(facts.get(name) not in _MISSING for name in names) else ""

    return _Writer(form).vformat(re.sub(r"\[([^\[\]]*)\]", part, template), (), facts).strip()


_MISSING: tuple[object, ...] = (None, "", 0, (), [])


class _Writer(Formatter):
    def __init__(self, form: Form) -> None:
        self.form = form

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a fact in words."""
        form = self.form
        writers: dict[str, Callable[[], str]] = {
            "if": str,
            "place": lambda: form.place(value),
            "places": lambda: listed([form.place(place) for place in value], MAX_PLACES),
            "walls": lambda: listed([wall_name(wall) for wall in value], MAX_PLACES),
            "list": lambda: listed([str(item) for item in value], MAX_PLACES, ", "),
            "advice": lambda: f"`{form.advice(value)}`",
        }
        if format_spec in writers:
            return writers[format_spec]()
        if "|" in format_spec:
            one, more = format_spec.split("|")
            return (one if value == 1 else more).replace("#", f"{value:,}")
        return str(format(value, format_spec))


def cause_object(doubt: Doubt) -> dict[str, Any]:
    """Return a doubt as a JSON object with its words; places count from 0."""
    words, came = explain(doubt), "solved" if doubt.reads else None
    return {
        "code": doubt.code,
        "says": words.says,
        "means": words.means,
        "todo": words.todo,
        "seen": {name: _plain(value) for name, value in doubt.facts.items() if value is not None},
        "advice": [{**_typed(item), "came": came} for item in doubt.advice],
    }


def _plain(value: Any) -> Any:
    is_advice = isinstance(value, tuple) and value and isinstance(value[0], Option | Without | Change)
    return COMMAND.advice(value) if is_advice else value


def _typed(item: Advice) -> dict[str, str]:
    option, _, value = COMMAND.advice((item,)).partition(" ")
    return {"option": option, "value": value}
