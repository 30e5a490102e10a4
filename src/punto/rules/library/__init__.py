"""Known games as files, found by their keys like the approved ones, and what a file borrows from an approved game."""
