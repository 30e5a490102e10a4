"""Guidance: what comes next at a table, who may give a command, and the Dealer's steps that run without a person."""
