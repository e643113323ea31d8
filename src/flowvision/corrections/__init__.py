"""Corrections by hand: changes as values, applied to a draft of the board."""
