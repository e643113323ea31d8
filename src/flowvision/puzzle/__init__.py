"""What is to be solved: graphs, puzzles, boards, their text forms and their referee. No OpenCV here."""
