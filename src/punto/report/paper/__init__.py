"""Papers of the house: slips for fills and credits, count sheets, statements of patrons."""
