"""The receipt of a correction, a void or a wager handed back."""
