"""Which reading of a picture to believe: what is tried, in order, and what is made of it."""
