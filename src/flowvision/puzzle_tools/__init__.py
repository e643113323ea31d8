"""Puzzles without a screenshot: solve, report, generate, draw."""
