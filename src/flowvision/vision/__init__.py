"""Screenshot in, readings out: the stages that see the board."""
