"""What the house trusts: its key, signed heads of its logs, snapshots as a cache."""
