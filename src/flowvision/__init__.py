"""Flowvision: drop in a screenshot of a Flow Free board, get the solved picture back."""

__version__ = "0.1.0"
