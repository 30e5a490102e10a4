"""Routes about people: who they are, how they sign in, and their devices."""
