"""Commands that make or check evidence: audit, replay, export, reports, published shoes."""
