"""Money away from the tables: the cage, cash and chips, debts, slips."""
