"""Answers of every front end, and their files: pictures, animations, vectors, hints."""
