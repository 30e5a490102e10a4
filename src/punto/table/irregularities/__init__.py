"""What the rules say when something goes wrong, as in chapter 5 of the documents, one module per subject."""
