"""What the rules say when something goes wrong, one module a subject."""
