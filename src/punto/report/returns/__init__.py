"""Actual return against theoretical return: of each wager, at each table and of each game, with bounds."""
