"""Changes made by hand to a board that was read: changes as values, and the reading they make."""
