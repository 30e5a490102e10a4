"""What is written for people to keep and to check: PAR sheets, plots, shift reports, rounds replayed or disputed."""
