"""Pixels: the working picture, lines, circles and colours in it."""
