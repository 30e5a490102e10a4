"""PAR sheets: the odds of a game as a test laboratory files them."""
