"""Rows and columns: the lattice of squares that explains a region."""
