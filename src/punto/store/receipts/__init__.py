"""Receipts of settled wagers: what they say, how they are made from the events, and how they are handed out."""
