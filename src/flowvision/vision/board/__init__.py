"""Where the board is: its region of the picture."""
