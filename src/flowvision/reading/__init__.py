"""Choice of the reading to believe: what is tried in which order, and the checks."""
