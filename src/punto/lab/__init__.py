"""Studies of the games: what card counting gains, and how a bankroll fares under a staking plan."""
