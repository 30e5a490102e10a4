"""Statistical tests of shuffled shoes and of the words behind them. docs/randomness.md says what each asks."""
