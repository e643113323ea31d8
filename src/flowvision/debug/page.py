"""The page that shows a debug folder: every picture with a line about it, attempts, thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from html import escape

from flowvision import __version__
from flowvision.debug.scene import Panel
from flowvision.errors import FlowvisionError
from flowvision.events import Event, StageFailed
from flowvision.reading.options import Options
from flowvision.reading.result import CheckedReading
from flowvision.vision.settings import thresholds

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; background: #16181c; color: #e8e8e8; margin: 2rem auto;
  padding: 0 1rem; max-width: 1500px; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.verdict { border-left: 6px solid #58d68d; background: #20242b; padding: .7rem 1rem; white-space: pre-line; }
.verdict.failed { border-color: #ff6b6b; }
.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(420px, 1fr)); gap: 1.2rem; }
figure { margin: 0; background: #20242b; border-radius: 8px; overflow: hidden; }
figure img { width: 100%; display: block; max-height: 620px; object-fit: contain; background: #0b0c0e; }
figcaption { padding: .6rem .9rem .9rem; } figcaption b { display: block; }
table { border-collapse: collapse; }
td, th { text-align: left; padding: .2rem .9rem .2rem 0; vertical-align: top; }
th { color: #9aa3ad; font-weight: 500; } .failed td { color: #ff9b9b; } code { color: #ffd479; }
"""


def page_of(
    panels: Sequence[Panel],
    events: Sequence[Event],
    options: Options,
    final: CheckedReading | FlowvisionError,
) -> str:
    """The whole page; it needs nothing but the pictures beside it."""
    return "\n".join(
        [
            "<!doctype html><html lang='en'><meta charset='utf-8'>",
            "<meta name='viewport' content='width=device-width'><title>Flowvision: debug</title>",
            f"<style>{STYLE}</style><h1>What Flowvision saw</h1>",
            _verdict(final),
            "<div class='sheet'>",
            *(_figure(panel) for panel in panels),
            "</div>",
            "<h2>What was tried</h2>",
            _table(("stage", "strategy", "dots", "ms", "outcome"), map(_attempt, events)),
            "<h2>Thresholds</h2>",
            _table(("name", "value", "unit", "why"), _thresholds(options)),
            f"<p>flowvision {__version__}</p></html>\n",
        ]
    )


def _verdict(final: CheckedReading | FlowvisionError) -> str:
    if isinstance(final, FlowvisionError):
        check = f"\nRefused by the check: {final.refusal}" if final.refusal else ""
        return f"<p class='verdict failed'><b>{escape(final.code)}</b>: {escape(str(final) + check)}</p>"
    lines = [f"Read with a confidence of {final.confidence:.2f}.", *final.warnings]
    return f"<p class='verdict'>{escape(chr(10).join(lines))}</p>"


def _figure(panel: Panel) -> str:
    name = escape(panel.name)
    return (
        f"<figure><a href='{name}'><img src='{name}' alt='{escape(panel.title)}'></a>"
        f"<figcaption><b>{name}: {escape(panel.title)}</b>{escape(panel.caption)}</figcaption></figure>"
    )


def _attempt(event: Event) -> tuple[str, ...]:
    outcome = event.error.message if isinstance(event, StageFailed) else type(event.result).__name__
    model = event.trail.model.name if event.trail.model else ""
    return event.stage, event.trail.strategy, model, f"{event.seconds * 1000:.1f}", outcome


def _thresholds(options: Options) -> Iterable[tuple[str, ...]]:
    """Every threshold of the reader with its unit and reason, and the pipeline's own bounds."""
    for threshold in thresholds(options.settings):
        yield threshold.name, f"{threshold.value:g}", threshold.unit, threshold.reason
    for one in fields(options):
        if one.name != "settings":
            value = getattr(options, one.name)
            shown = f"{value:g}" if isinstance(value, int | float) else str(value or "–")
            yield one.name, shown, one.metadata.get("unit", ""), one.metadata.get("reason", "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"<table><tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return "\n".join([*lines, "</table>"])
