"""Answers in every form: pictures that move, vectors, hints on the picture, geometry in pixels."""
