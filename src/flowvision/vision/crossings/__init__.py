"""Bridges, warps, and pipes that are already drawn."""
