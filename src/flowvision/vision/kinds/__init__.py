"""Kinds of boards, a folder each: finding, fit, and the board cut out."""
