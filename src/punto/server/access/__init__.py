"""People: who they are, how they sign in, what the house permits them."""
