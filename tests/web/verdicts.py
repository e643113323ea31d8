"""Verdicts of the page: their colour, their words of doubt, and answers that are made doubtful."""

from __future__ import annotations

import json
from typing import Any

from tests.web.chromium import Tab

AMBER = "Compare it with your screenshot: dots, colours, walls."
"""What is said of a board that somebody has still to compare."""


def kind(tab: Tab) -> str:
    """The colour of the verdict: good, warn, bad."""
    return str(tab.page.locator("#verdict").get_attribute("class"))


def refuse_what_was_read(route: Any) -> None:
    """The answer as a refusal that has the right board."""
    reply = route.fetch()
    made = json.loads(reply.text().split("event: answer\ndata: ")[1])
    board = made["board"] | {"flows": [{**flow, "doubts": [0.5, 0.0]} for flow in made["flows"]]}
    error = {"code": "doubtful-reading", "message": "The weakest dot is not sure enough.", "hint": ""}
    refused = {"ok": False, "error": error, "seen": {"picture": made["seen"]["picture"], "board": board}}
    route.fulfill(
        status=200, content_type="text/event-stream", body=f"event: answer\ndata: {json.dumps(refused)}\n\n"
    )
