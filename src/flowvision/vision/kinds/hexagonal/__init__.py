"""Boards of hexagons."""
