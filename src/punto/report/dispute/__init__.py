"""A dispute packet: one round with everything needed to check it outside the house."""
