"""Dots, and which of them belong together."""
