"""Worker processes: they make calls for another process, and may die or be killed without harm to it."""
