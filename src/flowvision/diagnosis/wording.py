"""Every sentence that is said of a refusal: a row a cause. What terminal, JSON and pages say comes from here.

``filling`` says how a sentence takes its facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flowvision.diagnosis.cause import Advice, Cause
from flowvision.diagnosis.filling import filled
from flowvision.value import value_type
from flowvision.words import listed

OPEN_A_LEVEL = "Open a level of the game and take the screenshot there."
COMPARE = "Compare dots, walls and size with the screen, and put right what differs[: `{option}`]."
IS_ALL_SEEN = "Is the whole board in the picture, and is nothing in front of it?"
NEEDS_TWO = "{dots:# dot was|# dots were} found, but every colour needs two."
SUSPECTS = (
    "[ Something that is not quite a dot is in {near:places}.][ The trace of a disc is in {faint:places}, "
    "hardly darker or brighter than the background: was a dot there?]"
    "[ What is in {odd:places} has another size or shape than the other dots: does it cover one?]"
    "[ Something that was read as no dot is in {others:places}.][ {cut}]"
)


@value_type
class Words:
    """The words for a cause: the sentence that names it, more about it, the next step, and the numbers.

    ``measured``: what it is told by, for the documents.
    """

    says: str
    means: str = ""
    todo: str = ""
    detail: str = ""
    measured: str = ""


WORDS: dict[str, Words] = {
    "shows-nothing": Words(
        "The picture shows next to nothing: it is nearly of one colour.",
        means="A screen that was off, or a screenshot that the system did not allow, looks like this.",
        todo=OPEN_A_LEVEL,
        detail="Its brightness varies by {spread:.1%} of the range from black to white.",
        measured="the brightness hardly varies",
    ),
    "wrong-size": Words(
        "The size given is wrong: there is no board of {cols} columns and {rows} rows here[; the lines show "
        "{lines_cols} columns and {lines_rows} rows].",
        todo="Give the size that the board has, columns first, or none[: `{option}`].",
        measured="the lines show other columns and rows than `--grid` says",
    ),
    "wrong-option": Words(
        "With `{given}` no board could be read; without it the picture is read.",
        means="[Its cells are hexagons, and `--grid` counts squares.{hexagons:if}]",
        todo="Give another value, or leave it out.",
        measured="the picture is read without the part, or the number of colours, that was given",
    ),
    "too-small": Words(
        "The picture is too small: {width} × {height} pixels[; a cell of the board is about "
        "{cell_px:.0f} pixels wide].",
        means="Cells should be {wanted_px:g} pixels wide or more; about {sharp_px:g} are enough in a picture "
        "that is sharp to the pixel[; a board of {columns} columns has cells of at most {most_px:.0f} in a "
        "picture of this size, one of more columns smaller ones].",
        todo="Use the screenshot in its full size, not a preview, nor a copy that was made smaller.",
        measured="a cell is less than 16 pixels wide",
    ),
    "blurred": Words(
        "The picture is blurred: no edge in it is sharp, so the thin lines of a board cannot be seen.",
        means="[With the size given, {given}, no board could be read either.]",
        todo="Take a sharp screenshot.",
        detail="From dark to bright it takes {edge_px:.0f} pixels even where it is sharpest; in screenshots "
        "it takes 2.",
        measured="even the sharp edges take 6 pixels or more from dark to bright; screenshots take 2",
    ),
    "strewn": Words(
        "The picture is damaged: single pixels of other colours are strewn all over it.",
        means="Lines, dots and the letters on them cannot be told from those.",
        todo="Use the screenshot as the phone made it.",
        detail="{share:.1%} of its pixels differ from all round them.",
        measured="the share of single pixels that differ from all round them: 0.8 % and more",
    ),
    "photograph": Words(
        "It looks like a photograph[ of a screen{board:if}][, and no board could be read on it{alone:if}]"
        "[: its board is read once its size is said{came:if}].",
        means="[Its cells are less regular than those of a screen seen straight: it was likely taken at an "
        "angle.{board:if} ]Hardly any part of it is of one flat colour, as backgrounds of screenshots are.",
        todo="Take a screenshot on the phone itself. Or photograph the screen straight from the front, "
        "without reflections, the board as large as the picture.",
        detail="{even:.1%} of the pixels are as bright as their neighbours.",
        measured="hardly a pixel is like those round it, and no lines frame cells",
    ),
    "menu": Words(
        "No board here: {boxes} separate boxes, as a menu has them.",
        means="They do not touch each other, as the cells of a board do.",
        todo=OPEN_A_LEVEL,
        measured="three and more boxes apart from each other",
    ),
    "pattern": Words(
        "No board here: lines divide it into {shapes} shapes of all kinds, like a pattern or a wallpaper.",
        means="The cells of a board are alike.",
        todo=f"{OPEN_A_LEVEL}[ If there is a board on this one, say how large it is: `{{option}}`.]",
        detail="Likeness of the sides of the shapes: {likeness:.2f}, boards have {wanted:g} and more.",
        measured="the shapes between the lines are unlike each other",
    ),
    "no-lines": Words(
        "No board was found: no grid is larger than {wanted_px} pixels.",
        means="What the picture shows instead is not known.",
        todo=f"{OPEN_A_LEVEL}[ If there is a board on this one, say where it is: `{{option}}`.]",
        detail="[{lines:.1%} of the pixels lie on thin lines.]",
        measured="no group of thin lines is as large as a board",
    ),
    "no-lattice": Words(
        "[No board was found{alone:if}][The size of the board was not found{came:if}]: nowhere do lines "
        "frame rows and columns of cells.",
        means="[What the picture shows instead is not known.{alone:if}]",
        todo=f"[{OPEN_A_LEVEL}{{alone:if}}]"
        "[ If there is a board on this one, say how large it is: `{option}`.]",
        measured="lines, but none at even distances that frame cells",
    ),
    "two-boards": Words(
        "Two boards are in the picture: the {first_name} one has {first} cells, the {second_name} one "
        "{second}.",
        means="Only one is read at a time.",
        todo="Cut one of them out[: `{first_crop}` takes the {first_name} one, `{options}` the {second_name} "
        "one][; `{first_crop}` takes the {first_name} one{came:if}].",
        detail="They begin at {first_px:list} and at {second_px:list} pixels.",
        measured="two grids with dots, apart from each other",
    ),
    "tilted-out": Words(
        "The board is tilted by {degrees:.0f} degrees and runs out of the picture at the {sides:list}.",
        means="{cells:# cell lies|# cells lie} whole on it; those at the edge are cut, and their dots are "
        "missing.",
        todo="Take the screenshot again, upright and with the whole board on it.",
        detail="Agreement of the sides of all cells on that tilt: {agreement:.2f} of 1.",
        measured="the direction of the sides of all cells, and lines that reach the edge",
    ),
    "cut-off": Words(
        "The board is [{likely} ]cut off at the {which} edge of the picture[: only {whole:list} can be seen "
        "whole].",
        means="[{strip:.0%} of the {line} can be seen. ][It ends right at this edge, and has fewer {fewer}. ]"
        "[The size given is {given}. ][{lone:# dot has|# dots have} no partner: {names:list}. ][What was "
        "read has no solution. {refuted:if}]Cells and dots beyond the edge are missing.",
        todo="Take the screenshot again with the whole board on it.",
        measured="the grid reaches over an edge of the picture, its lines go on up to it, or rows are "
        "missing there",
    ),
    "wrong-crop": Words(
        "The part given with `--crop` [does not lie in the picture of {width} × {height} pixels]"
        "[ends inside the board, at its {sides:list}][: only {whole:list} of it can be seen whole].",
        means="[In the picture the lines of the board go on.{sides:if}]",
        todo="Give a part with the whole board in it, or leave `--crop` out.",
        measured="the lines of the grid go on beyond the part that was cut out, or it reaches out of the "
        "picture",
    ),
    "faint": Words(
        "The picture is too faint: its darkest and its brightest spot differ by only {contrast:.0%} of the "
        "range from black to white.",
        means="The lines of a grid can be made out, but not the dots and cells of a board.",
        todo="Take the screenshot again without a filter, a tint or something half transparent over it.",
        measured="lines of a board, but hardly a difference between dark and bright",
    ),
    "dark": Words(
        "The picture is too dark: even its brightest spot has only {brightest:.0%} of full brightness.",
        means="The lines of a grid can be made out, but not the dots and cells of a board.",
        todo="Take the screenshot again at full brightness, with no window that dims the game.",
        measured="the same, and nothing in it is bright",
    ),
    "compressed": Words(
        "The picture was compressed too strongly: square blocks of JPEG stand out more than what it shows.",
        means="Colours run together in such blocks, and thin lines with the background beside them.",
        todo="Use the screenshot itself, not a copy that a messenger made smaller.",
        detail="At the borders of blocks brightness changes {blocks:.1f} times as much as within them.",
        measured="steps of brightness at the borders of blocks of 8 pixels",
    ),
    "banner": Words(
        "Something seems to cover the board at its {side}, such as a banner[; {lone:# dot has|"
        "# dots have} no partner: {names:list}].",
        means="Only {rows} rows can be seen, but {cols} columns. Most boards are square: then "
        "{hidden:# row is|# rows are} hidden at its {side}.",
        todo="Take the screenshot again once the banner is gone.",
        measured="fewer rows than columns, and no background beside them",
    ),
    "popup": Words(
        "A window lies over the board: it covers {count} cells, some of them partly, "
        "{region}[, {block:block}].",
        means="What lies under it cannot be seen.",
        todo="Close it, and take the screenshot again.",
        measured="a rectangle of cells filled with one colour, or one cell many times as large as the others",
    ),
    "tinted": Words(
        "The colours of the picture are changed, as by night shift or a filter: {name} is nearly gone.",
        means="{dots} dots were found[; others may be lost in the tint, and colours cannot be told "
        "apart{alone:if}][, and faint traces of {added} more].",
        todo="Take the screenshot again with night shift and filters off.",
        detail="{name} reaches {share:.0%} of the brightness of the brightest colour.",
        measured="one of blue, green and red is half as bright as another, anywhere",
    ),
    "framing": Words(
        "At the {side} of the board something looks like {strip} of cells, but is no part of it.",
        means="Buttons beside a board, for instance, look like cells.",
        todo="Give the part of the picture that the board is in.",
        measured="the grid is longer than wide, and a square part of it is a board",
    ),
    "runs-on": Words(
        "The lines go on beyond the {cols} columns and {rows} rows that were seen whole.",
        means="Part of the board is hidden or faint at its rim.",
        todo="Count columns and rows on the screen, and say how many there are[: `{option}`].",
        measured="lines that do not end where the cells end",
    ),
    "small-dots": Words(
        "The dots are too small: {cells} cells hold discs that are {width:.0%} as wide as their cells.",
        means="Dots are looked for from {wanted:.0%} on.",
        todo="Use the game itself, or a copy of it with larger dots.",
        measured="the width of the discs in the cells",
    ),
    "few-cells": Words(
        "[No board was found{alone:if}][The size of the board was not found{came:if}]: what looks most like "
        "one has {cells:# cell|# cells}[ and {dots:# dot|# dots}][ without dots{none:if}].",
        means="The smallest boards of the game have 25 cells.[ It may be another game, or a menu.{alone:if}]",
        todo=f"[{OPEN_A_LEVEL}{{alone:if}}]",
        measured="fewer than 20 cells, and hardly any dots",
    ),
    "empty-board": Words(
        "[No dots were found{none:if}][Only {dots:# dot was|# dots were} found] on the {cells} cells of the "
        "board.",
        means="The level may not have appeared yet when the picture was taken, or its dots are too faint."
        "[ {cut}]",
        todo="Take the screenshot when all dots are there, without a filter.",
        measured="nothing, or nearly nothing, is in the middles of the cells",
    ),
    "no-discs": Words(
        "Numbers, letters or symbols instead of dots: {inked} of {cells} cells hold something that is not "
        "filled with one colour.",
        means="[{dots:# dot was|# dots were} found. ]It is another game, or a board written in numbers or "
        "letters.",
        todo="Use a screenshot of the game itself, whose dots are filled.",
        detail="Of the ring that a dot fills it covers at most {cover:.2f}, {wanted:g} wanted.",
        measured="a ring in the middle of the cells has more than one colour",
    ),
    "no-colours": Words(
        "The picture has no colours: the {dots} dots that were found are grey, so nothing says which belong "
        "together.",
        todo="Take the screenshot in colour: without a filter, a grey scale setting or a printer.",
        measured="no pixel has a colour",
    ),
    "few-colours": Words(
        "This looks like another game: {dots} dots have only {colours:# colour|# colours}.",
        means="Found: {counts}. In Flow Free every colour has exactly two dots. Less likely, a filter made "
        "different colours alike.",
        todo="Use a screenshot of a level of Flow Free, or of a game with the same rules. If the picture "
        "shows such a level, take it again without a filter.",
        measured="four and more dots of each colour",
    ),
    "covered": Words(
        "Something covers [{count} cells {region}][, {block:block}][{place:place}][, and {lone:# dot has|"
        "# dots have} no partner: {names:list}].",
        means="{dots:# dot was|# dots were} found; what lies under it cannot be seen.",
        todo="Take the screenshot again with nothing over the board: no notification, finger or menu."
        "[ Or say what is under it: `{option}`.]",
        measured="places without lines and of another colour, or filled with a colour up to their sides",
    ),
    "wrong-colour": Words(
        "A dot has a wrong colour: every colour needs two, but there are {counts}.",
        means="Nothing is missing: {dots} dots were found.[ One of the {three} ones should be {one}: "
        "{places:places}; the {one} one is in {place:place}.]",
        todo="Compare these dots with the screen and say which one it is[: `{option}`].",
        measured="three dots of one colour and one of another: none is missing",
    ),
    "lone-dot": Words(
        "The {names:list} dot in {places:places} has no partner: no second one was found.",
        means=f"{NEEDS_TWO}{SUSPECTS}"
        "[ The other cells look empty: why the other one is not seen is not known.{nothing:if}]",
        todo=f"{IS_ALL_SEEN}[ If you know where the other one is, say so: `{{option}}`.]",
        measured="one dot of a colour, and nothing over the board",
    ),
    "lone-dots": Words(
        "{lone} dots have no partner: {names:list} ({places:places}).",
        means=f"{NEEDS_TWO}[ If these belong together, one of them was read in a wrong colour.{{two:if}}]"
        f"{SUSPECTS}[ The other cells look empty: why the others are not seen is not known.{{nothing:if}}]",
        todo=f"{IS_ALL_SEEN}[ If you know where one is, say so: `{{option}}`.]",
        measured="the same for several colours",
    ),
    "many-dots": Words(
        "{count} dots are {name}, but every colour needs exactly two.",
        means="They are in {places:places}. Something round may have been taken for a dot, or another game "
        "is shown.",
        todo="Compare these dots with the screen; take away what is none[: `{option}`].",
        measured="three and more dots of one colour, and none without a partner",
    ),
    "wrong-colours": Words(
        "The number of colours is wrong: {dots} dots were found, {colours:# colour|# colours} would have "
        "{wanted}.",
        means="They make {pairs} pairs.",
        todo="Count the colours once more[: `{option}`?].",
        measured="`--colours` says another number than there are pairs",
    ),
    "alike-dots": Words(
        "Some dots have too similar colours: {places:places}.",
        means="There are {colours} colours, and [{ways} ways to pair these dots, of which {several} have "
        "exactly one solution][{ways} ways to pair these dots, of which none has exactly one "
        "solution{none:if}][more than {many} ways to pair these dots][time was over before all {ways} ways "
        "to pair these dots were tried{time:if}].",
        todo="Say which belong together[, perhaps `{options}`].",
        measured="`--colours` is given, and not exactly one way to pair the dots has exactly one solution",
    ),
    "left-out": Words(
        "{count:# cell holds|# cells hold} a disc as large as the dots but {count:was|were} read as empty: "
        "{places:places}.",
        means="They differ from the others in something else than size; in what is not known.",
        todo="If they are dots, say so[: `{option}`].",
        measured="discs of the size of the dots in cells without one",
    ),
    "alike-colours": Words(
        "Some dots have too similar colours to say which belong together[: {places:places}].",
        means="A filter, night shift or strong compression does that; which of them it was is not known.",
        todo="Take the screenshot again without a filter, or say which dots belong together[: `{option}`].",
        detail="The closest two colours are told apart by {margin:.1f} units of Lab; {wanted:g} are wanted.",
        measured="the distance of colours between pairs",
    ),
    "no-solution": Words(
        "What was read has no solution[; seen least well: {weakest}][, though the board was seen "
        "clearly{clear:if}].",
        means="Every level has one, so one thing was misread or the picture was altered.[ {cut}]"
        "[ It would have exactly one solution with one change: {change}]"
        "[ And {others:# other change|# other changes}.]"
        "[ Without {names:list} it has a solution; these dots are in {places:places}.]"
        "[ Walls that were seen in part: {walls:walls}.][ What it is, is not known: no dot moved by a cell, "
        "and no single colour left out, puts it right.{unknown:if}]",
        todo=COMPARE,
        detail="Read: {size}; confidence {confidence:.2f} of 1.",
        measured="the solver proved that there is none; a change or a colour left out that would give one "
        "is named",
    ),
    "few-pairs": Words(
        "Too few dots for a level: only {pairs:# pair|# pairs} of dots on {cells} cells, and {why}.",
        means="It may be another game, a menu, or a board of which a part is hidden or cut off.[ {cut}]",
        todo="Take a screenshot of the whole level. If this is all, say how many columns and rows there are"
        "[: `{option}`].",
        measured="fewer than three pairs of dots on more than 16 cells; no size, part or number of colours "
        "was given",
    ),
    "no-answer": Words(
        "No answer was found in time for what was read: {size}.",
        means="The solver takes milliseconds for a level of the game, and long for a board that is misread.",
        todo="Allow more time with `--limit SECONDS`, or compare what was read with the screen.",
        measured="the solver ran out of time",
    ),
    "not-sure": Words(
        "What was read, {size}, was not seen well enough to be believed.",
        means="[{warnings}][ Seen least well: {weakest}.][ {cut}]",
        todo=COMPARE,
        detail="Confidence {saw:.2f} of 1, {wanted:g} wanted. {check}: {why}.",
        measured="the confidence of the reader, or of the answer",
    ),
    "not-believed": Words(
        "What was read, {size}, is not believed[: {why}].",
        means="[{warnings}][ Seen least well: {weakest}.][ {cut}]",
        todo=COMPARE,
        detail="[The check that refused it: {check}.]",
        measured="one of the other checks of a reading",
    ),
    "unknown": Words(
        "{message}",
        means="Why is not known.",
        todo="Is the whole board in the picture? Is anything in front of it? {todo}",
        measured="none of the others",
    ),
}
"""By the code of the cause, in the order of the documents."""

READS = (
    "`{text}` reads it: {size} and exactly one solution. A misread board hardly ever has just one; "
    "compare it with the screen."
)
READS_WITHOUT = "Without `{option}` it is read: {size} and exactly one solution."
"""The words for advice that was tried and helps."""
TAKES = {
    "--crop X": "`--crop` takes left, top, width and height in pixels.",
    "--set ROW": "`--set` takes row,column=letter, counted from 1; both dots of a colour have the same "
    "letter.",
    "--set CELL": "`--set` takes cell=letter; `--debug` shows the numbers of the cells.",
}
"""What the values of options mean, where a person must fill them in: by what advice has of them."""


@value_type
class Explanation:
    """A cause in words: it, more about it, what to do, and the numbers."""

    says: str
    means: str
    todo: str
    detail: str = ""

    @property
    def message(self) -> str:
        """The fault, for a line of a terminal."""
        return f"{self.says} {self.means}".strip()


def explain(cause: Cause) -> Explanation:
    """The words for a cause."""
    words, facts = WORDS[cause.code], dict(cause.facts)
    came = _came(cause.advice)
    added = sum(one.option == "--set" for one in cause.advice) if came else 0
    facts |= {"came": bool(came), "alone": not came, "added": added, "whole": _whole(facts)}
    sides = facts.get("sides", ("",))
    facts["which"] = listed(sides, between=", ", last="or" if facts.get("either") else "and")
    if cause.advice and not came:
        facts |= {"option": cause.advice[0].text, "options": " ".join(one.text for one in cause.advice)}
    todo = " ".join(filter(None, (came, filled(words.todo, facts))))
    todo = " ".join((todo, *(takes for option, takes in TAKES.items() if option in todo))).strip()
    return Explanation(
        filled(words.says, facts), filled(words.means, facts), todo, filled(words.detail, facts)
    )


def _whole(facts: Mapping[str, Any]) -> list[str]:
    """How many rows or columns are whole, of those that an edge cuts."""
    sides = facts.get("sides", ())
    cut = (("rows", ("top", "bottom")), ("cols", ("left", "right")))
    counts = {name: facts[name] for name, edges in cut if set(sides) & set(edges) and name in facts}
    words = {"rows": ("row", "rows"), "cols": ("column", "columns")}
    return [f"{count} {words[name][count != 1]}" for name, count in counts.items()]


def _came(advice: Sequence[Advice]) -> str:
    """The result of advice in words, where it was tried and helps."""
    if not advice or advice[0].came != "solved":
        return ""
    text, first = " ".join(one.text for one in advice), advice[0]
    reads = READS if first.value else READS_WITHOUT
    return " ".join((reads.format(text=text, option=first.option, size=first.size), *first.warnings))


def cause_object(cause: Cause) -> dict[str, Any]:
    """A cause as an object of JSON, its words with it; places are counted from 0."""
    words = explain(cause)
    return {
        "code": cause.code,
        "says": words.says,
        "means": words.means,
        "todo": words.todo,
        "todo_without_options": explain(replace(cause, advice=())).todo,
        "detail": words.detail,
        "seen": {name: value for name, value in cause.facts.items() if value is not None},
        "advice": [
            {"option": one.option, "value": one.value, "came": one.came or None} for one in cause.advice
        ],
    }
