"""Version number, importable without the public names."""

VERSION = "0.1.0"
