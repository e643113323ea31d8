"""Processes that make calls for another one, and may die or be ended without harm to it."""
