"""The design of games: exact figures of a file while it is written, and the games that a house has saved."""
