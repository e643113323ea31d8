"""Which cells belong to the board, and which of their sides are walls."""
