"""Number of the version, importable by all without the public names."""

VERSION = "0.1.0"
