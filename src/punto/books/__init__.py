"""Money: balanced postings read off a table's events, what they add up to, and an auditor that recomputes it all."""

from punto.books.auditor import Auditor, audit
from punto.books.postings import Ledger, Posting
from punto.books.results import Results, results

__all__ = ["Auditor", "Ledger", "Posting", "Results", "audit", "results"]
