"""Kinds of boards: each a folder with how it is found, its fit, and how the board is cut out of it."""
