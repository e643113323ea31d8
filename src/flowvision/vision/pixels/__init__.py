"""The working picture: its lines, circles and colours."""
