"""Boards without lines: circles on a lattice."""
