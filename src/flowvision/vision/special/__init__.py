"""What explains a region where no plain lattice does: hexagons, cells of any shape, circles without lines."""
