"""Routes of the dealer school."""
