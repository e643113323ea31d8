"""Puzzles without a screenshot: solved and reported, made, searched before your eyes, drawn as one."""
