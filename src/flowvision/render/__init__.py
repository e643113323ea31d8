"""Drawing: solutions over screenshots, boards as text or alone."""
