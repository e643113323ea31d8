"""Worker processes, which may die or be killed without harm to their parent."""
