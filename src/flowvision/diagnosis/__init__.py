"""Why a picture was refused: one cause as data, and one table of words for it."""
