"""The version, below all that names it, so that nothing has to import the public names for it."""

VERSION = "0.1.0"
