"""``index.html``: a contact sheet of before and after, failures first; it needs no network."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from html import escape
from urllib.parse import quote

from flowvision import __version__
from flowvision.batch.cards import Card, tally
from flowvision.batch.progress import printable

MOST_CARDS = 10_000
"""More would keep a browser busy for long; the failures among them come first."""

ABOUT_HINTS = "Options that hints name are those of `flowvision SHOT`, for one screenshot by itself."

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; background: #16181c; color: #e8e8e8; margin: 2rem auto;
  padding: 0 1rem; max-width: 1600px; }
h1 { font-size: 1.4rem; } form { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; margin: 1rem 0; }
select, input { font: inherit; background: #20242b; color: inherit; border: 1px solid #454b55; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 1rem;
  align-items: start; }
article { background: #20242b; border-top: 4px solid #58d68d; border-radius: 6px; overflow: hidden; }
article.failed { border-color: #ff6b6b; } article article { margin: .6rem; background: #16181c; }
.pictures { display: flex; flex-wrap: wrap; gap: 2px; background: #0b0c0e; justify-content: center; }
.pictures div { display: flex; gap: 2px; max-width: 100%; } .pictures a { min-width: 0; }
img { display: block; height: 260px; max-width: 100%; object-fit: contain; min-width: 0; }
.words { padding: .6rem .9rem; overflow-wrap: anywhere; } .words > :is(b, .about, .hint) { display: block; }
code { white-space: nowrap; font-size: .9em; }
.code { color: #ff9b9b; } .hint { color: #ffd479; } .dim { color: #9aa3ad; } summary { padding: .4rem .9rem; }
[hidden] { display: none; }
"""

SCRIPT = """
const cards = [...document.querySelectorAll('main > article')];
const form = document.querySelector('form');
const plain = text => text.normalize('NFC').toLowerCase();
function show() {
  const { outcome, size, name } = Object.fromEntries(new FormData(form));
  let shown = 0;
  for (const card of cards) {
    const all = [card, ...card.querySelectorAll('article')];
    const named = all.filter(one => plain(one.dataset.name).includes(plain(name)));
    const { outcome: o, size: s } = card.dataset;
    for (const one of all) one.hidden = !named.includes(one);
    card.hidden = (outcome && o !== outcome) || (size && s !== size) || !named.length;
    if (card.hidden) continue;
    shown += named.length;
    const folded = card.querySelector('details');
    if (folded && name) folded.open = named.some(one => one !== card);
  }
  document.querySelector('output').textContent = shown + ' shown';
}
form.addEventListener('input', show);
form.addEventListener('submit', event => event.preventDefault());
show();
"""


def sheet_of(groups: Sequence[Sequence[Card]], total: int) -> Iterator[str]:
    """The page, piece by piece: a card a group; ``total`` is the number of all screenshots."""
    outcomes, sizes = tally(groups, "outcome"), tally(groups, "size")
    shown = sum(outcomes.values())
    yield (
        "<!doctype html><html lang='en'><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'><title>Flowvision: screenshots</title>"
        f"<style>{STYLE}</style><h1>{_heading(outcomes)}</h1>"
    )
    if outcomes.keys() - {"solved"}:
        yield f"<p class='dim'>{_words(ABOUT_HINTS)}</p>"
    if shown < total:
        yield f"<p>{shown:,} of {total:,} are shown; results.ndjson and summary.csv have all.</p>"
    yield (
        f"<form><label>Outcome {_select('outcome', outcomes)}</label>"
        f"<label>Size {_select('size', dict(sorted(sizes.items(), key=_natural)))}</label>"
        "<label>Name <input name='name' type='search' autocomplete='off'></label>"
        "<output></output></form>\n<main>\n"
    )
    yield from map(_group, groups)
    yield f"</main><p class='dim'>flowvision {__version__}</p><script>{SCRIPT}</script></html>\n"


def _heading(outcomes: dict[str, int]) -> str:
    solved = outcomes.get("solved", 0)
    return f"{solved:,} solved, {sum(outcomes.values()) - solved:,} failed"


def _select(name: str, counts: dict[str, int]) -> str:
    options = "".join(
        f"<option value='{escape(value)}'>{escape(value)} ({count:,})</option>"
        for value, count in counts.items()
    )
    return f"<select name='{name}'><option value=''>all</option>{options}</select>"


def _natural(item: tuple[str, int]) -> list[int]:
    """Sizes in the order of their numbers; ``no board`` first."""
    return [int(number) for number in re.findall(r"\d+", item[0])]


def _group(group: Sequence[Card]) -> str:
    """The first card of a group, and the others folded up within it."""
    first, others = group[0], group[1:]
    folded = ""
    if others:
        number = "1 more screenshot" if len(others) == 1 else f"{len(others):,} more screenshots"
        cards = "".join(f"<article {_name(card)}>{_inside(card)}</article>" for card in others)
        folded = f"<details><summary>{number} of this puzzle</summary>{cards}</details>"
    kind = "failed" if first.puzzle is None else "solved"
    data = f"data-outcome='{escape(first.outcome)}' data-size='{escape(first.size)}' {_name(first)}"
    return f"<article class='{kind}' {data}>{_inside(first)}{folded}</article>\n"


def _name(card: Card) -> str:
    """What a card is found by."""
    return f"data-name='{escape(printable(card.file))}'"


def _inside(card: Card) -> str:
    before = _picture(card.before, "before", card.before)
    after = _picture(card.after, "after", card.solved)
    stage = _picture(card.stage, "the stage that failed", card.stage)
    outcome = f"<span class='code'>{escape(card.outcome)}</span> " if card.puzzle is None else ""
    hint = f"<span class='hint'>{_words(card.hint)}</span>" if card.hint else ""
    return (
        f"<div class='pictures'><div>{before}{after}</div>{stage}</div>"
        f"<div class='words'><b>{escape(printable(card.file))}</b>"
        f"{outcome}<span class='dim'>{escape(card.size)}</span>"
        f"<span class='about'>{_words(card.about)}</span>{hint}</div>"
    )


def _words(text: str) -> str:
    """What an error says, as part of the page; what is to be typed stands between backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(printable(text)))


def _picture(name: str | None, title: str, whole: str | None) -> str:
    """A small picture, where there is one, that leads to the ``whole`` one."""
    if not name:
        return ""
    picture = f"<img loading='lazy' src='{_link(name)}' alt='{title}' title='{title}'>"
    return f"<a href='{_link(whole)}'>{picture}</a>" if whole else picture


def _link(name: str) -> str:
    """The address of a file of the output folder, whatever its name."""
    return escape(quote(os.fsencode(name)))
