"""Limits of patrons over the whole house, and exclusions."""
