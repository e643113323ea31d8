"""Graphs, puzzles, boards, their text forms and their referee. No OpenCV here."""
