"""Studies of the games: counting, perfect play and known cards, pay tables, bankrolls and staking plans."""
