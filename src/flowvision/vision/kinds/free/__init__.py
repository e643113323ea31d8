"""Boards of cells of any shape."""
