"""Bridges and warps, and pipes that are already drawn."""
