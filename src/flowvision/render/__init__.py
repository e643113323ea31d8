"""Drawing: solutions over screenshots, boards as text, synthetic screenshots."""
