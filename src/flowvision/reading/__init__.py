"""Choose the reading to believe: the attempts, their order, and the checks."""
