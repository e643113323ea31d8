"""Boards of squares between lines: the game itself."""
