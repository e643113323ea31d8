"""The dots, and which of them belong together."""
