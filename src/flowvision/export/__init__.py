"""Answers as files: animations, vectors, hints, geometry in pixels."""
