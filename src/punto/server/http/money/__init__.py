"""Routes about money: the cage, slips, reports of shifts and days, ratings of patrons, settings of the house."""
