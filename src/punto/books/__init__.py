"""Money: balanced postings read off a table's events, what they add up to, and an auditor that recomputes it all."""
