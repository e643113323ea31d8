"""What a cell is written as, one character each: empty, a hole, a bridge, or the letter of a flow."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
"""The letters of flows in order, unless a caller chooses; a puzzle with more flows has no text form."""

EMPTY, HOLE, BRIDGE = ".", "#", "+"

MARKS = LETTERS + EMPTY + HOLE + BRIDGE
"""All that a row of cells may show."""
