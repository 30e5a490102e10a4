"""Money: balanced postings for every event of a table, and the results they add up to."""

from punto.books.ledger import Ledger, Posting
from punto.books.table_results import Results, results

__all__ = ["Ledger", "Posting", "Results", "results"]
