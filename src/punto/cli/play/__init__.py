"""Commands that play rounds: a table, a script, a settlement, the school."""
