"""Commands that study games: rules, odds, simulation, counting, staking."""
