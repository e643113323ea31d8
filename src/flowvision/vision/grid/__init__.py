"""Rows and columns: the lattice of a region."""
