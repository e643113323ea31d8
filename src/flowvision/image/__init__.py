"""Pictures: decode, encode, cut out, rotate."""
