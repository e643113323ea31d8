"""Pictures: bytes to pixels and back, cut out and turned."""
