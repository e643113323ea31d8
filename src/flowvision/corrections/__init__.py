"""What somebody changes about a board that was read: changes as values, and the reading they make."""
