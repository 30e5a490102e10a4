"""Evidence of randomness on paper: computed shoes, or the logged shoes of a house."""
