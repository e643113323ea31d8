"""Graphs, puzzles, boards, text forms, and the referee; no OpenCV."""
