"""The conduct of a round as chapter 3 of the documents describes it, one module per subject."""
