"""Conditions on cards: what they ask of a hand, which hands they cannot tell apart, and which can still come."""
